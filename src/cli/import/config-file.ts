/**
 * @module `edgewise.config.ts` with what an archive brings: written anew where the file holds nothing but values, else
 * the text that is to be put into it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import { parseSettings, type Settings, type SettingsInput } from '../../config.ts';
import { isObject } from '../../json.ts';
import type { Registry } from '../../registry/model.ts';
import { UserError } from '../core/terminal.ts';
import { unknownActions } from '../project/actions.ts';
import { CONFIG } from '../project/project.ts';

type Tree = Readonly<Record<string, unknown>>;

const WIDTH = 120;

/** A key of an object; a plain `__proto__` would set the prototype. */
function nameOf(key: string): string {
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}

/** A text in single quotes; one with a quote in it in double ones, as the formatter has it. */
function quoted(text: string): string {
  const json = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}

const inline = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isObject(value)) return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${nameOf(key)}: ${inline(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
};

const hasSeveral = (value: unknown): boolean => isObject(value) && Object.keys(value).length > 1;

/** Does the formatter give each entry a line, however short they are? */
const isSpread = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 1 && value.every(hasSeveral)
    : isObject(value) && Object.values(value).some((item) => typeof item === 'object' && item !== null);

/** A value as source text: on one line where it holds no others and fits. */
function literal(value: unknown, indent: string, before: number): string {
  const line = inline(value);
  if (typeof value !== 'object' || value === null) return line;
  if (!isSpread(value) && indent.length + before + line.length + 1 <= WIDTH) return line;
  const inner = `${indent}  `;
  const entries = Array.isArray(value)
    ? value.map((item) => `${inner}${literal(item, inner, 0)},\n`)
    : Object.entries(value).map(([key, item]) => {
        const name = `${nameOf(key)}: `;
        return `${inner}${name}${literal(item, inner, name.length)},\n`;
      });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${entries.join('')}${indent}${close}`;
}

/** The text of a settings file. */
export const configText = (settings: SettingsInput): string =>
  `import { defineConfig } from './src/config.ts';\n\nexport default defineConfig(${literal(settings, '', 0)});\n`;

/** What the archive says takes the place of what is there, value by value; lists are values. */
function mergedSettings(present: Tree, archive: Tree): Tree {
  const entries = Object.entries(archive).map(([key, value]) => {
    const other = present[key];
    const merges = isObject(value) && isObject(other) && key !== 'roles' && key !== 'roleDetails';
    return [key, merges ? mergedSettings(other, value) : value];
  });
  return { ...present, ...Object.fromEntries(entries) };
}

/** Source text without what a formatter decides. */
const compact = (text: string): string =>
  text
    .replaceAll(/\s+/g, '')
    .replaceAll(/,([\]})])/g, '$1')
    .replaceAll('"', "'");

export type ConfigChange =
  | { readonly kind: 'none' }
  /** The file may be replaced by this text. */
  | { readonly kind: 'write'; readonly text: string; readonly settings: Settings }
  /** The file has more than values in it; this is what its keys should be. */
  | { readonly kind: 'patch'; readonly text: string };

async function valuesIn(path: string): Promise<Tree | undefined> {
  const module = (await import(`${pathToFileURL(path).href}?import=${Date.now()}`)) as { readonly default?: unknown };
  return isObject(module.default) ? module.default : undefined;
}

/** Roles without the actions of content types that are not there. */
function withoutUnknown(settings: SettingsInput, registry: Registry): SettingsInput {
  const { roles } = settings;
  if (!roles) return settings;
  const known = Object.entries(roles).map(([role, actions]) => {
    const unknown = unknownActions(registry, actions);
    return [role, actions.filter((action) => !unknown.includes(action))] as const;
  });
  return { ...settings, roles: Object.fromEntries(known) };
}

/** Indexes, searched types and times of caches that the content types have; what another model asked for goes with it. */
function withoutUnfit(settings: SettingsInput, { contentTypes }: Registry): SettingsInput {
  const { indexes, search, cache } = settings;
  const fits = (uid: string, terms: readonly string[]) =>
    terms.every((term) => contentTypes.get(uid)?.attributes.has(term.replace(/:.*$/, '')));
  const kept = Object.entries(indexes ?? {}).flatMap(([uid, lists]) => {
    const fitting = lists.filter((terms) => fits(uid, terms));
    return fitting.length > 0 ? [[uid, fitting] as const] : [];
  });
  return {
    ...settings,
    ...(indexes && { indexes: Object.fromEntries(kept) }),
    ...(search && { search: search.filter((uid) => contentTypes.has(uid)) }),
    ...(cache && { cache: Object.fromEntries(Object.entries(cache).filter(([uid]) => contentTypes.has(uid))) }),
  };
}

/** A fresh clone has these for its demo. */
const DEMO_LOCALES = {
  locales: [
    { code: 'en', name: 'English (en)', isDefault: true },
    { code: 'fr', name: 'French (fr)' },
  ],
};

/** Without what the settings say of the demo's content types, also where others have the same names. */
function withoutDemo({ roles, indexes, search, cache, i18n, ...others }: SettingsInput): SettingsInput {
  return inline(i18n) === inline(DEMO_LOCALES) || i18n === undefined ? others : { i18n, ...others };
}

/** Permissions of types that go would stop `generate` when it is too late. */
function patchOf(archive: SettingsInput, present: SettingsInput, registry: Registry): ConfigChange {
  const roles = archive.roles ? [] : Object.values(present.roles ?? {});
  const [unknown] = roles.flatMap((actions) => unknownActions(registry, actions));
  if (unknown !== undefined)
    throw new UserError(`${CONFIG}: take ${unknown} out of roles: no content type of the archive has this action`);
  return { kind: 'patch', text: literal(archive, '', 0) };
}

/** As JSON has them; objects of another context have another prototype. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The settings as the file will be loaded. @throws UserError for settings that would be wrong. */
function checkedSettings(merged: SettingsInput): Settings {
  try {
    const loaded: unknown = runInNewContext(`(${literal(merged, '', 0)})`);
    if (!isDeepStrictEqual(plain(loaded), plain(merged))) throw new Error('a name in them has no source text');
    return parseSettings(merged);
  } catch (error) {
    throw new UserError(`The settings of the archive cannot be taken as they are: ${(error as Error).message}`);
  }
}

/**
 * What is to be done about the settings of the project; nothing is written yet.
 * @param registry the content types as they will be.
 * @param leavesDemo does the demo go, with what the settings say of it?
 * @throws UserError for settings that would be wrong.
 */
export async function configChange(
  root: string,
  archive: SettingsInput,
  registry: Registry,
  leavesDemo = false,
): Promise<ConfigChange> {
  const path = join(root, CONFIG);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const present = ((source !== undefined && (await valuesIn(path))) || {}) as SettingsInput;
  const kept = leavesDemo ? withoutDemo(present) : present;
  const wanted = mergedSettings(kept as Tree, archive as Tree) as SettingsInput;
  const merged = withoutUnfit(withoutUnknown(wanted, registry), registry);
  if (inline(merged) === inline(present)) return { kind: 'none' };
  const settings = checkedSettings(merged);
  const isPlain = source === undefined || compact(source) === compact(configText(present));
  return isPlain ? { kind: 'write', text: configText(merged), settings } : patchOf(archive, present, registry);
}
