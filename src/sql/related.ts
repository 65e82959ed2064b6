/**
 * @module Conditions about what is behind a relation: `IN` over the link table, so that it is read once and not once
 * for each row.
 */
import { holdsForNothing } from '../plan/logic.ts';
import type { Condition, LinkWalk } from '../plan/read-plan.ts';
import { identifier, type SQL, sql } from './fragment.ts';
import { aliases, joinOf } from './joins.ts';
import { componentJson, instanceScope, type RowScope, rowScope, type Scope } from './scope.ts';
import { balanced, columnOf } from './statement.ts';
import { endsOf, isEnd, isLinkVersion, isVersion } from './versions.ts';

type Related = Extract<Condition, { kind: 'related' }>;
type Compile = (condition: Condition, scope: Scope) => SQL;

/**
 * `(document_id, locale) in (ends of links to rows that meet the condition)`. Rows that meet it are said to be few:
 * without statistics SQLite would walk every link and look its row up, instead of the rows first.
 */
function linkedIn(walk: LinkWalk, scope: RowScope, where: (target: Scope) => SQL): SQL {
  const names = aliases(scope);
  const { near, far } = endsOf(walk.owner);
  const column = (name: string) => columnOf(names.link, name);
  const own = (name: string) => columnOf(scope.alias, name);
  const [left, right] = scope.type.localized
    ? [sql`(${own('document_id')}, ${own('locale')})`, sql`${column(near.documentId)}, ${column(near.locale)}`]
    : [own('document_id'), column(near.documentId)];
  const terms = [
    isLinkVersion(names.link, walk.version),
    sql`unlikely(${isVersion(names.target, walk.status)})`,
    where(rowScope(walk.target, names.target, names.depth)),
  ];
  return sql`${left} in (
    select ${right}
    from ${identifier(walk.table.name)} as ${identifier(names.link)}
    join ${identifier(walk.target.table)} as ${identifier(names.target)} on ${isEnd(names.link, far, names.target)}
    where ${balanced(terms, 'and')}
  )`;
}

function repeated(condition: Related, json: SQL, scope: Scope, compile: Compile): SQL {
  const { item } = aliases(scope);
  const inner = instanceScope(columnOf(item, 'value'), scope);
  const exists = (where: SQL) => sql`exists (select 1 from json_each(${json}) as ${identifier(item)} where ${where})`;
  const some = exists(compile(condition.where, inner));
  return holdsForNothing(condition.where) ? sql`(${some} or not ${exists(sql`1`)})` : some;
}

function some(condition: Related, scope: Scope, where: (target: Scope) => SQL): SQL {
  const { step } = condition;
  if (step.kind === 'link' && scope.kind === 'row') return linkedIn(step.link, scope, where);
  const joined = joinOf(step as Exclude<typeof step, { kind: 'component' }>, scope);
  return sql`exists (select 1 from ${joined.from} where ${balanced([joined.where, where(joined.scope)], 'and')})`;
}

/** A condition behind a step. What would hold for nothing at all holds where there is nothing, as after a left join. */
export function compileRelated(condition: Related, scope: Scope, compile: Compile): SQL {
  const { step, where } = condition;
  if (step.kind === 'component') {
    const json = componentJson(step.attribute, scope);
    if (step.attribute.repeatable) return repeated(condition, json, scope, compile);
    return compile(where, instanceScope(json, scope));
  }
  const found = some(condition, scope, (target) => compile(where, target));
  if (!holdsForNothing(where)) return found;
  return sql`(${found} or not ${some(condition, scope, () => sql`1`)})`;
}
