/**
 * @module The address of a list → its columns and its requests. The address is a query of the API itself, in which
 * `fields` names columns.
 */
import { sameFor } from '../../src/common/same-for.ts';
import type { AttributeType } from '../../src/schema/model.ts';
import { type Query, textList } from '../api/query-string.ts';
import { type Attribute, isPolymorphic, isPopulated, isToMany } from '../model/attribute.ts';
import { type ContentType, type Document, editedStatus, type Model, versionQuery } from '../model/model.ts';
import { type NamedAttribute, readableAttributes, targetOf } from '../model/readable.ts';
import type { Text } from '../texts/text.ts';

type ColumnKind = 'value' | 'file' | 'document' | 'count' | 'length';

interface Column {
  readonly kind: (attribute: Attribute) => ColumnKind;
  /** Is it among the columns of a list that names none? */
  readonly isTelling?: true;
  readonly isSorted?: true;
}

const value: Column = { kind: () => 'value', isSorted: true };
const telling: Column = { ...value, isTelling: true };

/** Files and zones have no count of their own, so their length is shown. */
const COLUMNS: Readonly<Record<AttributeType, Column>> = {
  ...sameFor(['string', 'text', 'richtext', 'uid', 'password', 'biginteger', 'time'], value),
  ...sameFor(['enumeration', 'boolean', 'date', 'datetime', 'integer', 'decimal', 'float', 'email'], telling),
  ...sameFor<'json' | 'blocks', Column>(['json', 'blocks'], { kind: () => 'value' }),
  relation: { kind: (attribute) => (isToMany(attribute) ? 'count' : 'document') },
  media: { kind: ({ multiple }) => (multiple ? 'length' : 'file') },
  component: { kind: () => 'count' },
  dynamiczone: { kind: () => 'length' },
};

export const columnKind = (attribute: Attribute): ColumnKind => COLUMNS[attribute.type].kind(attribute);

const MOST_TELLING = 4;

function defaultColumns(model: Model, type: ContentType): readonly string[] {
  const telling = readableAttributes(model, type.uid).filter(
    ([name, attribute]) =>
      Object.hasOwn(type.attributes, name) &&
      name !== type.titleAttribute &&
      !isPolymorphic(attribute) &&
      (COLUMNS[attribute.type].isTelling || ['file', 'document'].includes(columnKind(attribute))),
  );
  return [...telling.slice(0, MOST_TELLING).map(([name]) => name), 'updatedAt'];
}

/** Returns the columns after the title. @param fields names as the address of the list has them */
export function listColumns(model: Model, type: ContentType, fields: unknown): readonly NamedAttribute[] {
  const names = fields === undefined ? defaultColumns(model, type) : textList(fields);
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
function selectionOf(model: Model, type: ContentType, columns: readonly NamedAttribute[]): Query {
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
  if (kind === 'value') return COLUMNS[attribute.type].isSorted && name;
  const title = relatedTitle(model, attribute);
  return kind === 'document' && title ? `${name}.${title}` : undefined;
}

/** From this number of documents on one goes from page to page by cursor. */
export const MANY_DOCUMENTS = 1000;

const DEFAULT_SIZE = 25;

/** The newest first. In this order a page costs the same, however far one is. */
export const DEFAULT_SORT = 'id:desc';

/** Where in a list its address is. `after`: the cursor that the page begins after. */
export function placeOf({ pagination }: Query) {
  const { page, pageSize, limit, after } = (pagination ?? {}) as Readonly<Record<string, string | undefined>>;
  const size = Math.trunc(Number(pageSize ?? limit)) || DEFAULT_SIZE;
  return { size: Math.max(1, Math.min(size, 100)), page: Math.max(1, Math.trunc(Number(page)) || 1), after };
}

/** Returns the pagination of the first page: only the size stays. */
export const firstPage = (query: Query): Query | undefined =>
  query.pagination === undefined ? undefined : { limit: placeOf(query).size };

/** The first page is counted, and names the cursor of the next; a page by cursor is not counted again. */
function paginationOf({ size, page, after }: ReturnType<typeof placeOf>): Query {
  if (after) return { after, limit: size, withCount: false };
  return page > 1 ? { page, pageSize: size } : { after: '', limit: size, withCount: true };
}

export const listStatus = (type: ContentType, { status }: Query): 'draft' | 'published' =>
  status === 'published' ? 'published' : editedStatus(type);

export function listRequest(model: Model, type: ContentType, query: Query): Query {
  const { sort = DEFAULT_SORT, filters, _q, publicationFilter, fields } = query;
  return {
    ...selectionOf(model, type, listColumns(model, type, fields)),
    ...versionQuery(type, listStatus(type, query), query.locale),
    sort,
    filters,
    _q,
    ...(type.hasDrafts && { publicationFilter }),
    pagination: paginationOf(placeOf(query)),
  };
}

/** Returns the request, without its page, for the other versions of documents, from which their states follow. */
export const otherVersions = (type: ContentType, query: Query, documents: readonly Document[]): Query => ({
  fields: ['updatedAt', 'locale'].filter((name) => type.shown.has(name)),
  filters: { documentId: { $in: documents.map(({ documentId }) => documentId) } },
  ...versionQuery(type, listStatus(type, query) === 'draft' ? 'published' : 'draft', query.locale),
});

/** Choices of `publicationFilter` in plain words; the last two tell locales apart. */
export const PUBLICATION_FILTER_LABELS: Readonly<Record<string, Text>> = {
  'never-published': 'Never published',
  'has-published-version': 'Published',
  modified: 'Changed since they were published',
  unmodified: 'Not changed since they were published',
  'published-without-draft': 'Published, without a draft',
  'published-with-draft': 'Published, with a draft',
  'never-published-document': 'Published in no locale',
  'has-published-version-document': 'Published in some locale',
};
