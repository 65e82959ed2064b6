/**
 * @module Publications at a time to come.
 */
import { type SQL, sql } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Condition } from '../../content/plan/model/read-plan.ts';
import { assertion } from '../../content/sql/assertions.ts';
import { type Compiled, mapped, query, together } from '../../content/sql/compiled.ts';
import { balanced } from '../../content/sql/pieces.ts';
import { toStatement } from '../../content/sql/render.ts';
import { fitting, type Statement } from '../../content/sql/statement.ts';
import { allGranted } from '../../content/sql/write/granted.ts';
import { type Actor, makerOf } from '../../content/sql/write/stored-actor.ts';
import type { ContentType } from '../../schema/model.ts';
import { SCHEDULE_TABLE } from '../../schema/names.ts';

export const schedule = sqliteTable(SCHEDULE_TABLE, {
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  documentId: text('document_id').notNull(),
  locale: text('locale').notNull(),
  action: text('action').notNull(),
  /** Milliseconds since 1970; null once it has failed. */
  at: integer('at'),
  error: text('error'),
  createdAt: integer('created_at').notNull(),
  /** Who made it; null for schedules of before. */
  madeBy: text('made_by'),
});

export interface Scheduled {
  readonly id: string;
  /** uid */
  readonly type: string;
  readonly documentId: string;
  readonly locale: string;
  readonly action: string;
  /** Milliseconds since 1970; null once it has failed. */
  readonly at: number | null;
  readonly error: string | null;
  /** `user 7`, `token <documentId>`; null for others, and for schedules before it was kept. */
  readonly madeBy: string | null;
}

const COLUMNS = sql`
  ${schedule.id}, ${schedule.type}, ${schedule.documentId} as "documentId", ${schedule.locale}, ${schedule.action},
  ${schedule.at}, ${schedule.error}, ${schedule.madeBy} as "madeBy"`;

/** The rows are named as `COLUMNS`. */
const scheduledRows = (statement: Statement): Compiled<readonly Scheduled[]> =>
  query(statement, (rows) => rows as unknown as readonly Scheduled[]);

/** An action on the documents of a type that a caller may change; without conditions on all of them. */
export interface DueScope {
  readonly type: ContentType;
  readonly action: string;
  readonly conditions: { readonly allowed: Condition | undefined; readonly visible: Condition | undefined } | undefined;
}

function isInScope({ type, action, conditions }: DueScope): SQL {
  const terms = [sql`${schedule.type} = ${type.uid}`, sql`${schedule.action} = ${action}`];
  if (conditions) terms.push(allGranted({ type, ...conditions }, sql`${schedule.documentId}`, sql`${schedule.locale}`));
  return balanced(terms, 'and');
}

const isInAny = (scopes: readonly DueScope[]): SQL => balanced(scopes.map(isInScope), 'or');

/** The next first, then what failed. */
const before = (a: Scheduled, b: Scheduled): number =>
  Number(a.at === null) - Number(b.at === null) || (a.at ?? 0) - (b.at ?? 0) || (a.id < b.id ? -1 : 1);

/**
 * Returns what is scheduled in the scopes, the next first, then what failed.
 * @param documentId undefined: of all documents
 */
export function selectScheduled(
  scopes: readonly DueScope[],
  documentId: string | undefined,
  max: number,
): Compiled<readonly Scheduled[]> {
  const isOfDocument = documentId === undefined ? [] : [sql`${schedule.documentId} = ${documentId}`];
  const statements = fitting(scopes, (some) =>
    toStatement(sql`
      select ${COLUMNS}
      from ${schedule}
      where ${balanced([isInAny(some), ...isOfDocument], 'and')}
      order by ${schedule.at} is null, ${schedule.at}, ${schedule.id}
      limit ${max}`),
  );
  return mapped(together(statements.map(scheduledRows)), (found) => found.flat().sort(before).slice(0, max));
}

/** Returns what is due, the earliest first. */
export const selectDue = (now: number, max: number): Compiled<readonly Scheduled[]> =>
  scheduledRows(
    toStatement(sql`
      select ${COLUMNS}
      from ${schedule}
      where ${schedule.at} <= ${now}
      order by ${schedule.at}
      limit ${max}`),
  );

/** Replaces an earlier schedule of the same action on the document. Returns what is stored. */
export const insertScheduled = (
  row: Omit<Scheduled, 'id' | 'error' | 'madeBy'>,
  actor: Actor,
  now: number,
): Compiled<readonly Scheduled[]> =>
  scheduledRows(
    toStatement(sql`
      insert or replace into ${schedule} ("id", "type", "document_id", "locale", "action", "at", "made_by", "created_at")
      values (
        lower(hex(randomblob(12))), ${row.type}, ${row.documentId}, ${row.locale}, ${row.action}, ${row.at}, ${makerOf(actor)},
        ${now}
      )
      returning ${COLUMNS}`),
  );

export const deleteScheduled = (id: string): Statement =>
  toStatement(sql`delete from ${schedule} where ${schedule.id} = ${id}`);

/** Aborts the batch with `code` unless it is still scheduled. */
export const assertScheduled = (id: string, code: string): Statement =>
  assertion(sql`exists (select 1 from ${schedule} where ${schedule.id} = ${id} and ${schedule.at} is not null)`, code);

/** Deletes it if it is in one of the scopes. Otherwise, or without it, aborts the batch with `code`. */
export function deleteInScope(id: string, scopes: readonly DueScope[], code: string): readonly Statement[] {
  const isIt = sql`${schedule.id} = ${id}`;
  const exists = sql`exists (select 1 from ${schedule} where ${isIt})`;
  const deletions = fitting(scopes, (some) =>
    toStatement(sql`delete from ${schedule} where ${isIt} and (${isInAny(some)})`),
  );
  return [assertion(exists, code), ...deletions, assertion(sql`not ${exists}`, code)];
}

export const failScheduled = (id: string, error: string): Statement =>
  toStatement(
    sql`update ${schedule} set "at" = null, "error" = ${error} where ${schedule.id} = ${id} and ${schedule.at} is not null`,
  );
