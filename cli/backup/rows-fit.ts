/**
 * @module Checks that the rows of a backup have a place in the tables that the project makes, before the first is written.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { copiesIn } from '../core/sql/copies.ts';
import { columnList } from '../core/sql/row-lists.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { D1_LIMITS } from '../core/sql/sqlite.ts';
import { UserError } from '../core/terminal.ts';

/** Columns whose values, together, no two rows have. */
interface UniqueKey {
  readonly columns: readonly string[];
  /** Condition of its rows; empty: of all. */
  readonly where: string;
}

/** What a table requires of its rows. */
export interface TableRules {
  readonly table: string;
  readonly required: readonly string[];
  /** The numeric id, which has another form as a text. */
  readonly ids: readonly string[];
  readonly unique: readonly UniqueKey[];
}

const KEYS = `
  select "name", coalesce((select "sql" from sqlite_master where "name" = "list"."name"), '') as "sql"
  from pragma_index_list(?) as "list" where "unique" = 1`;

/** Reads what a table of the project requires. */
function rulesOf(db: DatabaseSync, table: string): TableRules {
  const columns = db.prepare('select * from pragma_table_info(?)').all(table);
  const namesOf = (some: typeof columns) => some.map(({ name }) => String(name));
  const primary = columns.filter(({ pk }) => pk);
  const ids = primary.length === 1 ? namesOf(primary.filter(({ type }) => /^integer$/i.test(String(type)))) : [];
  const unique = db
    .prepare(KEYS)
    .all(table)
    .map(({ name, sql }) => ({
      columns: namesOf(db.prepare('select "name" from pragma_index_info(?)').all(String(name))),
      where: /\swhere\s+(.*)$/is.exec(String(sql))?.[1] ?? '',
    }));
  return {
    ...{ table, ids, required: namesOf(columns.filter(({ notnull }) => notnull)) },
    unique: [...unique, ...ids.map((id) => ({ columns: [id], where: '' }))],
  };
}

export const tableRules = (db: DatabaseSync, tables: readonly string[]): readonly TableRules[] =>
  tables.map((table) => rulesOf(db, table));

/** What may be wrong with a value, in the order of the numbers that a statement returns. */
const PROBLEMS = [
  'has bytes in a row, which cannot be backed up or restored',
  'has a value of more than 2 MB, which D1 does not store',
  'lacks a value in a row, which the project requires',
  'has a text in a row, where the project has a number',
];

type Rows = ReturnType<typeof copiesIn>;

/** Returns what is wrong with a value of a table. */
function problemOfValue({ db, columnsIn }: Rows, { table, required, ids }: TableRules): string | undefined {
  const names = columnsIn(table).map(([name]) => name);
  const worst = names.map((name) => {
    const column = identifier(name);
    const isMissing = required.includes(name) ? `${column} is null or ${column} in (9e999, -9e999)` : '0';
    const isText = ids.includes(name) ? `typeof(${column}) <> 'integer'` : '0';
    return `max(case when typeof(${column}) = 'blob' then 1 when octet_length(${column}) > ${D1_LIMITS.length} then 2
      when ${isMissing} then 3 when ${isText} then 4 else 0 end) as ${column}`;
  });
  const found = db.prepare(`select ${worst.join(', ')} from ${identifier(table)}`).get() ?? {};
  const name = names.find((each) => Number(found[each]) > 0);
  return name === undefined ? undefined : `${table}.${name} ${PROBLEMS[Number(found[name]) - 1]}`;
}

/** Returns which rows of a table are the same by a key. */
function problemOfKeys({ db }: Rows, { table, unique }: TableRules): string | undefined {
  const twice = unique.find(({ columns, where }) => {
    const conditions = [...columns.map((name) => `${identifier(name)} is not null`), ...(where ? [`(${where})`] : [])];
    const names = columnList(columns);
    const sql = `select 1 from ${identifier(table)} where ${conditions.join(' and ')} group by ${names} having count(*) > 1 limit 1`;
    return db.prepare(sql).get() !== undefined;
  });
  return twice && `${table} has two rows with the same ${twice.columns.join(', ')}`;
}

/** @param path of the backup @throws UserError that names the table of the first row without a place */
export function assertRows(rows: Rows, rules: readonly TableRules[], path: string): void {
  for (const each of rules) {
    const problem = problemOfValue(rows, each) ?? problemOfKeys(rows, each);
    if (problem !== undefined) throw new UserError(`${path}: ${problem}. Nothing was changed`);
  }
}
