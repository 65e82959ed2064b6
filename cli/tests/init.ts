/**
 * @module What `edgewise test --init` does: writes the tests of a project that are not there yet, and installs what runs them.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../core/counted.ts';
import { readPackage } from '../core/package.ts';
import { replaceFile } from '../core/replace-file.ts';
import { print, progress } from '../core/terminal.ts';
import { installPackages } from '../new/install.ts';
import { withTesting } from '../new/package-json.ts';
import { testFiles } from '../new/template.ts';
import { readSources } from '../project/sources.ts';
import { assertNoClone } from './run.ts';

/**
 * @param install runs `npm install`
 * @throws UserError in a clone; SchemaError or UserError for wrong files
 */
export async function initTests(root: string, { install }: { readonly install: boolean }): Promise<void> {
  assertNoClone(root);
  const { declared } = await readSources(root);
  const absent = testFiles(declared).filter(({ path }) => !existsSync(join(root, path)));
  // A file that is there is a whole one, wherever this is stopped.
  for (const { path, text } of absent) replaceFile(join(root, path), text);
  const file = join(root, 'package.json');
  replaceFile(file, withTesting(readFileSync(file, 'utf8'), readPackage()));
  progress(`wrote package.json and ${counted(absent.length, 'file')} of tests`);
  if (install) installPackages(root);
  print('Next:');
  if (!install) print('  npm install');
  print('  npm test');
}
