/**
 * @module Drizzle's `SQL` → text and parameters. Drizzle's own dialect merges an object for each piece, and takes four
 * times as long. It also drops `undefined` and spells out lists, where this throws.
 */
import {
  Column,
  fillPlaceholders,
  getTableName,
  Name,
  Param,
  Placeholder,
  SQL,
  type SQLChunk,
  StringChunk,
  sql,
  Table,
} from 'drizzle-orm';
import { memoized } from '../common/cache.ts';
import { type PlainStatement, type Rendered, rewritten, type Statement } from './statement.ts';

/** D1 binds at most 100 (https://developers.cloudflare.com/d1/platform/limits/); guards need some. */
export const MAX_PARAMETERS = 90;

/** A parameter in the text; the parameters have the same order. */
const MARK = '?';

const LINE_BREAK = /(\()?\n\s*(\))?/g;

/** Joins the lines of a template. @throws Error for a text with a mark */
const lineOf = memoized((text: string): string => {
  if (text.includes(MARK)) throw new Error(`a mark in a template: ${text}`);
  return text.includes('\n') ? text.replaceAll(LINE_BREAK, (_, open = '', close = '') => open + close || ' ') : text;
});

/** Quotes a name. @throws Error for a name with a mark */
const nameOf = memoized((name: string): string => {
  if (name.includes(MARK)) throw new Error(`a mark in a name: ${name}`);
  return `"${name.replaceAll('"', '""')}"`;
});

const isValue = (chunk: unknown): boolean =>
  chunk === null || typeof chunk === 'string' || typeof chunk === 'number' || typeof chunk === 'boolean';

/** Returns a value or placeholder; `sql.param` binds any value, such as bytes. @throws Error for anything else */
function boundOf(chunk: unknown): unknown {
  if (isValue(chunk) || chunk instanceof Placeholder) return chunk;
  const value = chunk instanceof Param ? chunk.encoder.mapToDriverValue(chunk.value) : undefined;
  if (value === undefined)
    throw new Error(`neither SQL nor a value: ${Array.isArray(chunk) ? 'a list' : typeof chunk}`);
  return value instanceof Placeholder ? chunk : value;
}

/** Returns the text of the pieces, and appends their values to `params`. */
function textOf(chunks: readonly unknown[], params: unknown[]): string {
  let text = '';
  for (const chunk of chunks) {
    if (chunk instanceof StringChunk)
      text += chunk.value.length === 1 ? lineOf(chunk.value[0] as string) : chunk.value.map(lineOf).join('');
    else if (chunk instanceof SQL) text += textOf(chunk.queryChunks, params);
    else if (chunk instanceof Name) text += nameOf(chunk.value);
    else if (chunk instanceof Column) text += `${nameOf(getTableName(chunk.table))}.${nameOf(chunk.name)}`;
    else if (chunk instanceof Table) text += nameOf(getTableName(chunk));
    else {
      params.push(boundOf(chunk));
      text += MARK;
    }
  }
  return text;
}

/** Binds too many values as one JSON list, of which `->>` returns texts, numbers and nulls; placeholders follow it. */
function packed({ sql: text, params }: Rendered): Rendered {
  const placeholders = [...new Set(params.filter((param) => param instanceof Placeholder))];
  const values = params.map((param) => (param instanceof Placeholder ? null : param));
  let next = 0;
  const numbered = text.replaceAll(MARK, () => {
    const index = next++;
    const param = params[index];
    return param instanceof Placeholder ? `?${placeholders.indexOf(param) + 2}` : `(?1->>'$[${index}]')`;
  });
  return { sql: numbered, params: [JSON.stringify(values), ...placeholders] };
}

function renderedWhole(query: SQL): Rendered {
  const params: unknown[] = [];
  return { sql: textOf(query.queryChunks, params).trimStart(), params };
}

/** The place of a rendered statement in a template. */
export const PART = sql.placeholder('part');

/** Renders SQL once, to be filled with statements in the order of its parts. @throws Error for a parameter of its own */
export function template(query: SQL): (...parts: readonly Rendered[]) => Rendered {
  const { sql: text, params } = renderedWhole(query);
  if (params.some((param) => param !== PART)) throw new Error(`a parameter in a template: ${text}`);
  const [first = '', ...others] = text.split(MARK);
  return (...parts) => ({
    sql: parts.reduce((before, part, index) => before + part.sql + others[index], first),
    params: parts.flatMap((part) => part.params),
  });
}

/** @throws Error for `undefined`, a list, and anything else that is neither SQL nor a value, at any depth */
export function toStatement(query: SQL): PlainStatement {
  const statement = renderedWhole(query);
  return statement.params.length <= MAX_PARAMETERS ? statement : packed(statement);
}

/** Joins as `sql.join` does, in half the time: that looks for tables among the pieces, for queries of Drizzle's own. */
export function joined(pieces: readonly SQLChunk[], separator?: SQLChunk): SQL {
  const whole = sql.empty();
  for (const piece of pieces) {
    if (separator && whole.queryChunks.length > 0) whole.queryChunks.push(separator);
    whole.queryChunks.push(piece);
  }
  return whole;
}

/** Spells out `undefined` and lists of Drizzle's builders as its own dialect does. */
function spelledOut(chunk: unknown): unknown[] {
  if (chunk === undefined) return [];
  if (chunk instanceof SQL) return chunk.queryChunks.flatMap(spelledOut);
  if (Array.isArray(chunk)) {
    const listed = chunk.flatMap((item) => [...spelledOut(item), new StringChunk(', ')]).slice(0, -1);
    return [new StringChunk('('), ...listed, new StringChunk(')')];
  }
  return [chunk];
}

/** Renders a query of Drizzle's builders. */
export const toBuiltStatement = (query: SQL): PlainStatement => toStatement(joined(spelledOut(query) as SQL[]));

/** Renders a piece that many statements have, to texts and values. */
export function rendered(piece: SQL): SQL {
  const { sql: text, params } = renderedWhole(piece);
  const [first = '', ...others] = text.split(MARK);
  return joined([
    new StringChunk(first),
    ...others.flatMap((after, index) => [params[index] as SQLChunk, new StringChunk(after)]),
  ]);
}

/** Replaces the placeholders of a rendered piece. */
export const withValue = (piece: SQL, value: SQLChunk): SQL =>
  joined(piece.queryChunks.map((chunk) => (chunk instanceof Placeholder ? value : chunk)));

/** A list of column names as one piece. */
export const nameList = (names: readonly string[]): SQL => sql.raw(names.map(nameOf).join(', '));

/** Fills the placeholders of a statement. @throws Error for a placeholder without a value */
export const filled = <S extends Statement>(statement: S, values: Readonly<Record<string, unknown>>): S =>
  rewritten(statement, ({ sql: text, params }) => ({ sql: text, params: fillPlaceholders([...params], values) }));
