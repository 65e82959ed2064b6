/**
 * @module The cases of `type-cases.ts`, judged by a TypeScript compiler.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CLIENT = join(import.meta.dirname, '../../client/index.ts');

const OPTIONS = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true },
  ...{ module: 'esnext', moduleResolution: 'bundler', target: 'es2022', lib: ['ES2024', 'DOM'], types: [] },
  allowImportingTsExtensions: true,
  paths: { 'edgewise-client': [CLIENT] },
};

/** Compiles files of a folder of their own with the client, and returns what the compiler prints. */
export function compileWith(
  compiler: string,
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-client-types-'));
  const config = { compilerOptions: OPTIONS, files: Object.keys(files) };
  for (const [name, text] of Object.entries({ ...files, 'tsconfig.json': JSON.stringify(config) }))
    writeFileSync(join(folder, name), text);
  const run = [compiler, '-p', folder, '--pretty', 'false', ...args];
  const { stdout, stderr } = spawnSync(process.execPath, run, { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  return stdout + stderr;
}
