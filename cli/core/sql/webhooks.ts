/**
 * @module The outbox of webhooks as SQL.
 */
import { randomBytes } from 'node:crypto';
import { NEVER_DUE } from '../../../src/features/webhooks/sql/outbox.ts';
import { ENDPOINT_TABLE, OUTBOX_TABLE } from '../../../src/schema/names.ts';
import { identifier, isoTime, literal } from './sql-text.ts';

const [OUTBOX, ENDPOINTS] = [identifier(OUTBOX_TABLE), identifier(ENDPOINT_TABLE)];
const GIVEN_UP = '"due_at" IS NULL AND "delivered_at" IS NULL';

const MAX_LISTED = 100;

const isOf = (column: string, urls: readonly string[]): string =>
  `${identifier(column)} IN (SELECT "value" FROM json_each(${literal(JSON.stringify(urls))}))`;

/** Returns the endpoints that fail, the messages of each endpoint, and those that were given up, the latest first. */
export const LIST_WEBHOOKS_SQL: readonly string[] = [
  `SELECT "url", iif("paused_at" IS NULL, 'failing', 'paused') AS "state", ${isoTime('"failing_since"')} AS "failingSince",
    ${isoTime('"paused_at"')} AS "pausedAt" FROM ${ENDPOINTS}`,
  `SELECT "endpoint" AS "url", sum("due_at" IS NOT NULL) AS "waiting",
    ${isoTime('min(iif("due_at" IS NULL, NULL, "created_at"))')} AS "waitingSince",
    count("delivered_at") AS "delivered", sum(${GIVEN_UP}) AS "givenUp",
    (SELECT "error" FROM ${OUTBOX} AS "m" WHERE "m"."endpoint" = ${OUTBOX}."endpoint" AND "m"."error" IS NOT NULL
      ORDER BY "sequence" DESC LIMIT 1) AS "error"
  FROM ${OUTBOX} GROUP BY "endpoint"`,
  `SELECT "id", "endpoint" AS "url", "event", "type" AS "uid", "document_id" AS "documentId",
    nullif("locale", '') AS "locale", ${isoTime('"created_at"')} AS "createdAt", "attempts", "error"
  FROM ${OUTBOX} WHERE ${GIVEN_UP} ORDER BY "sequence" DESC LIMIT ${MAX_LISTED}`,
];

/** The event of a test, as in Strapi. It is about nothing, and waits for no other. */
export function testWebhookSql(url: string, now: number): string {
  const id = literal(`msg_${randomBytes(12).toString('hex')}`);
  return `INSERT INTO ${OUTBOX} ("id", "endpoint", "event", "type", "document_id", "locale", "created_at", "due_at", "attempts")
  VALUES (${id}, ${literal(url)}, 'trigger-test', '', ${id}, '', ${now}, ${now}, 0)
  RETURNING "id"`;
}

/** Makes what was given up due again. Returns a row for each. */
export const retryWebhooksSql = (urls: readonly string[], now: number): string =>
  `UPDATE ${OUTBOX} SET "due_at" = ${now}, "attempts" = 0 WHERE ${GIVEN_UP} AND ${isOf('endpoint', urls)} RETURNING "id"`;

/** Forgets that endpoints failed. Returns a row for each. */
export const resumeWebhooksSql = (urls: readonly string[]): string =>
  `DELETE FROM ${ENDPOINTS} WHERE ${isOf('url', urls)} RETURNING "url"`;

/** Makes messages due that wait for others which were deleted meanwhile. */
export const releaseMessagesSql = (urls: readonly string[], now: number): string =>
  `UPDATE ${OUTBOX} SET "due_at" = ${now} WHERE "due_at" = ${NEVER_DUE} AND ${isOf('endpoint', urls)} AND NOT EXISTS (
    SELECT 1 FROM ${OUTBOX} AS "e" WHERE "e"."type" = ${OUTBOX}."type" AND "e"."document_id" = ${OUTBOX}."document_id"
      AND "e"."endpoint" = ${OUTBOX}."endpoint" AND "e"."due_at" >= 0 AND "e"."sequence" < ${OUTBOX}."sequence")`;
