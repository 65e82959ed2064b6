/**
 * @module Publications at a time to come.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Condition } from '../../plan/model/read-plan.ts';
import type { RowRef } from '../../plan/model/write-plan.ts';
import type { ContentType } from '../../registry/model.ts';
import { type Compiled, query } from '../compiled.ts';
import { assert, balanced, columnOf } from '../pieces.ts';
import { compileCondition } from '../read/conditions.ts';
import { toStatement } from '../render.ts';
import { rowScope } from '../scope.ts';
import type { Row, Statement } from '../statement.ts';
import { schedule } from '../system-tables.ts';

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
}

const COLUMNS = sql`
  ${schedule.id}, ${schedule.type}, ${schedule.documentId}, ${schedule.locale}, ${schedule.action}, ${schedule.at},
  ${schedule.error}`;

const scheduledOf = (row: Row): Scheduled => ({
  id: String(row.id),
  type: String(row.type),
  documentId: String(row.document_id),
  locale: String(row.locale),
  action: String(row.action),
  at: row.at === null ? null : Number(row.at),
  error: row.error === null ? null : String(row.error),
});

/** An action on the documents of a type that meet a condition. */
export interface Reach {
  readonly type: ContentType;
  readonly action: string;
  readonly where: Condition | undefined;
}

function isReached({ type, action, where }: Reach): SQL {
  const terms = [sql`${schedule.type} = ${type.uid}`, sql`${schedule.action} = ${action}`];
  if (where)
    terms.push(sql`${schedule.documentId} in (
      select ${columnOf(type.table, 'document_id')}
      from ${sql.identifier(type.table)}
      where ${compileCondition(where, rowScope(type))}
    )`);
  return balanced(terms, 'and');
}

/** Returns what is scheduled within reach, the next first, then what failed. @param id only this one */
export function selectScheduled(reach: readonly Reach[], max: number, id?: string): Compiled<readonly Scheduled[]> {
  const terms = [balanced(reach.map(isReached), 'or')];
  if (id !== undefined) terms.push(sql`${schedule.id} = ${id}`);
  const select = sql`
    select ${COLUMNS}
    from ${schedule}
    where ${balanced(terms, 'and')}
    order by ${schedule.at} is null, ${schedule.at}, ${schedule.id}
    limit ${max}`;
  return query(toStatement(select), (rows) => rows.map(scheduledOf));
}

/** Returns what is due, the earliest first. */
export const selectDue = (now: number, max: number): Compiled<readonly Scheduled[]> =>
  query(
    toStatement(sql`
      select ${COLUMNS}
      from ${schedule}
      where ${schedule.at} <= ${now}
      order by ${schedule.at}
      limit ${max}`),
    (rows) => rows.map(scheduledOf),
  );

/** An action on a document, as it is stored. */
export type NewScheduled = Omit<Scheduled, 'id' | 'error'>;

/** Replaces an earlier schedule of the same action on the document. */
export const insertScheduled = (row: NewScheduled, now: number): Statement =>
  toStatement(sql`
    insert or replace into ${schedule} ("id", "type", "document_id", "locale", "action", "at", "created_at")
    values (
      lower(hex(randomblob(12))), ${row.type}, ${row.documentId}, ${row.locale}, ${row.action}, ${row.at}, ${now}
    )`);

export const selectInserted = ({ type, documentId, locale, action }: NewScheduled): Compiled<Scheduled> =>
  query(
    toStatement(sql`
      select ${COLUMNS}
      from ${schedule}
      where ${schedule.type} = ${type} and ${schedule.documentId} = ${documentId}
        and ${schedule.locale} = ${locale} and ${schedule.action} = ${action}`),
    ([row]) => scheduledOf(row ?? {}),
  );

export const deleteScheduled = (id: string): Statement =>
  toStatement(sql`delete from ${schedule} where ${schedule.id} = ${id}`);

/** Aborts the batch with `code` unless it is still scheduled. */
export const assertScheduled = (id: string, code: string): Statement =>
  toStatement(
    assert(sql`exists (select 1 from ${schedule} where ${schedule.id} = ${id} and ${schedule.at} is not null)`, code),
  );

export const failScheduled = (id: string, error: string): Statement =>
  toStatement(
    sql`update ${schedule} set "at" = null, "error" = ${error} where ${schedule.id} = ${id} and ${schedule.at} is not null`,
  );

/** Aborts the batch with `code` unless the document has a row in the locale. */
export const assertDocument = ({ type, documentId = '', locale }: Omit<RowRef, 'status'>, code: string): Statement =>
  toStatement(
    assert(
      sql`exists (
        select 1
        from ${sql.identifier(type.table)}
        where ${type.kind === 'singleType' ? sql`1` : sql`${columnOf(type.table, 'document_id')} = ${documentId}`}
          and ${columnOf(type.table, 'locale')} = ${locale}
      )`,
      code,
    ),
  );
