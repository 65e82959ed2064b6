/**
 * @module Work that a commit leaves, since it would be too much for one invocation: done in steps, after the response and by
 * the cron trigger. A step may be repeated.
 */
import { type SQL, sql } from 'drizzle-orm';
import { knownDocumentId } from '../../../schema/document-ref.ts';
import { isNumbered } from '../../plan/model/op-kinds.ts';
import type { WriteOp } from '../../plan/model/write-plan.ts';
import { type Compiled, query } from '../compiled.ts';
import { toStatement } from '../render.ts';
import type { Statement } from '../statement.ts';
import { tasks } from '../system-tables.ts';

const insertion = (rows: SQL): SQL => sql`insert into ${tasks} ("kind", "argument") ${rows}`;

export const insertTasks = (rows: SQL): Statement => toStatement(insertion(rows));

export const endTasks = (ids: readonly number[]): Statement =>
  toStatement(sql`delete from ${tasks} where "id" in (select "value" from json_each(${JSON.stringify(ids)}))`);

/** The links of deleted rows that are left: on the ends of their type after a key. */
interface LinksToDelete {
  readonly uid: string;
  /** Null: of all rows of the type that no longer exist. */
  readonly documentId: string | null;
  readonly after: string;
}

export interface LeftLinks extends LinksToDelete {
  readonly task: number;
}

export function leaveLinks({ rows, after }: Extract<WriteOp, { kind: 'leave-links' }>): SQL {
  const document = isNumbered(rows) ? undefined : knownDocumentId(rows.document);
  const left: LinksToDelete = { uid: rows.type.uid, documentId: document ?? null, after };
  return insertion(sql`values ('links', ${JSON.stringify(left)})`);
}

/** Returns the next links; undefined if there are none. */
export const selectLeftLinks: Compiled<LeftLinks | undefined> = query(
  toStatement(sql`
    select ${tasks.id}, ${tasks.argument} from ${tasks} where ${tasks.kind} = 'links' order by ${tasks.id} limit 1`),
  ([row]) => row && { ...(JSON.parse(String(row.argument)) as LinksToDelete), task: Number(row.id) },
);

/** Goes on after a key. */
export const continueTask = (task: number, after: string): Statement =>
  toStatement(sql`update ${tasks} set "argument" = json_set("argument", '$.after', ${after}) where "id" = ${task}`);
