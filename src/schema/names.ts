/**
 * @module Names of tables and columns. A schema names its own table by `collectionName`.
 */
import { memoized } from '../common/cache.ts';

/** `readingTime` → `reading_time`, `SEOTitle` → `seo_title`. */
export const snakeCase = memoized((name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase(),
);

/** SQLite renames the columns `true` and `false` of a subquery (https://sqlite.org/src/file/src/select.c). */
const isRenamedInSubqueries = (column: string): boolean => column === 'true' || column === 'false';

/** The column of an attribute: its name in snake case, `true` as `true_`. */
export function columnName(attribute: string): string {
  const column = snakeCase(attribute);
  return isRenamedInSubqueries(column) ? `${column}_` : column;
}

/** Columns of every content type, in addition to those of its attributes. */
export const SYSTEM_COLUMNS = ['id', 'document_id', 'locale', 'published_at', 'created_at', 'updated_at'] as const;

/** Column of the attributes beyond the 100 columns that D1 allows. */
export const OVERFLOW_COLUMN = 'overflow_attributes';

/** D1's 100, less the system columns and the overflow column. */
export const MAX_ATTRIBUTE_COLUMNS = 90;

export const linkTable = (table: string, attribute: string): string => `${table}_${snakeCase(attribute)}_lnk`;

/** The link table of a polymorphic relation, which stores the type of each target. */
export const typedLinkTable = (table: string, attribute: string): string => `${table}_${snakeCase(attribute)}_mph`;

export const searchTable = (table: string): string => `${table}_search`;

/** The search index, and the tables that SQLite keeps it in. */
export const searchTables = (table: string): readonly string[] =>
  ['', '_data', '_idx', '_docsize', '_config'].map((part) => `${searchTable(table)}${part}`);

export const COUNTER_TABLE = 'edgewise_counters';
/** Imported archives. */
export const IMPORT_TABLE = 'edgewise_imports';
/** Checksums of applied migrations. */
export const MIGRATION_TABLE = 'edgewise_migrations';
/** One row, with a stamp for each version of each content type (`content/sql/stamps.ts`). */
export const STAMP_TABLE = 'edgewise_stamps';

/** Writes with an `Idempotency-Key`, for a day. */
export const REQUEST_TABLE = 'edgewise_requests';
/** Publications at a time to come. */
export const SCHEDULE_TABLE = 'edgewise_scheduled';
/** Messages to webhooks. */
export const OUTBOX_TABLE = 'edgewise_outbox';
/** Former versions of documents. */
export const HISTORY_TABLE = 'edgewise_history';
/** Claims of pictures on request, by the key of the object. */
export const PICTURE_TABLE = 'edgewise_pictures';
/** Transformations of pictures on request, by month. */
export const PICTURE_MONTH_TABLE = 'edgewise_picture_months';
/** How the endpoints of webhooks are. */
/** The hash of a private file ends in it: keys say which bucket they are in. */
export const PRIVATE_SUFFIX = '-private';
export const ENDPOINT_TABLE = 'edgewise_endpoints';

/** Work that commits have left, done in steps. */
export const TASK_TABLE = 'edgewise_tasks';

/** Who users are to the providers that they sign in with. */
export const IDENTITY_TABLE = 'edgewise_identities';
/** One-time tokens of sign-ins by a provider, once they are redeemed. */
export const REDEMPTION_TABLE = 'edgewise_redemptions';
/** What users let clients of OAuth do in their name. */
export const OAUTH_GRANT_TABLE = 'edgewise_oauth_grants';

/** No content type may have these names. */
export const OWN_TABLES: readonly string[] = [
  ...[COUNTER_TABLE, STAMP_TABLE, IMPORT_TABLE, MIGRATION_TABLE, REQUEST_TABLE, SCHEDULE_TABLE, OUTBOX_TABLE],
  ...[ENDPOINT_TABLE, HISTORY_TABLE, PICTURE_TABLE, PICTURE_MONTH_TABLE, TASK_TABLE, IDENTITY_TABLE, REDEMPTION_TABLE],
  OAUTH_GRANT_TABLE,
];

/** `EVERY_STAMP` covers everything without a separate stamp. */
export const stampName = (uid: string, status: 'draft' | 'published'): string => `${uid} ${status}`;
export const EVERY_STAMP = 'every';
/**
 * Beside the stamps: the last migration that moved stored values, which a version has to know to read and write them. Empty if
 * none did, and a version that checks it was deployed.
 */
export const FENCE = 'fence';
/** Beside the stamps: commands have changed content since the shared cache was purged. */
export const PURGE = 'purge';

/** Only in a local database: the tables as `npm run dev` left them. No migration creates it. */
export const LOCAL_TABLE = 'edgewise_local';
/** Only in a deployed database: the command that works on it (`cli/core/lock/database-lock.ts`). No migration creates it. */
export const COMMAND_TABLE = 'edgewise_commands';

export const isReservedTable = (name: string): boolean =>
  /^(sqlite_.*|_cf_.*|d1_migrations|edgewise_local|edgewise_commands|constructor)$/i.test(name);

/** The distance between neighbouring positions; a power of two, so that halves are whole numbers. */
export const LINK_STEP = 65_536;
