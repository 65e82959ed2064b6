/**
 * @module Registry → tables: a row per version of a document, a link table per owning side, the tables of Edgewise itself.
 * No foreign keys and no NOT NULL on content: a table rebuild on D1 would lose children, and rules live in `plan/`.
 */
import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, integer, type SQLiteTable, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { sameFor } from '../../src/common/same-for.ts';
import { hasComponents, isOwner, isPolymorphic, isScalar, ownedTable } from '../../src/schema/attribute-kinds.ts';
import { FIELDS, type FieldKind, type ScalarType } from '../../src/schema/fields.ts';
import type { Attribute, ContentType, IndexTerm, Registry } from '../../src/schema/model.ts';
import {
  HISTORY_TABLE,
  IDENTITY_TABLE,
  IMPORT_TABLE,
  MIGRATION_TABLE,
  OAUTH_GRANT_TABLE,
  OUTBOX_TABLE,
  OVERFLOW_COLUMN,
  REDEMPTION_TABLE,
  REQUEST_TABLE,
  SCHEDULE_TABLE,
  TASK_TABLE,
} from '../../src/schema/names.ts';
import { SYSTEM_TABLES } from '../../src/tables.ts';

export interface Column {
  readonly name: string;
  readonly type: FieldKind<unknown>['affinity'];
  /** Its name in Drizzle queries. */
  readonly key: string;
  /** How Drizzle decodes it; absent: not at all. */
  readonly mode?: 'boolean' | 'timestamp_ms' | 'json' | 'number';
  readonly primaryKey?: true;
  readonly autoincrement?: true;
  readonly notNull?: true;
  readonly default?: '';
}

export interface Index {
  readonly name: string;
  readonly isUnique: boolean;
  readonly columns: readonly Pick<IndexTerm, 'column' | 'descending'>[];
  /** Only published rows, or only drafts. */
  readonly rows?: 'published' | 'draft';
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly primaryKey?: readonly string[];
  readonly indexes: readonly Index[];
}

const required = (key: string, type: Column['type'], name = key): Column => ({ name, type, key, notNull: true });

/** `''` stands for "no locale", since NULLs are never equal in an index. */
const localeColumn = (key: string, name = key): Column => ({ ...required(key, 'text', name), default: '' });

const IDENTITY: readonly Column[] = [
  { ...required('id', 'integer'), primaryKey: true, autoincrement: true },
  required('documentId', 'text', 'document_id'),
  localeColumn('locale'),
];

const MODES: Readonly<Record<ScalarType, Column['mode'] | undefined>> = {
  ...sameFor(['string', 'text', 'richtext', 'email', 'uid', 'password', 'enumeration', 'date', 'time'], undefined),
  ...sameFor(['integer', 'float', 'biginteger'], undefined),
  boolean: 'boolean',
  datetime: 'timestamp_ms',
  decimal: 'number',
  ...sameFor(['json', 'blocks'], 'json'),
};

const jsonColumn = (key: string, name: string): Column => ({ name, type: 'text', key, mode: 'json' });

function attributeColumn(attribute: Attribute): Column | undefined {
  const { name: key } = attribute;
  if (hasComponents(attribute)) return jsonColumn(key, attribute.column);
  if (!isScalar(attribute)) return undefined;
  if (attribute.overflow) return jsonColumn('overflowAttributes', OVERFLOW_COLUMN);
  const { type, column: name } = attribute;
  const mode = MODES[type];
  return { name, type: FIELDS[type].affinity, key, ...(mode && { mode }) };
}

const index = (name: string, columns: readonly string[], more: Partial<Index> = {}): Index => ({
  ...{ name, isUnique: false, columns: columns.map((column) => ({ column, descending: false })) },
  ...more,
});

/** A declared index. Drafts have no date of publication. */
function declaredIndexes({ table, draftAndPublish }: ContentType, terms: readonly IndexTerm[]): readonly Index[] {
  const name = `${table}_by_${terms.map(({ column, descending }) => (descending ? `${column}_desc` : column)).join('_')}`;
  const columns = [{ column: 'locale', descending: false }, ...terms];
  const published: Index = { name, isUnique: false, columns, rows: 'published' };
  const hasDrafts = draftAndPublish && terms[0]?.column !== 'published_at';
  return hasDrafts ? [published, { ...published, name: `${name}_draft`, rows: 'draft' }] : [published];
}

/** Partial indexes: one row per version is unique, and a page in the order of an index is read without a sort. */
function contentIndexes(type: ContentType): readonly Index[] {
  const { table, draftAndPublish, attributes } = type;
  const statuses = draftAndPublish ? (['published', 'draft'] as const) : (['published'] as const);
  return [
    ...statuses.flatMap((rows) => [
      index(`${table}_${rows}`, ['document_id', 'locale'], { isUnique: true, rows }),
      index(`${table}_${rows}_id`, ['locale'], { rows }),
    ]),
    ...type.indexes.flatMap((terms) => declaredIndexes(type, terms)),
    ...[...attributes.values()]
      .filter(isScalar)
      .filter(({ name, unique, overflow }) => !overflow && (unique || type.indexed?.has(name)))
      .map(({ column }) => index(`${table}_${column}`, [column])),
  ];
}

