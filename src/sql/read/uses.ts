/**
 * @module Who uses a file: the rows of a type whose media attributes lead to it.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Use } from '../../plan/model/read-plan.ts';
import { balanced, columnOf } from '../pieces.ts';
import { type RowScope, rowScope } from '../scope.ts';
import { endsOf, isEnd, isVersion, statusOf } from '../versions.ts';
import { aliases } from './joins.ts';

interface Users {
  readonly from: SQL;
  readonly where: SQL;
  readonly scope: RowScope;
  /** For each attribute: does it lead to the file? */
  readonly marks: readonly SQL[];
}

/** The rows of a type that use the file `scope`, or have a version that does: those without a mark are passed over. */
export function usersOf({ type, tables, drafts }: Use, scope: RowScope): Users {
  const { depth, target, link } = aliases(scope);
  const own = (name: string) => columnOf(target, name);
  const { near } = endsOf(true);
  const named = sql`${columnOf(link, 'target_document_id')} = ${columnOf(scope.alias, 'document_id')}`;
  const linked = tables.map(({ name }) => sql`from ${sql.identifier(name)} as ${sql.identifier(link)} where ${named}`);
  const users = linked.map(
    (links) => sql`${own('document_id')} in (select ${columnOf(link, near.documentId)} ${links})`,
  );
  const marks = linked.map(
    (links) =>
      sql`exists (select 1 ${links} and ${isEnd(link, near, target)} and ${columnOf(link, 'status')} = ${statusOf(target)})`,
  );
  const published = drafts ? [] : [isVersion(target, 'published')];
  return {
    from: sql`${sql.identifier(type.table)} as ${sql.identifier(target)}`,
    where: balanced([balanced(users, 'or'), ...published], 'and'),
    scope: rowScope(type, target, depth),
    marks,
  };
}
