/**
 * @module Registry → Drizzle tables: a row per version of a document, a link table per owning side, the counters.
 * No foreign keys and no NOT NULL on content: a table rebuild on D1 would lose children, and rules live in `plan/`.
 */
import { type SQL, sql } from 'drizzle-orm';
import {
  index,
  integer,
  numeric,
  primaryKey,
  real,
  type SQLiteColumnBuilderBase,
  type SQLiteTable,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { FIELDS, type FieldKind } from '../../registry/fields.ts';
import {
  type Attribute,
  type ContentType,
  type IndexTerm,
  isOwner,
  type Registry,
  type ScalarAttribute,
} from '../../registry/model.ts';
import {
  COUNTER_TABLE,
  IMPORT_TABLE,
  linkTable,
  MIGRATION_TABLE,
  OVERFLOW_COLUMN,
  STAMP_TABLE,
} from '../../registry/names.ts';
import { counters, stamps } from '../../sql/system-tables.ts';

export type Tables = Readonly<Record<string, SQLiteTable>>;

const COLUMN: Record<FieldKind<unknown>['affinity'], (name: string) => SQLiteColumnBuilderBase> = {
  text: (name) => text(name),
  integer: (name) => integer(name),
  real: (name) => real(name),
  numeric: (name) => numeric(name),
};

function attributeColumn(attribute: Attribute): [string, SQLiteColumnBuilderBase] | undefined {
  switch (attribute.kind) {
    case 'scalar':
      return attribute.overflow
        ? [OVERFLOW_COLUMN, text(OVERFLOW_COLUMN)]
        : [attribute.column, COLUMN[FIELDS[attribute.type].affinity](attribute.column)];
    case 'component':
    case 'dynamiczone':
      return [attribute.column, text(attribute.column)];
    default:
      return undefined;
  }
}

const isIndexed = ({ name, unique, overflow }: ScalarAttribute, { indexed }: ContentType): boolean =>
  !overflow && (unique || indexed?.has(name) === true);

const indexName = (table: string, terms: readonly IndexTerm[]): string =>
  `${table}_by_${terms.map(({ column, descending }) => (descending ? `${column}_desc` : column)).join('_')}`;

const indexColumn = (column: SQL, { descending }: IndexTerm) => (descending ? sql`${column} desc` : column);

/** No draft has a date of publication. */
const hasDraftIndex = ([first]: readonly IndexTerm[]): boolean => first?.column !== 'published_at';

/**
 * The partial indexes serve both statuses: one row per version is unique, and a page in id order or in that of a declared
 * index is read without a sort. `''` stands for "no locale", since NULLs are never equal in an index.
 */
function contentTable(type: ContentType): SQLiteTable {
  const columns: Record<string, SQLiteColumnBuilderBase> = {
    id: integer('id').primaryKey({ autoIncrement: true }),
    document_id: text('document_id').notNull(),
    locale: text('locale').notNull().default(''),
  };
  for (const attribute of type.attributes.values()) {
    const entry = attributeColumn(attribute);
    if (entry && !(entry[0] in columns)) columns[entry[0]] = entry[1];
  }
  return sqliteTable(type.table, columns, (table) => {
    const column = (name: string) => table[name] as never;
    const published = sql`${column('published_at')} is not null`;
    const draft = sql`${column('published_at')} is null`;
    const indexes = [
      uniqueIndex(`${type.table}_published`).on(column('document_id'), column('locale')).where(published),
      index(`${type.table}_published_id`).on(column('locale')).where(published),
    ];
    if (type.draftAndPublish)
      indexes.push(
        uniqueIndex(`${type.table}_draft`).on(column('document_id'), column('locale')).where(draft),
        index(`${type.table}_draft_id`).on(column('locale')).where(draft),
      );
    for (const terms of type.indexes) {
      const name = indexName(type.table, terms);
      const columns = [column('locale'), ...terms.map((term) => indexColumn(column(term.column), term))] as const;
      indexes.push(
        index(name)
          .on(...columns)
          .where(published),
      );
      if (type.draftAndPublish && hasDraftIndex(terms))
        indexes.push(
          index(`${name}_draft`)
            .on(...columns)
            .where(draft),
        );
    }
    for (const attribute of type.attributes.values())
      if (attribute.kind === 'scalar' && isIndexed(attribute, type))
        indexes.push(index(`${type.table}_${attribute.column}`).on(column(attribute.column)));
    return indexes;
  });
}

/** Both ends of a link by document and locale, `''` on types without locales; `status` is the version of both. */
export const linkTableOf = (name: string): SQLiteTable =>
  sqliteTable(
    name,
    {
      source_document_id: text('source_document_id').notNull(),
      source_locale: text('source_locale').notNull().default(''),
      target_document_id: text('target_document_id').notNull(),
      target_locale: text('target_locale').notNull().default(''),
      status: text('status').notNull(),
      position: real('position').notNull(),
      inverse_position: real('inverse_position').notNull(),
    },
    (table) => [
      primaryKey({
        columns: [
          table.source_document_id,
          table.source_locale,
          table.status,
          table.target_document_id,
          table.target_locale,
        ],
      }),
      index(`${name}_position`).on(table.source_document_id, table.source_locale, table.status, table.position),
      index(`${name}_target`).on(table.target_document_id, table.target_locale, table.status, table.inverse_position),
    ],
  );

/** Archives that were imported, and how far; times are milliseconds since 1970. */
const imports = sqliteTable(IMPORT_TABLE, {
  /** SHA-256 of the archive. */
  archive: text('archive').primaryKey(),
  name: text('name').notNull(),
  mode: text('mode').notNull(),
  stage: text('stage').notNull(),
  done: integer('done').notNull(),
  started_at: integer('started_at').notNull(),
  finished_at: integer('finished_at'),
});

/** The checksum of each migration as it was when it was applied. */
const migrations = sqliteTable(MIGRATION_TABLE, {
  /** Of its file, as in `d1_migrations`. */
  name: text('name').primaryKey(),
  checksum: text('checksum').notNull(),
});

/** Every table of a deployment by its name, in registry order. */
export function buildTables(registry: Registry): Tables {
  const tables: Record<string, SQLiteTable> = {
    [COUNTER_TABLE]: counters,
    [STAMP_TABLE]: stamps,
    [IMPORT_TABLE]: imports,
    [MIGRATION_TABLE]: migrations,
  };
  for (const type of registry.contentTypes.values()) {
    tables[type.table] = contentTable(type);
    for (const attribute of type.attributes.values()) {
      const name = linkTable(type.table, attribute.name);
      if (isOwner(attribute)) tables[name] = linkTableOf(name);
    }
  }
  return tables;
}
