/**
 * @module Writes the rows of a table to a file: each line a JSON list of the values of one row.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Row } from '../../sql/statement.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { UserError } from '../core/terminal.ts';

/** A page has about so many characters. */
const PAGE_CHARACTERS = 1_000_000;
const MAX_ROWS = 2_000;
const FIRST_ROWS = 50;

export type Columns = readonly { readonly name: string; readonly type: string }[];

/** Reads 64-bit integers as texts, which numeric columns turn into numbers again. */
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

/** @throws UserError for bytes, which JSON cannot hold. */
function lineOf(row: Row, columns: Columns, table: string): string {
  const values = columns.map(({ name }) => row[name]);
  if (values.some((value) => value !== null && typeof value === 'object'))
    throw new UserError(`${table} has bytes in a column; they cannot be backed up`);
  return JSON.stringify(values);
}

export const fileName = (table: string): string => `${encodeURIComponent(table)}.jsonl`;

export function rowFile(folder: string, table: string, columns: Columns) {
  const path = join(folder, fileName(table));
  const stream = createWriteStream(path, { mode: 0o600 });
  // Write errors do not name the file.
  stream.on('error', (error) => Object.assign(error, { path }));
  let rows = 0;
  return {
    /** @returns the number of characters written. */
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
  readonly report: (rows: number) => void;
}

/** Writes all rows of a table in the order of their ids. @returns their number. */
export async function readPages(table: string, { db, folder, columns, report }: Reading): Promise<number> {
  const own = columns.get(table) ?? [];
  const file = rowFile(folder, table, own);
  const sql = `select "_rowid_" as "$row", ${selected(own)} from ${identifier(table)} where "_rowid_" > ? order by "_rowid_" limit ?`;
  const statement = db.prepare(sql);
  let limit = FIRST_ROWS;
  for (let last: unknown = Number.MIN_SAFE_INTEGER; ; ) {
    const { results } = await statement.bind(last, limit).all<Row>();
    const characters = await file.add(results);
    report(results.length);
    if (results.length < limit) return file.close();
    last = results.at(-1)?.$row;
    const fitting = Math.floor((results.length * PAGE_CHARACTERS) / Math.max(characters, 1));
    limit = Math.min(Math.max(fitting, 1), MAX_ROWS);
  }
}
