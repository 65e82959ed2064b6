/**
 * @module All rows of a database as they are at one moment, in files. Rows are read page by page, since no answer may be
 * larger than memory; stamps (`sql/stamps.ts`) tell which tables were written to meanwhile, and those are read again,
 * until a whole round has met no write. Tables without stamps are read at the end, in one transaction with the stamps.
 */
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import type { ContentType, Registry } from '../../registry/model.ts';
import { EVERY_STAMP, linkTable, STAMP_TABLE } from '../../registry/names.ts';
import { ROLE_UID } from '../../registry/system-types.ts';
import { identifier } from '../migrations/sql-text.ts';
import { UserError } from '../terminal.ts';
import type { Manifest, Schema, TableNote } from './manifest.ts';
import { MIGRATION_TABLE, type Noted, partsOf, SCHEMA_SQL, schemaOf } from './schema.ts';

const ROUNDS = 8;
/** Rows of a page: as many as have about so many characters. */
const PAGE_CHARACTERS = 1_000_000;
const MOST_ROWS = 2_000;
const FIRST_ROWS = 50;

const STAMPS_SQL = `select "stamps" from ${identifier(STAMP_TABLE)} where "id" = 1`;
const SEQUENCES_SQL = 'select "name", "seq" from sqlite_sequence';
const MIGRATIONS_SQL = `select "name" from ${identifier(MIGRATION_TABLE)} order by "id"`;

type Row = Readonly<Record<string, unknown>>;
type Columns = readonly { readonly name: string; readonly type: string }[];

export interface Snapshot extends Pick<Manifest, 'migrations' | 'searches' | 'rest' | 'sequences'> {
  readonly tables: readonly TableNote[];
}

/** Tokens, sessions and roles are written without new stamps. */
const writesAlone = ({ uid }: ContentType): boolean => uid.startsWith('admin::') || uid === ROLE_UID;

/** By table: the content types of which a commit that writes to it gives new stamps. */
export function stampedTables({ contentTypes }: Registry): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, readonly string[]>();
  const links = ({ uid, table, attributes }: ContentType): void => {
    for (const attribute of attributes.values())
      if (attribute.kind === 'media' || (attribute.kind === 'relation' && attribute.owner))
        tables.set(linkTable(table, attribute.name), [uid]);
  };
  for (const type of contentTypes.values()) {
    if (writesAlone(type)) continue;
    tables.set(type.table, [type.uid]);
    links(type);
  }
  return tables;
}

/** Whole numbers of 64 bits are read as texts, which columns for numbers turn into numbers again. */
function selected(columns: Columns): string {
  const expression = ({ name, type }: Columns[number]): string => {
    const column = identifier(name);
    if (/^(text|real)$/i.test(type)) return column;
    return /int|num|dec|bool|date|time/i.test(type)
      ? `case typeof(${column}) when 'integer' then cast(${column} as text) else ${column} end as ${column}`
      : column;
  };
  return columns.map(expression).join(', ');
}

/** A row as a line of its file. @throws UserError for bytes, which JSON has no form for. */
function lineOf(row: Row, columns: Columns, table: string): string {
  const values = columns.map(({ name }) => row[name]);
  if (values.some((value) => value !== null && typeof value === 'object'))
    throw new UserError(`${table} has bytes in a column; they cannot be kept`);
  return JSON.stringify(values);
}

/** In the folder, and in the backup below `tables/`. */
export const fileName = (table: string): string => `${encodeURIComponent(table)}.jsonl`;

/** Where rows of a table go. */
function rowFile(folder: string, table: string, columns: Columns) {
  const stream = createWriteStream(join(folder, fileName(table)), { mode: 0o600 });
  let rows = 0;
  return {
    /** @returns how many characters it took. */
    async add(page: readonly Row[]): Promise<number> {
      const text = page.map((row) => `${lineOf(row, columns, table)}\n`).join('');
      rows += page.length;
      if (!stream.write(text)) await once(stream, 'drain');
      return text.length;
    },
    async close(): Promise<number> {
      stream.end();
      await finished(stream);
      return rows;
    },
  };
}

interface Reading {
  readonly db: D1Database;
  readonly folder: string;
  readonly columns: ReadonlyMap<string, Columns>;
  readonly told: (rows: number) => void;
}

async function readPages(table: string, { db, folder, columns, told }: Reading): Promise<number> {
  const own = columns.get(table) ?? [];
  const file = rowFile(folder, table, own);
  const sql = `select "rowid" as "$row", ${selected(own)} from ${identifier(table)} where "rowid" > ? order by "rowid" limit ?`;
  const statement = db.prepare(sql);
  let limit = FIRST_ROWS;
  for (let last: unknown = Number.MIN_SAFE_INTEGER; ; ) {
    const { results } = await statement.bind(last, limit).all<Row>();
    const characters = await file.add(results);
    told(results.length);
    if (results.length < limit) return file.close();
    last = results.at(-1)?.$row;
    const fitting = Math.floor((results.length * PAGE_CHARACTERS) / Math.max(characters, 1));
    limit = Math.min(Math.max(fitting, 1), MOST_ROWS);
  }
}

