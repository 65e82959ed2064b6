/**
 * @module Statements that put many rows into a table at once. Rows travel as one JSON list, which counts as one
 * parameter; a row that is too large for a list travels value by value.
 */
import type { Stored } from '../../registry/fields.ts';
import type { ContentType } from '../../registry/model.ts';
import { LINK_STEP } from '../../registry/names.ts';
import type { Statement } from '../../sql/statement.ts';
import { identifier } from '../migrations/sql-text.ts';
import type { LinkJson } from './links.ts';

// https://developers.cloudflare.com/d1/platform/limits/: a bound text has 2 MB at most.
/** Characters of a list of rows; as many bytes, or up to three times as many in other scripts. */
export const LIST_CHARACTERS = 480_000;
/** A row whose JSON is longer travels alone. */
const LONGEST_LISTED = 600_000;

const list = (names: readonly string[]): string => names.map(identifier).join(', ');

export interface RowOptions {
  /** Columns that stay as they are where the row is there already. */
  readonly kept: readonly string[];
  /** Does a row that is as new take the place of one that is there? */
  readonly orEqual: boolean;
}

/** A version that is there is replaced by a newer one. */
function onConflict(type: ContentType, columns: readonly string[], { kept, orEqual }: RowOptions): string {
  const { table, draftAndPublish } = type;
  const changed = columns.filter((name) => name !== 'document_id' && name !== 'locale' && !kept.includes(name));
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
export function linkStatement(table: string, rows: readonly LinkJson[]): Statement {
  const values = LINK_COLUMNS.map((_, index) => `value ->> ${index}`).join(', ');
  const sql = `insert into ${identifier(table)} (${list(LINK_COLUMNS)}) select ${values} from json_each(?) where true on conflict do nothing`;
  return { sql, params: [`[${rows.map(({ json }) => json).join(',')}]`] };
}

/** No link has it otherwise. */
const NOWHERE = '-1e308';

/** Notes that links of some sources may be gone; what is linked again gets its place back. */
export const markLinksStatement = (table: string, sources: readonly LinkEnd[]): Statement => ({
  sql: `update ${identifier(table)} set "position" = ${NOWHERE} where ${among('source')}`,
  params: [JSON.stringify(sources)],
});

export const dropMarkedStatement = (table: string): Statement => ({
  sql: `delete from ${identifier(table)} where "position" = ${NOWHERE}`,
  params: [],
});

/**
 * Links of sources that were marked. Where the archive does not say how they stand among those of their target, a link
 * that is there keeps its place, and a new one comes last.
 */
export function relinkStatements(table: string, rows: readonly LinkJson[]): readonly Statement[] {
  const name = identifier(table);
  const six = LINK_COLUMNS.slice(0, 6).map((_, index) => `value ->> ${index}`);
  const last = `select max("inverse_position") from ${name} as "other" where "other"."target_document_id" = value ->> 2 and "other"."target_locale" = value ->> 3 and "other"."status" = value ->> 4`;
  const insert = (inverse: string, sets: string) =>
    `insert into ${name} (${list(LINK_COLUMNS)}) select ${six.join(', ')}, ${inverse} from json_each(?) where true on conflict do update set ${sets}`;
  const place = '"position" = excluded."position"';
  const placed = insert('value ->> 6', `${place}, "inverse_position" = excluded."inverse_position"`);
  const unplaced = insert(`coalesce((${last}), 0) + ${LINK_STEP} + "key"`, place);
  const of = (isPlaced: boolean) => rows.filter((row) => row.placed === isPlaced).map(({ json }) => json);
  return [
    { sql: placed, params: [`[${of(true).join(',')}]`] },
    { sql: unplaced, params: [`[${of(false).join(',')}]`] },
  ];
}

/** A document in one locale, and the version of links. */
type LinkEnd = readonly [documentId: string, locale: string, status: string];

const among = (end: 'source' | 'target'): string =>
  `("${end}_document_id", "${end}_locale", "status") in (select value ->> 0, value ->> 1, value ->> 2 from json_each(?))`;

const withoutEnds = (table: string, end: 'source' | 'target', ends: readonly LinkEnd[]): Statement => ({
  sql: `delete from ${identifier(table)} where ${among(end)}`,
  params: [JSON.stringify(ends)],
});

/** Takes away what links of some sources there are; a source without drafts has them in both versions. */
export const unlinkStatement = (table: string, sources: readonly LinkEnd[]): Statement =>
  withoutEnds(table, 'source', sources);

/** The same for what is linked to. */
export const unlinkTargetStatement = (table: string, targets: readonly LinkEnd[]): Statement =>
  withoutEnds(table, 'target', targets);

/** Takes single links away: rows of the first five columns of `LINK_COLUMNS`. */
export function unlinkOneStatement(table: string, links: readonly (readonly unknown[])[]): Statement {
  const five = LINK_COLUMNS.slice(0, 5);
  const values = five.map((_, index) => `value ->> ${index}`).join(', ');
  const sql = `delete from ${identifier(table)} where (${list(five)}) in (select ${values} from json_each(?))`;
  return { sql, params: [JSON.stringify(links)] };
}

/** Links that are known from their target alone stand last among those of their source. */
export function linkLastStatement(table: string, links: readonly (readonly unknown[])[]): Statement {
  const name = identifier(table);
  const last = `select max("position") from ${name} as "other" where "other"."source_document_id" = value ->> 0 and "other"."source_locale" = value ->> 1 and "other"."status" = value ->> 4`;
  const values = ['value ->> 0', 'value ->> 1', 'value ->> 2', 'value ->> 3', 'value ->> 4'].join(', ');
  const sql = `insert into ${name} (${list(LINK_COLUMNS)}) select ${values}, coalesce((${last}), 0) + ${LINK_STEP}, value ->> 5 from json_each(?) where true on conflict do update set "inverse_position" = excluded."inverse_position"`;
  return { sql, params: [JSON.stringify(links)] };
}
