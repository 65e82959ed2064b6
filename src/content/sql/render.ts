/**
 * @module Drizzle's `SQL` → statements, templates and pieces that are rendered once. Drizzle's own dialect takes four times
 * as long.
 */
import { type SQL, type SQLChunk, sql } from 'drizzle-orm';
import { MAX_PARAMS } from '../../common/d1-limits.ts';
import { filledValues, isPlaceholder, joined, MARK, textOfSql, textPiece } from './drizzle-pieces.ts';
import { type PlainStatement, type Rendered, rewritten, type Statement } from './statement.ts';

/** Guards need some. */
export const MAX_PARAMETERS = MAX_PARAMS - 10;

/** Binds too many values as one JSON list, of which `->>` returns texts, numbers and nulls; placeholders follow it. */
function packed({ sql: text, params }: Rendered): Rendered {
  const placeholders = [...new Set(params.filter(isPlaceholder))];
  const values = params.map((param) => (isPlaceholder(param) ? null : param));
  let next = 0;
  const numbered = text.replaceAll(MARK, () => {
    const index = next++;
    const param = params[index];
    return isPlaceholder(param) ? `?${placeholders.indexOf(param) + 2}` : `(?1->>'$[${index}]')`;
  });
  return { sql: numbered, params: [JSON.stringify(values), ...placeholders] };
}

function renderedWhole(query: SQL): Rendered {
  const params: unknown[] = [];
  return { sql: textOfSql(query, params).trimStart(), params };
}

/** The place of a rendered statement in a template. */
export const STATEMENT_PART = sql.placeholder('part');

/** Returns the text of a part whose numbered parameters follow those of the parts before it. */
const numberedBehind = (text: string, count: number): string =>
  count === 0 ? text : text.replaceAll(/\?(\d+)/g, (_, number) => `?${Number(number) + count}`);

/** Renders SQL once, to be filled with statements in the order of its parts. @throws Error for a parameter of its own */
export function template(query: SQL): (...parts: readonly Rendered[]) => Rendered {
  const { sql: text, params } = renderedWhole(query);
  if (params.some((param) => param !== STATEMENT_PART)) throw new Error(`a parameter in a template: ${text}`);
  const [first = '', ...others] = text.split(MARK);
  return (...parts) => {
    const params: unknown[] = [];
    const texts = parts.map((part, index) => {
      const text = numberedBehind(part.sql, params.length) + others[index];
      params.push(...part.params);
      return text;
    });
    return { sql: first + texts.join(''), params };
  };
}

/** @throws Error for `undefined`, a list, and anything else that is neither SQL nor a value, at any depth */
export function toStatement(query: SQL): PlainStatement {
  const statement = renderedWhole(query);
  return statement.params.length <= MAX_PARAMETERS ? statement : packed(statement);
}

/** Renders a piece that many statements have, to texts and values. */
export function rendered(piece: SQL): SQL {
  const { sql: text, params } = renderedWhole(piece);
  const [first = '', ...others] = text.split(MARK);
  return joined([textPiece(first), ...others.flatMap((after, index) => [params[index] as SQLChunk, textPiece(after)])]);
}

/** Fills the placeholders of a statement. @throws Error for a placeholder without a value */
export const filled = <S extends Statement>(statement: S, values: Readonly<Record<string, unknown>>): S =>
  rewritten(statement, ({ sql: text, params }) => ({ sql: text, params: filledValues(params, values) }));
