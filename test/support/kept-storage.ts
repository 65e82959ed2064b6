/**
 * @module In the place of `cli/core/storage/local-storage.ts` in unit tests: a storage stays open for the next command on
 * the same one. As processes, commands open it each, which takes longer than what they do.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type OpenStorage, openLocalStorage as open } from '../../cli/core/storage/local-storage.ts';

let kept: { readonly key: string; readonly opened: OpenStorage } | undefined;

/** A folder that was replaced is another one. */
const keyOf = (config: string, folder: string, env?: string): string => {
  const inode = existsSync(folder) ? statSync(folder).ino : 'new';
  return JSON.stringify([readFileSync(config, 'utf8'), folder, inode, env]);
};

export async function openLocalStorage(config: string, folder: string, env?: string): Promise<OpenStorage> {
  if (kept?.key !== keyOf(config, folder, env)) {
    await kept?.opened.close();
    kept = undefined;
    const opened = await open(config, folder, env);
    kept = { key: keyOf(config, folder, env), opened };
  }
  return { ...kept.opened, close: async () => {} };
}
