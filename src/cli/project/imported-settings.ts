/**
 * @module `edgewise.imported.json`: what the archive of the last import says of roles, locales and users. The settings
 * of `edgewise.config.ts` are merged over it, so no import changes that file.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseSettings, type Settings, type SettingsInput } from '../../config.ts';
import { isObject, ownValue } from '../../json.ts';
import { UserError } from '../core/terminal.ts';

export const IMPORTED = 'edgewise.imported.json';

/** Fills in defaults. @throws UserError that names `file`, and each wrong key */
export function checkedSettings(input: unknown, file?: string): Settings {
  try {
    return parseSettings(input, file);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

/**
 * Reads the imported settings; none where there is no file.
 * @throws UserError that names the file, and each wrong key
 */
export function readImported(root: string): SettingsInput {
  const path = join(root, IMPORTED);
  if (!existsSync(path)) return {};
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UserError(`${IMPORTED} is not JSON: ${(error as Error).message}`);
  }
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
