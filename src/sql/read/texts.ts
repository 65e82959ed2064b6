/**
 * @module Is a text part of another? The case of A–Z is ignored, as by `lower()` and by LIKE alike. LIKE takes less than
 * half the time, since it makes no small copy of each text, but D1 stops at 50 bytes of pattern: longer ones, and values
 * that are no columns, are looked for with `instr` and `substr`. None of them looks behind a NUL in a value, as in the
 * reference, but for a text that has one itself.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Operand } from '../../plan/model/read-plan.ts';

/** https://developers.cloudflare.com/d1/platform/limits/ */
const PATTERN_BYTES = 50;

const bytesOf = new TextEncoder();

/** Returns a LIKE pattern for the text; undefined if it is too long, or has a NUL, at which LIKE stops reading. */
function patternOf(text: Operand, before: string, after: string): string | undefined {
  if (typeof text !== 'string' || text.includes('\0')) return undefined;
  const pattern = `${before}${text.replaceAll(/[\\%_]/g, '\\$&')}${after}`;
  return bytesOf.encode(pattern).length > PATTERN_BYTES ? undefined : pattern;
}

/**
 * SQLite looks at a parameter that LIKE is given alone when it prepares a statement, and prepares it anew for every
 * other value (isLikeOrGlob() in https://sqlite.org/src/file/src/whereexpr.c), which takes longer than such a read. The
 * plus keeps it from looking.
 */
const like = (value: SQL, pattern: string): SQL => sql`${value} like +${pattern} escape '\\'`;

/** What comes before a NUL, if there is one. */
const head = (value: SQL): SQL => sql`substr(${value}, 1)`;

/** For values in which the same text is looked for. */
export function containing(text: Operand): (value: SQL, isColumn: boolean) => SQL {
  const pattern = patternOf(text, '%', '%');
  const hasNul = typeof text === 'string' && text.includes('\0');
  return (value, isColumn) => {
    if (isColumn && pattern !== undefined) return like(value, pattern);
    return sql`instr(lower(${hasNul ? value : head(value)}), lower(${text})) > 0`;
  };
}

/** @param isColumn is the value a column? Else a pattern wins nothing. */
export const contains = (value: SQL, text: Operand, isColumn: boolean): SQL => containing(text)(value, isColumn);

export function startsWith(value: SQL, text: Operand, isColumn: boolean): SQL {
  const pattern = isColumn ? patternOf(text, '', '%') : undefined;
  if (pattern !== undefined) return like(value, pattern);
  return sql`lower(substr(${value}, 1, length(${text}))) = lower(${text})`;
}

/** `substr(x, -0)` would be all of x: every text ends with nothing, and no value stays unknown. */
export function endsWith(value: SQL, text: Operand, isColumn: boolean): SQL {
  if (text === '') return sql`${value} = ${value}`;
  const pattern = isColumn ? patternOf(text, '%', '') : undefined;
  if (pattern !== undefined) return like(value, pattern);
  return sql`lower(substr(${value}, -length(${text}))) = lower(${text})`;
}
