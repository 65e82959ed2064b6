/**
 * @module Populate → expressions of one row: each is a JSON list of what a relation leads to, or what a component
 * needs.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Populate, PopulatedBlocks, PopulatedRows, Selection, Use } from '../../plan/model/read-plan.ts';
import { groupsOf } from '../../registry/groups.ts';
import type { ScalarAttribute } from '../../registry/model.ts';
import { onceFor } from '../columns.ts';
import { balanced, columnOf, commaList } from '../pieces.ts';
import { componentJson, instanceScope, type RowScope, rowScope, type Scope, storedExpression } from '../scope.ts';
import { isVersion } from '../versions.ts';
import { unless } from './ceiling.ts';
import { compileCondition, compileOrder } from './conditions.ts';
import { aliases, joinOf } from './joins.ts';
import { type Inner, type InnerReference, innerOf, isBlocks } from './references.ts';
import { usersOf } from './uses.ts';

/** Rows that one list with a filter or a count may look at; undefined where that was measured. */
type Looks = number | undefined;

/** D1 takes 32 arguments at most; longer lists become lists of lists. */
const ARGUMENTS = 30;

/** `[[a, b, …], [c, …]]`: always two levels, so that the reader need not know how many there are. */
export function jsonRow(values: readonly SQL[]): SQL {
  const groups = groupsOf(values, ARGUMENTS).map((group) => sql`json_array(${commaList(group)})`);
  if (groups.length <= ARGUMENTS) return sql`json_array(${commaList(groups)})`;
  throw new Error('a row of more than 900 values');
}

function scalar(attribute: ScalarAttribute, alias: string): SQL {
  const stored = storedExpression(attribute, alias);
  return attribute.type === 'biginteger' ? sql`cast(${stored} as text)` : stored;
}

/** Of a row: id, documentId, locale, its scalars. */
export const ownValues = onceFor((attributes, alias): readonly SQL[] => [
  columnOf(alias, 'id'),
  columnOf(alias, 'document_id'),
  columnOf(alias, 'locale'),
  ...attributes.map((attribute) => scalar(attribute, alias)),
]);

const plainRow = onceFor((attributes, alias) => jsonRow(ownValues(attributes, alias)));

/** Its own values, then what each key of its own populate needs. */
function populatedRow({ attributes, populate }: Selection, scope: RowScope, looks: Looks): SQL {
  if (populate.length === 0) return plainRow(attributes, scope.alias);
  return jsonRow([...ownValues(attributes, scope.alias), ...populateValues(populate, scope, looks)]);
}

/** The rows of a relation as a JSON list, or how many there are. */
function rows(node: PopulatedRows, scope: RowScope, looks: Looks): SQL {
  const joined = joinOf(node, scope);
  const far = joined.scope;
  const shown = node.where && compileCondition(node.where, far);
  const filter = shown ? sql` filter (where ${shown})` : sql``;
  const bounded = (value: SQL) =>
    looks === undefined || (!shown && !node.count) ? value : unless(sql`count(*) <= ${looks}`, value);
  const some = sql`from ${joined.from} where ${joined.where}`;
  if (node.count) return sql`(select ${bounded(sql`count(*)${filter}`)} ${some})`;
  const order = node.order.length > 0 ? compileOrder(node.order, far) : joined.order;
  const row = populatedRow(node.selection, far, looks);
  if (!isDeep(node, scope))
    return sql`(select ${bounded(sql`json_group_array(${row} order by ${order})${filter}`)} ${some})`;
  const list = sql`json_group_array(json("row") order by "place") filter (where "row" is not null)`;
  return sql`(
    select ${bounded(list)}
    from (
      select
        ${shown ? sql`case when ${shown} then ${row} end` : row} as "row",
        row_number() over (order by ${order}) as "place"
      ${some}
    )
  )`;
}

/** Levels of rows inside one another, this one included. */
function levelsOf(node: Populate): number {
  if (node.kind === 'related') return 1;
  const selections = node.kind === 'dynamiczone' ? [...node.parts.values()] : [node.selection];
  return 1 + Math.max(0, ...selections.flatMap(({ populate }) => populate.map(levelsOf)));
}

/** So many levels surely fit as expressions inside one another. */
const PLAIN_LEVELS = 4;

/**
 * SQLite adds up the depth of expressions inside one another and stops at 100; what stands in a FROM clause does not
 * count for what is around it. So where there are many levels, rows are made there from the third one on, at the price
 * of parsing their JSON once more: ten levels fit into one statement.
 */
const isDeep = (node: PopulatedRows, { depth }: RowScope): boolean =>
  depth >= 2 && (node.where !== undefined || depth + levelsOf(node) > PLAIN_LEVELS);

/** Ids of the instances that are shown, in their order. */
function instanceIds({ where, order, lists, keys, json }: Extract<Inner, { kind: 'instances' }>, scope: Scope): SQL {
  const inner = instanceScope(json, scope);
  const isShown = where ? compileCondition(where, inner) : sql`1`;
  const id = sql`${json} ->> '$.id'`;
  if (lists.length === 0) return sql`iif(${isShown}, json_array(${id}), '[]')`;
  const by = order.length > 0 ? [compileOrder(order, inner), ...keys] : keys;
  return sql`(select json_group_array(${id} order by ${commaList(by)}) from ${commaList(lists)} where ${isShown})`;
}

/** Rows that the instances in a JSON column name: a superset, from which the reader takes what each instance names. */
function references({ node, lists, documentId }: InnerReference, scope: RowScope, looks: Looks): SQL {
  const { depth, target } = aliases(scope);
  const far = rowScope(node.target, target, depth);
  const named = sql`${columnOf(target, 'document_id')} in (select ${documentId} from ${lists})`;
  const terms = [named, isVersion(target, node.status)];
  if (node.where) terms.push(compileCondition(node.where, far));
  const order = node.order.length > 0 ? compileOrder(node.order, far) : columnOf(target, 'id');
  return sql`(
    select json_group_array(${populatedRow(node.selection, far, looks)} order by ${order})
    from ${sql.identifier(node.target.table)} as ${sql.identifier(target)}
    where ${balanced(terms, 'and')}
  )`;
}

function componentValues(node: PopulatedBlocks, scope: RowScope, looks: Looks): readonly SQL[] {
  const json = componentJson(node.attribute, scope);
  const inner = innerOf(node, json, aliases(scope).item);
  return [
    json,
    ...inner.map((each) => (each.kind === 'reference' ? references(each, scope, looks) : instanceIds(each, scope))),
  ];
}

/** Rows of a type that use a file, each behind the time since when it is there, and a 1 for each use. */
function use(each: Use, outer: RowScope): SQL {
  const { from, where, scope, marks } = usersOf(each, outer);
  const own = (name: string) => columnOf(scope.alias, name);
  // Each publication rebuilds the published version, so its last update is when it began to exist.
  const since = each.type.draftAndPublish
    ? sql`iif(${own('published_at')} is null, ${own('created_at')}, ${own('updated_at')})`
    : own('created_at');
  const row = jsonRow([since, ...marks, ...ownValues(each.attributes, scope.alias)]);
  return sql`(
    select json_group_array(${row})
    from ${from}
    where ${where}
  )`;
}

/** What the keys of a populate need, one after the other: one value each, for components others behind it. */
export function populateValues(populate: readonly Populate[], scope: RowScope, looks: Looks): readonly SQL[] {
  return populate.flatMap((node) => {
    if (node.kind === 'related') return node.uses.map((each) => use(each, scope));
    return isBlocks(node) ? componentValues(node, scope, looks) : [rows(node, scope, looks)];
  });
}
