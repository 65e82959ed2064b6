/**
 * @module The settings of a project: `edgewise.config.ts` over `edgewise.imported.json`, which is what the archive of the last
 * import says of roles, locales and users. So no import changes the former.
 */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { memoized } from '../../src/common/cache.ts';
import { isObject, ownValue } from '../../src/common/json.ts';
import { parseSettings, type Settings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { readJson } from '../core/read-json.ts';
import { UserError } from '../core/terminal.ts';

export const CONFIG = 'edgewise.config.ts';
export const IMPORTED = 'edgewise.imported.json';

/** Fills in defaults. @throws UserError that names `file`, and each wrong key */
export function checkedSettings(input: unknown, file?: string): Settings {
  try {
    return parseSettings(input, file);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

/** Returns no settings without a file. @throws UserError that names the file, and each wrong key */
export function readImported(root: string): SettingsInput {
  const path = join(root, IMPORTED);
  if (!existsSync(path)) return {};
  const json = readJson(path, IMPORTED);
  checkedSettings(json, IMPORTED);
  return json as SettingsInput;
}

/** Merges objects key by key. Any other value of `own` replaces the imported one, lists included. */
export function mergeSettings(own: unknown, imported: unknown): unknown {
  if (own === undefined) return imported;
  if (!isObject(own) || !isObject(imported)) return own;
  const merged = Object.entries(imported).map(([key, value]) => [key, mergeSettings(ownValue(own, key), value)]);
  return { ...own, ...Object.fromEntries(merged) };
}

/** Returns the keys of the imported settings that `own` sets to something else, such as `roles.public`. */
export function overriddenKeys(own: unknown, imported: unknown, path = ''): readonly string[] {
  if (own === undefined || isDeepStrictEqual(own, imported)) return [];
  if (!isObject(own) || !isObject(imported)) return [path];
  return Object.entries(imported).flatMap(([key, value]) =>
    overriddenKeys(ownValue(own, key), value, path === '' ? key : `${path}.${key}`),
  );
}

const VERSION = /\?v=\d+$/;

/** Modules that do not change while a command runs. */
const STABLE: readonly string[] = [
  ...['src', 'cli'].map((folder) => join(import.meta.dirname, '../..', folder) + sep),
  `${sep}node_modules${sep}`,
];

/** The module `edgewise` of a clone, which has none in `dist/`; absent in the package. */
const SOURCE = join(import.meta.dirname, '../../src/worker.ts');

/** Gives imports the version of the module that imports them. */
const hookImports = memoized(() =>
  registerHooks({
    resolve(specifier, context, next) {
      const isOwn = specifier === 'edgewise' && VERSION.test(context.parentURL ?? '') && existsSync(SOURCE);
      const found = next(isOwn ? pathToFileURL(SOURCE).href : specifier, context);
      const [version] = VERSION.exec(context.parentURL ?? '') ?? [];
      if (version === undefined || !found.url.startsWith('file:')) return found;
      const path = fileURLToPath(found.url);
      return STABLE.some((part) => path.includes(part)) ? found : { ...found, url: pathToFileURL(path).href + version };
    },
  }),
);

let version = 0;

/**
 * Imports a module and what it imports as they are on the disk now. Node caches modules by URL, so each import adds a new
 * version to the URLs.
 */
async function importFresh(path: string): Promise<{ readonly default?: unknown }> {
  hookImports();
  version += 1;
  return import(`${pathToFileURL(path).href}?v=${version}`);
}

/** Node writes the location of a syntax error before the stack; stack frames have the version of the module. */
const LOCATION = /^(?:file:\/\/)?(\/[^?\n]+?)(?:\?v=\w+)?:(\d+)\n|file:\/\/(\/[^?\n]+)\?v=\w+:(\d+)/;

/** Loads `edgewise.config.ts`, as it stands there; without one nothing is set. @throws UserError that names the file */
export async function loadOwnSettings(root: string): Promise<unknown> {
  const path = join(root, CONFIG);
  if (!existsSync(path)) return {};
  const module = await importFresh(path).catch(({ stack = '', message }: Error) => {
    const [, thrower, row, file = thrower, line = row] = LOCATION.exec(stack) ?? [];
    const location = file ? `${relative(root, decodeURI(file))}:${line}` : CONFIG;
    throw new UserError(`${location} cannot be loaded: ${message}`);
  });
  if (module.default === undefined) throw new UserError(`${CONFIG}: expected \`export default defineConfig({ … })\``);
  return module.default;
}

/**
 * Merges settings of the project's own over imported ones, and fills in defaults.
 * @throws UserError that names each wrong key
 */
export const mergedSettings = (own: unknown, imported: SettingsInput): Settings =>
  checkedSettings(mergeSettings(own, imported));

/** Loads the settings; either file may be missing. @throws UserError that names the file, and each wrong key */
export const loadSettings = async (root: string) => mergedSettings(await loadOwnSettings(root), readImported(root));
