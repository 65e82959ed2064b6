/**
 * @module Populate → expressions of one row: JSON lists of the rows of relations, and what components need.
 */
import { type SQL, sql } from 'drizzle-orm';
import { MAX_ARGUMENTS } from '../../../common/d1-limits.ts';
import { groupsOf } from '../../../common/groups.ts';
import { FIELDS } from '../../../schema/fields.ts';
import type { ScalarAttribute } from '../../../schema/model.ts';
import { isBlocks, isMixedNode, isUsage, selectionsOf } from '../../plan/model/node-kinds.ts';
import type {
  FileUsage,
  Populate,
  PopulatedBlocks,
  PopulatedRows,
  PopulatedTypes,
  Selection,
  SharedTargets,
} from '../../plan/model/read-plan.ts';
import { onceFor } from '../columns.ts';
import { balanced, columnOf, commaList, literal } from '../pieces.ts';
import { rendered } from '../render.ts';
import { componentJson, instanceScope, type RowScope, rowScope, type Scope, storedExpression } from '../scope.ts';
import { isVersion } from '../versions.ts';
import { ifFits } from './ceiling.ts';
import { compileCondition, compileOrder } from './conditions.ts';
import { type Instances, instancesOf } from './instances.ts';
import { aliases, joinOf, seenLinks, typedLinks } from './joins.ts';
import { linkedFrom } from './references.ts';
import { isLinkInSlice, type ScanLimit, slicedRows } from './slice.ts';
import { fileUsages } from './uses.ts';

const RANK = [sql`"place"`, sql`"tie"`];

const VALUES_PER_CALL = MAX_ARGUMENTS - 2;

const COMMA = sql`','`;

const NO_ROWS = sql`'[]'`;

/** `[[a, b, …], [c, …]]`: two levels for any number of values. */
export function jsonRow(values: readonly SQL[]): SQL {
  const groups = groupsOf(values, VALUES_PER_CALL).map((group) => sql`json_array(${commaList(group)})`);
  if (groups.length <= VALUES_PER_CALL) return sql`json_array(${commaList(groups)})`;
  const texts = groups.flatMap((group, index) => (index > 0 ? [COMMA, group] : [group]));
  return sql`json('[' || ${balanced(texts, '||')} || ']')`;
}

function scalar(attribute: ScalarAttribute, alias: string): SQL {
  const stored = storedExpression(attribute, alias);
  return FIELDS[attribute.type].exact ? sql`cast(${stored} as text)` : stored;
}

/** id, documentId, locale, scalars. */
export const ownValues = onceFor((attributes, alias): readonly SQL[] => [
  columnOf(alias, 'id'),
  columnOf(alias, 'document_id'),
  columnOf(alias, 'locale'),
  ...attributes.map((attribute) => scalar(attribute, alias)),
]);

/** The `jsonRow` of `ownValues`. */
export const plainRow = onceFor((attributes, alias) => rendered(jsonRow(ownValues(attributes, alias))));

/** The values of a row, then those of its populate. */
function populatedRow({ attributes, populate }: Selection, scope: RowScope, maxScannedRows: ScanLimit): SQL {
  if (populate.length === 0) return plainRow(attributes, scope.alias);
  return jsonRow([...ownValues(attributes, scope.alias), ...populateValues(populate, scope, maxScannedRows)]);
}

