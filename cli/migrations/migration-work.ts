/**
 * @module The context of a migration that is being planned: statements, losses, and the tables after them.
 */
import { identifier, literal } from '../core/sql/sql-text.ts';
import type { Snapshot, TableSnapshot } from './drizzle-kit.ts';
import type { Layout } from './layout.ts';
import { indexedColumns } from './snapshot.ts';

/** A data loss: stored content that a change does not keep. */
export interface Loss {
  /** `article` or `article.subtitle`. */
  readonly subject: string;
  readonly reason: string;
  /** Statements that count the affected rows before the migration; their results are added. */
  readonly counts: readonly string[];
  /** The same for former versions of documents. */
  readonly versions?: string;
  /** Does the new form hold none of the values as they are, so that SQL by hand has to move them? */
  readonly byHand?: true;
}

/** The tables of a content model, and where they have its attributes. */
export interface SchemaState {
  readonly snapshot: Snapshot;
  readonly layout: Layout;
}

/** @param next the state after the migration */
export const newWork = (
  { snapshot, layout }: SchemaState,
  next: SchemaState,
  defaultLocale: string,
  isByHand = false,
) => ({
  /** Is what is not converted moved by hand? Otherwise it is emptied. */
  isByHand,
  statements: [] as string[],
  losses: [] as Loss[],
  /** Content that is kept in another form, or gets copies: no loss, but the reverse change does not restore it. */
  conversions: [] as Loss[],
  /** Statements for when all new tables are there, and all former ones still. */
  last: [] as string[],
  /** Statements for after the deployment, which remove what only the previous version reads, and their losses. */
  late: [] as string[],
  lateLosses: [] as Loss[],
  /** The tables and the layout after `statements`. */
  tables: structuredClone(snapshot.tables) as Record<string, TableSnapshot>,
  layout,
  former: layout,
  next: next.layout,
  nextTables: next.snapshot.tables as Readonly<Record<string, TableSnapshot>>,
  /** SQL literal: the locale that content belongs to when a type becomes localized. */
  locale: literal(defaultLocale),
  /** Names before the migration of tables and components that are renamed. */
  formerNames: new Map<string, string>(),
  /** Link tables whose source and target were exchanged. */
  turned: new Set<string>(),
  /** uids whose totals must be recounted. */
  recounts: new Set<string>(),
});

export type Work = ReturnType<typeof newWork>;

/** The types of both layouts; after `matchTypes` those of the same tables. */
export const keptTypes = ({ layout, next }: Work) =>
  Object.entries(next.types).flatMap(([uid, type]) => {
    const before = layout.types[uid];
    return before ? [{ uid, before, type }] : [];
  });

export type KeptType = ReturnType<typeof keptTypes>[number];

/** Notes that a change does not keep stored content. @param counts as in `Loss` */
export const lose = (work: Work, subject: string, reason: string, ...counts: readonly string[]): void =>
  void work.losses.push({ subject, reason, counts });

const BY_HAND = 'complete this migration by hand';

/**
 * A statement that fails until it is replaced by SQL that moves values.
 * @param subject as in `Loss` @param advice how
 */
export const openPlace = (subject: string, advice: string): string =>
  `-- ${subject}: ${advice}; replace the next line\nSELECT 1 FROM ${identifier(`${BY_HAND}: ${subject}`)}`;

/** Does a migration still have such a statement? */
export const isIncomplete = (text: string): boolean => text.includes(`FROM "${BY_HAND}: `);

/** Names before the migration, by those after it. */
export const formerTable = (work: Work, table: string): string => work.formerNames.get(table) ?? table;
export const formerComponent = (work: Work, uid: string): string => work.formerNames.get(`component ${uid}`) ?? uid;

export const countRows = (table: string, where = '1'): string =>
  `SELECT count(*) AS "rows" FROM ${identifier(table)} WHERE ${where}`;

/** A statement that counts the rows of a table before the migration. @param table its name after it. */
export const countOf = (work: Work, table: string, where = '1'): string => countRows(formerTable(work, table), where);

/** SQL for the version of a row. @param row the name of its table, quoted. */
export const statusOf = (row: string): string => `iif(${row}."published_at" IS NULL, 'draft', 'published')`;

export function tableOf(work: Work, name: string): TableSnapshot {
  const table = work.tables[name];
  if (!table) throw new Error(`drizzle/meta/: the snapshot has no table ${name}, but the layout names it`);
  return table;
}

/** Drops the indexes of a table that `matches`. Those that are still declared are created at the end of the migration. */
export function dropIndexes(work: Work, table: string, matches: (columns: readonly string[]) => boolean): void {
  const { indexes } = tableOf(work, table);
  for (const [name, index] of Object.entries<TableSnapshot['indexes'][string]>(indexes)) {
    if (!matches(indexedColumns(index.columns))) continue;
    work.statements.push(`DROP INDEX ${identifier(name)}`);
    delete indexes[name];
  }
}

/** Renames a table. SQLite keeps the names of its indexes, so they are dropped, and created under new names at the end. */
export function renameTable(work: Work, from: string, to: string): void {
  dropIndexes(work, from, () => true);
  const table = tableOf(work, from);
  const keys = Object.values<TableSnapshot['compositePrimaryKeys'][string]>(table.compositePrimaryKeys);
  const renamed = keys.map((key) => ({ ...key, name: key.name?.replace(from, to) ?? '' }));
  delete work.tables[from];
  work.formerNames.set(to, formerTable(work, from));
  work.tables[to] = {
    ...table,
    name: to,
    compositePrimaryKeys: Object.fromEntries(renamed.map((key) => [key.name, key])),
  };
  work.statements.push(`ALTER TABLE ${identifier(from)} RENAME TO ${identifier(to)}`);
}

export function renameColumn(work: Work, table: string, from: string, to: string): void {
  if (from === to) return;
  dropIndexes(work, table, (columns) => columns.includes(from));
  const { columns } = tableOf(work, table);
  const column = columns[from];
  if (column) columns[to] = { ...column, name: to };
  delete columns[from];
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
