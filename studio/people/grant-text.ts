/**
 * @module Grants with conditions, in words.
 */
import { isQuery, type Query } from '../api/query-string.ts';
import { type Text, text } from '../texts/text.ts';

/** A conditional grant of the settings. Patterns are replaced by the actions that they mean. */
export interface ConditionalGrant {
  readonly action: readonly string[];
  readonly where?: Query;
  readonly fields?: readonly string[];
  readonly set?: Query;
  readonly validate?: Query;
  readonly status?: 'draft';
}

/** By the name of an operator without the `i` of those that ignore letter case. */
const OPERATORS: Readonly<Record<string, Text>> = {
  $eq: '{path} is {value}',
  $ne: '{path} is not {value}',
  $contains: '{path} contains {value}',
  $notContains: '{path} does not contain {value}',
  $startsWith: '{path} starts with {value}',
  $endsWith: '{path} ends with {value}',
  $lt: '{path} is less than {value}',
  $lte: '{path} is at most {value}',
  $gt: '{path} is more than {value}',
  $gte: '{path} is at least {value}',
  $between: '{path} is between {value}',
  $in: '{path} is one of {value}',
  $notIn: '{path} is none of {value}',
  $null: '{path} has no value: {value}',
  $notNull: '{path} has a value: {value}',
};

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (value === '$user') return text('the caller');
  if (value === '$now') return text('the present time');
  const [, attribute] = /^\$user\.(.+)$/.exec(String(value)) ?? [];
  return attribute ? text('{name} of the caller', { name: attribute }) : JSON.stringify(value);
}

/** @param path names of attributes, joined by dots */
function partText(key: string, value: unknown, path: string): string {
  const listOf = (items: unknown) => (Array.isArray(items) ? items : [items]).map((item) => filterText(item, path));
  if (key === '$and') return listOf(value).join(text(' and '));
  if (key === '$or') return `(${listOf(value).join(text(' or '))})`;
  if (key === '$not') return text('not ({condition})', { condition: filterText(value, path) });
  const operator = OPERATORS[key] ?? OPERATORS[key.replace(/i$/, '')];
  if (operator) return text(operator, { path, value: valueText(value) });
  return filterText(value, key.startsWith('$') || path === '' ? key : `${path}.${key}`);
}

/** Returns a filter as a sentence; an operator that is unknown here keeps its name. */
export function filterText(filter: unknown, path = ''): string {
  if (!isQuery(filter)) return text('{path} is {value}', { path, value: valueText(filter) });
  return Object.entries(filter)
    .map(([key, value]) => partText(key, value, path))
    .join(text(' and '));
}

/** Returns what a grant is limited to, a sentence each. */
export function limitsOf({ where, fields, set, validate, status }: ConditionalGrant): readonly string[] {
  return [
    where && text('Only where {condition}.', { condition: filterText(where) }),
    fields && text('Only these attributes: {names}.', { names: fields.join(', ') }),
    set && text('What is written gets: {values}.', { values: filterText(set) }),
    validate && text('What is written must match: {condition}.', { condition: filterText(validate) }),
    status && text('Only drafts.'),
  ].filter((sentence) => sentence !== undefined);
}
