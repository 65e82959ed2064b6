/**
 * @module Conditions → a question to a search index: which rows may meet them. An index knows trigrams, three characters
 * one after the other whatever their case, so it finds all rows that have those of a text, and some more: what the
 * conditions say is asked of these rows all the same.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Condition, Operand } from '../../plan/model/read-plan.ts';
import { DOCUMENT_ID } from '../../plan/model/resolve.ts';
import { searchedAttributes } from '../../registry/indexes.ts';
import type { ContentType } from '../../registry/model.ts';
import { searchTable } from '../../registry/names.ts';
import { columnOf } from '../pieces.ts';

const SERVED: ReadonlySet<string> = new Set([
  '$contains',
  '$containsi',
  '$startsWith',
  '$startsWithi',
  '$endsWith',
  '$endsWithi',
]);

/** So many trigrams of a text are looked up; those of a long one lie apart. */
const TRIGRAMS = 24;

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

/** undefined for texts that have no trigram, and for those with a NUL: an index leaves it out, and a question ends there. */
function trigramsOf(text: Operand): string | undefined {
  if (typeof text !== 'string' || text.includes('\0')) return undefined;
  const characters = [...text];
  const places = characters.length - 2;
  if (places < 1) return undefined;
  const step = Math.max(1, places / TRIGRAMS);
  const trigrams = new Set<string>();
  for (let at = 0; at < places; at += step) {
    const start = Math.floor(at);
    trigrams.add(quoted(characters.slice(start, start + 3).join('')));
  }
  return [...trigrams].join(' AND ');
}

/** Any of several questions, if each is one. */
function anyOf(questions: readonly (string | undefined)[]): string | undefined {
  const all = questions.filter((question) => question !== undefined);
  if (all.length === 0 || all.length < questions.length) return undefined;
  return all.map((question) => `(${question})`).join(' OR ');
}

/** What must be true of the trigrams of every row that meets a condition; undefined where nothing must. */
function questionOf(condition: Condition, type: ContentType): string | undefined {
  switch (condition.kind) {
    case 'and': {
      const questions = condition.conditions.map((item) => questionOf(item, type)).filter((item) => item !== undefined);
      return questions.length > 0 ? questions.map((question) => `(${question})`).join(' AND ') : undefined;
    }
    case 'or':
      return anyOf(condition.conditions.map((item) => questionOf(item, type)));
    case 'search':
      return trigramsOf(condition.text);
    case 'compare': {
      const { operator, attribute, operands } = condition;
      const isIndexed = attribute === DOCUMENT_ID || searchedAttributes(type).includes(attribute);
      return SERVED.has(operator) && isIndexed ? anyOf(operands.map(trigramsOf)) : undefined;
    }
    default:
      return undefined;
  }
}

/** Is a text looked for that a search index would find? */
export function looksForText(condition: Condition): boolean {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.conditions.some(looksForText);
  return condition.kind === 'search' || (condition.kind === 'compare' && SERVED.has(condition.operator));
}

/** `id in (rows that may meet the condition)`; nothing where a search index does not help. */
export function candidates(condition: Condition, type: ContentType, alias: string = type.table): readonly SQL[] {
  const question = type.searchable ? questionOf(condition, type) : undefined;
  if (question === undefined) return [];
  const index = sql.identifier(searchTable(type.table));
  return [sql`${columnOf(alias, 'id')} in (select "rowid" from ${index} where ${index} match ${question})`];
}
