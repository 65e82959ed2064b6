/**
 * @module Drafts and their published copies: the statements that every write of a type needs.
 */
import { columnsOf, type Input, type Stored } from './input.ts';

export interface Versioned {
  readonly uid: string;
  readonly table: string;
  readonly stored: Stored;
  /** Component columns, each with an expression that is the same under new ids. */
  readonly components: Readonly<Record<string, string>>;
  readonly links: readonly string[];
}

export const RANDOM_ID = 'abs(random() % 9007199254740991) + 1';

const LINK =
  '"source_document_id", "source_locale", "target_document_id", "target_locale", "position", "inverse_position"';

function statementsOf({ uid, table, stored, components, links }: Versioned) {
  const scalars = Object.values(stored).filter(([column]) => !Object.hasOwn(components, column));
  const content = [...scalars.map(([column]) => `"${column}"`), '"created_at"', '"updated_at"'];
  const copied = [...content, ...Object.values(components)].join(', ');
  const columns = [...content, ...Object.keys(components).map((column) => `"${column}"`)].join(', ');
  const counter = (status: string) => `"type" = '${uid}' and "locale" = '' and "status" = '${status}'`;
  return {
    exists: `select iif(exists (select 1 from "${table}" where "document_id" = ?1 and "published_at" is null), 1, json_extract('{}', 'MISSING'))`,
    slugIsFree: `select iif(exists (select 1 from "${table}" as "other" where "slug" = (select "slug" from "${table}" where "document_id" = ?1 and "published_at" is not null) and "document_id" <> ?1 and "published_at" is not null), json_extract('{}', 'SLUG'), 1)`,
    publish: `insert into "${table}" ("document_id", "locale", ${columns}, "published_at") select "document_id", "locale", ${copied}, ?2 from "${table}" where "document_id" = ?1 and "published_at" is null`,
    unpublish: `delete from "${table}" where "document_id" = ?1 and "published_at" is not null`,
    dropLinks: links.map((name) => `delete from "${name}" where "source_document_id" = ?1 and "status" = 'published'`),
    copyLinks: links.map(
      (name) =>
        `insert into "${name}" (${LINK}, "status") select ${LINK}, 'published' from "${name}" where "source_document_id" = ?1 and "status" = 'draft'`,
    ),
    countBoth: `insert into "edgewise_counters" ("type", "locale", "status", "total") values ('${uid}', '', 'draft', 1), ('${uid}', '', 'published', 1) on conflict do update set "total" = "total" + 1`,
    countPublished: `update "edgewise_counters" set "total" = "total" + not exists (select 1 from "${table}" where "document_id" = ?1 and "published_at" is not null) where ${counter('published')}`,
  };
}

export type Versions = Versioned & { readonly sql: ReturnType<typeof statementsOf> };

export const versionsOf = (type: Versioned): Versions => ({ ...type, sql: statementsOf(type) });

const bound = (db: D1Database, statements: readonly string[], documentId: string) =>
  statements.map((statement) => db.prepare(statement).bind(documentId));

export function insertDraft(db: D1Database, type: Versions, documentId: string, data: Input, now: number) {
  const { columns, values } = columnsOf(data, type.stored);
  const names = ['"document_id"', '"locale"', '"created_at"', '"updated_at"', ...columns];
  const insert = `insert into "${type.table}" (${names.join(', ')}) values (?, '', ?, ?${', ?'.repeat(columns.length)})`;
  return db.prepare(insert).bind(documentId, now, now, ...values);
}

/** The draft is published for the first time. */
export const publishNew = (db: D1Database, { sql }: Versions, documentId: string, now: number) => [
  db.prepare(sql.publish).bind(documentId, now),
  ...bound(db, [sql.slugIsFree], documentId),
  db.prepare(sql.countBoth),
];

/** The published version gets the links of the draft. */
export const copyLinks = (db: D1Database, { sql }: Versions, documentId: string) =>
  bound(db, sql.copyLinks, documentId);

export function updateDraft(db: D1Database, type: Versions, documentId: string, data: Input, now: number) {
  const { columns, values } = columnsOf(data, type.stored);
  const sets = columns.map((column) => `${column} = ?, `).join('');
  const update = `update "${type.table}" set ${sets}"updated_at" = ? where "document_id" = ? and "published_at" is null`;
  return [...bound(db, [type.sql.exists], documentId), db.prepare(update).bind(...values, now, documentId)];
}

/** The draft takes the place of the published version, if there is one. */
export const publishAgain = (db: D1Database, { sql }: Versions, documentId: string, now: number) => [
  ...bound(db, [sql.countPublished, ...sql.dropLinks, sql.unpublish], documentId),
  db.prepare(sql.publish).bind(documentId, now),
  ...bound(db, [...sql.copyLinks, sql.slugIsFree], documentId),
];