/** The rows of a relation as a JSON list, or their number. */
function listOrCount(node: PopulatedRows, scope: RowScope, maxScannedRows: ScanLimit): SQL {
  const slice = node.count ? undefined : node.slice;
  if (slice?.limit === 0) return NO_ROWS;
  const joined = slice ? slicedRows(node, slice, scope, maxScannedRows) : joinOf(node, scope, compileCondition);
  const shown = node.where && !slice && compileCondition(node.where, joined.scope);
  const filter = shown ? sql` filter (where ${shown})` : sql``;
  const bounded = (value: SQL) =>
    maxScannedRows === undefined || (!shown && !node.count) ? value : ifFits(sql`count(*) <= ${maxScannedRows}`, value);
  const some = sql`from ${joined.from} where ${joined.where}`;
  if (node.count) return sql`(select ${bounded(sql`count(*)${filter}`)} ${some})`;
  const order = node.order.length > 0 && !slice ? compileOrder(node.order, joined.scope) : commaList(joined.rank);
  const row = populatedRow(node.selection, joined.scope, maxScannedRows);
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

/**
 * The targets of a polymorphic relation as a JSON list, each after the index of its type, or their number. A target that is
 * not shown is null.
 */
function typedRows({ parts, only, count, slice }: PopulatedTypes, scope: RowScope, maxScannedRows: ScanLimit): SQL {
  const [first, ...others] = (only ?? parts).filter((part) => part.kind === 'link');
  if (!first) return count ? sql`0` : NO_ROWS;
  if (!count && slice?.limit === 0) return NO_ROWS;
  const links = [first, ...others] as const;
  const {
    from,
    where: all,
    rank,
    value,
  } = typedLinks(links, scope, compileCondition, (part, target) => {
    const index = literal(String(parts.indexOf(part)));
    const shown = count ? index : sql`json_array(${index}, ${populatedRow(part.selection, target, maxScannedRows)})`;
    return part.where ? sql`iif(${compileCondition(part.where, target)}, ${shown}, null)` : shown;
  });
  const where = slice && !count ? isLinkInSlice(links, slice, scope, maxScannedRows) : all;
  const isBounded = maxScannedRows !== undefined && (count || (!slice && links.some((part) => part.where)));
  const bounded = (list: SQL, seen: SQL) => (isBounded ? ifFits(sql`count(${seen}) <= ${maxScannedRows}`, list) : list);
  const seen = isBounded ? seenLinks(links, scope, compileCondition) : sql`1`;
  if (count) return sql`(select ${bounded(sql`count(${value})`, seen)} from ${from} where ${where})`;
  const columns = [
    ...rank.map((each, index) => sql`${each} as ${RANK[index]}`),
    sql`${value} as "row"`,
    ...(isBounded ? [sql`${seen} as "seen"`] : []),
  ];
  const entry = only ? sql`json_array(json("row"), ${commaList(RANK)})` : sql`json("row")`;
  return sql`(
    select ${bounded(sql`json_group_array(${entry} order by ${commaList(RANK)})`, sql`"seen"`)}
    from (select ${commaList(columns)} from ${from} where ${where})
  )`;
}

/** Returns the number of nested levels, including this one. */
const levelsOf = (node: Populate): number =>
  1 + Math.max(0, ...selectionsOf(node).flatMap(({ populate }) => populate.map(levelsOf)));

/** Levels that fit as nested expressions. */
const PLAIN_LEVELS = 4;

/**
 * SQLite limits the depth of nested expressions to 100; a FROM clause adds nothing. So deep populates build rows in FROM
 * clauses from the third level on, which parses their JSON once more: ten levels fit into one statement.
 */
const isDeep = (node: PopulatedRows, { depth }: RowScope): boolean =>
  depth >= 2 && (node.where !== undefined || depth + levelsOf(node) > PLAIN_LEVELS);

/** The ids of the instances to show, in order. */
function instanceIds({ where, order, lists, keys, json }: Instances, scope: Scope): SQL {
  const inner = instanceScope(json, scope);
  const isShown = where ? compileCondition(where, inner) : sql`1`;
  const id = sql`${json} ->> '$.id'`;
  if (lists.length === 0) return sql`iif(${isShown}, json_array(${id}), '[]')`;
  const by = order.length > 0 ? [compileOrder(order, inner), ...keys] : keys;
  return sql`(select json_group_array(${id} order by ${commaList(by)}) from ${commaList(lists)} where ${isShown})`;
}

/** The rows that instances link to: a superset, of which `document/` picks those of each instance. */
function sharedRows(
  { references: [{ target, status, visible, where, order }], selection }: SharedTargets,
  isLinked: SQL,
  scope: RowScope,
  maxScannedRows: ScanLimit,
): SQL {
  const { depth, target: alias } = aliases(scope);
  const inner = rowScope(target, alias, depth);
  const terms = [isLinked, isVersion(alias, status)];
  for (const condition of [visible, where]) if (condition) terms.push(compileCondition(condition, inner));
  const by = order.length > 0 ? compileOrder(order, inner) : columnOf(alias, 'id');
  return sql`(
    select json_group_array(${populatedRow(selection, inner, maxScannedRows)} order by ${by})
    from ${sql.identifier(target.table)} as ${sql.identifier(alias)}
    where ${balanced(terms, 'and')}
  )`;
}

function componentValues(node: PopulatedBlocks, scope: RowScope, maxScannedRows: ScanLimit): readonly SQL[] {
  const json = componentJson(node.attribute, scope);
  const { item, target } = aliases(scope);
  return [
    json,
    ...instancesOf(node, json, item).map((each) => instanceIds(each, scope)),
    ...linkedFrom(node, scope, target).map(([shared, isLinked]) => sharedRows(shared, isLinked, scope, maxScannedRows)),
  ];
}

/** The rows of a type that use a file: its time of creation, a 1 for each use, then its values. */
function usageRows(each: FileUsage, outer: RowScope): SQL {
  const { from, where, scope, marks } = fileUsages(each, outer);
  const own = (name: string) => columnOf(scope.alias, name);
  // Each publication rebuilds the published version, so it begins with its last update.
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

/** The values of each populated key: one, with a count two, or for components several. */
export function populateValues(
  populate: readonly Populate[],
  scope: RowScope,
  maxScannedRows: ScanLimit,
): readonly SQL[] {
  return populate.flatMap((node) => {
    if (isUsage(node)) return node.uses.map((each) => usageRows(each, scope));
    if (isBlocks(node)) return componentValues(node, scope, maxScannedRows);
    const value = (count: boolean) =>
      isMixedNode(node)
        ? typedRows({ ...node, count }, scope, maxScannedRows)
        : listOrCount({ ...node, count }, scope, maxScannedRows);
    return node.withCount ? [value(false), value(true)] : [value(node.count)];
  });
}
