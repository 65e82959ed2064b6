/**
 * @module Indexes that were added to a database by hand, and that no migration makes. A backup states them as SQL; that is
 * parsed into names, from which the statement is built again, so that no text of a backup is executed.
 */
import { identifier } from '../core/sql/sql-text.ts';
import type { Manifest } from './manifest.ts';
import type { Schema } from './schema.ts';

const NAME = String.raw`(?:"(?:[^"]|"")+"|\`[^\`]+\`|\[[^\]]+\]|\w+)`;
const TERM = String.raw`(${NAME})(?:\s+COLLATE\s+(\w+))?(?:\s+(ASC|DESC))?`;
const MADE = new RegExp(String.raw`^CREATE\s+(?:UNIQUE\s+)?(?:INDEX|TRIGGER|VIEW)\s+(${NAME})`, 'i');
const INDEX = new RegExp(
  String.raw`^CREATE\s+(UNIQUE\s+)?INDEX\s+(${NAME})\s+ON\s+(${NAME})\s*\(\s*(${TERM}(?:\s*,\s*${TERM})*)\s*\)$`,
  'i',
);

const unquoted = (name: string): string => (/^["`[]/.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name);

/** The statement that makes the same index; undefined for one that is more than a list of columns. */
function indexSql(text: string, { tables }: Manifest): string | undefined {
  const [, unique, name = '', table = '', list = ''] = INDEX.exec(text) ?? [];
  const columns = tables.find((known) => known.name === unquoted(table))?.columns ?? [];
  const terms = [...list.matchAll(new RegExp(TERM, 'gi'))];
  if (terms.length === 0 || !terms.every(([, column = '']) => columns.includes(unquoted(column)))) return undefined;
  const parts = terms.map(([, column = '', collation, order = '']) =>
    [identifier(unquoted(column)), ...(collation ? [`COLLATE ${identifier(collation)}`] : []), order.toUpperCase()]
      .join(' ')
      .trim(),
  );
  const kind = unique ? 'UNIQUE INDEX' : 'INDEX';
  return `CREATE ${kind} ${identifier(unquoted(name))} ON ${identifier(unquoted(table))} (${parts.join(', ')})`;
}

export interface HandMade {
  /** Statements that make indexes. */
  readonly indexes: readonly string[];
  /** Texts of indexes, triggers and views that are not restored. */
  readonly leftOut: readonly string[];
}

/** What a backup has beside that which the migrations of the project make. */
export function handMade(manifest: Manifest, { rest }: Schema): HandMade {
  const made = new Set(rest.map(({ name }) => name));
  const added = manifest.rest.filter((text) => !made.has(unquoted(MADE.exec(text)?.[1] ?? '')));
  const built = added.map((text) => ({ text, sql: indexSql(text, manifest) }));
  return {
    indexes: built.flatMap(({ sql }) => sql ?? []),
    leftOut: built.filter(({ sql }) => sql === undefined).map(({ text }) => text),
  };
}
