/**
 * @module Drizzle's `SQL` → text and parameters. Drizzle's own dialect makes an object of each piece and merges them in
 * the end, which takes four times as long. It also drops `undefined` and spells out lists, where this throws.
 */
import {
  Column,
  fillPlaceholders,
  getTableName,
  Name,
  Param,
  Placeholder,
  SQL,
  StringChunk,
  sql,
  Table,
} from 'drizzle-orm';
import { SQLiteSelectBase } from 'drizzle-orm/sqlite-core';
import { memoized } from '../memory.ts';
import type { PlainStatement, Rendered, Statement } from './statement.ts';

/** D1 binds at most 100 (https://developers.cloudflare.com/d1/platform/limits/); the guard of a credential needs some. */
export const MAX_PARAMETERS = 90;

/** Stands for a parameter in the text, in the order of the parameters. */
const MARK = '?';

const LINE_BREAK = /(\()?\n\s*(\))?/g;

/** @throws Error for a text with a mark of its own */
function oneLine(text: string): string {
  if (text.includes(MARK)) throw new Error(`a mark in a template: ${text}`);
  return text.includes('\n') ? text.replaceAll(LINE_BREAK, (_, open = '', close = '') => open + close || ' ') : text;
}

/** @throws Error for a name with a mark */
function quoted(name: string): string {
  if (name.includes(MARK)) throw new Error(`a mark in a name: ${name}`);
  return `"${name.replaceAll('"', '""')}"`;
}

const lineOf = memoized(oneLine);
const nameOf = memoized(quoted);

const isValue = (chunk: unknown): boolean =>
  chunk === null || typeof chunk === 'string' || typeof chunk === 'number' || typeof chunk === 'boolean';

/**
 * A value, or what will be one. What `sql.param` names as a value is one, such as the bytes of a BLOB, which D1 reads as
 * a list.
 * @throws Error for anything else
 */
function boundOf(chunk: unknown): unknown {
  if (isValue(chunk) || chunk instanceof Placeholder) return chunk;
  const value = chunk instanceof Param ? chunk.encoder.mapToDriverValue(chunk.value) : undefined;
  if (value === undefined)
    throw new Error(`neither SQL nor a value: ${Array.isArray(chunk) ? 'a list' : typeof chunk}`);
  return value instanceof Placeholder ? chunk : value;
}

/** A statement that is part of another one: its text is not looked into again, and its parameters keep their numbers. */
export class Finished {
  readonly statement: Rendered;
  constructor(statement: Rendered) {
    this.statement = statement;
  }
}

/** The text of the pieces; values come to the end of `params`. */
function textOf(chunks: readonly unknown[], params: unknown[]): string {
  let text = '';
  for (const chunk of chunks) {
    if (chunk instanceof StringChunk)
      text += chunk.value.length === 1 ? lineOf(chunk.value[0] as string) : chunk.value.map(lineOf).join('');
    else if (chunk instanceof SQL) text += textOf(chunk.queryChunks, params);
    else if (chunk instanceof Name) text += nameOf(chunk.value);
    else if (chunk instanceof Column) text += `${nameOf(getTableName(chunk.table))}.${nameOf(chunk.name)}`;
    else if (chunk instanceof Table) text += nameOf(getTableName(chunk));
    else if (chunk instanceof Finished) {
      params.push(...chunk.statement.params);
      text += chunk.statement.sql;
    } else {
      params.push(boundOf(chunk));
      text += MARK;
    }
  }
  return text;
}

/**
 * Values that are too many to bind travel as one JSON list; `->>` keeps them text, integer, real or null. Beside it go
 * those that are filled in later.
 */
function packed({ sql: text, params }: Rendered): Rendered {
  const isLater = (param: unknown) => param instanceof Placeholder;
  const later = [...new Set(params.filter(isLater))];
  const values = params.map((param) => (isLater(param) ? null : param));
  let index = 0;
  const numbered = text.replaceAll(MARK, () => {
    const place = index++;
    const param = params[place];
    return isLater(param) ? `?${later.indexOf(param) + 2}` : `(?1->>'$[${place}]')`;
  });
  return { sql: numbered, params: [JSON.stringify(values), ...later] };
}

/** SQL around finished statements, which leave room for its parameters. */
export function around(query: SQL): Rendered {
  const params: unknown[] = [];
  return { sql: textOf(query.queryChunks, params).trimStart(), params };
}

/** @throws Error for `undefined`, a list, and what else is neither SQL nor a value, wherever it stands. */
export function toStatement(query: SQL): PlainStatement {
  const statement = around(query);
  return statement.params.length <= MAX_PARAMETERS ? statement : packed(statement);
}

/** What Drizzle's builders leave out as `undefined`, list, or nest, spelled out as its own dialect would. */
function spelledOut(chunk: unknown): unknown[] {
  if (chunk === undefined) return [];
  if (chunk instanceof SQL) return chunk.queryChunks.flatMap(spelledOut);
  if (Array.isArray(chunk)) {
    const listed = chunk.flatMap((item) => [...spelledOut(item), new StringChunk(', ')]).slice(0, -1);
    return [new StringChunk('('), ...listed, new StringChunk(')')];
  }
  if (chunk instanceof SQLiteSelectBase)
    return [new StringChunk('('), ...spelledOut(chunk.getSQL()), new StringChunk(')')];
  return [chunk];
}

/** A query of Drizzle's builders. */
export const toBuiltStatement = (query: SQL): PlainStatement => toStatement(sql.join(spelledOut(query) as SQL[]));

/** A piece without values, made text once: for what is part of many statements. */
export const rendered = (piece: SQL): SQL => sql.raw(toStatement(piece).sql);

/** A list of column names as one piece. */
export const nameList = (names: readonly string[]): SQL => sql.raw(names.map(nameOf).join(', '));

/** A statement with its placeholders filled. */
export function filled<S extends Statement>(statement: S, values: Readonly<Record<string, unknown>>): S {
  const own = { ...statement, params: fillPlaceholders([...statement.params], values) };
  if (own.kind !== 'page' || !own.measured) return own;
  const { measured } = own;
  return { ...own, measured: () => filled(measured(), values) };
}
