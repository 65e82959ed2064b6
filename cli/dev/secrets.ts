/**
 * @module `.dev.vars`: the secrets of the local Worker.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { replaceFile } from '../core/replace-file.ts';
import { progress } from '../core/terminal.ts';

export const SECRETS = '.dev.vars';

/** Returns the names of the secrets of the local Worker that have a value. */
export function localSecrets(root: string): readonly string[] {
  const path = join(root, SECRETS);
  const values = existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
  return Object.keys(values).filter((name) => values[name]);
}

/** Writes the file with a random `JWT_SECRET`, or adds one to a file that has none. Changes no secret. */
export function ensureSecrets(root: string): void {
  const path = join(root, SECRETS);
  const line = `JWT_SECRET=${randomBytes(32).toString('hex')}\n`;
  if (!existsSync(path)) {
    replaceFile(path, line, 0o600);
    progress(`wrote ${SECRETS} with random secrets`);
    return;
  }
  const text = readFileSync(path, 'utf8');
  if (parseEnv(text).JWT_SECRET) return;
  replaceFile(path, `${text.replace(/[^\n]$/, '$&\n')}${line}`);
  progress(`added a random JWT_SECRET to ${SECRETS}`);
}
