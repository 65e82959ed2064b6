/**
 * @module Imports a module and what it imports as they are on the disk now. Node caches modules by URL, so each import
 * adds a new version to the URLs.
 */
import { registerHooks } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { memoized } from '../../cache.ts';

const VERSION = /\?v=\d+$/;

/** Modules that do not change while a command runs. */
const STABLE: readonly string[] = [join(import.meta.dirname, '../..') + sep, `${sep}node_modules${sep}`];

/** Gives imports the version of the module that imports them. */
const hookImports = memoized(() =>
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const [version] = VERSION.exec(context.parentURL ?? '') ?? [];
      if (version === undefined || !found.url.startsWith('file:')) return found;
      const path = fileURLToPath(found.url);
      return STABLE.some((part) => path.includes(part)) ? found : { ...found, url: pathToFileURL(path).href + version };
    },
  }),
);

let version = 0;

export async function importFresh(path: string): Promise<{ readonly default?: unknown }> {
  hookImports();
  version += 1;
  return import(`${pathToFileURL(path).href}?v=${version}`);
}
