/**
 * @module A copy of the project in a folder of its own, with other content models and settings in place of the
 * project's. It starts without migrations and without a database.
 */
import { randomBytes } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SettingsInput } from '../../src/schema/settings/config.ts';

export const PROJECT: string = join(import.meta.dirname, '../..');

const COPIED = ['src', 'cli', 'testing', 'package.json', 'tsconfig.json', 'wrangler.toml'];

/** Makes the copy and returns its path. */
export function makeScratch(models: string | readonly string[], settings: SettingsInput): string {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-conformance-'));
  for (const name of COPIED) cpSync(join(PROJECT, name), join(folder, name), { recursive: true });
  for (const model of [models].flat())
    cpSync(join(model, 'content-types'), join(folder, 'content-types'), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'), 'dir');
  mkdirSync(join(folder, 'dist'));
  symlinkSync(join(PROJECT, 'dist/studio'), join(folder, 'dist/studio'), 'dir');
  writeFileSync(join(folder, 'edgewise.config.ts'), `export default ${JSON.stringify(settings, null, 2)};\n`);
  writeFileSync(join(folder, '.dev.vars'), `JWT_SECRET=${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
  return folder;
}

export const removeScratch = (folder: string): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
