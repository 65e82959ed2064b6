/**
 * @module The rows of a type whose media attributes link to a file.
 */
import { sql } from 'drizzle-orm';
import type { Use } from '../../plan/model/read-plan.ts';
import { balanced, columnOf } from '../pieces.ts';
import { type RowScope, rowScope } from '../scope.ts';
import { isLinked, isVersion, sidesOf, statusOf } from '../versions.ts';
import { aliases } from './joins.ts';

/**
 * Joins the file `scope` to the rows that use it, or of which another version does.
 * @returns `marks`: for each attribute, does the row link to the file? The reader skips rows without a mark.
 */
export function usersOf({ type, tables, drafts }: Use, scope: RowScope) {
  const { depth, target, link } = aliases(scope);
  const own = (name: string) => columnOf(target, name);
  const { ownSide } = sidesOf(true);
  const named = sql`${columnOf(link, 'target_document_id')} = ${columnOf(scope.alias, 'document_id')}`;
  const linked = tables.map(({ name }) => sql`from ${sql.identifier(name)} as ${sql.identifier(link)} where ${named}`);
  const users = linked.map(
    (links) => sql`${own('document_id')} in (select ${columnOf(link, ownSide.documentId)} ${links})`,
  );
  const marks = linked.map(
    (links) =>
      sql`exists (select 1 ${links} and ${isLinked(link, ownSide, target)} and ${columnOf(link, 'status')} = ${statusOf(target)})`,
  );
  const published = drafts ? [] : [isVersion(target, 'published')];
  return {
    from: sql`${sql.identifier(type.table)} as ${sql.identifier(target)}`,
    where: balanced([balanced(users, 'or'), ...published], 'and'),
    scope: rowScope(type, target, depth),
    marks,
  };
}
