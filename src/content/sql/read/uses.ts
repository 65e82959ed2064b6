/**
 * @module The rows of a type whose media attributes link to a file.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { FileUsage } from '../../plan/model/read-plan.ts';
import { balanced, columnOf } from '../pieces.ts';
import { type RowScope, rowScope } from '../scope.ts';
import { isLinked, isVersion, sidesOf, statusColumn } from '../versions.ts';
import { compileCondition } from './conditions.ts';
import { aliases } from './joins.ts';

/**
 * Joins the file `scope` to the rows that use it, or of which another version does.
 * @returns `marks`: for each attribute, does the row link to the file? The reader skips rows without a mark.
 */
export function fileUsages({ type, tables, drafts, visible }: FileUsage, scope: RowScope) {
  const { depth, target, link } = aliases(scope);
  const documentId = columnOf(target, 'document_id');
  const named = sql`${columnOf(link, 'target_document_id')} = ${columnOf(scope.alias, 'document_id')}`;
  const users: SQL[] = [];
  const marks: SQL[] = [];
  for (const table of tables) {
    const links = sql`from ${sql.identifier(table.name)} as ${sql.identifier(link)} where ${named}`;
    const isUser = isLinked(link, sidesOf({ table, owner: true }).own, target);
    users.push(sql`${documentId} in (select ${columnOf(link, 'source_document_id')} ${links})`);
    marks.push(sql`exists (select 1 ${links} and ${isUser} and ${columnOf(link, 'status')} = ${statusColumn(target)})`);
  }
  const row = rowScope(type, target, depth);
  const shown = visible ? [compileCondition(visible, row)] : [];
  const published = drafts ? [] : [isVersion(target, 'published')];
  return {
    from: sql`${sql.identifier(type.table)} as ${sql.identifier(target)}`,
    where: balanced([balanced(users, 'or'), ...published, ...shown], 'and'),
    scope: row,
    marks,
  };
}