function contentTable(type: ContentType): Table {
  const columns = new Map(IDENTITY.map((column) => [column.name, column]));
  for (const attribute of type.attributes.values()) {
    const column = attributeColumn(attribute);
    if (column && !columns.has(column.name)) columns.set(column.name, column);
  }
  return { name: type.table, columns: [...columns.values()], indexes: contentIndexes(type) };
}

const SOURCE = ['source_document_id', 'source_locale', 'status'];

/** Both ends of a link by document and locale, `''` on types without locales; `status` is the version of both. */
export const linkTableOf = (name: string, typed = false): Table => ({
  name,
  columns: [
    required('sourceDocumentId', 'text', 'source_document_id'),
    localeColumn('sourceLocale', 'source_locale'),
    required('targetDocumentId', 'text', 'target_document_id'),
    localeColumn('targetLocale', 'target_locale'),
    ...(typed ? [required('targetType', 'text', 'target_type')] : []),
    required('status', 'text'),
    required('position', 'real'),
    required('inversePosition', 'real', 'inverse_position'),
  ],
  primaryKey: [...SOURCE, 'target_document_id', 'target_locale', ...(typed ? ['target_type'] : [])],
  indexes: [
    index(`${name}_position`, [...SOURCE, ...(typed ? ['target_type'] : []), 'position']),
    index(`${name}_target`, ['target_document_id', 'target_locale', 'status', 'inverse_position']),
  ],
});

/** Archives that were imported, by their SHA-256 and their groups, and how far. */
const imports = sqliteTable(IMPORT_TABLE, {
  archive: text('archive').primaryKey(),
  name: text('name').notNull(),
  mode: text('mode').notNull(),
  stage: text('stage').notNull(),
  done: integer('done').notNull(),
  startedAt: integer('started_at').notNull(),
  finishedAt: integer('finished_at'),
});

/** The checksum of each migration as it was when it was applied. */
const migrations = sqliteTable(MIGRATION_TABLE, {
  name: text('name').primaryKey(),
  checksum: text('checksum').notNull(),
});

function ownTable(table: SQLiteTable, indexes: readonly Index[] = [], modes: Record<string, Column['mode']> = {}) {
  const { name, primaryKeys } = getTableConfig(table);
  const columns = Object.entries(getTableColumns(table)).map(([key, column]): Column => {
    const mode = modes[key];
    return {
      ...{ name: column.name, type: column.getSQLType() as Column['type'], key },
      ...(mode && { mode }),
      ...(column.primary && { primaryKey: true }),
      ...(column.notNull && { notNull: true }),
    };
  });
  const primaryKey = primaryKeys[0]?.columns.map((column) => column.name);
  return { name, columns, indexes, ...(primaryKey && { primaryKey }) };
}

const { counters, endpoints, history, identities, outbox, pictureMonths, pictures, redemptions } = SYSTEM_TABLES;
const { oauthGrants, requests, schedule, stamps, tasks } = SYSTEM_TABLES;

/** The tables of Edgewise itself, with the indexes that the Worker does not name. */
const OWN: readonly Table[] = [
  ownTable(counters),
  ownTable(stamps),
  ownTable(imports),
  ownTable(requests, [index(`${REQUEST_TABLE}_created_at`, ['created_at'])]),
  ownTable(
    schedule,
    [
      // Failed publications have no time, so this index ends with those to carry out.
      index(`${SCHEDULE_TABLE}_at`, ['at']),
      index(`${SCHEDULE_TABLE}_document`, ['type', 'document_id', 'locale', 'action'], { isUnique: true }),
    ],
    { at: 'timestamp_ms' },
  ),
  ownTable(outbox, [
    index(`${OUTBOX_TABLE}_due`, ['endpoint', 'due_at', 'sequence']),
    index(`${OUTBOX_TABLE}_document`, ['type', 'document_id', 'endpoint', 'due_at', 'sequence']),
    index(`${OUTBOX_TABLE}_delivered`, ['delivered_at']),
  ]),
  ownTable(tasks, [index(`${TASK_TABLE}_kind`, ['kind', 'id'])]),
  ownTable(endpoints),
  ownTable(pictures),
  ownTable(pictureMonths),
  ownTable(history, [index(`${HISTORY_TABLE}_at`, ['at', 'size']), index(`${HISTORY_TABLE}_type`, ['type', 'at'])], {
    at: 'timestamp_ms',
  }),
  ownTable(identities, [index(`${IDENTITY_TABLE}_user`, ['user'])]),
  ownTable(redemptions, [index(`${REDEMPTION_TABLE}_expires_at`, ['expires_at'])]),
  ownTable(oauthGrants, [
    index(`${OAUTH_GRANT_TABLE}_user`, ['user', 'updated_at']),
    index(`${OAUTH_GRANT_TABLE}_expires_at`, ['expires_at']),
  ]),
  ownTable(migrations),
];

/** Every table of a deployment except search indexes, in registry order. */
export const tablesOf = ({ contentTypes }: Registry): readonly Table[] => [
  ...OWN,
  ...[...contentTypes.values()].flatMap((type) => [
    contentTable(type),
    ...[...type.attributes.values()]
      .filter(isOwner)
      .map((attribute) => linkTableOf(ownedTable(type.table, attribute), isPolymorphic(attribute))),
  ]),
];
