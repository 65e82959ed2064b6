/**
 * @module Counts and weighs the rows of a response, level by level, before any of them is read in full.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Slice } from '../../../common/slice.ts';
import { isBlocks, isMixedNode, isUsage } from '../../plan/model/node-kinds.ts';
import type {
  Populate,
  PopulatedBlocks,
  PopulatedRows,
  PopulatedTypes,
  ReadPlan,
  Selection,
} from '../../plan/model/read-plan.ts';
import { balanced, columnOf, commaList, integer, withTables } from '../pieces.ts';
import { type RowScope, rowScope } from '../scope.ts';
import { isVersion } from '../versions.ts';
import { assertCeiling, bytesOf, readsMore } from './ceiling.ts';
import { compileCondition } from './conditions.ts';
import { aliases, type Joined, joinOf, typedLinks } from './joins.ts';
import { jsonRow } from './populate.ts';
import { linkedFrom } from './references.ts';
import { searchTables } from './search-index.ts';
import { isLinkInSlice, rowsInSlice } from './slice.ts';
import { fileUsages } from './uses.ts';

/** The rows of one level, joined to the rows above. */
interface Level {
  readonly scope: RowScope;
  readonly from: SQL;
  readonly where: SQL;
  /** Counted but not shown are rows that do not meet it. */
  readonly shown?: SQL;
  readonly selection: Selection;
  readonly copies: number;
  /** In place of the bytes of the selection; null for a row that does not count. */
  readonly bytes?: SQL;
  /** The rows among which the levels behind it have a slice: they count, but weigh nothing and lead to nothing. */
  readonly isSought?: true;
}

const NOTHING: Selection = { attributes: [], populate: [] };

function blockLevels(node: PopulatedBlocks, scope: RowScope): readonly Level[] {
  const { depth, target: alias } = aliases(scope);
  return linkedFrom(node, scope, alias).map(([{ references, selection }, isLinked]) => {
    const [{ target, status, where, visible }] = references;
    const inner = rowScope(target, alias, depth);
    const terms = [isLinked, isVersion(alias, status), ...(visible ? [compileCondition(visible, inner)] : [])];
    return {
      scope: inner,
      from: sql`${sql.identifier(target.table)} as ${sql.identifier(alias)}`,
      where: balanced(terms, 'and'),
      ...(where && { shown: compileCondition(where, inner) }),
      selection,
      copies: 1,
    };
  });
}

/** The targets of a polymorphic relation: those without a populate are one level. */
function typedLevels(node: PopulatedTypes, scope: RowScope): readonly Level[] {
  const links = linksOf(node);
  const isDeep = ({ selection }: (typeof links)[number]) => selection.populate.length > 0;
  const levels = links.filter(isDeep).flatMap((part) => levelsOf(part, scope));
  const [first, ...others] = links.filter((part) => !isDeep(part));
  if (!first) return levels;
  const { from, where, value } = typedLinks([first, ...others], scope, compileCondition, (part, target) => {
    const bytes = bytesOf(node.count ? NOTHING : part.selection, target.alias);
    return part.where ? sql`iif(${compileCondition(part.where, target)}, ${bytes}, 0)` : bytes;
  });
  return [...levels, { scope, from, where, bytes: value, selection: NOTHING, copies: 1 }];
}

const linksOf = ({ parts, only }: PopulatedTypes) => (only ?? parts).filter((part) => part.kind === 'link');

/** Adds the rows among which a slice is sought, or which are counted beside it, if there may be more than it has. */
function inSought(node: PopulatedRows | PopulatedTypes, all: Level, levels: readonly Level[]): readonly Level[] {
  const isEmpty = node.slice?.limit === 0;
  const shown = isEmpty ? [] : levels;
  return (isEmpty ? node.withCount : readsMore(node)) ? [{ ...all, isSought: true }, ...shown] : shown;
}

/** The targets in a slice of a polymorphic relation. */
function typedSlice(node: PopulatedTypes, slice: Slice, scope: RowScope): readonly Level[] {
  const [first, ...others] = linksOf(node);
  if (!first) return [];
  const links = [first, ...others] as const;
  const where = isLinkInSlice(links, slice, scope, undefined);
  const levels = typedLevels(node, scope).map((level) => ({ ...level, where }));
  const { value, ...all } = typedLinks(links, scope, compileCondition, () => sql`0`);
  return inSought(node, { ...all, scope, bytes: value, selection: NOTHING, copies: 1 }, levels);
}

