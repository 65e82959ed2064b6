/**
 * @module What `edgewise test --init` does: writes the tests of a project that are not there yet, and installs what runs them.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../core/counted.ts';
import { readPackage } from '../core/package.ts';
import { readJson } from '../core/read-json.ts';
import { replaceFile } from '../core/replace-file.ts';
import { print, progress } from '../core/terminal.ts';
import { installPackages } from '../new/install.ts';
import { withTesting } from '../new/package-json.ts';
import { testFiles } from '../new/template.ts';
import { readSources } from '../project/sources.ts';
import { assertNoClone } from './run.ts';

/**
 * @param install runs `npm install`
 * @throws UserError in a clone; SchemaError or UserError for wrong files, package.json too
 */
export async function initTests(root: string, { install }: { readonly install: boolean }): Promise<void> {
  assertNoClone(root);
  const { declared } = await readSources(root);
  const file = join(root, 'package.json');
  const text = withTesting(readJson(file, 'package.json'), readPackage());
  const absent = testFiles(declared).filter(({ path }) => !existsSync(join(root, path)));
  // A file that is there is a whole one, wherever this is stopped.
  for (const output of absent) replaceFile(join(root, output.path), output.text);
  replaceFile(file, text);
  progress(`wrote package.json and ${counted(absent.length, 'file')} of tests`);
  if (install) installPackages(root);
  print('Next:');
  if (!install) print('  npm install');
  print('  npm test');
}
