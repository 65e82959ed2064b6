/**
 * @module What `edgewise test` does: the tests of a project, after a build, in the vitest of the project.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PACKAGE } from '../core/package.ts';
import { UserError } from '../core/terminal.ts';
import { buildProject } from '../deploy/build.ts';

/** @throws UserError in a clone of Edgewise, which has tests of its own */
export function assertNoClone(root: string): void {
  if (root === PACKAGE) throw new UserError('A clone of Edgewise has its tests: npm run test:project');
}

/** The executable, in the project or in a folder above. @throws UserError where it is not installed */
function findVitest(root: string): string {
  try {
    return join(dirname(createRequire(join(root, 'package.json')).resolve('vitest/package.json')), 'vitest.mjs');
  } catch {
    throw new UserError('The test runner is not installed: npm install');
  }
}

/**
 * @param args of vitest: files, and options
 * @returns its exit code
 * @throws UserError in a clone, and without tests or their runner; SchemaError or UserError for wrong files
 */
export async function runTests(root: string, args: readonly string[]): Promise<number> {
  assertNoClone(root);
  if (!existsSync(join(root, 'vitest.config.ts')))
    throw new UserError(
      'There are no tests yet; to write them, and to install what runs them: npx edgewise test --init',
    );
  const vitest = findVitest(root);
  await buildProject(root);
  const [code] = await once(spawn(process.execPath, [vitest, 'run', ...args], { cwd: root, stdio: 'inherit' }), 'exit');
  return code ?? 1;
}
