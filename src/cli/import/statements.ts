/**
 * @module Statements that put many rows into a table at once. Rows travel as one JSON list, which counts as one
 * parameter; a row that is too large for a list travels value by value.
 */
import type { Stored } from '../../registry/fields.ts';
import type { ContentType } from '../../registry/model.ts';
import type { Statement } from '../../sql/statement.ts';
import { identifier } from '../core/sql/sql-text.ts';

// https://developers.cloudflare.com/d1/platform/limits/: a bound text has 2 MB at most.
/** Characters of a list of rows; as many bytes, or up to three times as many in other scripts. */
export const LIST_CHARACTERS = 480_000;
/** A row whose JSON is longer travels alone. */
const LONGEST_LISTED = 600_000;

const list = (names: readonly string[]): string => names.map(identifier).join(', ');

/** A version that is there is replaced by a newer one. */
function onConflict({ table, draftAndPublish }: ContentType, columns: readonly string[]): string {
  const changed = columns.filter((name) => name !== 'document_id' && name !== 'locale');
  const sets = changed.map((name) => `${identifier(name)} = excluded.${identifier(name)}`).join(', ');
  const clause = (status: string) =>
    `on conflict ("document_id", "locale") where "published_at" ${status} do update set ${sets} where excluded."updated_at" > ${identifier(table)}."updated_at"`;
  return [clause('is not null'), ...(draftAndPublish ? [clause('is null')] : [])].join(' ');
}

export interface RowStatements {
  /** Statements for rows that were made by `rowForm`, in the order of its columns. */
  insert(rows: readonly string[]): readonly Statement[];
}

/** Rows in lists that have room for them. */
function lists(rows: readonly string[]): readonly (readonly string[])[] {
  const found: string[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    characters += row.length + 1;
    if (characters > LIST_CHARACTERS) {
      found.push([]);
      characters = row.length;
    }
    found.at(-1)?.push(row);
  }
  return found;
}

/** @param columns of each row, in order. */
export function rowStatements(type: ContentType, columns: readonly string[]): RowStatements {
  const into = `insert into ${identifier(type.table)} (${list(columns)})`;
  const conflict = onConflict(type, columns);
  const listed = `${into} select ${columns.map((_, index) => `value ->> ${index}`).join(', ')} from json_each(?) where true ${conflict}`;
  const single = `${into} values (${columns.map(() => '?').join(', ')}) ${conflict}`;
  return {
    insert(rows) {
      const small = rows.filter((row) => row.length <= LONGEST_LISTED);
      const large = rows.filter((row) => row.length > LONGEST_LISTED);
      return [
        ...lists(small).map((some) => ({ sql: listed, params: [`[${some.join(',')}]`] })),
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

/** A document in one locale, and the version of links. */
type LinkEnd = readonly [documentId: string, locale: string, status: string];

/** Deletes the links of some sources; a source without drafts has them in both versions. */
export const unlinkStatement = (table: string, sources: readonly LinkEnd[]): Statement => ({
  sql: `delete from ${identifier(table)} where ("source_document_id", "source_locale", "status") in (select value ->> 0, value ->> 1, value ->> 2 from json_each(?))`,
  params: [JSON.stringify(sources)],
});
