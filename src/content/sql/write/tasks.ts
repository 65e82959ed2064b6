/**
 * @module Work that a commit leaves, since it would be too much for one invocation: done in steps, after the response and by
 * the cron trigger. A step may be repeated.
 */
import { eq, type SQL, sql } from 'drizzle-orm';
import type { StoredFile } from '../../../features/files/sql/files.ts';
import { knownDocumentId } from '../../../schema/document-ref.ts';
import type { WriteOp } from '../../plan/model/write-plan.ts';
import { type Compiled, query } from '../compiled.ts';
import { integer } from '../pieces.ts';
import { toStatement } from '../render.ts';
import type { Statement } from '../statement.ts';
import { files, history, tasks } from '../system-tables.ts';

const insertion = (rows: SQL): SQL => sql`insert into ${tasks} ("kind", "argument") ${rows}`;

const insertTasks = (rows: SQL): Statement => toStatement(insertion(rows));

export const endTasks = (ids: readonly number[]): Statement =>
  toStatement(sql`delete from ${tasks} where "id" in (select "value" from json_each(${JSON.stringify(ids)}))`);

/** Leaves the objects of files to delete. To be run before their rows go. @param where condition on the files */
export const leaveFiles = (where: SQL): Statement =>
  insertTasks(sql`
    select 'file', json_object('hash', "hash", 'ext', coalesce("ext", ''), 'formats', json(coalesce("formats", '{}')))
    from ${files} where ${where} order by "id"`);

export const leaveFile = ({ id }: Pick<StoredFile, 'id'>): Statement => leaveFiles(eq(files.id, id));

/** A file whose objects are to be deleted. */
export interface LeftFile extends Pick<StoredFile, 'hash' | 'ext' | 'formats'> {
  /** Of its task. */
  readonly task: number;
  /** Is there a file with these objects again? The database may be one of an earlier time. */
  readonly isThere: boolean;
}

/** Those of all commits, or the one with a hash. */
export type WhichFiles = 'all' | { readonly hash: string };

/** Returns the next files, those of the last commit first: its request deletes some of its own. */
export function selectLeftFiles(which: WhichFiles, limit: number): Compiled<readonly LeftFile[]> {
  const isOne = which === 'all' ? sql`` : sql` and ${tasks.argument} ->> '$.hash' = ${which.hash}`;
  return query(
    toStatement(sql`
      select ${tasks.id}, ${tasks.argument}, exists (
        select 1 from ${files} where ${files.hash} = ${tasks.argument} ->> '$.hash'
      ) as "isThere"
      from ${tasks} where ${tasks.kind} = 'file'${isOne}
      order by ${tasks.id} desc limit ${limit}`),
    (rows) =>
      rows.map(({ id, argument, isThere }) => {
        const { hash, ext, formats } = JSON.parse(String(argument)) as Omit<LeftFile, 'task' | 'isThere'>;
        return { hash, ext, formats: formats ?? {}, task: Number(id), isThere: isThere === 1 };
      }),
  );
}

/** Leaves the name of a user to be removed from the former versions of documents. */
export const leaveName = (user: number): Statement =>
  insertTasks(sql`values ('name', json_object('user', ${String(user)}, 'after', 0))`);

export interface LeftName {
  readonly task: number;
  readonly user: string;
  /** The `rowid` of the last version that was examined. */
  readonly after: number;
}

/** Returns the next name; undefined if there is none. */
export const selectLeftName: Compiled<LeftName | undefined> = query(
  toStatement(sql`
    select ${tasks.id}, ${tasks.argument} from ${tasks} where ${tasks.kind} = 'name' order by ${tasks.id} limit 1`),
  ([row]) => row && { ...(JSON.parse(String(row.argument)) as Omit<LeftName, 'task'>), task: Number(row.id) },
);

/** Removes the name from the next `count` versions at most, in the order of their rows; after the last one, the task ends. */
export function removeName({ task, user, after }: LeftName, count: number): readonly Statement[] {
  const last = sql`((select min("rowid") from ${history} where "rowid" > ${after}) + ${integer(count - 1)})`;
  return [
    sql`
      update ${history} set "actor_name" = null
      where "rowid" > ${after} and "rowid" <= ${last} and "actor_name" is not null
        and ${history.actor} in ('user', 'schedule of user') and ${history.actorId} = ${user}`,
    sql`
      update ${tasks} set "argument" = json_set("argument", '$.after', coalesce(${last}, ${after})) where "id" = ${task}`,
    sql`
      delete from ${tasks}
      where "id" = ${task} and not exists (select 1 from ${history} where "rowid" > "argument" ->> '$.after')`,
  ].map(toStatement);
}

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
  const document = rows.kind === 'ids' ? undefined : knownDocumentId(rows.document);
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
