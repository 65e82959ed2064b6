/**
 * @module Names of deleted users, which are left to be removed from the former versions of documents.
 */
import { sql } from 'drizzle-orm';
import { type Compiled, query } from '../../../content/sql/compiled.ts';
import { integer } from '../../../content/sql/pieces.ts';
import { toStatement } from '../../../content/sql/render.ts';
import type { Statement } from '../../../content/sql/statement.ts';
import { tasks } from '../../../content/sql/system-tables.ts';
import { insertTasks } from '../../../content/sql/write/tasks.ts';
import { history } from '../../history/sql/table.ts';

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
