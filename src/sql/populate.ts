/**
 * @module Populate → expressions of one row: each is a JSON list of what a relation leads to, or what a component
 * needs.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Populate, Selection, Use, Via } from '../plan/read-plan.ts';
import type { ScalarAttribute } from '../registry/model.ts';
import { compileCondition, compileOrder } from './conditions.ts';
import { type Inner, innerOf } from './references.ts';
import { componentJson, instanceScope, rowScope, type Scope, storedExpression } from './scope.ts';
import { balanced, columnOf, commaList, identifier } from './statement.ts';
import { aliases, joinOf } from './steps.ts';
import { isVersion } from './versions.ts';

type RowScope = Extract<Scope, { kind: 'row' }>;
type Rows = Exclude<Populate, { kind: 'component' | 'dynamiczone' | 'related' }>;

/** D1 takes 32 arguments at most; longer lists become lists of lists. */
const ARGUMENTS = 30;

/** `[[a, b, …], [c, …]]`: always two levels, so that the reader need not know how many there are. */
export function jsonRow(values: readonly SQL[]): SQL {
  const chunks: SQL[] = [];
  for (let start = 0; start < values.length; start += ARGUMENTS)
    chunks.push(sql`json_array(${commaList(values.slice(start, start + ARGUMENTS))})`);
  if (chunks.length <= ARGUMENTS) return sql`json_array(${commaList(chunks)})`;
  throw new Error('a row of more than 900 values');
}

function scalar(attribute: ScalarAttribute, alias: string): SQL {
  const stored = storedExpression(attribute, alias);
  return attribute.type === 'biginteger' ? sql`cast(${stored} as text)` : stored;
}

/** A populated row: id, documentId, locale, its scalars, then what each key of its own populate needs. */
const rowValues = ({ attributes, populate }: Selection, scope: RowScope): readonly SQL[] => [
  columnOf(scope.alias, 'id'),
  columnOf(scope.alias, 'document_id'),
  columnOf(scope.alias, 'locale'),
  ...attributes.map((attribute) => scalar(attribute, scope.alias)),
  ...populateValues(populate, scope),
];

const viaOf = (node: Rows): Exclude<Via, { kind: 'component' }> => node;

/** The rows of a relation as a JSON list, or how many there are. */
function rows(node: Rows, scope: RowScope): SQL {
  const joined = joinOf(viaOf(node), scope);
  const where = node.where ? balanced([joined.where, compileCondition(node.where, joined.scope)], 'and') : joined.where;
  if (node.count) return sql`(select count(*) from ${joined.from} where ${where})`;
  const order = node.order.length > 0 ? compileOrder(node.order, joined.scope) : joined.order;
  const row = jsonRow(rowValues(node.selection, joined.scope as RowScope));
  if (!isDeep(scope))
    return sql`(
      select json_group_array(${row} order by ${order})
      from ${joined.from}
      where ${where}
    )`;
  return sql`(
    select json_group_array(json("row") order by "place")
    from (
      select ${row} as "row", row_number() over (order by ${order}) as "place"
      from ${joined.from}
      where ${where}
    )
  )`;
}

/**
 * SQLite adds up the depth of expressions inside one another and stops at 100; what stands in a FROM clause does not
 * count for what is around it. So from the fourth level on rows are made there, at the price of parsing their JSON once
 * more: ten levels fit into one statement.
 */
const isDeep = ({ depth }: RowScope): boolean => depth >= 3;

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
function references({ node, documentIds }: Extract<Inner, { kind: 'reference' }>, scope: RowScope): SQL {
  const { depth, target } = aliases(scope);
  const far = rowScope(node.target, target, depth) as RowScope;
  const terms = [sql`${columnOf(target, 'document_id')} in (${documentIds})`, isVersion(target, node.status)];
  if (node.where) terms.push(compileCondition(node.where, far));
  const order = node.order.length > 0 ? compileOrder(node.order, far) : columnOf(target, 'id');
  return sql`(
    select json_group_array(${jsonRow(rowValues(node.selection, far))} order by ${order})
    from ${identifier(node.target.table)} as ${identifier(target)}
    where ${balanced(terms, 'and')}
  )`;
}

function componentValues(
  node: Extract<Populate, { kind: 'component' | 'dynamiczone' }>,
  scope: RowScope,
): readonly SQL[] {
  const json = componentJson(node.attribute, scope);
  const inner = innerOf(node, json, aliases(scope).item);
  return [
    json,
    ...inner.map((each) => (each.kind === 'reference' ? references(each, scope) : instanceIds(each, scope))),
  ];
}

/**
 * Rows of a type that use a file, each behind the time since when, that of its publication for published versions,
 * which are made anew by each; and behind a 1 for each attribute that has the file.
 */
function use({ type, tables, attributes, drafts }: Use, scope: RowScope): SQL {
  const { depth, target, link } = aliases(scope);
  const far = rowScope(type, target, depth) as RowScope;
  const own = (name: string) => columnOf(target, name);
  const since = type.draftAndPublish
    ? sql`iif(${own('published_at')} is null, ${own('created_at')}, ${own('updated_at')})`
    : own('created_at');
  const named = sql`${columnOf(link, 'target_document_id')} = ${columnOf(scope.alias, 'document_id')}`;
  const linked = tables.map(({ name }) => sql`from ${identifier(name)} as ${identifier(link)} where ${named}`);
  const source = columnOf(link, 'source_id');
  const users = linked.map((links) => sql`${own('id')} in (select ${source} ${links})`);
  const marks = linked.map((links) => sql`exists (select 1 ${links} and ${source} = ${own('id')})`);
  const row = jsonRow([since, ...marks, ...rowValues({ attributes, populate: [] }, far)]);
  const published = drafts ? [] : [sql`${own('published_at')} is not null`];
  return sql`(
    select json_group_array(${row})
    from ${identifier(type.table)} as ${identifier(target)}
    where ${balanced([balanced(users, 'or'), ...published], 'and')}
  )`;
}

/** What the keys of a populate need, one after the other: one value each, for components others behind it. */
export function populateValues(populate: readonly Populate[], scope: RowScope): readonly SQL[] {
  return populate.flatMap((node) => {
    if (node.kind === 'related') return node.uses.map((each) => use(each, scope));
    return node.kind === 'component' || node.kind === 'dynamiczone'
      ? componentValues(node, scope)
      : [rows(node, scope)];
  });
}
