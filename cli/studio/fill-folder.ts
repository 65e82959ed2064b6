/**
 * @module Makes a folder, which a server may read meanwhile, have certain files.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { replaceFile } from '../core/replace-file.ts';

/** A path with `/`, and the content. */
export type FileBytes = readonly [path: string, bytes: Uint8Array];

/** Returns the paths of everything below a folder, with `/`. */
export const pathsBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.split(sep).join('/'));

/** Makes a folder, which a server may read meanwhile, have these files alone. They are written in their order. */
export function fillFolder(folder: string, files: readonly FileBytes[]): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of files) {
    const path = join(folder, name);
    if (existsSync(path) && readFileSync(path).equals(bytes)) continue;
    replaceFile(path, bytes);
  }
  const isKept = (path: string) => files.some(([name]) => name === path || name.startsWith(`${path}/`));
  for (const path of pathsBelow(folder))
    if (!isKept(path)) rmSync(join(folder, path), { recursive: true, force: true });
}
