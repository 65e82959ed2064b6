/**
 * @module The facets of a list: its rows are found once, then counted by each attribute.
 */
import { type SQL, sql } from 'drizzle-orm';
import { type JsonObject, readList } from '../../../common/json.ts';
import { FIELDS } from '../../../schema/fields.ts';
import type { Facet, ReadPlan } from '../../plan/model/read-plan.ts';
import { type Compiled, constant } from '../compiled.ts';
import { columnOf, commaList, withTables } from '../pieces.ts';
import { toStatement } from '../render.ts';
import { comparable, rowScope } from '../scope.ts';
import { fitting, type ValueStatement } from '../statement.ts';
import { compileCondition } from './conditions.ts';
import { joinOf } from './joins.ts';
import { compileWhere } from './page-rows.ts';
import { searchTables } from './search-index.ts';

const MATCH = '$match';

/** What links and values need of a row. */
const COLUMNS = ['id', 'document_id', 'locale', 'published_at'];

/** Ten of the values, the most frequent first, each with its number of rows: `[["essay", 12]]`. Longer texts have no place. */
function largest({ attribute, step }: Facet, { type }: ReadPlan, index: number): SQL {
  const joined = step && joinOf(step, rowScope(type, MATCH), compileCondition);
  const value = joined ? comparable(attribute, joined.scope) : columnOf(MATCH, `$${index}`);
  // A cross join keeps SQLite from walking all links first.
  const from = joined ? sql` cross join ${joined.from} where ${joined.where} and` : sql` where`;
  const count = joined ? sql`distinct ${columnOf(MATCH, 'id')}` : sql`*`;
  return sql`(select json_group_array(json_array("value", "count")) from (
    select ${value} as "value", count(${count}) as "count"
    from ${sql.identifier(MATCH)}${from} length(${value}) < 256
    group by 1 order by 2 desc, 1 limit 10
  ))`;
}

function statementOf(plan: ReadPlan, facets: readonly Facet[]): ValueStatement {
  const { table } = plan.type;
  const row = rowScope(plan.type);
  const values = facets.flatMap(({ attribute, step }, index) =>
    step ? [] : [sql`${comparable(attribute, row)} as ${sql.identifier(`$${index}`)}`],
  );
  const column = `facets ${facets[0]?.name}`;
  // SQLite materializes the rows where several facets count them.
  const match = sql`${sql.identifier(MATCH)} as (
    select ${commaList([...COLUMNS.map((name) => columnOf(table, name)), ...values])}
    from ${sql.identifier(table)}
    where ${compileWhere(plan)}
  )`;
  const lists = sql`json_array(${commaList(facets.map((facet, index) => largest(facet, plan, index)))})`;
  const tables = [...searchTables(plan.where), match];
  const statement = toStatement(withTables(tables, sql`select ${lists} as ${sql.identifier(column)}`));
  return { ...statement, kind: 'value', columns: [column], unguarded: false };
}

function shownFacet({ attribute, step }: Facet, rows: unknown): readonly JsonObject[] {
  const { read } = FIELDS[attribute.type];
  return readList(rows).map((row) => {
    const [value, count] = readList(row);
    return step ? { documentId: value, count } : { value: read(value), count };
  });
}

/** Reads the facets of a plan, by name. */
export function compileFacets(plan: ReadPlan): Compiled<{ readonly facets?: JsonObject }> {
  const { facets } = plan;
  if (!facets) return constant({});
  const statements = fitting(facets, (some) => statementOf(plan, some));
  return {
    statements,
    decode(results) {
      const lists = statements.flatMap(({ columns: [column] }, index) => readList(results[index]?.[0]?.[column]));
      return {
        facets: Object.fromEntries(facets.map((facet, index) => [facet.name, shownFacet(facet, lists[index])])),
      };
    },
  };
}
