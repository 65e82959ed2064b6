/**
 * @module Reads all rows of a database as of one moment into files. Tables are read page by page, to bound memory. Version
 * stamps (`sql/stamps.ts`) show which tables were written to meanwhile; those are read again, until a round meets no
 * write. Tables without stamps are read at the end, in one transaction with the stamps.
 */
import type { Registry } from '../../registry/model.ts';
import { EVERY_STAMP, STAMP_TABLE } from '../../registry/names.ts';
import { ROLE_UID } from '../../registry/system-types.ts';
import type { Row } from '../../sql/statement.ts';
import { D1_MIGRATIONS, runBatch } from '../core/sql/database.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { linkTablesOf } from '../core/sql/type-tables.ts';
import { UserError } from '../core/terminal.ts';
import { type Columns, fileName, type Reading, readPages, rowFile, selected } from './row-files.ts';
import { partsOf, readEntries, SCHEMA_SQL, type SchemaEntry, schemaOf } from './schema.ts';

const MAX_ROUNDS = 8;

const STAMPS_SQL = `select "stamps" from ${identifier(STAMP_TABLE)} where "id" = 1`;
const SEQUENCES_SQL = 'select "name", "seq" from sqlite_sequence';
const MIGRATIONS_SQL = `select "name" from ${identifier(D1_MIGRATIONS)} order by "id"`;

/** Table → uid of the content type whose stamps a write to it rotates; writes to tokens, sessions and roles rotate none. */
const stampedTables = ({ contentTypes }: Registry): ReadonlyMap<string, string> =>
  new Map(
    [...contentTypes.values()]
      .filter(({ uid }) => !uid.startsWith('admin::') && uid !== ROLE_UID)
      .flatMap((type) => [type.table, ...linkTablesOf(type).values()].map((table) => [table, type.uid] as const)),
  );

type Stamps = Readonly<Record<string, string>>;

function stampsIn(rows: readonly Row[] = []): Stamps {
  const text = rows[0]?.stamps;
  return typeof text === 'string' ? (JSON.parse(text) as Stamps) : {};
}

/** Returns the uids that were written to between two reads; undefined for all. */
function writtenBetween(before: Stamps, after: Stamps): ReadonlySet<string> | undefined {
  if (before[EVERY_STAMP] !== after[EVERY_STAMP]) return undefined;
  const names = [...Object.keys(before), ...Object.keys(after)].filter((name) => before[name] !== after[name]);
  return new Set(names.map((name) => name.slice(0, name.lastIndexOf(' '))));
}

async function columnsOf(db: D1Database, entries: readonly SchemaEntry[]): Promise<ReadonlyMap<string, Columns>> {
  const names = partsOf(entries).tables.map(({ name }) => name);
  if (names.length === 0) throw new UserError('The database has no tables yet: npm run migrate');
  const found = await runBatch(
    db,
    names.map((name) => ({ sql: 'select "name", "type" from pragma_table_info(?)', params: [name] })),
  );
  return new Map(names.map((name, index) => [name, (found[index] ?? []) as unknown as Columns]));
}

/** Reads in one transaction, at the end of a round. */
async function readMoment({ db, columns }: Reading, tables: readonly string[]) {
  const rows = tables.map(
    (table) => `select ${selected(columns.get(table) ?? [])} from ${identifier(table)} order by "_rowid_"`,
  );
  const asked = [STAMPS_SQL, SCHEMA_SQL, SEQUENCES_SQL, MIGRATIONS_SQL, ...rows];
  const [stamps, entries = [], sequences = [], migrations = [], ...others] = await runBatch(db, asked);
  return {
    ...{ stamps: stampsIn(stamps), entries, sequences, migrations },
    rows: new Map(tables.map((table, index) => [table, others[index] ?? []])),
  };
}

/** Reads until a round meets no write. @returns the last moment, and the row count of each file. */
async function readRounds(reading: Reading, entries: readonly SchemaEntry[], stamped: ReadonlyMap<string, string>) {
  const watched = [...reading.columns.keys()].filter((table) => stamped.has(table));
  const others = [...reading.columns.keys()].filter((table) => !stamped.has(table));
  const counts = new Map<string, number>();
  let before = stampsIn((await reading.db.prepare(STAMPS_SQL).all<Row>()).results);
  let due: readonly string[] = watched;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    for (const table of due) counts.set(table, await readPages(table, reading));
    const moment = await readMoment(reading, others);
    if (JSON.stringify(moment.entries) !== JSON.stringify(entries))
      throw new UserError('No backup was made: the tables were changed meanwhile. Repeat the command');
    const uids = writtenBetween(before, moment.stamps);
    due = watched.filter((table) => !uids || uids.has(stamped.get(table) ?? ''));
    if (due.length === 0) return { moment, counts };
    before = moment.stamps;
  }
  throw new UserError(
    `No backup was made: ${due.join(', ')} ${due.length === 1 ? 'was' : 'were'} written to during each read. Repeat the command when less is written`,
  );
}

/**
 * Reads all tables into `folder`.
 * @throws UserError when writes never pause, and for tables that cannot be backed up.
 */
export async function readSnapshot(db: D1Database, registry: Registry, folder: string, report: Reading['report']) {
  const entries = await readEntries(db);
  const columns = await columnsOf(db, entries);
  for (const table of [STAMP_TABLE, D1_MIGRATIONS])
    if (!columns.has(table)) throw new UserError('The database is not up to date: npm run migrate');
  const reading: Reading = { db, folder, columns, report };
  const { moment, counts } = await readRounds(reading, entries, stampedTables(registry));
  for (const [table, rows] of moment.rows) {
    const file = rowFile(folder, table, columns.get(table) ?? []);
    await file.add(rows);
    counts.set(table, await file.close());
  }
  const { tables, rest } = schemaOf(entries);
  return {
    migrations: moment.migrations.map(({ name }) => String(name)),
    rest: rest.map(({ sql }) => sql),
    tables: tables.map(({ name }) => {
      const own = columns.get(name) ?? [];
      const types = { columns: own.map((column) => column.name), types: own.map(({ type }) => type) };
      return { name, ...types, file: `tables/${fileName(name)}`, rows: counts.get(name) ?? 0 };
    }),
    sequences: moment.sequences
      .filter(({ name }) => columns.has(String(name)))
      .map(({ name, seq }) => [String(name), Number(seq)] as const),
  };
}

export type Snapshot = Awaited<ReturnType<typeof readSnapshot>>;
