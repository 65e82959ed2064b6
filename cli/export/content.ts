/**
 * @module The content that an export writes, as copied tables: its rows, and what refers to them. Links of an archive name
 * rows, those of the database name documents.
 */
import { rolesOf } from '../../src/content/credentials/roles.ts';
import type { Status } from '../../src/content/request/query-params.ts';
import type { Row } from '../../src/content/sql/statement.ts';
import { isScalar } from '../../src/schema/attribute-kinds.ts';
import { FIELDS } from '../../src/schema/fields.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import type { Settings } from '../../src/schema/settings/config.ts';
import { ROLE_UID } from '../../src/schema/system-types.ts';
import { newTally } from '../core/content-counts.ts';
import type { Copies } from '../core/sql/copies.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { storedCounts } from '../core/sql/stored-counts.ts';
import { archivedTypes, linkTablesOf } from '../core/sql/type-tables.ts';

export const exportedTables = (registry: Registry): readonly string[] => [
  'up_roles',
  ...archivedTypes(registry).flatMap((type) => [type.table, ...linkTablesOf(type).values()]),
];

/** @param copies complete ones of the exported tables */
export function contentOf(copies: Copies, registry: Registry, settings: Settings) {
  const { db, columnsIn } = copies;
  const rows = (sql: string) => db.prepare(sql).iterate() as Iterable<Row>;
  const find = (table: string) => {
    db.exec(`create index ${identifier(`${table} versions`)} on ${identifier(table)} ("document_id", "locale")`);
    const isVersion = `"document_id" = ? and "locale" = ? and iif("published_at" is null, 'draft', 'published') = ?`;
    return db.prepare(`select "id" from ${identifier(table)} where ${isVersion}`);
  };
  const finds = new Map(archivedTypes(registry).map(({ uid, table }) => [uid, find(table)]));
  db.exec('create table "kept links" ("line" text)');
  const keep = db.prepare('insert into "kept links" values (?)');
  const numbers = new Map<string, number>();
  return {
    registry,
    settings,
    /** What the copied tables hold. */
    counts: storedCounts(copies, registry),
    /** What of that the archive does not have. */
    leftOut: newTally(),
    /** Rows of a type, in the order of their ids. 64-bit integers are texts: JavaScript would round them. */
    rowsOf({ table, attributes }: ContentType): Iterable<Row> {
      const scalars = [...attributes.values()].filter(isScalar);
      const big = new Set(scalars.filter(({ type }) => FIELDS[type].exact).map(({ column }) => column));
      const columns = columnsIn(table).map(([name]) =>
        big.has(name) ? `cast(${identifier(name)} as text) as ${identifier(name)}` : identifier(name),
      );
      return rows(`select ${columns.join(', ')} from ${identifier(table)} order by "id"`);
    },
    /** Links of a table, in the order of their creation. */
    linksOf: (table: string) => rows(`select * from ${identifier(table)} order by "_rowid_"`),
    /** The id of a row; undefined for a version that does not exist. */
    idOf({ uid }: ContentType, documentId: string, locale: string, status: Status): number | undefined {
      if (uid !== ROLE_UID) return finds.get(uid)?.get(documentId, locale, status)?.id as number | undefined;
      return rolesOf(settings).findIndex((role) => role.documentId === documentId) + 1 || undefined;
    },
    /** Keeps a link until links are written. */
    keep: (link: object) => void keep.run(JSON.stringify(link)),
    *keptLinks(): Generator<object> {
      for (const { line } of rows('select "line" from "kept links"')) yield JSON.parse(String(line)) as object;
    },
    /** Numbers each kind from 1. */
    nextId(kind: string): number {
      const next = (numbers.get(kind) ?? 0) + 1;
      numbers.set(kind, next);
      return next;
    },
  };
}

export type Content = ReturnType<typeof contentOf>;
