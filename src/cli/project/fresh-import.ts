/**
 * @module Imports a module as it stands on the disk, with what it imports. Node keeps what it has imported once; a version
 * in the address makes it another module.
 */
import { statSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sha256 } from '../../digest.ts';

const VERSION = /\?v=([0-9a-f]{16})$/;

/** What does not change while a command runs. */
const STABLE: readonly string[] = [join(import.meta.dirname, '../..') + sep, `${sep}node_modules${sep}`];

const seen = new Set<string>();
let isHooked = false;

/** The files that were imported this way so far; who follows one of them follows all. */
export const importedFiles = (): readonly string[] => [...seen];

/** Another one as soon as any of the files is: a module that is not imported anew imports nothing anew. */
function version(): string {
  const times = importedFiles().map((path) => [path, statSync(path, { throwIfNoEntry: false })?.mtimeMs]);
  return sha256(JSON.stringify(times)).slice(0, 16);
}

function versioned(path: string, current: string): string {
  seen.add(path);
  return `${pathToFileURL(path).href}?v=${current}`;
}

function hook(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const [, current] = VERSION.exec(context.parentURL ?? '') ?? [];
      if (current === undefined || !found.url.startsWith('file:')) return found;
      const path = fileURLToPath(found.url);
      return STABLE.some((part) => path.includes(part)) ? found : { ...found, url: versioned(path, current) };
    },
  });
}

export async function importFresh(path: string): Promise<{ readonly default?: unknown }> {
  hook();
  seen.add(path);
  return import(versioned(path, version()));
}
