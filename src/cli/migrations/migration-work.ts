/**
 * @module The migration in the making: its statements so far, what they lose, and the tables as they leave them.
 */
import { OVERFLOW_COLUMN } from '../../registry/names.ts';
import { identifier } from '../core/sql/sql-text.ts';
import type { Layout } from './layout.ts';
import { indexedColumns, type Snapshot, type TableSnapshot } from './snapshot.ts';

/** Stored content that a change does not keep. */
export interface Loss {
  /** `article` or `article.subtitle`. */
  readonly subject: string;
  readonly reason: string;
  /** Statements that count, before the migration, the rows which hold what goes; the sum of them is the number. */
  readonly counts: readonly string[];
}

export interface Work {
  readonly statements: string[];
  readonly losses: Loss[];
  /** Content that they store in another form, or beside what it was: nothing is lost, but it is not what it was. */
  readonly conversions: Loss[];
  /** Statements that remove what only the version from before reads, and what they lose. */
  readonly late: string[];
  readonly lateLosses: Loss[];
  /** The tables after `statements`; steps keep it true. */
  readonly tables: Record<string, TableSnapshot>;
  layout: Layout;
  /** The layout before the migration. */
  readonly former: Layout;
  /** What is renamed was called otherwise before the migration; see `formerTable` and its like. */
  readonly formerNames: Map<string, string>;
  /** Link tables whose ends were the other way round before the migration. */
  readonly turned: Set<string>;
  /** uids whose totals are to be counted anew. */
  readonly recounts: Set<string>;
}

export function startWork(snapshot: Snapshot, layout: Layout): Work {
  return {
    statements: [],
    losses: [],
    conversions: [],
    late: [],
    lateLosses: [],
    tables: structuredClone(snapshot.tables),
    layout,
    former: layout,
    formerNames: new Map(),
    turned: new Set(),
    recounts: new Set(),
  };
}

/** Notes that a change does not keep stored content. @param counts as in `Loss` */
export const lose = (work: Work, subject: string, reason: string, ...counts: readonly string[]): void =>
  void work.losses.push({ subject, reason, counts });

/** What a table is called before the migration. */
export const formerTable = (work: Work, table: string): string => work.formerNames.get(table) ?? table;

/** What a column is called before the migration. */
export const formerColumn = (work: Work, table: string, column: string): string =>
  work.formerNames.get(`${table}.${column}`) ?? column;

/** What an attribute in the overflow column is called before the migration. */
export const formerKey = (work: Work, table: string, name: string): string =>
  work.formerNames.get(`${table}.${OVERFLOW_COLUMN}.${name}`) ?? name;

/** The uid that a component has before the migration. */
export const formerComponent = (work: Work, uid: string): string => work.formerNames.get(`component ${uid}`) ?? uid;

/** A statement that counts the rows of a table, by the name that the table has. @param where a condition on them. */
export const countRows = (table: string, where = '1'): string =>
  `SELECT count(*) AS "rows" FROM ${identifier(table)} WHERE ${where}`;

/** Counts the rows of a table as it was before the migration. @param table its name now. */
export const countOf = (work: Work, table: string, where = '1'): string => countRows(formerTable(work, table), where);

/** The version that a row is of. @param row the name of its table, quoted. */
export const statusOf = (row: string): string => `iif(${row}."published_at" IS NULL, 'draft', 'published')`;

/** The table as the statements so far leave it. */
export function tableOf(work: Work, name: string): TableSnapshot {
  const table = work.tables[name];
  if (!table) throw new Error(`drizzle/meta/: the snapshot has no table ${name}, but the layout names it`);
  return table;
}

/** Drops the indexes of a table that `matches`; the last step of a migration makes those that are still wanted. */
export function dropIndexes(work: Work, table: string, matches: (columns: readonly string[]) => boolean): void {
  const { indexes } = tableOf(work, table);
  for (const [name, index] of Object.entries<TableSnapshot['indexes'][string]>(indexes)) {
    if (!matches(indexedColumns(index.columns))) continue;
    work.statements.push(`DROP INDEX ${identifier(name)}`);
    delete indexes[name];
  }
}

/** Renames a table. The names of indexes do not follow in SQLite, so they go and come back under new ones. */
export function renameTable(work: Work, from: string, to: string): void {
  dropIndexes(work, from, () => true);
  const table = tableOf(work, from);
  const keys = Object.entries<TableSnapshot['compositePrimaryKeys'][string]>(table.compositePrimaryKeys).map(
    ([name, key]) => {
      const renamed = name.replace(from, to);
      return [renamed, { ...key, name: renamed }] as const;
    },
  );
  delete work.tables[from];
  work.formerNames.set(to, formerTable(work, from));
  work.tables[to] = { ...table, name: to, compositePrimaryKeys: Object.fromEntries(keys) };
  work.statements.push(`ALTER TABLE ${identifier(from)} RENAME TO ${identifier(to)}`);
}

export function renameColumn(work: Work, table: string, from: string, to: string): void {
  if (from === to) return;
  dropIndexes(work, table, (columns) => columns.includes(from));
  const { columns } = tableOf(work, table);
  const column = columns[from];
  if (column) columns[to] = { ...column, name: to };
  delete columns[from];
  work.formerNames.set(`${table}.${to}`, formerColumn(work, table, from));
  work.statements.push(`ALTER TABLE ${identifier(table)} RENAME COLUMN ${identifier(from)} TO ${identifier(to)}`);
}

export function addColumn(work: Work, table: string, name: string, type: string): void {
  tableOf(work, table).columns[name] = { name, type, primaryKey: false, notNull: false, autoincrement: false };
  work.statements.push(`ALTER TABLE ${identifier(table)} ADD ${identifier(name)} ${type}`);
}

export function dropColumn(work: Work, table: string, name: string): void {
  dropIndexes(work, table, (columns) => columns.includes(name));
  delete tableOf(work, table).columns[name];
  work.statements.push(`ALTER TABLE ${identifier(table)} DROP COLUMN ${identifier(name)}`);
}
