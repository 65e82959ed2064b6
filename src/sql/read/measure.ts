/**
 * @module The rows of an answer, level by level, counted and weighed before any of them is read in full.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { Populate, PopulatedBlocks, ReadPlan, Selection } from '../../plan/model/read-plan.ts';
import { balanced, columnOf, commaList, integer } from '../pieces.ts';
import { componentJson, type RowScope, rowScope } from '../scope.ts';
import { isVersion } from '../versions.ts';
import { bytesOf, fitting } from './ceiling.ts';
import { compileCondition } from './conditions.ts';
import { aliases, joinOf } from './joins.ts';
import { jsonRow } from './populate.ts';
import { innerReferences, isBlocks } from './references.ts';
import { usersOf } from './uses.ts';

/** Rows of one level: where they come from, seen from a row above them, and what is shown of them. */
interface Level {
  readonly scope: RowScope;
  readonly from: SQL;
  readonly where: SQL;
  /** Rows that do not meet it are looked at all the same. */
  readonly shown?: SQL;
  readonly selection: Selection;
  readonly copies: number;
}

/** Only how many there are. */
const NOTHING: Selection = { attributes: [], populate: [] };

function blockLevels(node: PopulatedBlocks, scope: RowScope): Level[] {
  const { depth, target: alias, item } = aliases(scope);
  return innerReferences(node, componentJson(node.attribute, scope), item).map(({ node: inner, lists, documentId }) => {
    const far = rowScope(inner.target, alias, depth);
    return {
      scope: far,
      from: sql`${lists} join ${sql.identifier(inner.target.table)} as ${sql.identifier(alias)}
        on ${columnOf(alias, 'document_id')} = (${documentId}) and ${isVersion(alias, inner.status)}`,
      where: sql`1`,
      ...(inner.where && { shown: compileCondition(inner.where, far) }),
      selection: inner.selection,
      copies: 1,
    };
  });
}

function levelsOf(node: Populate, scope: RowScope): readonly Level[] {
  if (isBlocks(node)) return blockLevels(node, scope);
  if (node.kind === 'related')
    return node.uses.map((use) => {
      const users = usersOf(use, scope);
      const selection = { attributes: use.attributes, populate: [] };
      return { scope: users.scope, from: users.from, where: users.where, selection, copies: use.tables.length };
    });
  const joined = joinOf(node, scope);
  const far = joined.scope;
  const shown = node.where && { shown: compileCondition(node.where, far) };
  const selection = node.count ? NOTHING : node.selection;
  return [{ scope: far, from: joined.from, where: joined.where, ...shown, selection, copies: 1 }];
}

/** What the levels below go by, then what a row weighs, and whether it is shown. */
function columnsOf({ scope, selection, shown, copies }: Pick<Level, 'scope' | 'selection' | 'shown' | 'copies'>): SQL {
  const blocks = selection.populate.filter(isBlocks).map(({ attribute }) => attribute.column);
  const keys = [...new Set(['id', 'document_id', 'locale', ...blocks])].map((name) => columnOf(scope.alias, name));
  const bytes = sql`${bytesOf(selection, scope.alias)} * ${copies} as "$bytes"`;
  return commaList([...keys, bytes, sql`${shown ?? sql`1`} as "$shown"`]);
}

/** One common table expression for each level; none has more rows than the answer may, and one. */
function compileLevels(plan: ReadPlan, page: SQL): readonly SQL[] {
  const most = integer(plan.ceiling.rows + 1);
  const root = rowScope(plan.type);
  const queries = [sql`select ${columnsOf({ scope: root, selection: plan.selection, copies: 1 })} ${page}`];
  const below = (name: SQL, { scope, selection }: Pick<Level, 'scope' | 'selection'>): void => {
    for (const level of selection.populate.flatMap((node) => levelsOf(node, scope))) {
      const above = sql`${name} as ${sql.identifier(scope.alias)}`;
      const where = balanced([columnOf(scope.alias, '$shown'), level.where], 'and');
      const own = levelName(queries.length);
      queries.push(sql`select ${columnsOf(level)} from ${above} cross join ${level.from} where ${where} limit ${most}`);
      below(own, level);
    }
  };
  below(levelName(0), { scope: root, selection: plan.selection });
  return queries;
}

const levelName = (index: number): SQL => sql`${sql.identifier(`$n${index}`)}`;

/**
 * An expression that is 1, or fails where the answer is too large; to be evaluated once.
 * @param page the rows of the plan: everything from `from` on.
 */
export function compileMeasure(plan: ReadPlan, page: SQL): SQL {
  const { ceiling, selection, type } = plan;
  if (selection.populate.length === 0) {
    const row = sql`select ${bytesOf(selection, type.table)} as "$bytes" ${page}`;
    return sql`(select ${fitting(ceiling, sql`count(*)`, sql`total("$bytes")`)} from (${row}))`;
  }
  const queries = compileLevels(plan, page);
  const levels = queries.map((query, index) => sql`${levelName(index)} as materialized (${query})`);
  const sums = queries.map(
    (_, index) => sql`(select json_array(count(*), total("$bytes" * "$shown")) from ${levelName(index)})`,
  );
  const total = (place: SQL) => sql`total("$sum"."value" ->> ${place})`;
  return sql`(
    with ${commaList(levels)}
    select ${fitting(ceiling, total(sql`'$[0]'`), total(sql`'$[1]'`))}
    from json_each(${jsonRow(sums)}) as "$sums", json_each("$sums"."value") as "$sum"
  )`;
}
