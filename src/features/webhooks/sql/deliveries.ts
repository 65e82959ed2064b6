/**
 * @module Messages to webhooks on their way: claimed, settled, deleted.
 */
import { type SQL, sql } from 'drizzle-orm';
import { MAX_TERMS } from '../../../common/d1-limits.ts';
import { groupsOf } from '../../../common/groups.ts';
import { type Compiled, mapped, query, together } from '../../../content/sql/compiled.ts';
import { unionAll } from '../../../content/sql/pieces.ts';
import { toStatement } from '../../../content/sql/render.ts';
import type { Row, Statement } from '../../../content/sql/statement.ts';
import { NEVER_DUE } from './outbox.ts';
import { endpoints, outbox } from './tables.ts';

/** A message that is to be sent now. */
export interface ClaimedMessage {
  readonly sequence: number;
  readonly id: string;
  readonly endpoint: string;
  readonly event: string;
  /** uid */
  readonly type: string;
  readonly documentId: string;
  readonly locale: string;
  /** Values of a row that is gone: a JSON list of objects by column. */
  readonly entry: string | null;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** With this one. */
  readonly attempts: number;
}

const claimedOf = (row: Row): ClaimedMessage => ({
  sequence: Number(row.sequence),
  id: String(row.id),
  endpoint: String(row.endpoint),
  event: String(row.event),
  type: String(row.type),
  documentId: String(row.document_id),
  locale: String(row.locale),
  entry: row.entry === null ? null : String(row.entry),
  createdAt: Number(row.created_at),
  attempts: Number(row.attempts),
});

/**
 * How many messages an endpoint may get now: one if it fails, also where a budget has none left. That is below zero then,
 * which SQLite would take for no limit.
 */
const allowed = (url: string, now: number, max: number): SQL => sql`coalesce((
  select iif("paused_at" is null and "next_at" <= ${now}, 1, 0) from ${endpoints} where "url" = ${url}
), ${Math.max(max, 0)})`;

/** The earliest message of each document that is due. */
const earliestDue = (url: string, now: number, max: number): SQL => sql`
  select "sequence" from (
    select "sequence"
    from ${outbox} as "$message"
    where "endpoint" = ${url} and "due_at" <= ${now} and not exists (
      select 1
      from ${outbox} as "$earlier"
      where "$earlier"."type" = "$message"."type" and "$earlier"."document_id" = "$message"."document_id"
        and "$earlier"."endpoint" = "$message"."endpoint" and "$earlier"."due_at" >= 0 and "$earlier"."due_at" < ${NEVER_DUE}
        and "$earlier"."sequence" < "$message"."sequence"
    )
    order by "due_at", "sequence"
    limit ${allowed(url, now, max)}
  )`;

const claimOf = (
  urls: readonly string[],
  max: number,
  now: number,
  lease: number,
): Compiled<readonly ClaimedMessage[]> =>
  query(
    toStatement(sql`
      update ${outbox} set "due_at" = ${now + lease}, "attempts" = "attempts" + 1
      where "sequence" in (${unionAll(urls.map((url) => earliestDue(url, now, max)))})
      returning *`),
    (rows) => rows.map(claimedOf),
  );

/** Claims what is due for `lease` milliseconds: at most `max` messages of each endpoint. */
export const claimDue = (
  urls: readonly string[],
  ...claim: readonly [max: number, now: number, lease: number]
): Compiled<readonly ClaimedMessage[]> => {
  const claims = groupsOf(urls, MAX_TERMS).map((some) => claimOf(some, ...claim));
  return mapped(together(claims), (claimed) => claimed.flat());
};

/** Only of the attempt that was claimed: another may have followed. */
const isClaim = ({ sequence, attempts }: ClaimedMessage): SQL =>
  sql`"sequence" = ${sequence} and "attempts" = ${attempts} and "due_at" is not null`;

export const markDelivered = (message: ClaimedMessage, now: number): Statement =>
  toStatement(sql`
    update ${outbox} set "due_at" = null, "delivered_at" = ${now}, "entry" = null, "error" = null
    where ${isClaim(message)}`);

/** @param dueAt of the next attempt; null gives the message up */
export const markFailed = (message: ClaimedMessage, dueAt: number | null, error: string): Statement =>
  toStatement(sql`update ${outbox} set "due_at" = ${dueAt}, "error" = ${error} where ${isClaim(message)}`);

