/**
 * @module Filters in words: `Title contains bread`, `Author is Ilse Marr`.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';
import { writeQuery } from '../api/query-string.ts';
import { labelOf } from '../model/attribute.ts';
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

type ToWords = (value: string, model: Model) => string;

const unchanged: ToWords = (value) => value;

/** Values of a query string: they may be anything. */
const WORDS: Readonly<Record<AttributeType, ToWords>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'password', 'enumeration', 'json', 'blocks'], unchanged),
  ...sameFor(['integer', 'biginteger', 'decimal', 'float', 'time'], unchanged),
  ...sameFor(['relation', 'media', 'component', 'dynamiczone'], unchanged),
  boolean: (value) => (/^(true|false)$/.test(value) ? text(value === 'true' ? 'Yes' : 'No') : value),
  date: (value, model) => (Number.isNaN(Date.parse(value)) ? value : valueText(model, { type: 'date' }, value)),
  datetime: (value, model) => {
    if (Number.isNaN(Date.parse(value))) return value;
    const [day = '', time = ''] = localTime(value).split('T');
    return time === '00:00:00'
      ? valueText(model, { type: 'date' }, day)
      : valueText(model, { type: 'datetime' }, value);
  },
};

type Titles = ReadonlyMap<string, string>;

function conditionWords(model: Model, uid: string, condition: FilterCondition, titles: Titles): string {
  const { path, operator, values } = condition;
  const isNamed = namedType(model, uid, condition) !== undefined;
  const shown = isNamed ? path.slice(0, -1) : path;
  const attribute = attributeAt(model, uid, shown);
  const words = values.map(
    (value) => (isNamed ? titles.get(value) : undefined) ?? WORDS[attribute?.type ?? 'string'](value, model),
  );
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
