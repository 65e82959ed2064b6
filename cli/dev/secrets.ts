/**
 * @module `.dev.vars`: the secrets of the local Worker.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Settings } from '../../src/schema/settings/config.ts';
import { replaceFile } from '../core/replace-file.ts';
import { progress } from '../core/terminal.ts';
import { missingProviderSecrets, missingSecrets } from '../deploy/warnings.ts';

export const SECRETS = '.dev.vars';

/** What is written on this machine starts no build of the public site, and reaches no other receiver of it. */
export const localWebhooks = (webhooks: Settings['webhooks']): Settings['webhooks'] =>
  webhooks.filter(({ allowPrivate }) => allowPrivate);

/** Returns the names of the secrets of the local Worker that have a value. */
export function localSecrets(root: string): readonly string[] {
  const path = join(root, SECRETS);
  const values = existsSync(path) ? parseEnv(readFileSync(path, 'utf8')) : {};
  return Object.keys(values).filter((name) => values[name]);
}

/** Returns a line for each secret that a webhook on this machine or a login provider lacks; only that one knows it. */
export function localSecretWarnings(root: string, { webhooks, users }: Settings): readonly string[] {
  const secrets = localSecrets(root);
  const toAdd = (name: string) => `the secret ${name}; add the line ${name}=<value> to ${SECRETS}`;
  return [
    ...missingSecrets(localWebhooks(webhooks), secrets).map(
      (name) => `webhooks: nothing is sent without ${toAdd(name)}`,
    ),
    ...missingProviderSecrets(users, secrets).map(
      ([setting, name]) => `${setting}: users cannot sign in without ${toAdd(name)}`,
    ),
  ];
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
