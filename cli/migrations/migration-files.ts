/**
 * @module The migrations in `drizzle/`: numbered files, which wrangler applies.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/common/digest.ts';
import { isObject } from '../../src/common/json.ts';
import { ROTATE_STAMPS } from '../core/sql/database.ts';
import { fenceSql } from '../core/sql/fence.ts';
import type { Part } from './migration.ts';

export const MIGRATIONS = 'drizzle';

/**
 * A file that generate makes: path from the project root, text. `claims`: a snapshot that must not exist yet, and the number
 * of the first of its migrations.
 */
export type Output = Readonly<{ path: string; text: string; claims?: string }>;

export type Migration = Readonly<{ name: string; text: string }>;

/** wrangler sends a migration as one query; longer ones are split, to stay below the limits of D1's API. */
const MAX_STATEMENTS = 90;
const MAX_CHARACTERS = 80_000;

/** JSON with sorted keys: equal values have equal texts. */
export function jsonText(value: unknown): string {
  const sorted = (_: string, each: unknown): unknown =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([left], [right]) => (left < right ? -1 : 1))) : each;
  return `${JSON.stringify(value, sorted, 2)}\n`;
}

export function migrationNames(root: string): readonly string[] {
  const folder = join(root, MIGRATIONS);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => /^\d+_.*\.sql$/.test(name))
    .sort();
}

export const readMigrations = (root: string): readonly Migration[] =>
  migrationNames(root).map((name) => ({ name, text: readFileSync(join(root, MIGRATIONS, name), 'utf8') }));

function pieces(statements: readonly string[]): string[][] {
  const files: string[][] = [];
  let size = 0;
  for (const statement of statements) {
    const last = files.at(-1);
    size += statement.length;
    if (last && last.length < MAX_STATEMENTS && size < MAX_CHARACTERS) last.push(statement);
    else {
      files.push([statement]);
      size = statement.length;
    }
  }
  return files;
}

/**
 * The texts of a part, by the names of its files. The first states the losses and sets the fence, each states when it runs,
 * and which piece it is. Each is a transaction of its own, so each bumps the stamps.
 * @param number of the first one
 */
const textsOf = (
  { when, statements, losses, moves }: Part,
  name: string,
  number: string,
): readonly (readonly [string, string])[] =>
  pieces(moves ? [fenceSql(`${number}-${sha256(statements.join()).slice(0, 8)}`), ...statements] : statements).map(
    (piece, index, { length }) => {
      const head = [
        `-- deploy: ${when}`,
        ...(length > 1
          ? [`-- piece ${index + 1} of ${length}: if one fails, npx edgewise migrate continues with it`]
          : []),
        ...(index === 0 ? losses.map(({ subject, reason }) => `-- loses ${subject}: ${reason}`) : []),
      ];
      const all = piece.includes(ROTATE_STAMPS) ? piece : [...piece, ROTATE_STAMPS];
      return [index === 0 ? name : `${name}_${index + 1}`, [...head, `${all.join(';\n')};`, ''].join('\n')];
    },
  );

/** The next migrations: one for each part, or several for very many statements. @param names of those before them. */
export function nextMigrations(what: string, parts: readonly Part[], names: readonly string[] = []): Migration[] {
  const last = Number.parseInt(names.at(-1) ?? '0', 10);
  const migrations: Migration[] = [];
  const next = (): string => String(last + migrations.length + 1).padStart(4, '0');
  for (const [index, part] of parts.entries())
    for (const [name, text] of textsOf(part, index === 0 ? what : `${what}_${part.when}`, next()))
      migrations.push({ name: `${next()}_${name}.sql`, text });
  return migrations;
}

export const migrationFiles = (migrations: readonly Migration[]): readonly Output[] =>
  migrations.map(({ name, text }) => ({ path: `${MIGRATIONS}/${name}`, text }));

/** Does the text begin as that of each migration which `generate` writes? */
export const isGenerated = (text: string): boolean => text.startsWith('-- deploy: ');
