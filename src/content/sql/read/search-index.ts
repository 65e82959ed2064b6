/**
 * @module Conditions → a query of a search index for the rows that may meet them. An index holds trigrams, three
 * successive characters in any case, so it finds a superset of the rows that contain a text.
 */
import { type SQL, sql } from 'drizzle-orm';
import { searchedAttributes } from '../../../schema/indexes.ts';
import type { ContentType } from '../../../schema/model.ts';
import { searchTable } from '../../../schema/names.ts';
import { isComparison, isGroup, isSearch } from '../../plan/model/condition.ts';
import type { Condition, Operand } from '../../plan/model/read-plan.ts';
import { DOCUMENT_ID } from '../../plan/model/resolve.ts';
import { columnOf } from '../pieces.ts';

const SERVED = /^\$(contains|startsWith|endsWith)i?$/;

/** Trigrams looked up for one text; those of a long text are spread over it. */
const MAX_TRIGRAMS = 24;

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/** Returns undefined for a text without trigrams, or with a NUL, which an index omits and at which a query ends. */
function trigramsOf(text: Operand): string | undefined {
  if (typeof text !== 'string' || text.includes('\0')) return undefined;
  const characters = [...text];
  const count = characters.length - 2;
  if (count < 1) return undefined;
  const step = Math.max(1, count / MAX_TRIGRAMS);
  const trigrams = new Set<string>();
  for (let at = 0; at < count; at += step) {
    const start = Math.floor(at);
    trigrams.add(quoted(characters.slice(start, start + 3).join('')));
  }
  return [...trigrams].join(' AND ');
}

function joined(matches: readonly (string | undefined)[], operator: 'AND' | 'OR'): string | undefined {
  const all = matches.filter((match) => match !== undefined);
  if (all.length === 0 || (operator === 'OR' && all.length < matches.length)) return undefined;
  return all.map((match) => `(${match})`).join(` ${operator} `);
}

/** Returns the match of every row that meets the condition; undefined if an index does not help. */
function matchOf(condition: Condition, type: ContentType): string | undefined {
  if (isGroup(condition))
    return joined(
      condition.conditions.map((item) => matchOf(item, type)),
      condition.kind === 'and' ? 'AND' : 'OR',
    );
  if (isSearch(condition)) return trigramsOf(condition.text);
  if (!isComparison(condition)) return undefined;
  const { operator, attribute, operands } = condition;
  const isIndexed = attribute === DOCUMENT_ID || searchedAttributes(type).includes(attribute);
  return SERVED.test(operator) && isIndexed ? joined(operands.map(trigramsOf), 'OR') : undefined;
}

/** Does the condition search a text that a search index would find? */
export function looksForText(condition: Condition): boolean {
  if (isGroup(condition)) return condition.conditions.some(looksForText);
  return isSearch(condition) || (isComparison(condition) && SERVED.test(condition.operator));
}

/** Returns `id in (rows that may meet the condition)`; an empty list if a search index does not help. */
export function candidates(condition: Condition, type: ContentType): readonly SQL[] {
  const match = type.searchable ? matchOf(condition, type) : undefined;
  if (match === undefined) return [];
  const index = sql.identifier(searchTable(type.table));
  return [sql`${columnOf(type.table, 'id')} in (select "rowid" from ${index} where ${index} match ${match})`];
}