type Stamps = Readonly<Record<string, string>>;

function stampsIn(rows: readonly Row[] = []): Stamps {
  const text = rows[0]?.stamps;
  return typeof text === 'string' ? (JSON.parse(text) as Stamps) : {};
}

/** uids of which something was committed between; undefined: of any. */
function committed(before: Stamps, after: Stamps): ReadonlySet<string> | undefined {
  if (before[EVERY_STAMP] !== after[EVERY_STAMP]) return undefined;
  const names = [...Object.keys(before), ...Object.keys(after)].filter((name) => before[name] !== after[name]);
  return new Set(names.map((name) => name.slice(0, name.lastIndexOf(' '))));
}

async function columnsOf(db: D1Database, noted: readonly Noted[]): Promise<ReadonlyMap<string, Columns>> {
  const names = partsOf(noted).tables.map(({ name }) => name);
  if (names.length === 0) throw new UserError('The database has no tables yet: npm run migrate');
  const asked = names.map((name) => db.prepare('select "name", "type" from pragma_table_info(?)').bind(name));
  const answers = await db.batch<{ name: string; type: string }>(asked);
  return new Map(names.map((name, index) => [name, answers[index]?.results ?? []]));
}

/** What is read at the end of a round, in one transaction. */
interface Moment {
  readonly stamps: Stamps;
  readonly noted: readonly Noted[];
  readonly sequences: readonly Row[];
  readonly migrations: readonly Row[];
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

async function readMoment({ db, columns }: Reading, tables: readonly string[]): Promise<Moment> {
  const rows = tables.map(
    (table) => `select ${selected(columns.get(table) ?? [])} from ${identifier(table)} order by "rowid"`,
  );
  const asked = [STAMPS_SQL, SCHEMA_SQL, SEQUENCES_SQL, MIGRATIONS_SQL, ...rows];
  const answers = await db.batch<Row>(asked.map((sql) => db.prepare(sql)));
  const [stamps, noted, sequences, migrations, ...others] = answers.map(({ results }) => results);
  return {
    stamps: stampsIn(stamps),
    noted: (noted ?? []) as unknown as readonly Noted[],
    sequences: sequences ?? [],
    migrations: migrations ?? [],
    rows: new Map(tables.map((table, index) => [table, others[index] ?? []])),
  };
}

/** Reads until nothing was written in between. @returns the last moment, and how many rows the files have. */
async function settled(reading: Reading, noted: readonly Noted[], stamped: ReadonlyMap<string, readonly string[]>) {
  const watched = [...reading.columns.keys()].filter((table) => stamped.has(table));
  const others = [...reading.columns.keys()].filter((table) => !stamped.has(table));
  const counts = new Map<string, number>();
  const { results } = await reading.db.prepare(STAMPS_SQL).all<Row>();
  let before = stampsIn(results);
  let due: readonly string[] = watched;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const table of due) counts.set(table, await readPages(table, reading));
    const moment = await readMoment(reading, others);
    if (JSON.stringify(moment.noted) !== JSON.stringify(noted))
      throw new UserError('No backup was made: the tables were changed meanwhile. Repeat it');
    const uids = committed(before, moment.stamps);
    due = watched.filter((table) => !uids || stamped.get(table)?.some((uid) => uids.has(uid)));
    if (due.length === 0) return { moment, counts };
    before = moment.stamps;
  }
  throw new UserError(
    `No backup was made: ${due.join(', ')} ${due.length === 1 ? 'was' : 'were'} written to each time while being read. Repeat it when less is written`,
  );
}

/**
 * Reads all tables into `folder`.
 * @throws UserError where writes leave no time for it, and for what a backup cannot hold.
 */
export async function readSnapshot(
  db: D1Database,
  registry: Registry,
  folder: string,
  told: (rows: number) => void,
): Promise<Snapshot> {
  const noted = (await db.prepare(SCHEMA_SQL).all()).results as unknown as readonly Noted[];
  const columns = await columnsOf(db, noted);
  for (const table of [STAMP_TABLE, MIGRATION_TABLE])
    if (!columns.has(table)) throw new UserError('The database is not up to date: npm run migrate');
  const reading: Reading = { db, folder, columns, told };
  const { moment, counts } = await settled(reading, noted, stampedTables(registry));
  for (const [table, rows] of moment.rows) {
    const file = rowFile(folder, table, columns.get(table) ?? []);
    await file.add(rows);
    counts.set(table, await file.close());
  }
  const names = new Map([...columns].map(([table, own]) => [table, own.map(({ name }) => name)]));
  const schema: Schema = schemaOf(
    noted,
    names,
    moment.migrations.map(({ name }) => String(name)),
  );
  return {
    ...schema,
    tables: schema.tables.map((table) => ({
      ...table,
      file: `tables/${fileName(table.name)}`,
      rows: counts.get(table.name) ?? 0,
    })),
    sequences: moment.sequences
      .filter(({ name }) => columns.has(String(name)))
      .map(({ name, seq }) => [String(name), Number(seq)] as const),
  };
}
