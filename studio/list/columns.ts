/**
 * @module The columns of a list, and what a request needs for them.
 */
import type { Query } from '../api/query-string.ts';
import { type Attribute, isPolymorphic, isPopulated, isToMany } from '../model/attribute.ts';
import type { ContentType, Model } from '../model/model.ts';
import { type NamedAttribute, readableAttributes, targetOf } from '../model/readable.ts';

export type ColumnKind = 'value' | 'file' | 'files' | 'document' | 'count' | 'zone';

export function columnKind(attribute: Attribute): ColumnKind {
  const { type, multiple } = attribute;
  if (type === 'media') return multiple ? 'files' : 'file';
  if (type === 'dynamiczone') return 'zone';
  if (type === 'relation') return isToMany(attribute) ? 'count' : 'document';
  return type === 'component' ? 'count' : 'value';
}

const TELLING: readonly string[] = [
  'enumeration',
  'boolean',
  'date',
  'datetime',
  'integer',
  'decimal',
  'float',
  'email',
];
const MOST_TELLING = 4;

const isTelling = (attribute: Attribute): boolean =>
  TELLING.includes(attribute.type) || ['file', 'document'].includes(columnKind(attribute));

function defaultColumns(model: Model, type: ContentType): readonly string[] {
  const names = readableAttributes(model, type.uid).filter(([name]) => name !== type.titleAttribute);
  const telling = names.filter(([name, attribute]) => Object.hasOwn(type.attributes, name) && isTelling(attribute));
  return [...telling.slice(0, MOST_TELLING).map(([name]) => name), 'updatedAt'];
}

/** Returns the columns after the title. @param fields names as the address of the list has them */
export function columnsOf(model: Model, type: ContentType, fields: unknown): readonly NamedAttribute[] {
  const names = Array.isArray(fields) ? fields : typeof fields === 'string' ? fields.split(',') : undefined;
  const readable = new Map(readableAttributes(model, type.uid));
  return (names ?? defaultColumns(model, type)).flatMap((name) => {
    const attribute = readable.get(name);
    return attribute && name !== type.titleAttribute ? [[name, attribute] as const] : [];
  });
}

function populateOf(model: Model, attribute: Attribute): unknown {
  const kind = columnKind(attribute);
  if (kind === 'count') return { count: true };
  if (kind === 'files') return { fields: ['id'] };
  if (kind === 'file') return { fields: ['name', 'alternativeText', 'mime', 'url', 'formats'] };
  if (kind === 'zone' || isPolymorphic(attribute)) return true;
  const target = model.types.get(targetOf(model, attribute) ?? '');
  return { fields: [target?.titleAttribute ?? 'documentId'] };
}

/** Returns `fields` and `populate` of a request for the columns. */
export function selectionOf(model: Model, type: ContentType, columns: readonly NamedAttribute[]): Query {
  const populated = columns.filter(([, attribute]) => isPopulated(attribute));
  const values = columns.filter(([, attribute]) => !isPopulated(attribute)).map(([name]) => name);
  const needed = ['updatedAt', ...(type.isLocalized ? ['locale'] : [])].filter((name) => type.shown.has(name));
  return {
    fields: [...new Set([type.titleAttribute, ...values, ...needed])],
    ...(populated.length > 0 && {
      populate: Object.fromEntries(populated.map(([name, attribute]) => [name, populateOf(model, attribute)])),
    }),
  };
}

/** Returns what `sort` takes for a column, or undefined where it does not sort. */
export function sortPathOf(model: Model, name: string, attribute: Attribute): string | undefined {
  if (columnKind(attribute) === 'value') return ['json', 'blocks'].includes(attribute.type) ? undefined : name;
  if (columnKind(attribute) !== 'document' || isPolymorphic(attribute)) return undefined;
  const target = model.types.get(targetOf(model, attribute) ?? '');
  return target && `${name}.${target.titleAttribute}`;
}
