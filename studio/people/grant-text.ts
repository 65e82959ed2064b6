/**
 * @module Grants with conditions, in words.
 */
import { isQuery, type Query } from '../api/query-string.ts';
import { OPERATOR_LABELS, plainOperator } from '../model/operators.ts';
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

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (value === '$user') return text('the caller');
  if (value === '$now') return text('the present time');
  const [, attribute] = /^\$user\.(.+)$/.exec(String(value)) ?? [];
  return attribute ? text('{name} of the caller', { name: attribute }) : JSON.stringify(value);
}

const sentence = (path: string, label: Text, value: unknown, end = ''): string =>
  `${path} ${text(label)}${end} ${valueText(value)}`;

/** @param path names of attributes, joined by dots */
function partText(key: string, value: unknown, path: string): string {
  const listOf = (items: unknown) => (Array.isArray(items) ? items : [items]).map((item) => filterText(item, path));
  if (key === '$and') return listOf(value).join(text(' and '));
  if (key === '$or') return `(${listOf(value).join(text(' or '))})`;
  if (key === '$not') return text('not ({condition})', { condition: filterText(value, path) });
  const operator = plainOperator(key);
  const label = OPERATOR_LABELS[operator];
  if (label) return sentence(path, label, value, operator === '$null' || operator === '$notNull' ? ':' : '');
  return filterText(value, key.startsWith('$') || path === '' ? key : `${path}.${key}`);
}

/** Returns a filter as a sentence; an operator that is unknown here keeps its name. */
export function filterText(filter: unknown, path = ''): string {
  if (!isQuery(filter)) return sentence(path, 'is', filter);
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
