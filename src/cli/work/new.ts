/**
 * @module What `edgewise new` does: everything is read and planned first, then the files are written.
 */
import { relative, resolve } from 'node:path';
import { print, progress } from '../core/terminal.ts';
import { assertFree, writeFolder } from '../new/folder.ts';
import { dependencyOf, planNew, projectName } from '../new/project-files.ts';
import { archiveTypes, starterTypes, strapiTypes, type Types } from '../new/types.ts';

interface NewFlags {
  /** Folder of a Strapi project. */
  readonly from?: string;
  /** Path of an archive. */
  readonly archive?: string;
}

function typesFor({ from, archive }: NewFlags): Promise<Types> | Types {
  if (from !== undefined) return strapiTypes(from);
  return archive === undefined ? starterTypes() : archiveTypes(archive);
}

export async function newProject(folder: string, flags: NewFlags): Promise<void> {
  const root = resolve(folder);
  const name = projectName(root);
  assertFree(root, folder);
  const types = await typesFor(flags);
  const { outputs, problem } = await planNew(root, name, types, () => dependencyOf(root));
  writeFolder(root, outputs);
  progress(`wrote ${outputs.length} files into ${folder}`);
  for (const line of types.notes) print(line);
  print(problem === undefined ? 'Next:' : `${problem}\nNext: correct what is named here, then`);
  const here = relative('', root);
  if (here !== '') print(`  cd ${folder}`);
  print('  npm install');
  if (problem !== undefined) print('  npm run generate');
  if (flags.archive !== undefined) print(`  npm run import -- ${relative(root, resolve(flags.archive))}`);
  print('  npm run dev');
}
