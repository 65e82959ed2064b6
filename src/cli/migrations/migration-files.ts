/**
 * @module The folder `drizzle/`: numbered migrations, which wrangler applies, and what they amount to.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../json.ts';
import { STAMP_TABLE } from '../../registry/names.ts';
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

const makesStamps = (statement: string): boolean => statement.startsWith(`CREATE TABLE \`${STAMP_TABLE}\``);

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

interface File {
  readonly name: string;
  readonly head: readonly string[];
  readonly statements: readonly string[];
}

/** The files of a part. The first names the losses; each says when it runs, and that it is a piece of several. */
function filesOf({ when, statements, losses }: Part, name: string): readonly File[] {
  return pieces(statements).map((piece, index, { length }) => ({
    name: index === 0 ? name : `${name}_${index + 1}`,
    head: [
      whenLine(when),
      ...(length > 1 ? [`-- piece ${index + 1} of ${length}: where one fails, npm run migrate goes on with it`] : []),
      ...(index === 0 ? losses.flatMap(lossLines) : []),
    ],
    statements: piece,
  }));
}

/** Each file is a commit of its own, and gives new stamps as soon as there is a table of them. */
function renewing(files: readonly File[]): readonly File[] {
  const first = Math.max(
    0,
    files.findIndex(({ statements }) => statements.some(makesStamps)),
  );
  return files.map((file, index) =>
    index < first || file.statements.includes(RENEW_STAMPS)
      ? file
      : { ...file, statements: [...file.statements, RENEW_STAMPS] },
  );
}

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
  const files = parts.flatMap((part, index) => filesOf(part, index === 0 ? what : `${what}_${part.when}`));
  return renewing(files).map(({ name, head, statements }, index) => {
    const number = String(last + index + 1).padStart(4, '0');
    const text = [...head, `${statements.join(';\n')};`, ''].join('\n');
    return { path: `${MIGRATIONS}/${number}_${name}.sql`, text };
  });
}
