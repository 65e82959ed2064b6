/**
 * @module Who uses a file: the rows of a type whose media attributes lead to it.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Use } from '../plan/read-plan.ts';
import { rowScope, type Scope } from './scope.ts';
import { balanced, columnOf, identifier } from './statement.ts';
import { aliases } from './steps.ts';

type RowScope = Extract<Scope, { kind: 'row' }>;

interface Users {
  readonly from: SQL;
  readonly where: SQL;
  readonly scope: RowScope;
  /** For each attribute: does it lead to the file? */
  readonly marks: readonly SQL[];
}

/** The rows of a type that use the file `scope`. */
export function usersOf({ type, tables, drafts }: Use, scope: RowScope): Users {
  const { depth, target, link } = aliases(scope);
  const own = (name: string) => columnOf(target, name);
  const source = columnOf(link, 'source_id');
  const named = sql`${columnOf(link, 'target_document_id')} = ${columnOf(scope.alias, 'document_id')}`;
  const linked = tables.map(({ name }) => sql`from ${identifier(name)} as ${identifier(link)} where ${named}`);
  const users = linked.map((links) => sql`${own('id')} in (select ${source} ${links})`);
  const published = drafts ? [] : [sql`${own('published_at')} is not null`];
  return {
    from: sql`${identifier(type.table)} as ${identifier(target)}`,
    where: balanced([balanced(users, 'or'), ...published], 'and'),
    scope: rowScope(type, target, depth) as RowScope,
    marks: linked.map((links) => sql`exists (select 1 ${links} and ${source} = ${own('id')})`),
  };
}
