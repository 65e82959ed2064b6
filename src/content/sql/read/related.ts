/**
 * @module Conditions behind a step: `IN` over the link table, which reads it once and not for each row.
 */
import { type SQL, sql } from 'drizzle-orm';
import { holdsForNullRow } from '../../plan/model/condition.ts';
import { isComponentNode, isLink } from '../../plan/model/node-kinds.ts';
import type { Condition, LinkWalk, Step } from '../../plan/model/read-plan.ts';
import { balanced, columnOf, commaList } from '../pieces.ts';
import { componentJson, instanceScope, type RowScope, rowScope, type Scope } from '../scope.ts';
import { isLinked, sidesOf, statusColumn } from '../versions.ts';
import { aliases, joinOf, versionTerms } from './joins.ts';

type Related = Extract<Condition, { kind: 'related' }>;
type Compile = (condition: Condition, scope: Scope) => SQL;

/**
 * `(document_id, locale) in (sides of links to rows that meet the condition)`. The hint that few do makes SQLite, which
 * has no statistics, look up the rows first and not every link.
 */
function linkedIn(
  walk: LinkWalk,
  visible: Condition | undefined,
  scope: RowScope,
  where: (target: Scope) => SQL,
  compile: Compile,
): SQL {
  const names = aliases(scope);
  const { own, other } = sidesOf(walk);
  const column = (name: string) => columnOf(names.link, name);
  const row = (name: string) => columnOf(scope.alias, name);
  const pairs = [[row('document_id'), column(own.documentId)] as const];
  if (scope.type.localized) pairs.push([row('locale'), column(own.locale)]);
  if (walk.ofOwnVersion) pairs.push([statusColumn(scope.alias), column('status')]);
  const { isLink, isTarget } = versionTerms(walk, names.link, names.target);
  const target = rowScope(walk.target, names.target, names.depth);
  const terms = [...isLink, sql`unlikely(${isTarget})`, where(target)];
  if (visible) terms.push(compile(visible, target));
  const left = commaList(pairs.map(([value]) => value));
  return sql`${pairs.length > 1 ? sql`(${left})` : left} in (
    select ${commaList(pairs.map(([, linked]) => linked))}
    from ${sql.identifier(walk.table.name)} as ${sql.identifier(names.link)}
    join ${sql.identifier(walk.target.table)} as ${sql.identifier(names.target)} on ${isLinked(names.link, other, names.target)}
    where ${balanced(terms, 'and')}
  )`;
}

function repeated(condition: Related, json: SQL, scope: Scope, compile: Compile): SQL {
  const { item } = aliases(scope);
  const inner = instanceScope(columnOf(item, 'value'), scope);
  const exists = (where: SQL) =>
    sql`exists (select 1 from json_each(${json}) as ${sql.identifier(item)} where ${where})`;
  const some = exists(compile(condition.where, inner));
  return holdsForNullRow(condition.where) ? sql`(${some} or not ${exists(sql`1`)})` : some;
}

function some(
  step: Exclude<Step, { kind: 'component' }>,
  scope: Scope,
  where: (target: Scope) => SQL,
  compile: Compile,
): SQL {
  if (isLink(step) && scope.kind === 'row') return linkedIn(step.link, step.visible, scope, where, compile);
  const joined = joinOf(step, scope, compile);
  return sql`exists (select 1 from ${joined.from} where ${balanced([joined.where, where(joined.scope)], 'and')})`;
}

/** A condition that would hold for a row of nulls also holds without a row, as after a left join. */
export function compileRelated(condition: Related, scope: Scope, compile: Compile): SQL {
  const { step, where } = condition;
  if (isComponentNode(step)) {
    const json = componentJson(step.attribute, scope);
    if (step.attribute.repeatable) return repeated(condition, json, scope, compile);
    return compile(where, instanceScope(json, scope));
  }
  const found = some(step, scope, (target) => compile(where, target), compile);
  if (!holdsForNullRow(where)) return found;
  return sql`(${found} or not ${some(step, scope, () => sql`1`, compile)})`;
}
