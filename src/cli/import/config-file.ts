/**
 * @module `edgewise.config.ts` with what an archive brings: written anew where the file holds nothing but values, else
 * the text that is to be put into it.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SettingsInput } from '../../config.ts';
import { CONFIG } from '../project.ts';

type Tree = Readonly<Record<string, unknown>>;

const WIDTH = 120;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

const nameOf = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key));

/** A text in single quotes; one with a quote in it in double ones, as the formatter has it. */
function quoted(text: string): string {
  const json = JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}

const inline = (value: unknown): string => {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isTree(value)) return String(value);
  const entries = Object.entries(value).map(([key, item]) => `${nameOf(key)}: ${inline(item)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
};

/** A value as source text: on one line where it holds no others and fits. */
function literal(value: unknown, indent: string, before: number): string {
  const line = inline(value);
  const nested = isTree(value) && Object.values(value).some((item) => typeof item === 'object' && item !== null);
  if (typeof value !== 'object' || value === null) return line;
  if (!nested && indent.length + before + line.length + 1 <= WIDTH) return line;
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
export function mergedSettings(present: Tree, archive: Tree): Tree {
  const entries = Object.entries(archive).map(([key, value]) => {
    const other = present[key];
    const merges = isTree(value) && isTree(other) && key !== 'roles' && key !== 'roleDetails';
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
  | { readonly kind: 'write'; readonly text: string }
  /** The file has more than values in it; this is what its keys should be. */
  | { readonly kind: 'patch'; readonly text: string };

async function valuesIn(path: string): Promise<Tree | undefined> {
  const module = (await import(`${pathToFileURL(path).href}?import=${Date.now()}`)) as { readonly default?: unknown };
  return isTree(module.default) ? module.default : undefined;
}

/** What is to be done about the settings of the project; nothing is written yet. */
export async function configChange(root: string, archive: SettingsInput): Promise<ConfigChange> {
  if (Object.keys(archive).length === 0) return { kind: 'none' };
  const path = join(root, CONFIG);
  if (!existsSync(path)) return { kind: 'write', text: configText(archive) };
  const source = readFileSync(path, 'utf8');
  const present = (await valuesIn(path)) ?? {};
  const merged = mergedSettings(present, archive as Tree) as SettingsInput;
  if (inline(merged) === inline(present)) return { kind: 'none' };
  const isPlain = compact(source) === compact(configText(present as SettingsInput));
  return isPlain ? { kind: 'write', text: configText(merged) } : { kind: 'patch', text: literal(archive, '', 0) };
}

/** A file that is there is replaced in one step. */
export function writeConfig(root: string, text: string): void {
  const path = join(root, CONFIG);
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}
