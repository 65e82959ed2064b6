/**
 * @module The folder `drizzle/`: numbered migrations, which wrangler applies, and what they amount to.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../json.ts';
import { UserError } from '../terminal.ts';
import type { Locales } from './locale-notes.ts';
import { lossLines } from './losses.ts';
import { emptyState, type Part, type SchemaState } from './migration.ts';
import { RENEW_STAMPS } from './renew-stamps.ts';
import { type Migration, whenLine } from './when.ts';

export const MIGRATIONS = 'drizzle';
const SNAPSHOT = `${MIGRATIONS}/meta/snapshot.json`;
const LAYOUT = `${MIGRATIONS}/meta/layout.json`;
export const LOCALES = `${MIGRATIONS}/meta/locales.json`;

/** A file that generate makes: path from the project root, text. */
export interface Output {
  readonly path: string;
  readonly text: string;
}

/** wrangler sends a migration as one query; big ones are cut so that no limit of D1's API is met. */
const MAX_STATEMENTS = 90;
const MAX_CHARACTERS = 80_000;

const sortedKeys = (_: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
    : value;

/** JSON with sorted keys: equal values have equal texts. */
export const jsonText = (value: unknown): string => `${JSON.stringify(value, sortedKeys, 2)}\n`;

/** The files of a state; equal states have equal texts. */
export const stateFiles = ({ snapshot, layout }: SchemaState): readonly Output[] => [
  { path: SNAPSHOT, text: jsonText(snapshot) },
  { path: LAYOUT, text: jsonText(layout) },
];

function readJson(root: string, path: string): unknown {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'));
  } catch (error) {
    throw new UserError(`${path}: restore it from version control; ${(error as Error).message}`);
  }
}

/** The locales of the last generation; undefined before the first. @throws UserError for a damaged file. */
export const readLocales = (root: string): Locales | undefined =>
  existsSync(join(root, LOCALES)) ? (readJson(root, LOCALES) as Locales) : undefined;

export function migrationNames(root: string): readonly string[] {
  const folder = join(root, MIGRATIONS);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+_.*\.sql$/.test(name))
    .sort();
}

const MIGRATION = new RegExp(`^${MIGRATIONS}/(\\d+_[^/]*\\.sql)$`);

/** The migrations among files. */
export const migrationsAmong = (files: readonly Output[]): readonly Migration[] =>
  files.flatMap(({ path, text }) => {
    const name = MIGRATION.exec(path)?.[1];
    return name === undefined ? [] : [{ name, text }];
  });

/** The migrations of a project, in order. */
export const readMigrations = (root: string): readonly Migration[] =>
  migrationNames(root).map((name) => ({ name, text: readFileSync(join(root, MIGRATIONS, name), 'utf8') }));

/**
 * The state that the migrations in the project lead to.
 * @throws UserError when migrations are there and a file that describes them is not, or is damaged.
 */
export async function readState(root: string): Promise<SchemaState> {
  const fresh = migrationNames(root).length === 0 && !existsSync(join(root, SNAPSHOT));
  if (fresh) return emptyState();
  return { snapshot: readJson(root, SNAPSHOT), layout: readJson(root, LAYOUT) } as SchemaState;
}

function pieces(statements: readonly string[]): string[][] {
  const files: string[][] = [];
  let size = 0;
  for (const statement of statements) {
    const last = files.at(-1);
    const fits = last && last.length < MAX_STATEMENTS && size + statement.length < MAX_CHARACTERS;
    if (fits) last.push(statement);
    else files.push([statement]);
    size = fits ? size + statement.length : statement.length;
  }
  return files;
}

/**
 * The texts of a part, by the names of its files. The first names the losses; each says when it runs, and that it is a piece
 * of several. Each is a commit of its own, so each bumps the stamps.
 */
const textsOf = ({ when, statements, losses }: Part, name: string): readonly (readonly [string, string])[] =>
  pieces(statements).map((piece, index, { length }) => {
    const head = [
      whenLine(when),
      ...(length > 1 ? [`-- piece ${index + 1} of ${length}: where one fails, npm run migrate goes on with it`] : []),
      ...(index === 0 ? losses.flatMap(lossLines) : []),
    ];
    const all = piece.includes(RENEW_STAMPS) ? piece : [...piece, RENEW_STAMPS];
    return [index === 0 ? name : `${name}_${index + 1}`, [...head, `${all.join(';\n')};`, ''].join('\n')];
  });

/**
 * The next migration: a file for each part, several when there are very many statements.
 * @param names of the migrations before it.
 */
export function migrationFiles(
  root: string,
  what: string,
  parts: readonly Part[],
  names: readonly string[] = migrationNames(root),
): readonly Output[] {
  const last = Number.parseInt(names.at(-1) ?? '0', 10);
  return parts
    .flatMap((part, index) => textsOf(part, index === 0 ? what : `${what}_${part.when}`))
    .map(([name, text], index) => {
      const number = String(last + index + 1).padStart(4, '0');
      return { path: `${MIGRATIONS}/${number}_${name}.sql`, text };
    });
}
