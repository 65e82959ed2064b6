/**
 * @module The renames that a migration was made with, as a comment in its first line: a local database that is ahead of
 * the migrations takes the renames from there, and not the statements.
 */
import type { Renames } from './renames.ts';

const HEAD = '-- renames: ';

const NONE: Renames = { attributes: [], tables: [], components: [] };

const isEmpty = (renames: Renames): boolean =>
  Object.values(renames).every((list: readonly unknown[]) => list.length === 0);

/** The comment with its line break; nothing without renames. */
export const renamesNote = (renames: Renames): string =>
  isEmpty(renames) ? '' : `${HEAD}${JSON.stringify(renames)}\n`;

/** The renames that the text of a migration notes. */
export function notedRenames(text: string): Renames {
  const line = text.split('\n').find((part) => part.startsWith(HEAD));
  return { ...NONE, ...(line !== undefined && JSON.parse(line.slice(HEAD.length))) };
}
