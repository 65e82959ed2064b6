/**
 * @module Deletes former versions, a bounded number of rows in each statement. Those that are repeated return a row for each.
 */
import { type SQL, sql } from 'drizzle-orm';
import { integer, literal } from '../../../content/sql/pieces.ts';
import { toStatement } from '../../../content/sql/render.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { counters } from '../../../content/sql/system-tables.ts';
import type { ContentType } from '../../../schema/model.ts';
import { HISTORY_TABLE } from '../../../schema/names.ts';
import { history } from './table.ts';

/** Rows of one statement of the cron trigger. */
export const MAX_DELETED = 1_000;
/** Of a command, whose statements read more. */
const MAX_OF_COMMAND = 1_000;
/** Rows that a write deletes of its type. */
const MAX_OF_WRITE = 4;

/**
 * Deletes versions of each type before its time.
 * @param limits uid and milliseconds since 1970
 */
export const deleteBefore = (limits: readonly (readonly [uid: string, time: number])[]): Statement =>
  toStatement(sql`
    delete from ${history} where "rowid" in (
      select ${history}."rowid" from json_each(${JSON.stringify(limits)}) as "$limit"
      cross join ${history} on ${history.type} = "$limit"."value" ->> 0 and ${history.at} < "$limit"."value" ->> 1
      limit ${MAX_DELETED}
    ) returning 1`);

/** The bytes of all versions, which triggers keep. */
const BYTES = sql`coalesce((
  select ${counters.total} from ${counters}
  where ${counters.type} = ${literal(HISTORY_TABLE)} and ${counters.locale} = '' and ${counters.status} = 'bytes'
), 0)`;

/** Deletes the oldest versions as long as the others have more bytes. */
export const deleteBeyond = (bytes: number): Statement =>
  toStatement(sql`
    delete from ${history} where "rowid" in (
      select "rowid" from (
        select "rowid", sum("size") over (order by "at", "size", "rowid") - "size" as "older"
        from (
          select "rowid", "at", "size" from ${history} order by "at", "size", "rowid"
          limit iif(${BYTES} > ${integer(bytes)}, ${integer(MAX_DELETED)}, 0)
        )
      )
      where "older" < ${BYTES} - ${integer(bytes)}
    ) returning 1`);

/** Returns the rowids of a few of the oldest versions of a type while all have more bytes; none of a write of `now`. */
export const oldestVersions = ({ uid }: ContentType, bytes: number, now: number): SQL => sql`
  select "rowid" from (
    select "rowid" from ${history} where ${history.type} = ${literal(uid)} and ${history.at} < ${now}
    order by ${history.at}
    limit iif(${BYTES} > ${integer(bytes)}, ${integer(MAX_OF_WRITE)}, 0)
  )`;

/** Deletes the oldest versions of the documents of a type beyond the number to keep, of each locale, draft and published apart. */
export const deleteSurplus = (uid: string, versions: number): Statement =>
  toStatement(sql`
    delete from ${history} where "rowid" in (
      select "rowid" from (
        select "rowid", row_number() over (
          partition by ${history.documentId}, ${history.locale}, ${history.version}
          order by ${history.at} desc, ${history.id} desc
        ) as "place"
        from ${history}
        where ${history.type} = ${uid}
      )
      where "place" > ${versions}
      limit ${MAX_OF_COMMAND}
    ) returning 1`);

/** The versions of a document, or of every document of a type. */
export type PurgedVersions =
  | { readonly kind: 'document'; readonly uid: string; readonly documentId: string }
  | { readonly kind: 'type'; readonly uid: string };

/** The boundary of an import has no document, and stays. */
function isPurged(of: PurgedVersions): SQL {
  switch (of.kind) {
    case 'document':
      return sql`${history.type} = ${of.uid} and ${history.documentId} = ${of.documentId}`;
    case 'type':
      return sql`${history.type} = ${of.uid} and ${history.documentId} > ''`;
    default:
      return of satisfies never;
  }
}

export const countVersions = (of: PurgedVersions): Statement =>
  toStatement(sql`select count(*) as "versions" from ${history} where ${isPurged(of)}`);

export const deleteVersions = (of: PurgedVersions): Statement =>
  toStatement(sql`
    delete from ${history} where "rowid" in (
      select "rowid" from ${history} where ${isPurged(of)} limit ${MAX_OF_COMMAND}
    ) returning 1`);
