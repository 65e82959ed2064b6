/**
 * @module Replaces files atomically, for those who read them meanwhile.
 */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';

/** Replaces a file atomically; makes its folder. @throws the system's error, with the path */
export function replaceFile(path: string, content: string | Uint8Array, mode?: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const bytes = typeof content === 'string' ? content : Buffer.from(content);
  try {
    writeFileAtomic.sync(path, bytes, mode === undefined ? {} : { mode });
  } catch (error) {
    throw Object.assign(error as Error, { path });
  }
}
