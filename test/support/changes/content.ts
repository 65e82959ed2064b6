/**
 * @module Content types around one attribute, and the rows of a database that has them: what a change of the attribute is
 * tried on. See `../attribute-changes.ts`.
 */
import type { SchemaFile, SchemaFiles } from '../../../src/schema/build.ts';
import { linkTable, snakeCase } from '../../../src/schema/names.ts';
import { component, contentType, type TypeOptions } from '../schema-files.ts';

export type AttributeJson = Readonly<Record<string, unknown>>;
export type Stored = string | number | null;

/** What a project declares: its schema files, and `indexes` and `search` of its settings. */
export interface Model {
  readonly types: readonly SchemaFile[];
  readonly components: readonly SchemaFile[];
  readonly indexes: NonNullable<SchemaFiles['indexes']>;
  readonly search: readonly string[];
}

/** A statement, and the rows that it returns, as lists of their values. */
export interface Expected {
  readonly sql: string;
  readonly rows: readonly (readonly Stored[])[];
}

/** One side of a change: the content types before or after it. */
export interface Side {
  readonly types: readonly SchemaFile[];
  readonly components: readonly SchemaFile[];
  /** uid of the content type that a search index is over. */
  readonly uid: string | undefined;
  /** Its attribute that declared indexes are over. */
  readonly indexed?: string;
}

export interface ArticleOptions extends TypeOptions {
  /** Singular name of the content type. */
  readonly name?: string;
  readonly components?: readonly SchemaFile[];
}

export const CARD = component('shared.card', {
  label: { type: 'string' },
  size: { type: 'integer' },
  link: { type: 'component', component: 'shared.link' },
});
export const LINK = component('shared.link', { url: { type: 'string' } });
export const NOTE = component('shared.note', { text: { type: 'string' } });

const SHORT = new Set([
  ...['string', 'email', 'uid', 'enumeration', 'integer', 'biginteger', 'decimal', 'float', 'boolean'],
  ...['date', 'time', 'datetime'],
]);

/** May a declared index be over an attribute of this type? */
const isIndexable = ({ type }: AttributeJson): boolean => SHORT.has(String(type));

/** Articles with a title, a rank and these attributes; declared indexes are over the first of them, or else the rank. */
export function articles(attributes: Readonly<Record<string, AttributeJson>>, options: ArticleOptions = {}): Side {
  const { name = 'article', components = [CARD, LINK, NOTE], drafts = true, table = 'articles', ...others } = options;
  const [first] = Object.keys(attributes);
  const declared = first === undefined ? undefined : attributes[first];
  const own = { pluginOptions: { i18n: { localized: true } } };
  const common = { title: { type: 'string', ...own }, rank: { type: 'integer', ...own } };
  const types = [
    contentType(name, { ...common, ...attributes }, { drafts, table, ...others }),
    contentType('author', { name: { type: 'string' } }),
  ];
  const indexed = first !== undefined && declared && isIndexable(declared) ? first : 'rank';
  return { types, components, uid: `api::${name}.${name}`, indexed };
}

const sqlOf = (value: Stored): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL');

export const insert = (table: string, columns: readonly string[], rows: readonly (readonly Stored[])[]): string =>
  `INSERT INTO "${table}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES ${rows
    .map((row) => `(${row.map(sqlOf).join(', ')})`)
    .join(', ')}`;

/** A version of an article: documentId, locale, and whether it is published. */
export type Version = readonly [documentId: string, locale: string, published: boolean];

/** The articles of a type with drafts and without locales. */
export const VERSIONS: readonly Version[] = [
  ['a', '', false],
  ['a', '', true],
  ['b', '', false],
  ['c', '', false],
];

function counters(versions: readonly Version[]): string {
  const totals = new Map<string, number>();
  for (const [, locale, published] of versions) {
    const key = `${locale}/${published ? 'published' : 'draft'}`;
    totals.set(key, (totals.get(key) ?? 0) + 1);
  }
  const rows = [...totals].map(([key, total]) => ['api::article.article', ...key.split('/'), total]);
  const authors = ['api::author.author', '', 'published', 2];
  return insert('edgewise_counters', ['type', 'locale', 'status', 'total'], [...rows, authors]);
}

/** Fills two authors, two files and the articles, whose columns hold `values`, one list for each version. */
export function filled(
  columns: readonly string[],
  values: readonly (readonly Stored[])[],
  versions: readonly Version[] = VERSIONS,
): readonly string[] {
  const times = [1, 2];
  const rows = versions.map(([documentId, locale, published], at) => {
    const own = values[at] ?? columns.map(() => null);
    return [documentId, locale, published ? 3 : null, ...times, `Title ${at}`, at, ...own];
  });
  const system = ['document_id', 'locale', 'published_at', 'created_at', 'updated_at'];
  const people = ['x', 'y'].map((id) => [id, '', 3, 1, 2, `Name ${id}`]);
  const files = ['f', 'g'].map((id) => [id, '', 3, 1, 2, 'file.png', id, '.png', 'image/png', 1, '/file.png', 'local']);
  const fileColumns = [...system, 'name', 'hash', 'ext', 'mime', 'size', 'url', 'provider'];
  return [
    insert('articles', [...system, 'title', 'rank', ...columns], rows),
    insert('authors', [...system, 'name'], people),
    insert('files', fileColumns, files),
    counters(versions),
  ];
}

/** Links every version that has a target to it. */
export function linked(attribute: string, targets: readonly (string | null)[], versions = VERSIONS): string {
  const rows = versions.flatMap(([documentId, locale, published], at) => {
    const target = targets[at];
    return target ? [[documentId, locale, target, '', published ? 'published' : 'draft', 65_536, 65_536 * at]] : [];
  });
  const ends = ['source_document_id', 'source_locale', 'target_document_id', 'target_locale'];
  return insert(linkTable('articles', attribute), [...ends, 'status', 'position', 'inverse_position'], rows);
}

/** The values of an attribute that has a column, of each version in order. */
export const valuesOf = (attribute: string, values: readonly Stored[], table = 'articles'): Expected => ({
  sql: `SELECT "${snakeCase(attribute)}" FROM "${table}" ORDER BY "document_id", "locale", "published_at" IS NOT NULL`,
  rows: values.map((value) => [value]),
});

/** What each version links to, in order. */
export const linksOf = (
  attribute: string,
  links: readonly (readonly [documentId: string, locale: string, target: string])[],
  table = 'articles',
): Expected => ({
  sql: `SELECT "source_document_id", "source_locale", "target_document_id" FROM "${linkTable(table, attribute)}" ORDER BY 1, 2, "status"`,
  rows: links,
});

/** That there are these titles, in order: no row was lost or made. */
export const titlesOf = (titles: readonly string[], table = 'articles'): Expected => ({
  sql: `SELECT "title" FROM "${table}" ORDER BY "document_id", "locale", "published_at" IS NOT NULL`,
  rows: titles.map((title) => [title]),
});
