/**
 * @module Statements that put many rows into a table at once. Rows travel as one JSON list, which counts as one
 * parameter; a row that is too large for a list travels value by value.
 */
import type { Stored } from '../../registry/fields.ts';
import type { ContentType } from '../../registry/model.ts';
import type { Statement } from '../../sql/statement.ts';
import { identifier } from '../migrations/sql-text.ts';

// https://developers.cloudflare.com/d1/platform/limits/: a bound text has 2 MB at most.
/** Characters of a list of rows; as many bytes, or up to three times as many in other scripts. */
export const LIST_CHARACTERS = 480_000;
/** A row whose JSON is longer travels alone. */
const LONGEST_LISTED = 600_000;

const list = (names: readonly string[]): string => names.map(identifier).join(', ');

export interface RowOptions {
  /** Columns that stay as they are where the row is there already. */
  readonly kept: ReadonlySet<string>;
  /** Does a row that is as new take the place of one that is there? */
  readonly orEqual: boolean;
}

/** A version that is there is replaced by a newer one. */
function onConflict(type: ContentType, columns: readonly string[], { kept, orEqual }: RowOptions): string {
  const { table, draftAndPublish } = type;
  const changed = columns.filter((name) => name !== 'document_id' && name !== 'locale' && !kept.has(name));
  const newer = orEqual ? '>=' : '>';
  const sets = changed.map((name) => `${identifier(name)} = excluded.${identifier(name)}`).join(', ');
  const clause = (status: string) =>
    `on conflict ("document_id", "locale") where "published_at" ${status} do update set ${sets} where excluded."updated_at" ${newer} ${identifier(table)}."updated_at"`;
  return [clause('is not null'), ...(draftAndPublish ? [clause('is null')] : [])].join(' ');
}

export interface RowStatements {
  /** Statements for rows that were made by `rowForm`, in the order of its columns. */
  insert(rows: readonly string[]): readonly Statement[];
}

/** @param columns of each row, in order. */
export function rowStatements(type: ContentType, columns: readonly string[], options: RowOptions): RowStatements {
  const into = `insert into ${identifier(type.table)} (${list(columns)})`;
  const conflict = onConflict(type, columns, options);
  const listed = `${into} select ${columns.map((_, index) => `value ->> ${index}`).join(', ')} from json_each(?) where true ${conflict}`;
  const single = `${into} values (${columns.map(() => '?').join(', ')}) ${conflict}`;
  return {
    insert(rows) {
      const small = rows.filter((row) => row.length <= LONGEST_LISTED);
      const large = rows.filter((row) => row.length > LONGEST_LISTED);
      return [
        ...(small.length > 0 ? [{ sql: listed, params: [`[${small.join(',')}]`] }] : []),
        ...large.map((row) => ({ sql: single, params: JSON.parse(row) as Stored[] })),
      ];
    },
  };
}

const LINK_COLUMNS = [
  'source_document_id',
  'source_locale',
  'target_document_id',
  'target_locale',
  'status',
  'position',
  'inverse_position',
] as const;

/** A link that is there already stays as it is. */
export function linkStatement(table: string, rows: readonly string[]): Statement {
  const values = LINK_COLUMNS.map((_, index) => `value ->> ${index}`).join(', ');
  const sql = `insert into ${identifier(table)} (${list(LINK_COLUMNS)}) select ${values} from json_each(?) where true on conflict do nothing`;
  return { sql, params: [`[${rows.join(',')}]`] };
}

/** Takes away what links of some sources there are; a source without drafts has them in both versions. */
export function unlinkStatement(table: string, sources: readonly (readonly [string, string, string])[]): Statement {
  const sql = `delete from ${identifier(table)} where ("source_document_id", "source_locale", "status") in (select value ->> 0, value ->> 1, value ->> 2 from json_each(?))`;
  return { sql, params: [JSON.stringify(sources)] };
}