/** The rows in a slice. */
function sliceLevels(node: PopulatedRows, slice: Slice, all: Joined, scope: RowScope): readonly Level[] {
  const level = { ...rowsInSlice(node, slice, scope), selection: node.selection, copies: 1 };
  return inSought(node, { ...all, bytes: sql`0`, selection: NOTHING, copies: 1 }, [level]);
}

function levelsOf(node: Populate, scope: RowScope): readonly Level[] {
  if (isBlocks(node)) return blockLevels(node, scope);
  if (isUsage(node))
    return node.uses.map((use) => {
      const selection = { attributes: use.attributes, populate: [] };
      return { ...fileUsages(use, scope), selection, copies: use.tables.length };
    });
  const { slice } = node;
  if (isMixedNode(node)) return slice ? typedSlice(node, slice, scope) : typedLevels(node, scope);
  const joined = joinOf(node, scope, compileCondition);
  if (slice) return sliceLevels(node, slice, joined, scope);
  const shown = node.where && { shown: compileCondition(node.where, joined.scope) };
  return [{ ...joined, ...shown, selection: node.count ? NOTHING : node.selection, copies: 1 }];
}

/** The columns that levels below join by, then the bytes of a row, and whether it is shown. */
function columnsOf({ scope, selection, shown, copies, bytes: own }: Omit<Level, 'from' | 'where'>): SQL {
  if (own) return sql`${own} as "$bytes", 1 as "$shown"`;
  const blocks = selection.populate.filter(isBlocks).map(({ attribute }) => attribute.column);
  const keys = [...new Set(['id', 'document_id', 'locale', ...blocks])].map((name) => columnOf(scope.alias, name));
  const bytes = sql`${bytesOf(selection, scope.alias)} * ${copies} as "$bytes"`;
  return commaList([...keys, bytes, sql`${shown ?? sql`1`} as "$shown"`]);
}

interface LevelQuery {
  readonly rows: SQL;
  readonly isCounted: boolean;
}

/** Returns a query for each level, which stops one row beyond the limit of the response. */
function compileLevels(plan: ReadPlan, page: SQL): readonly LevelQuery[] {
  const max = integer(plan.ceiling.rows + 1);
  const root = { scope: rowScope(plan.type), selection: plan.selection, copies: 1 };
  const queries = [{ rows: sql`select ${columnsOf(root)} ${page}`, isCounted: true }];
  const levelBelow = (level: Level, name: SQL, { scope }: Pick<Level, 'scope'>, isSlice: readonly SQL[]): SQL => {
    const above = sql`${name} as ${sql.identifier(scope.alias)}`;
    const where = balanced([columnOf(scope.alias, '$shown'), ...isSlice, level.where], 'and');
    const own = levelName(queries.length);
    const rows = sql`select ${columnsOf(level)} from ${above} cross join ${level.from} where ${where}`;
    const counted = level.bytes ? sql`select * from (${rows}) where "$bytes" is not null` : rows;
    queries.push({ rows: sql`${counted} limit ${max}`, isCounted: isSlice.length === 0 });
    return own;
  };
  const below = (name: SQL, from: Pick<Level, 'scope' | 'selection'>): void => {
    for (const node of from.selection.populate) {
      // Beyond the limit no slice is sought.
      let isSlice: readonly SQL[] = [];
      for (const level of levelsOf(node, from.scope)) {
        const own = levelBelow(level, name, from, isSlice);
        if (level.isSought) isSlice = [sql`(select count(*) from ${own}) < ${max}`];
        below(own, level);
      }
    }
  };
  below(levelName(0), root);
  return queries;
}

const levelName = (index: number): SQL => sql`${sql.identifier(`$n${index}`)}`;

/** Returns a query that fails if the response is too large. @param page SQL from `from` on */
export function compileMeasure(plan: ReadPlan, page: SQL): SQL {
  const queries = compileLevels(plan, page);
  const levels = queries.map(({ rows }, index) => sql`${levelName(index)} as materialized (${rows})`);
  const sums = queries.map(({ isCounted }, index) => {
    const count = isCounted ? sql`count("$bytes")` : sql`0`;
    return sql`(select json_array(${count}, total("$bytes" * "$shown")) from ${levelName(index)})`;
  });
  const total = (path: SQL) => sql`total("$sum"."value" ->> ${path})`;
  return withTables(
    [...searchTables(plan.where), ...levels],
    sql`
    select ${assertCeiling(plan.ceiling, total(sql`'$[0]'`), total(sql`'$[1]'`))}
    from json_each(${jsonRow(sums)}) as "$sums", json_each("$sums"."value") as "$sum"`,
  );
}
