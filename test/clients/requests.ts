/**
 * @module What the tests of clients share: the server, and values that no other test has.
 */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import type { Served } from './global-setup.ts';

/** @throws Error if the server did not start */
async function served(): Promise<{ readonly url: string; readonly token: string }> {
  const file = inject('served');
  while (!existsSync(file)) await pause(100);
  const found = JSON.parse(readFileSync(file, 'utf8')) as Served;
  if ('error' in found) throw new Error(found.error);
  return found;
}

export const { url, token } = await served();

let values = 0;

/** A text that is nobody else's. */
export function unique(text: string): string {
  values += 1;
  return `${text}-${process.pid.toString(36)}-${Date.now().toString(36)}${values}`;
}

export const PASSWORD = 'a long secret';
export const NEW_PASSWORD = 'a longer secret';

export const account = (username: string) => ({ username, email: `${username}@example.com`, password: PASSWORD });

/** Ten pixels by ten. */
export const PNG: Uint8Array<ArrayBuffer> = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC',
    'base64',
  ),
);
