/**
 * @module The package, packed and installed. One thing differs from what a user has: npm installs nothing. The packed files are
 * laid into a folder of packages whose others are links to those of this repository, without its Node, which a project does not
 * have: its commands run on the one of these tests.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandsIn, type Ended } from '../node/first-hour/clone.ts';

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'node_modules');

/** Options of `edgewise new` for a project whose packages a test lays there. */
export const NOTHING_RUN = ['--no-git', '--no-install'];

function assertDone({ code, output }: Ended): void {
  if (code !== 0) throw new Error(output);
}

/** Lays the packed files into `node_modules`, as npm does. */
function install(folder: string, file: string): void {
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(MODULES).filter((each) => !/^\.|^(edgewise|node)$/.test(each)))
    symlinkSync(join(MODULES, name), join(folder, 'node_modules', name));
  cpSync(join(MODULES, '.bin'), join(folder, 'node_modules/.bin'), { recursive: true, verbatimSymlinks: true });
  rmSync(join(folder, 'node_modules/.bin/node'));
  symlinkSync('../edgewise/cli/edgewise.mjs', join(folder, 'node_modules/.bin/edgewise'));
  cpSync(join(folder, 'package'), join(folder, 'node_modules/edgewise'), { recursive: true });
  const packages = { 'node_modules/edgewise': { resolved: `file:${file}` } };
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages }));
}

/** Packs this clone, as `edgewise new` does in one, and installs the package into an empty folder. */
export async function installPackage(folder: string): Promise<void> {
  const made = join(folder, 'from-clone');
  assertDone(await commandsIn(ROOT).run('npx', 'edgewise', 'new', made, ...NOTHING_RUN));
  const { edgewise = '' } = JSON.parse(readFileSync(join(made, 'package.json'), 'utf8')).dependencies;
  const file = edgewise.replace(/^file:/, '');
  renameSync(join(made, file), join(folder, file));
  assertDone(await commandsIn(folder).run('tar', 'xzf', file));
  install(folder, file);
}
