/**
 * @module The folder of a new project: absent or empty before, or with nothing but the package installed, and with all files or as it
 * was afterwards.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../../src/common/json.ts';
import { OWN_MARK, reportLeftovers } from '../core/leftovers.ts';
import { readJson } from '../core/read-json.ts';
import { UserError } from '../core/terminal.ts';

/** What an installation of the package alone leaves in a folder. */
const INSTALLED = /^(package\.json|package-lock\.json|node_modules|edgewise-[^/]*\.tgz)$/;

/** Has the folder nothing but this package, as `npm install edgewise` leaves it? */
function isInstalledOnly(root: string, folder: string, names: readonly string[]): boolean {
  const file = join(root, 'package.json');
  if (!existsSync(file) || !names.every((name) => INSTALLED.test(name))) return false;
  const { dependencies, scripts, devDependencies, workspaces } = readJson(file, join(folder, 'package.json'));
  // As `npm create edgewise` writes it.
  const isOurs = isObject(scripts) && scripts.dev === 'edgewise dev';
  // `npm init` writes a test that only says that there is none.
  const isPlain =
    !devDependencies && !workspaces && Object.values(scripts ?? {}).every((each) => /^echo /.test(String(each)));
  return (isOurs || isPlain) && Object.keys(dependencies ?? {}).join() === 'edgewise';
}

/** @throws UserError for a folder with something in it but this package, for a file, and for a package.json that is no JSON. */
export function assertFree(root: string, folder: string): void {
  const present = statSync(root, { throwIfNoEntry: false });
  if (!present) return;
  if (!present.isDirectory()) throw new UserError(`${folder} is a file; name a folder that is absent or empty`);
  reportLeftovers(root);
  const names = readdirSync(root);
  if (names.length > 0 && !isInstalledOnly(root, folder, names))
    throw new UserError(`${folder} is not empty; name a folder that is absent or empty`);
}

/** A file of a new project. */
export interface NewFile {
  readonly path: string;
  readonly text: string | Uint8Array;
}

/**
 * Writes all files or none, with copies of the files of packages. They are written into a folder that is removed if the
 * process is killed, and then moved.
 * @throws Error of the system
 */
export function writeFolder(root: string, outputs: readonly NewFile[], copied: readonly string[] = []): void {
  const unfinished = join(root, `${OWN_MARK}.part`);
  const made = mkdirSync(root, { recursive: true });
  const present = new Set(readdirSync(root));
  try {
    for (const { path, text } of outputs) {
      mkdirSync(dirname(join(unfinished, path)), { recursive: true });
      writeFileSync(join(unfinished, path), text);
    }
    for (const path of copied) copyFileSync(path, join(unfinished, basename(path)));
    for (const name of readdirSync(unfinished)) renameSync(join(unfinished, name), join(root, name));
    rmdirSync(unfinished);
  } catch (error) {
    const written = readdirSync(root).filter((name) => !present.has(name));
    for (const path of made === undefined ? written.map((name) => join(root, name)) : [made])
      rmSync(path, { recursive: true, force: true });
    throw error;
  }
}
