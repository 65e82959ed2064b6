/**
 * @module Filters in words: `Title contains bread`, `Author is Ilse Marr`.
 */
import { writeQuery } from '../api/query-string.ts';
import { type Attribute, labelOf } from '../model/attribute.ts';
import type { ContentType, Model } from '../model/model.ts';
import { attributeAt } from '../model/readable.ts';
import { text } from '../texts/text.ts';
import { localTime } from '../ui/texts.ts';
import { type FilterCondition, type FilterPart, operatorLabel } from './filters.ts';
import { valueText } from './value-text.ts';

/** Returns the type of the document that a condition names by its id: `filters[author][documentId][$eq]=…`. */
export function namedType(model: Model, uid: string, condition: FilterCondition): ContentType | undefined {
  const { path, operator } = condition;
  const relation = path.at(-1) === 'documentId' ? attributeAt(model, uid, path.slice(0, -1)) : undefined;
  const type = relation?.type === 'relation' ? model.types.get(relation.target ?? '') : undefined;
  return operator === '$eq' && type && model.may('get', type.path) ? type : undefined;
}

/** Returns the documents that filters name, by their types and ids. */
export function namedDocuments(
  model: Model,
  uid: string,
  part: FilterPart,
): readonly (readonly [ContentType, string])[] {
  if (part.kind === 'group') return part.parts.flatMap((inner) => namedDocuments(model, uid, inner));
  const type = part.kind === 'condition' ? namedType(model, uid, part) : undefined;
  return type && part.kind === 'condition' ? part.values.map((id) => [type, id] as const) : [];
}

/** A value of a query string: it may be anything. */
function valueWords(model: Model, attribute: Attribute | undefined, value: string): string {
  const { type = '' } = attribute ?? {};
  if (type === 'boolean' && /^(true|false)$/.test(value)) return text(value === 'true' ? 'Yes' : 'No');
  if (!['date', 'datetime'].includes(type) || Number.isNaN(Date.parse(value))) return value;
  const [day = '', time = ''] = localTime(value).split('T');
  return type === 'datetime' && time === '00:00:00'
    ? valueText(model, { type: 'date' }, day)
    : valueText(model, { type }, value);
}

type Titles = ReadonlyMap<string, string>;

function conditionWords(model: Model, uid: string, condition: FilterCondition, titles: Titles): string {
  const { path, operator, values } = condition;
  const isNamed = namedType(model, uid, condition) !== undefined;
  const shown = isNamed ? path.slice(0, -1) : path;
  const attribute = attributeAt(model, uid, shown);
  const words = values.map((value) => (isNamed ? titles.get(value) : undefined) ?? valueWords(model, attribute, value));
  const [from = '', to = ''] = words;
  return [
    shown.map(labelOf).join(' › '),
    operatorLabel(attribute, operator),
    operator === '$between' ? text('{from} and {to}', { from, to }) : words.join(', '),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns filters in words; what has no form as it is. @param titles of documents, by their ids */
export function filterWords(model: Model, uid: string, part: FilterPart, titles: Titles): string {
  if (part.kind === 'raw') return writeQuery({ filters: part.filters });
  if (part.kind === 'condition') return conditionWords(model, uid, part, titles);
  const inner = part.parts.map((one) => {
    const words = filterWords(model, uid, one, titles);
    return one.kind === 'group' && one.logic !== 'not' && part.parts.length > 1 ? `(${words})` : words;
  });
  const conditions = inner.join(` ${text(part.logic === 'or' ? 'or' : 'and')} `);
  return part.logic === 'not' ? text('not ({conditions})', { conditions }) : conditions;
}
