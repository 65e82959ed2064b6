/**
 * @module Whether this Node will do: its SQLite must keep limits. Any Node reads this file, so it has nothing new in it.
 */
import { createRequire } from 'node:module';

/** Older ones ignore the option `limits`, and with it the protection from files of others, without a word. */
export function hasLimits() {
  try {
    const { DatabaseSync } = createRequire(import.meta.url)('node:sqlite');
    return 'limits' in new DatabaseSync(':memory:');
  } catch {
    return false;
  }
}

/** The begin of a sentence. */
export const NEEDS = `This needs Node 24.15 or newer (25.8 of Node 25) and was started with ${process.version}`;

/** Where to get one. */
export const GET_NODE = 'install a newer one: https://nodejs.org/en/download';
