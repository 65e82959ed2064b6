/**
 * @module Text search, which ignores the case of A–Z. LIKE takes less than half the time of `instr` and `substr`, since
 * it copies no texts, but D1 limits patterns to 50 bytes. It serves short texts in columns. As in Strapi, a search ends
 * at a NUL in a value, unless the searched text has one.
 */
import { type SQL, sql } from 'drizzle-orm';
import { MAX_PATTERN_BYTES } from '../../../common/d1-limits.ts';
import type { Operand } from '../../plan/model/read-plan.ts';

const encoder = new TextEncoder();

/** Returns a pattern of LIKE or GLOB; undefined if it is too long for D1. */
export const inPattern = (pattern: string): string | undefined =>
  encoder.encode(pattern).length > MAX_PATTERN_BYTES ? undefined : pattern;

/** Returns a LIKE pattern; undefined if it is too long, or has a NUL, at which LIKE stops. */
function patternOf(text: Operand | SQL, before: string, after: string): string | undefined {
  if (typeof text !== 'string' || text.includes('\0')) return undefined;
  return inPattern(`${before}${text.replaceAll(/[\\%_]/g, '\\$&')}${after}`);
}

/**
 * For a parameter alone behind LIKE, SQLite prepares the statement again for every value (isLikeOrGlob() in
 * https://sqlite.org/src/file/src/whereexpr.c), which takes longer than the read. The plus prevents it.
 */
const like = (value: SQL, pattern: string): SQL => sql`${value} like +${pattern} escape '\\'`;

/** Searches several values for the same text; `substr(…, 1)` ends at a NUL. */
export function containing(text: Operand | SQL): (value: SQL, isColumn: boolean) => SQL {
  const pattern = patternOf(text, '%', '%');
  const hasNul = typeof text === 'string' && text.includes('\0');
  return (value, isColumn) => {
    if (isColumn && pattern !== undefined) return like(value, pattern);
    return sql`instr(lower(${hasNul ? value : sql`substr(${value}, 1)`}), lower(${text})) > 0`;
  };
}

/** @param isColumn is the value a column? For others a pattern is not faster. */
export const contains = (value: SQL, text: Operand | SQL, isColumn: boolean): SQL => containing(text)(value, isColumn);

export function startsWith(value: SQL, text: Operand | SQL, isColumn: boolean): SQL {
  const pattern = isColumn ? patternOf(text, '', '%') : undefined;
  if (pattern !== undefined) return like(value, pattern);
  return sql`lower(substr(${value}, 1, length(${text}))) = lower(${text})`;
}

/** Every text ends with the empty text, where `substr(x, -0)` would return all of x. Null stays null. */
export function endsWith(value: SQL, text: Operand | SQL, isColumn: boolean): SQL {
  if (text === '') return sql`${value} = ${value}`;
  const pattern = isColumn ? patternOf(text, '%', '') : undefined;
  if (pattern !== undefined) return like(value, pattern);
  return sql`lower(substr(${value}, -length(${text}))) = lower(${text})`;
}
