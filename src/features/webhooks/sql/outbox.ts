/**
 * @module Messages to webhooks, stored by the batch that changes what they are about.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Removal, SharedChange } from '../../../content/plan/model/change.ts';
import { nameList } from '../../../content/sql/drizzle-pieces.ts';
import { columnOf, literal } from '../../../content/sql/pieces.ts';
import { bytesOf } from '../../../content/sql/read/ceiling.ts';
import { toStatement } from '../../../content/sql/render.ts';
import { valuesOfRow } from '../../../content/sql/row-values.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { deletedRows } from '../../../content/sql/write/links.ts';
import { otherLocales } from '../../../content/sql/write/locale-links.ts';
import type { ContentType, ScalarAttribute } from '../../../schema/model.ts';
import { outbox } from './tables.ts';

/** Who gets a message, and what it is called. */
export interface Recipient {
  readonly endpoint: string;
  readonly event: string;
}

export interface Message extends Recipient {
  /** uid */
  readonly type: string;
  readonly documentId: string;
  readonly locale: string;
}

const COLUMNS = nameList([
  ...['id', 'endpoint', 'event', 'type', 'document_id', 'locale', 'entry'],
  ...['created_at', 'due_at', 'attempts'],
]);

const field = (name: keyof Message): SQL => sql`"$message"."value" ->> ${literal(`$.${name}`)}`;

/** Due once the messages before it about its document are delivered or given up: no claim has to read it before. */
export const NEVER_DUE = 8_640_000_000_000_000;

const dueAt = (type: SQL | string, documentId: SQL, now: number): SQL => sql`iif(exists (
  select 1
  from ${outbox} as "$earlier"
  where "$earlier"."type" = ${type} and "$earlier"."document_id" = ${documentId}
    and "$earlier"."endpoint" = ${field('endpoint')} and "$earlier"."due_at" >= 0
), ${NEVER_DUE}, ${now})`;

const NEW_ID = sql`'msg_' || lower(hex(randomblob(12)))`;

export const insertMessages = (messages: readonly Message[], now: number): Statement =>
  toStatement(sql`
    insert into ${outbox} (${COLUMNS})
    select
      ${NEW_ID}, ${field('endpoint')}, ${field('event')}, ${field('type')}, ${field('documentId')},
      ${field('locale')}, null, ${now}, ${dueAt(field('type'), field('documentId'), now)}, 0
    from json_each(${JSON.stringify(messages)}) as "$message"`);

/** Stores a message about each row of a type that meets a condition. */
const insertOfRows = (
  { table, uid }: ContentType,
  where: SQL,
  entry: SQL,
  recipients: readonly Recipient[],
  now: number,
): Statement =>
  toStatement(sql`
    insert into ${outbox} (${COLUMNS})
    select
      ${NEW_ID}, ${field('endpoint')}, ${field('event')}, ${uid}, ${columnOf(table, 'document_id')},
      ${columnOf(table, 'locale')}, ${entry}, ${now}, ${dueAt(uid, columnOf(table, 'document_id'), now)}, 0
    from ${sql.identifier(table)} join json_each(${JSON.stringify(recipients)}) as "$message"
    where ${where}
    order by ${columnOf(table, 'id')}`);

/** Stores a message for each row that follows another locale. */
export const insertShared = ({ row }: SharedChange, recipients: readonly Recipient[], now: number): Statement =>
  insertOfRows(row.type, sql`${columnOf(row.type.table, 'id')} in (${otherLocales(row)})`, sql`null`, recipients, now);

/** Bytes of a stored entry; a value on D1 has 2 MB. */
const MAX_ENTRY = 500_000;

/**
 * Stores a message for each row that goes, with its values. To be run before the rows go.
 * @param attributes whose values are stored
 */
export function insertRemovals(
  { rows }: Removal,
  attributes: readonly ScalarAttribute[],
  recipients: readonly Recipient[],
  now: number,
): Statement {
  const { type } = rows;
  const fits = sql`${bytesOf({ attributes, populate: [] }, type.table)} <= ${MAX_ENTRY}`;
  const entry = sql`iif(${fits}, ${valuesOfRow(attributes, type.table)}, null)`;
  return insertOfRows(type, deletedRows(rows), entry, recipients, now);
}
