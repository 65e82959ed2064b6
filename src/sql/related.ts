/**
 * @module Conditions about what is behind a relation: `IN` over the link table, so that it is read once and not once
 * for each row.
 */
import { type SQL, sql } from 'drizzle-orm';
import { holdsForNothing } from '../plan/logic.ts';
import type { Condition, LinkStep } from '../plan/read-plan.ts';
import { componentJson, instanceScope, rowScope, type Scope } from './scope.ts';
import { balanced, columnOf, identifier } from './statement.ts';
import { aliases, joinOf } from './steps.ts';
import { isVersion } from './versions.ts';

type Related = Extract<Condition, { kind: 'related' }>;
type Compile = (condition: Condition, scope: Scope) => SQL;
type RowScope = Extract<Scope, { kind: 'row' }>;

/** Both sides have locales, and the link says to follow the source's: then its row has to be looked at. */
function sourceJoin(step: LinkStep, names: ReturnType<typeof aliases>): SQL {
  if (!step.target.localized) return sql``;
  const named = columnOf(names.link, 'target_locale');
  const { source } = step.table;
  if (!source.localized) return sql` and ${columnOf(names.target, 'locale')} = ${named}`;
  const own = (name: string) => columnOf(names.source, name);
  return sql`
    join ${identifier(source.table)} as ${identifier(names.source)}
      on ${own('id')} = ${columnOf(names.link, 'source_id')}
      and ${columnOf(names.target, 'locale')} = coalesce(nullif(${named}, ''), ${own('locale')})`;
}

/** `id in (sources of links to rows that meet the condition)` */
function ownerIn(step: LinkStep, scope: RowScope, where: (target: Scope) => SQL): SQL {
  const names = aliases(scope);
  const target = rowScope(step.target, names.target, names.depth);
  return sql`${columnOf(scope.alias, 'id')} in (
    select ${columnOf(names.link, 'source_id')}
    from ${identifier(step.table.name)} as ${identifier(names.link)}
    join ${identifier(step.target.table)} as ${identifier(names.target)}
      on ${columnOf(names.target, 'document_id')} = ${columnOf(names.link, 'target_document_id')}${sourceJoin(step, names)}
    where ${isVersion(names.target, step.status)} and ${where(target)}
  )`;
}

/** `document_id in (targets of links from rows that meet the condition)` */
function inverseIn(step: LinkStep, scope: RowScope, where: (target: Scope) => SQL): SQL {
  const names = aliases(scope);
  const target = rowScope(step.target, names.target, names.depth);
  const locale = step.target.localized ? columnOf(names.target, 'locale') : columnOf(names.link, 'target_locale');
  const [left, right] = scope.type.localized
    ? [
        sql`(${columnOf(scope.alias, 'document_id')}, ${columnOf(scope.alias, 'locale')})`,
        sql`${columnOf(names.link, 'target_document_id')}, ${locale}`,
      ]
    : [columnOf(scope.alias, 'document_id'), columnOf(names.link, 'target_document_id')];
  return sql`${left} in (
    select ${right}
    from ${identifier(step.table.name)} as ${identifier(names.link)}
    join ${identifier(step.target.table)} as ${identifier(names.target)}
      on ${columnOf(names.target, 'id')} = ${columnOf(names.link, 'source_id')}
    where ${isVersion(names.target, step.status)} and ${where(target)}
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
  const { via } = condition;
  if (via.kind === 'link' && scope.kind === 'row')
    return via.link.owner ? ownerIn(via.link, scope, where) : inverseIn(via.link, scope, where);
  const joined = joinOf(via as Exclude<typeof via, { kind: 'component' }>, scope);
  return sql`exists (select 1 from ${joined.from} where ${balanced([joined.where, where(joined.scope)], 'and')})`;
}

/** A condition behind a step. What would hold for nothing at all holds where there is nothing, as after a left join. */
export function compileRelated(condition: Related, scope: Scope, compile: Compile): SQL {
  const { via, where } = condition;
  if (via.kind === 'component') {
    const json = componentJson(via.attribute, scope);
    if (via.attribute.repeatable) return repeated(condition, json, scope, compile);
    return compile(where, instanceScope(json, scope));
  }
  const found = some(condition, scope, (target) => compile(where, target));
  if (!holdsForNothing(where)) return found;
  return sql`(${found} or not ${some(condition, scope, () => sql`1`)})`;
}
