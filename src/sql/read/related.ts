/**
 * @module Conditions about what is behind a relation: `IN` over the link table, so that it is read once and not once
 * for each row.
 */
import { type SQL, sql } from 'drizzle-orm';
import { holdsForNothing } from '../../plan/model/condition.ts';
import type { Condition, LinkWalk } from '../../plan/model/read-plan.ts';
import { balanced, columnOf, commaList } from '../pieces.ts';
import { componentJson, instanceScope, type RowScope, rowScope, type Scope } from '../scope.ts';
import { endsOf, isEnd, statusOf } from '../versions.ts';
import { aliases, joinOf, versionTerms } from './joins.ts';

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
  const ends = [[own('document_id'), column(near.documentId)] as const];
  if (scope.type.localized) ends.push([own('locale'), column(near.locale)]);
  if (walk.ofOwnVersion) ends.push([statusOf(scope.alias), column('status')]);
  const { isLink, isTarget } = versionTerms(walk, names.link, names.target);
  const terms = [...isLink, sql`unlikely(${isTarget})`, where(rowScope(walk.target, names.target, names.depth))];
  const left = commaList(ends.map(([end]) => end));
  return sql`${ends.length > 1 ? sql`(${left})` : left} in (
    select ${commaList(ends.map(([, end]) => end))}
    from ${sql.identifier(walk.table.name)} as ${sql.identifier(names.link)}
    join ${sql.identifier(walk.target.table)} as ${sql.identifier(names.target)} on ${isEnd(names.link, far, names.target)}
    where ${balanced(terms, 'and')}
  )`;
}

function repeated(condition: Related, json: SQL, scope: Scope, compile: Compile): SQL {
  const { item } = aliases(scope);
  const inner = instanceScope(columnOf(item, 'value'), scope);
  const exists = (where: SQL) =>
    sql`exists (select 1 from json_each(${json}) as ${sql.identifier(item)} where ${where})`;
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
