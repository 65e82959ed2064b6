/**
 * @module The schema of a database as SQLite has parsed it, so that differently written statements compare equal:
 * `"rating" desc` and `` `rating` DESC `` create the same index.
 */
import type { DatabaseSync } from 'node:sqlite';

type Row = Readonly<Record<string, unknown>>;

/** Not those of SQLite itself, and not those that keep a virtual table. */
const LIST = `(SELECT "name", "type", "wr", "strict" FROM pragma_table_list
  WHERE "schema" = 'main' AND "type" <> 'shadow' AND "name" NOT LIKE 'sqlite%') AS "table"`;
const TABLES = `SELECT "table".*, "sql" FROM ${LIST} JOIN sqlite_master AS "master" USING ("name")`;
const COLUMNS = `SELECT "table"."name" AS "table", "column"."name", upper("column"."type") AS "type", "notnull", "dflt_value",
  "pk", "hidden" FROM ${LIST} JOIN pragma_table_xinfo("table"."name") AS "column"`;
const INDEXES = `SELECT "name", "tbl_name" AS "table", "sql" FROM sqlite_master WHERE "type" = 'index' AND "sql" IS NOT NULL`;
const INDEX_COLUMNS = `SELECT "index"."name" AS "index", "column"."name", "desc", "coll"
  FROM sqlite_master AS "index" JOIN pragma_index_xinfo("index"."name") AS "column"
  WHERE "index"."type" = 'index' AND "key" = 1 ORDER BY "seqno"`;
const OTHERS = `SELECT "type", "name", "sql" FROM sqlite_master WHERE "type" IN ('trigger', 'view')`;

const TOKEN = /'(?:[^']|'')*'|[`"][^`"]*[`"]|\w+|[^\s\w]/g;

/** The tokens of a statement: without quotes around names, which renames change, and in one case, but for texts. */
const tokensOf = (sql: unknown): string =>
  Array.from(String(sql).matchAll(TOKEN), ([token]) =>
    token.startsWith("'") ? token : token.replaceAll(/[`"]/g, '').toLowerCase(),
  ).join(' ');

const tableOf = ({ type, wr, strict, sql }: Row): Row => ({
  ...{ type, wr, strict, counts: /\bautoincrement\b/i.test(String(sql)) },
  ...(type === 'virtual' && { made: tokensOf(sql) }),
});

/** SQLite keeps the text alone of the condition of a partial index. */
const indexOf = ({ table, sql }: Row, columns: readonly Row[] = []): Row => ({
  ...{ table, unique: /^create unique /i.test(String(sql)) },
  columns: columns.map(({ name, desc, coll }) => ({ name, desc, coll })),
  condition: / where (.*)$/.exec(tokensOf(sql))?.[1] ?? '',
});

/** The parts of a schema by name: `table articles`, `column articles.title`, `index articles_slug`, `trigger …`. */
export function schemaParts(database: DatabaseSync): ReadonlyMap<string, unknown> {
  const rowsOf = (sql: string): readonly Row[] => Array.from(database.prepare(sql).iterate(), (row) => ({ ...row }));
  const columns = Map.groupBy(rowsOf(INDEX_COLUMNS), ({ index }) => index);
  return new Map<string, unknown>([
    ...rowsOf(TABLES).map((row) => [`table ${row.name}`, tableOf(row)] as const),
    ...rowsOf(COLUMNS).map((row) => [`column ${row.table}.${row.name}`, row] as const),
    ...rowsOf(INDEXES).map((row) => [`index ${row.name}`, indexOf(row, columns.get(row.name))] as const),
    ...rowsOf(OTHERS).map(({ type, name, sql }) => [`${type} ${name}`, tokensOf(sql)] as const),
  ]);
}
