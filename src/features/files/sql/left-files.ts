/**
 * @module Files whose rows a commit deletes, and whose objects are left to be deleted.
 */
import { eq, type SQL, sql } from 'drizzle-orm';
import { type Compiled, query } from '../../../content/sql/compiled.ts';
import { toStatement } from '../../../content/sql/render.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { tasks } from '../../../content/sql/system-tables.ts';
import { insertTasks } from '../../../content/sql/write/tasks.ts';
import { files, type StoredFile } from './files.ts';

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
