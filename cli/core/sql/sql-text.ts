/**
 * @module Values and names as SQL text, for migrations and `wrangler d1 execute`, which bind nothing. The Worker never
 * builds SQL this way.
 */

import type { Rendered } from '../../../src/content/sql/statement.ts';

export type Value = string | number | null;

/**
 * One value as a SQL literal that means exactly it.
 * @throws Error for what has no literal: NUL in a text (D1 would cut it there), infinite numbers, NaN.
 */
export function literal(value: Value): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} has no SQL literal`);
    return String(value);
  }
  if (value.includes('\0')) throw new Error('a text with a NUL character has no SQL literal');
  return `'${value.replaceAll("'", "''")}'`;
}

/** Values in quotes, names in quotes, and marks of parameters with or without a number. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?(\d*)/g;

/** A statement with its values in its text. */
export function inlined({ sql, params }: Rendered): string {
  let next = 0;
  return sql.replaceAll(TOKENS, (token, number?: string) => {
    if (!token.startsWith('?')) return token;
    // https://www.sqlite.org/lang_expr.html#varparam
    const position = number ? Number(number) : next + 1;
    next = Math.max(next, position);
    return literal(params[position - 1] as Value);
  });
}

/** A table, column or index name. */
export const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/**
 * A column with its table. SQLite on D1 reads a name alone that is no column as a text: what counts its values counts every
 * row then. With its table it is an error.
 */
export const columnIn = (table: string, column: string): string => `${identifier(table)}.${identifier(column)}`;

/** A key of a JSON object as a JSON path literal: `'$."name"'`. Attribute names hold no quotes. */
export const jsonPath = (key: string): string => literal(`$."${key}"`);

/** Milliseconds since 1970 as ISO 8601; null for null. */
export const isoTime = (milliseconds: string): string =>
  `strftime('%Y-%m-%dT%H:%M:%fZ', ${milliseconds} / 1000.0, 'unixepoch')`;

/** Terms with an operator between them; as a tree, since D1 rejects expressions of a depth of more than 100. */
export function balanced(terms: readonly string[], operator: string): string {
  if (terms.length < 2) return terms[0] ?? '';
  const middle = Math.ceil(terms.length / 2);
  return `(${balanced(terms.slice(0, middle), operator)} ${operator} ${balanced(terms.slice(middle), operator)})`;
}
