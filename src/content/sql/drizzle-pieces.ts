/**
 * @module Drizzle's pieces of SQL → text and values. The only module that depends on the classes of the pieces; a test
 * fails when a version of drizzle-orm has others.
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
import { memoized } from '../../common/cache.ts';

/** A parameter in the text; the parameters have the same order. */
export const MARK = '?';

const LINE_BREAK = /(\()?\n\s*(\))?/g;

/** Joins the lines of a template. @throws Error for a text with a mark */
const lineOf = memoized((text: string): string => {
  if (text.includes(MARK)) throw new Error(`a mark in a template: ${text}`);
  return text.includes('\n') ? text.replaceAll(LINE_BREAK, (_, open = '', close = '') => open + close || ' ') : text;
});

/** Quotes a name. @throws Error for a name with a mark */
const quoted = memoized((name: string): string => {
  if (name.includes(MARK)) throw new Error(`a mark in a name: ${name}`);
  return `"${name.replaceAll('"', '""')}"`;
});

/** A text that is used as it is. Texts of templates are few; those of pieces are as many as the queries, so none is kept. */
class TextPiece extends StringChunk {
  readonly text: string;
  constructor(text: string) {
    super(text);
    this.text = text;
  }
}

const isValue = (chunk: unknown): boolean =>
  chunk === null || typeof chunk === 'string' || typeof chunk === 'number' || typeof chunk === 'boolean';

/** Returns a value or placeholder; `sql.param` binds any value, such as bytes. @throws Error for anything else */
function boundOf(chunk: unknown): unknown {
  if (isValue(chunk) || chunk instanceof Placeholder) return chunk;
  const value = chunk instanceof Param ? chunk.encoder.mapToDriverValue(chunk.value) : undefined;
  if (value === undefined)
    throw new Error(`neither SQL nor a value: ${Array.isArray(chunk) ? 'a list' : typeof chunk}`);
  return value;
}

/**
 * Returns the text of SQL, and appends its values to `params`. Drizzle's own dialect merges an object for each piece, drops
 * `undefined` and spells out lists.
 * @throws Error for what is neither SQL nor a value, at any depth
 */
export function textOfSql({ queryChunks }: SQL, params: unknown[]): string {
  let text = '';
  for (const chunk of queryChunks) {
    if (chunk instanceof TextPiece) text += chunk.text;
    else if (chunk instanceof StringChunk)
      text += chunk.value.length === 1 ? lineOf(chunk.value[0] as string) : chunk.value.map(lineOf).join('');
    else if (chunk instanceof SQL) text += textOfSql(chunk, params);
    else if (chunk instanceof Name) text += quoted(chunk.value);
    else if (chunk instanceof Column) text += `${quoted(getTableName(chunk.table))}.${quoted(chunk.name)}`;
    else if (chunk instanceof Table) text += quoted(getTableName(chunk));
    else {
      params.push(boundOf(chunk));
      text += MARK;
    }
  }
  return text;
}

/** A text of this repository as a piece: in one line, and without a mark. */
export const textPiece = (text: string): SQLChunk => new TextPiece(text);

export const isPlaceholder = (value: unknown): value is Placeholder => value instanceof Placeholder;

/** Replaces placeholders. @throws Error for a placeholder without a value */
export const filledValues = (params: readonly unknown[], values: Readonly<Record<string, unknown>>): unknown[] =>
  fillPlaceholders([...params], values);

/** Joins as `sql.join` does, in half the time: that looks for tables among the pieces, for queries of Drizzle's own. */
export function joined(pieces: readonly SQLChunk[], separator?: SQLChunk): SQL {
  const whole = sql.empty();
  for (const piece of pieces) {
    if (separator && whole.queryChunks.length > 0) whole.queryChunks.push(separator);
    whole.queryChunks.push(piece);
  }
  return whole;
}

/** Replaces the placeholders of a rendered piece. */
export const withValue = (piece: SQL, value: SQLChunk): SQL =>
  joined(piece.queryChunks.map((chunk) => (chunk instanceof Placeholder ? value : chunk)));

/** A list of column names as one piece. */
export const nameList = (names: readonly string[]): SQL => joined([textPiece(names.map(quoted).join(', '))]);
