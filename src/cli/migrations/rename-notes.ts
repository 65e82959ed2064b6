/**
 * @module What a migration was made with, as comments in its first lines: its renames, and what a local database may drop
 * that no migration knew. A local database that is ahead of the migrations takes both from there, and not the statements.
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

const DROPS = '-- drops of the local database alone: ';

/** The comment with its line break; nothing without subjects, such as `article.lead`. */
export const dropsNote = (subjects: readonly string[]): string =>
  subjects.length === 0 ? '' : `${DROPS}${JSON.stringify(subjects)}\n`;

/** The subjects that the text of a migration notes. */
export function notedDrops(text: string): readonly string[] {
  const line = text.split('\n').find((part) => part.startsWith(DROPS));
  return line === undefined ? [] : JSON.parse(line.slice(DROPS.length));
}
