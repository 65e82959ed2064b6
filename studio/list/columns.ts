/**
 * @module The columns of a list, and what a request needs for them.
 */
import { type Query, readList } from '../api/query-string.ts';
import { type Attribute, isPolymorphic, isPopulated, isToMany } from '../model/attribute.ts';
import type { ContentType, Model } from '../model/model.ts';
import { type NamedAttribute, readableAttributes, targetOf } from '../model/readable.ts';

export type ColumnKind = 'value' | 'file' | 'document' | 'count' | 'length';

/** Files and zones have no count of their own, so their length is shown. */
export function columnKind(attribute: Attribute): ColumnKind {
  const { type, multiple } = attribute;
  if (type === 'media') return multiple ? 'length' : 'file';
  if (type === 'relation') return isToMany(attribute) ? 'count' : 'document';
  if (type === 'dynamiczone') return 'length';
  return type === 'component' ? 'count' : 'value';
}

const TELLING = ['enumeration', 'boolean', 'date', 'datetime', 'integer', 'decimal', 'float', 'email'];
const MOST_TELLING = 4;

function defaultColumns(model: Model, type: ContentType): readonly string[] {
  const telling = readableAttributes(model, type.uid).filter(
    ([name, attribute]) =>
      Object.hasOwn(type.attributes, name) &&
      name !== type.titleAttribute &&
      !isPolymorphic(attribute) &&
      (TELLING.includes(attribute.type) || ['file', 'document'].includes(columnKind(attribute))),
  );
  return [...telling.slice(0, MOST_TELLING).map(([name]) => name), 'updatedAt'];
}

/** Returns the columns after the title. @param fields names as the address of the list has them */
export function columnsOf(model: Model, type: ContentType, fields: unknown): readonly NamedAttribute[] {
  const names = fields === undefined ? defaultColumns(model, type) : readList(fields);
  const readable = new Map(readableAttributes(model, type.uid));
  return names.flatMap((name) => {
    const attribute = readable.get(name);
    return attribute && name !== type.titleAttribute ? [[name, attribute] as const] : [];
  });
}

/** The attribute of a related document that a list shows; undefined where the target has several types. */
const relatedTitle = (model: Model, attribute: Attribute): string | undefined =>
  isPolymorphic(attribute) ? undefined : model.types.get(targetOf(model, attribute) ?? '')?.titleAttribute;

function populateOf(model: Model, attribute: Attribute): unknown {
  const kind = columnKind(attribute);
  if (kind === 'count') return { count: true };
  if (kind === 'file') return { fields: ['name', 'alternativeText', 'mime', 'url', 'formats'] };
  const title = relatedTitle(model, attribute);
  return kind === 'document' && title ? { fields: [title] } : true;
}

/** Returns `fields` and `populate` of a request for the columns. */
export function selectionOf(model: Model, type: ContentType, columns: readonly NamedAttribute[]): Query {
  const populated = columns.filter(([, attribute]) => isPopulated(attribute));
  const values = columns.filter(([, attribute]) => !isPopulated(attribute)).map(([name]) => name);
  const needed = ['updatedAt', 'locale'].filter((name) => type.shown.has(name));
  return {
    fields: [...new Set([type.titleAttribute, ...values, ...needed])],
    populate: Object.fromEntries(populated.map(([name, attribute]) => [name, populateOf(model, attribute)])),
  };
}

/** Returns what `sort` takes for a column, or undefined where it does not sort. */
export function sortPathOf(model: Model, name: string, attribute: Attribute): string | undefined {
  const kind = columnKind(attribute);
  if (kind === 'value') return ['json', 'blocks'].includes(attribute.type) ? undefined : name;
  const title = relatedTitle(model, attribute);
  return kind === 'document' && title ? `${name}.${title}` : undefined;
}
