/**
 * @module What `edgewise new` does: everything is read and planned first, then the files are written, then npm and git are run.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { counted } from '../core/counted.ts';
import { print, progress } from '../core/terminal.ts';
import { assertFree, writeFolder } from './folder.ts';
import { initRepository, installPackages } from './install.ts';
import { packageFiles } from './package-file.ts';
import { projectName } from './package-json.ts';
import { planNew } from './project-files.ts';
import { askNew, type NewAnswers, type NewFlags } from './questions.ts';
import { siteTypes } from './starters.ts';
import { archiveTypes, cloneTypes, starterTypes, strapiTypes, type Types } from './types.ts';

function typesFor({ from, fromClone, archive, starter }: NewAnswers): Promise<Types> | Types {
  if (starter !== undefined) return siteTypes(starter);
  if (from !== undefined) return strapiTypes(from);
  if (fromClone !== undefined) return cloneTypes(fromClone);
  return archive === undefined ? starterTypes() : archiveTypes(archive);
}

/** The text of package.json; undefined without one. */
function packageIn(root: string): string | undefined {
  const file = join(root, 'package.json');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** @param given the folder; undefined where it is asked for */
export async function newProject(given: string | undefined, flags: NewFlags): Promise<void> {
  const answers = await askNew(given, flags);
  const { folder, git, install, archive, fromClone } = answers;
  const root = resolve(folder);
  const name = projectName(root);
  assertFree(root, folder);
  const types = await typesFor(answers);
  const { outputs, copied, problem } = await planNew(root, name, types, () => packageFiles(types.site !== undefined));
  const before = packageIn(root);
  writeFolder(root, outputs, copied);
  progress(`wrote ${counted(outputs.length + copied.length, 'file')} into ${folder}`);
  // It is, where the package was installed into the folder before.
  const isInstalled = packageIn(root) === before;
  if (git) initRepository(root);
  if (install && !isInstalled) installPackages(root);
  for (const line of types.notes) print(line);
  print(problem === undefined ? 'Next:' : `${problem}\nNext: correct what is named here, then`);
  const here = relative('', root);
  if (here !== '') print(`  cd ${folder}`);
  if (!install && !isInstalled) print('  npm install');
  if (problem !== undefined) print('  npx edgewise generate');
  if (archive !== undefined) print(`  npx edgewise import ${relative(root, resolve(archive))}`);
  if (fromClone !== undefined) print('  npx edgewise migrate');
  print('  npm run dev');
  print('The documentation is in node_modules/edgewise/docs/; begin with its tutorial.md');
}
