/**
 * @module Runs before everything else, on whatever Node there is: the commands need one whose SQLite keeps limits. `npm ci` in a
 * clone installs it, and `npm run` and `npx` find it first; a project runs on the Node of the machine.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GET_NODE, hasLimits, NEEDS } from './node-limits.mjs';

function isInstalled() {
  try {
    return createRequire(import.meta.url).resolve('commander') !== '';
  } catch {
    return false;
  }
}

/** Where this may be installed: the folder in which it was started, a clone, or the project that has it as a package. */
const OWN = fileURLToPath(new URL('..', import.meta.url));
const PROJECTS = [process.cwd(), OWN.slice(0, -1), join(OWN, '../..')];

const bringsNode = (folder) => ['node', 'node.cmd'].some((name) => existsSync(join(folder, 'node_modules/.bin', name)));

function problem() {
  if (!isInstalled()) return 'Nothing is installed here yet: npm ci';
  if (hasLimits()) return undefined;
  const project = PROJECTS.find(bringsNode);
  if (project) {
    const where = project === process.cwd() ? '' : ` in ${project}`;
    return `${NEEDS}; use npm run or npx${where}, which find the newer one in node_modules.`;
  }
  return `${NEEDS}; ${GET_NODE}`;
}

function end(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

const text = problem();
if (text !== undefined) end(text);

// Scripts that are not a command of `edgewise` start with this file, and load wrangler.
if (String(process.argv[1]).endsWith('check-node.mjs'))
  import('./core/wrangler/wrangler-folders.ts')
    .then(({ assertFolders }) => assertFolders())
    .catch(({ message }) => end(message));
