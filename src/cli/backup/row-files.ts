/**
 * @module Rows of a table → lines of a file, each a JSON list of the values of one row.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Row } from '../../sql/statement.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';

/** Rows of a page: as many as have about so many characters. */
const PAGE_CHARACTERS = 1_000_000;
const MOST_ROWS = 2_000;
const FIRST_ROWS = 50;

export type Columns = readonly { readonly name: string; readonly type: string }[];

/** Whole numbers of 64 bits are read as texts, which columns for numbers turn into numbers again. */
export function selected(columns: Columns): string {
  const expression = ({ name, type }: Columns[number]): string => {
    const column = identifier(name);
    if (/^(text|real)$/i.test(type)) return column;
    return /int|num|dec|bool|date|time/i.test(type)
      ? `case typeof(${column}) when 'integer' then cast(${column} as text) else ${column} end as ${column}`
      : column;
  };
  return columns.map(expression).join(', ');
}

/** A row as a line of its file. @throws UserError for bytes, which JSON has no form for. */
function lineOf(row: Row, columns: Columns, table: string): string {
  const values = columns.map(({ name }) => row[name]);
  if (values.some((value) => value !== null && typeof value === 'object'))
    throw new UserError(`${table} has bytes in a column; they cannot be kept`);
  return JSON.stringify(values);
}

/** In the folder, and in the backup below `tables/`. */
export const fileName = (table: string): string => `${encodeURIComponent(table)}.jsonl`;

/** Where rows of a table go. */
export function rowFile(folder: string, table: string, columns: Columns) {
  const path = join(folder, fileName(table));
  const stream = createWriteStream(path, { mode: 0o600 });
  // Failures of a write do not state the file.
  stream.on('error', (error) => Object.assign(error, { path }));
  let rows = 0;
  return {
    /** @returns how many characters it took. */
    async add(page: readonly Row[]): Promise<number> {
      const text = page.map((row) => `${lineOf(row, columns, table)}\n`).join('');
      rows += page.length;
      if (stream.errored) throw stream.errored;
      if (!stream.write(text)) await once(stream, 'drain');
      return text.length;
    },
    async close(): Promise<number> {
      stream.end();
      await finished(stream);
      return rows;
    },
  };
}

export interface Reading {
  readonly db: D1Database;
  readonly folder: string;
  readonly columns: ReadonlyMap<string, Columns>;
  readonly told: (rows: number) => void;
}

/** Writes all rows of a table, in the order of their ids. @returns how many there were. */
export async function readPages(table: string, { db, folder, columns, told }: Reading): Promise<number> {
  const own = columns.get(table) ?? [];
  const file = rowFile(folder, table, own);
  const sql = `select "_rowid_" as "$row", ${selected(own)} from ${identifier(table)} where "_rowid_" > ? order by "_rowid_" limit ?`;
  const statement = db.prepare(sql);
  let limit = FIRST_ROWS;
  for (let last: unknown = Number.MIN_SAFE_INTEGER; ; ) {
    const { results } = await statement.bind(last, limit).all<Row>();
    const characters = await file.add(results);
    told(results.length);
    if (results.length < limit) return file.close();
    last = results.at(-1)?.$row;
    const fitting = Math.floor((results.length * PAGE_CHARACTERS) / Math.max(characters, 1));
    limit = Math.min(Math.max(fitting, 1), MOST_ROWS);
  }
}
