/**
 * @module What `edgewise new` does: everything is read and planned first, then the files are written, into a folder that is
 * absent or empty before, and has all files or is as it was afterwards.
 */
import { copyFileSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { counted } from '../core/counted.ts';
import { OWN_MARK, reportLeftovers } from '../core/leftovers.ts';
import { print, progress, UserError } from '../core/terminal.ts';
import type { Output } from '../migrations/migration-files.ts';
import { packageFile } from './package-file.ts';
import { planNew, projectName } from './project-files.ts';
import { archiveTypes, cloneTypes, starterTypes, strapiTypes, type Types } from './types.ts';

/** @throws UserError for a folder with something in it, and for a file. */
export function assertFree(root: string, folder: string): void {
  const present = statSync(root, { throwIfNoEntry: false });
  if (present?.isDirectory()) reportLeftovers(root);
  const isFree = !present || (present.isDirectory() && readdirSync(root).length === 0);
  const is = present?.isDirectory() ? 'not empty' : 'a file';
  if (!isFree) throw new UserError(`${folder} is ${is}; name a folder that is absent or empty`);
}

/**
 * Writes all files or none, with a copy of the file of the package. They are written into a folder that is removed if the
 * process is killed, and then moved.
 * @throws Error of the system
 */
export function writeFolder(root: string, outputs: readonly Output[], copied?: string): void {
  const unfinished = join(root, `${OWN_MARK}.part`);
  const made = mkdirSync(root, { recursive: true });
  try {
    for (const { path, text } of outputs) {
      mkdirSync(dirname(join(unfinished, path)), { recursive: true });
      writeFileSync(join(unfinished, path), text);
    }
    if (copied !== undefined) copyFileSync(copied, join(unfinished, basename(copied)));
    for (const name of readdirSync(unfinished)) renameSync(join(unfinished, name), join(root, name));
    rmdirSync(unfinished);
  } catch (error) {
    const written = made === undefined ? readdirSync(root).map((name) => join(root, name)) : [made];
    for (const path of written) rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** The folder of a Strapi project or of a clone, or the path of an archive. */
type NewFlags = Readonly<{ from?: string; fromClone?: string; archive?: string }>;

function typesFor({ from, fromClone, archive }: NewFlags): Promise<Types> | Types {
  if (from !== undefined) return strapiTypes(from);
  if (fromClone !== undefined) return cloneTypes(fromClone);
  return archive === undefined ? starterTypes() : archiveTypes(archive);
}

export async function newProject(folder: string, flags: NewFlags): Promise<void> {
  const root = resolve(folder);
  const name = projectName(root);
  assertFree(root, folder);
  const types = await typesFor(flags);
  const { outputs, copied, problem } = await planNew(root, name, types, packageFile);
  writeFolder(root, outputs, copied);
  progress(`wrote ${counted(outputs.length + (copied === undefined ? 0 : 1), 'file')} into ${folder}`);
  for (const line of types.notes) print(line);
  print(problem === undefined ? 'Next:' : `${problem}\nNext: correct what is named here, then`);
  const here = relative('', root);
  if (here !== '') print(`  cd ${folder}`);
  print('  npm install');
  if (problem !== undefined) print('  npx edgewise generate');
  if (flags.archive !== undefined) print(`  npx edgewise import ${relative(root, resolve(flags.archive))}`);
  if (flags.fromClone !== undefined) print('  npx edgewise migrate');
  print('  npm run dev');
}
