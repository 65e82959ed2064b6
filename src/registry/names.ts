/**
 * @module Names of tables, columns and link tables. A schema names its table itself by `collectionName`.
 */

/** `readingTime` → `reading_time`, `SEOTitle` → `seo_title`. */
export const snakeCase = (name: string): string =>
  /^[a-z0-9]+$/.test(name)
    ? name
    : name
        .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
        .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
        .replace(/[^A-Za-z0-9]+/g, '_')
        .toLowerCase();

/** Columns that every content type has in addition to those of its attributes. */
export const SYSTEM_COLUMNS = ['id', 'document_id', 'locale', 'published_at', 'created_at', 'updated_at'] as const;

/** Column of the attributes that found no room among the 100 columns D1 allows. */
export const OVERFLOW_COLUMN = 'overflow_attributes';

/** Scalar, component and zone columns a table may have: D1's 100, less the system columns and the overflow column. */
export const MAX_ATTRIBUTE_COLUMNS = 90;

export const linkTable = (table: string, attribute: string): string => `${table}_${snakeCase(attribute)}_lnk`;

/** The search index of a content type. */
export const searchTable = (table: string): string => `${table}_search`;

/** It, and the tables that SQLite keeps it in. */
export const searchTables = (table: string): readonly string[] =>
  ['', '_data', '_idx', '_docsize', '_config'].map((part) => `${searchTable(table)}${part}`);

/** Table of Edgewise itself. */
export const COUNTER_TABLE = 'edgewise_counters';
/** Another: archives that were imported. */
export const IMPORT_TABLE = 'edgewise_imports';

/** Another: checksums of the migrations that were applied. */
export const MIGRATION_TABLE = 'edgewise_migrations';

/** Another: one row, with a stamp for each version of each content type (`sql/stamps.ts`). */
export const STAMP_TABLE = 'edgewise_stamps';

/** Name of a version stamp; `EVERY_STAMP` covers everything without a separate stamp. */
export const stampName = (uid: string, status: 'draft' | 'published'): string => `${uid} ${status}`;
export const EVERY_STAMP = 'every';

/** Of a local database alone: how `npm run dev` has left its tables. No migration has it. */
export const LOCAL_TABLE = 'edgewise_local';

const DATABASE_TABLES = /^(sqlite_.*|_cf_.*|d1_migrations|edgewise_local)$/i;

/** Names that the database keeps to itself. Those by which statements call what they read begin with `$`. */
export const isReservedTable = (name: string): boolean => DATABASE_TABLES.test(name);

/** The distance between two links that come one after the other; a power of two, so that halves are whole numbers. */
export const LINK_STEP = 65_536;
