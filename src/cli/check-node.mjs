/**
 * @module Runs before each command, on whatever Node there is: the commands are TypeScript, which needs a newer Node than
 * the one that may be installed. `npm ci` brings one along, and `npm run` finds it first. wrangler needs folders outside
 * of the project, and throws while it is imported where it cannot have them.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const isNewEnough = major > 24 || (major === 24 && minor >= 3);

/** Looked for from the folder in which npm runs scripts. */
const isInstalled = existsSync('node_modules/commander');

/** The folder of wrangler's logs and login, as it looks for it. */
function wranglerFolder() {
  const older = join(homedir(), '.wrangler');
  if (statSync(older, { throwIfNoEntry: false })) return older;
  const usual = process.platform === 'darwin' ? 'Library/Preferences' : '.config';
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), usual), '.wrangler');
}

function isWritable(path) {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function hasWranglerFolder() {
  try {
    let folder = wranglerFolder();
    while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
    return isWritable(folder);
  } catch {
    return false;
  }
}

function folderProblem() {
  const temporary = tmpdir();
  if (!isWritable(temporary)) {
    const why = existsSync(temporary) ? 'cannot be written by this user' : 'is not there';
    return `The folder for temporary files, ${temporary}, ${why}; name another one: TMPDIR=<folder>`;
  }
  if (process.platform === 'win32' || hasWranglerFolder()) return undefined;
  return `wrangler keeps its logs and its login in the home folder, ${homedir()}, which this user cannot write; name another one: HOME=<folder>`;
}

function problem() {
  if (!isInstalled) return 'Nothing is installed here yet: npm ci';
  if (isNewEnough) return folderProblem();
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
