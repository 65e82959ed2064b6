/**
 * @module Runs before each command, on whatever Node there is: the commands are TypeScript, which needs a newer Node than
 * the one that may be installed. `npm ci` brings one along, and `npm run` finds it first.
 */
import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isNewEnough = major > 24 || (major === 24 && minor >= 3);

/** Looked for from the folder in which npm runs scripts. */
const isInstalled = existsSync('node_modules/commander');

function problem() {
  if (!isInstalled) return 'Nothing is installed here yet: npm ci';
  if (isNewEnough) return undefined;
  const brought = existsSync('node_modules/.bin/node') || existsSync('node_modules/.bin/node.cmd');
  const what = `This needs Node 24.3 or newer and was started with ${process.version}`;
  if (brought) return `${what}; use npm run, which finds the newer one in node_modules.`;
  return `${what}; get the newer one with: npm rebuild node (it was left out by --ignore-scripts), or install it yourself.`;
}

const text = problem();
if (text !== undefined) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
