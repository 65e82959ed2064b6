/**
 * @module Deletes former versions, a bounded number of rows in each statement.
 */
import { sql } from 'drizzle-orm';
import { integer } from '../pieces.ts';
import { toStatement } from '../render.ts';
import type { Statement } from '../statement.ts';
import { history } from '../system-tables.ts';

/** Rows of one statement. */
const MAX_DELETED = 100;

/** Deletes the oldest versions of each type before its time. @param limits uid and milliseconds since 1970 */
export const deleteBefore = (limits: readonly (readonly [uid: string, time: number])[]): Statement =>
  toStatement(sql`
    delete from ${history} where "rowid" in (
      select ${history}."rowid" from ${history}
      join json_each(${JSON.stringify(limits)}) as "$limit" on "$limit"."value" ->> 0 = ${history.type}
      where ${history.at} < ${Math.max(0, ...limits.map(([, time]) => time))} and ${history.at} < "$limit"."value" ->> 1
      order by ${history.at}
      limit ${MAX_DELETED}
    )`);

/** Deletes the oldest versions if all have more bytes. */
export const deleteBeyond = (bytes: number): Statement =>
  toStatement(sql`
    delete from ${history} where "rowid" in (
      select "rowid" from ${history}
      where (select sum(${history.size}) from ${history}) > ${integer(bytes)}
      order by ${history.at}
      limit ${MAX_DELETED}
    )`);
