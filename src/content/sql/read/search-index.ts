/**
 * @module Conditions → a query of a search index for the rows that may meet them. An index holds trigrams, so it finds a
 * superset of the rows that contain a text.
 */
import { type SQL, sql } from 'drizzle-orm';
import { searchedAttributes } from '../../../schema/indexes.ts';
import type { ContentType } from '../../../schema/model.ts';
import { searchTable } from '../../../schema/names.ts';
import { isComparison, isGroup, isSearch, isWordSearch } from '../../plan/model/condition.ts';
import type { Condition, WordSearch } from '../../plan/model/read-plan.ts';
import { DOCUMENT_ID } from '../../plan/model/resolve.ts';
import { columnOf } from '../pieces.ts';
import { compileCondition } from './conditions.ts';
import { joinMatches, matchOfWords, trigramsOf } from './trigrams.ts';
import { hasNear, isFound, wordTables } from './words.ts';

const SERVED = /^\$(contains|startsWith|endsWith)i?$/;

/**
 * Returns the match of every row that meets the condition; undefined if an index does not help.
 * @param isNear of rows that a search nearly finds, too
 */
function matchOf(condition: Condition, type: ContentType, isNear = false): string | undefined {
  if (isGroup(condition))
    return joinMatches(
      condition.conditions.map((item) => matchOf(item, type, isNear)),
      condition.kind === 'and' ? 'AND' : 'OR',
    );
  if (isWordSearch(condition)) return matchOfWords(condition.words, isNear);
  if (isSearch(condition)) return trigramsOf(condition.text);
  if (!isComparison(condition)) return undefined;
  const { operator, attribute, operands } = condition;
  const isIndexed = attribute === DOCUMENT_ID || searchedAttributes(type).includes(attribute);
  return SERVED.test(operator) && isIndexed ? joinMatches(operands.map(trigramsOf), 'OR') : undefined;
}

/** Does the condition search a text that a search index would find? */
export function looksForText(condition: Condition): boolean {
  if (isGroup(condition)) return condition.conditions.some(looksForText);
  return isSearch(condition) || isWordSearch(condition) || (isComparison(condition) && SERVED.test(condition.operator));
}

/** Returns the search by words that all rows meet. */
const searchIn = (condition: Condition): WordSearch | undefined =>
  isGroup(condition)
    ? condition.conditions.map(searchIn).find(Boolean)
    : isWordSearch(condition)
      ? condition
      : undefined;

/** Returns `id in (rows that may meet the condition)`; an empty list if a search index does not help. */
export function candidates(condition: Condition, type: ContentType): readonly SQL[] {
  const match = type.searchable ? matchOf(condition, type) : undefined;
  if (match === undefined) return [];
  const search = searchIn(condition);
  const query =
    search && hasNear(search) ? sql`iif(${isFound}, ${match}, ${matchOf(condition, type, true)})` : sql`${match}`;
  const index = sql.identifier(searchTable(type.table));
  return [sql`${columnOf(type.table, 'id')} in (select "rowid" from ${index} where ${index} match ${query})`];
}

/** Returns the tables that a statement with the condition needs. */
export function searchTables(condition: Condition | undefined): readonly SQL[] {
  const search = condition && searchIn(condition);
  return search ? wordTables(search, compileCondition) : [];
}
