/**
 * @module What the tests of clients share: the server, and values that no other test has.
 */
import { inject } from 'vitest';
import { readLate } from '../support/late-value.ts';
import type { Served } from './global-setup.ts';

export const { url, token } = await readLate<Served>(inject('served'));

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