/** Makes the next message about the document due, after this one was delivered or given up. */
export const releaseNext = ({ type, documentId, endpoint }: ClaimedMessage, now: number): Statement =>
  toStatement(sql`
    update ${outbox} set "due_at" = ${now}
    where "sequence" = (
      select "sequence"
      from ${outbox}
      where "type" = ${type} and "document_id" = ${documentId} and "endpoint" = ${endpoint} and "due_at" = ${NEVER_DUE}
      order by "sequence"
      limit 1
    )`);

export const endpointWorks = (url: string): Statement =>
  toStatement(sql`delete from ${endpoints} where "url" = ${url}`);

/** Milliseconds. An endpoint waits half as long as it has failed so far. */
const [LEAST_WAIT, MOST_WAIT] = [5_000, 600_000];

/** Pauses the endpoint if it has failed since `limit`. Returns whether it did so. */
export const endpointFails = (url: string, now: number, limit: number): Compiled<boolean> =>
  query(
    toStatement(sql`
      insert into ${endpoints} ("url", "failing_since", "next_at") values (${url}, ${now}, ${now + LEAST_WAIT})
      on conflict ("url") do update set
        "next_at" = ${now} + max(${LEAST_WAIT}, min(${MOST_WAIT}, (${now} - "failing_since") / 2)),
        "paused_at" = coalesce("paused_at", iif("failing_since" <= ${limit}, ${now}, null))
      returning "paused_at" = ${now} as "is_paused"`),
    ([row]) => row?.is_paused === 1,
  );

/** Rows that one run deletes. */
const MAX_DELETED = 1_000;
const MAX_EXAMINED = 100;

const deleteMessages = (sequences: SQL): Statement =>
  toStatement(sql`delete from ${outbox} where "sequence" in (${sequences})`);

/** Makes the next messages about their documents due, before these are deleted. @param deleted their sequences */
const releaseFollowers = (deleted: SQL, now: number): Statement =>
  toStatement(sql`
    with "$deleted" as materialized (${deleted})
    update ${outbox} set "due_at" = ${now}
    where "due_at" = ${NEVER_DUE} and "sequence" in (
      select (
        select "$next"."sequence"
        from ${outbox} as "$next"
        where "$next"."type" = "$message"."type" and "$next"."document_id" = "$message"."document_id"
          and "$next"."endpoint" = "$message"."endpoint" and "$next"."due_at" = ${NEVER_DUE}
          and "$next"."sequence" not in (select "sequence" from "$deleted")
        order by "$next"."sequence"
        limit 1
      )
      from "$deleted" join ${outbox} as "$message" on "$message"."sequence" = "$deleted"."sequence"
      where "$message"."due_at" is not null
    )`);

/**
 * Deletes what was delivered before, what is older than `oldest`, and what no webhook of the settings is for. No message is
 * left to wait for one that is deleted.
 */
export function deleteOld(
  urls: readonly string[],
  delivered: number,
  oldest: number,
  now: number,
): readonly Statement[] {
  const expired = sql`
    select "sequence" from (select "sequence", "created_at" from ${outbox} order by "sequence" limit ${MAX_EXAMINED})
    where "created_at" <= ${oldest}`;
  const isGone = sql`not in (select "value" from json_each(${JSON.stringify(urls)}))`;
  return [
    deleteMessages(sql`select "sequence" from ${outbox} where "delivered_at" <= ${delivered} limit ${MAX_DELETED}`),
    releaseFollowers(expired, now),
    deleteMessages(expired),
    // Jumps from one endpoint to the next in the index, whatever messages there are. Those that wait go first: their webhook
    // may come back before all are deleted.
    deleteMessages(sql`
      with recursive "$known"("url") as (
        select min("endpoint") from ${outbox}
        union all
        select (select min("endpoint") from ${outbox} where "endpoint" > "url") from "$known" where "url" is not null
      )
      select "sequence" from ${outbox}
      where "endpoint" in (select "url" from "$known" where "url" ${isGone})
      order by "endpoint" desc, "due_at" desc, "sequence" desc
      limit ${MAX_DELETED}`),
    toStatement(sql`delete from ${endpoints} where "url" ${isGone}`),
  ];
}
