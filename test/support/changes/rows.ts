/**
 * @module Changes of whole content models: the rows of any table before a change, and those that must be there after it.
 */
import type { SchemaFile } from '../../../src/schema/build.ts';
import type { Change } from './change.ts';
import { type Expected, insert, type Side, type Stored } from './content.ts';

type Cell = Stored | object;

/** The types of one side, and its components. */
export type Declared = readonly [types: readonly SchemaFile[], components?: readonly SchemaFile[]];

/** A link: its ends such as `a` and `b/fr`, a documentId with the locale if there is one, and its version. */
type Link = readonly [source: string, target: string, status?: 'draft' | 'published'];

const stored = (cell: Cell): Stored => (typeof cell === 'object' && cell !== null ? JSON.stringify(cell) : cell);

/** Inserts rows. @param columns names with spaces between them */
export const put = (table: string, columns: string, ...rows: readonly (readonly Cell[])[]): string =>
  insert(
    table,
    columns.split(' '),
    rows.map((row) => row.map(stored)),
  );

/** Inserts documents: documentId, with the locale as in links, whether it is published, and values. */
export const documents = (
  table: string,
  columns: string,
  ...rows: readonly (readonly [at: string, published: 0 | 1, ...Cell[]])[]
): string =>
  put(
    table,
    `document_id locale published_at ${columns}`.trim(),
    ...rows.map(([at, published, ...values]) => {
      const [documentId = '', locale = ''] = at.split('/');
      return [documentId, locale, published || null, ...values];
    }),
  );

/** Inserts links, which stand in this order at both ends. */
export const links = (table: string, ...rows: readonly Link[]): string =>
  put(
    `${table}_lnk`,
    'source_document_id source_locale target_document_id target_locale status position inverse_position',
    ...rows.map(([source, target, status = 'published'], at) => {
      const [from = '', fromLocale = ''] = source.split('/');
      const [to = '', toLocale = ''] = target.split('/');
      return [from, fromLocale, to, toLocale, status, at + 1, at + 1];
    }),
  );

/** What a `SELECT` finds, sorted by its columns from the left. */
export const found = (select: string, ...rows: readonly (readonly Cell[])[]): Expected => {
  const order = (rows[0] ?? ['']).map((_, at) => at + 1).join(', ');
  return { sql: `SELECT ${select} ORDER BY ${order}`, rows: rows.map((row) => row.map(stored)) };
};

const endSql = (end: string): string => `"${end}_document_id" || iif("${end}_locale" = '', '', '/' || "${end}_locale")`;

/** The links of a table, in the order of their sources and at each source in theirs. */
export const foundLinks = (table: string, ...rows: readonly Link[]): Expected => ({
  sql: `SELECT ${endSql('source')}, ${endSql('target')}, "status" FROM "${table}_lnk" ORDER BY 1, "status", "position"`,
  rows: rows.map(([source, target, status = 'published']) => [source, target, status]),
});

const nameOf = ({ json }: SchemaFile): string =>
  (json as { readonly info: { readonly singularName: string } }).info.singularName;
const tableOf = (file: SchemaFile): string =>
  (file.json as { readonly collectionName?: string }).collectionName ?? `${nameOf(file)}s`;
const isSingle = ({ json }: SchemaFile): boolean => (json as { readonly kind: string }).kind === 'singleType';
const uidOf = (file: SchemaFile): string => `api::${nameOf(file)}.${nameOf(file)}`;

/** Counts the documents of a type. */
const count = (file: SchemaFile): string =>
  `INSERT INTO "edgewise_counters" ("type", "locale", "status", "total") SELECT '${uidOf(file)}', "locale", iif("published_at" IS NULL, 'draft', 'published'), count(*) FROM "${tableOf(file)}" GROUP BY 2, 3`;

/** The uid of the first collection type that both sides have. */
function searchedOf(before: Declared, after: Declared): string | undefined {
  const uids = [before, after].map(([types]) => types.filter((file) => !isSingle(file)).map(uidOf));
  return uids[0]?.find((uid) => uids[1]?.includes(uid));
}

/** A change of a content model. */
export function modelChange({
  before,
  after,
  fill = [],
  survives = [],
  ...change
}: Omit<Change, 'before' | 'after' | 'fill' | 'survives'> &
  Partial<Pick<Change, 'fill' | 'survives'>> & { readonly before: Declared; readonly after: Declared }): Change {
  const uid = searchedOf(before, after);
  const sideOf = ([types, components = []]: Declared): Side => ({ types, components, uid });
  return {
    ...change,
    before: sideOf(before),
    after: sideOf(after),
    fill: [...fill, ...before[0].map(count)],
    survives,
  };
}
