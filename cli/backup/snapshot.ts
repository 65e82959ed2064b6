/**
 * @module Copies all rows of a database as of one moment. Tables are read page by page, to bound memory. Version
 * stamps (`sql/stamps.ts`) show which tables were written to meanwhile; those are read again, until a round meets no
 * write. Tables without stamps are read at the end, in one transaction with the stamps.
 */
import type { Registry } from '../../src/registry/model.ts';
import { EVERY_STAMP, STAMP_TABLE, stampName } from '../../src/registry/names.ts';
import { ROLE_UID } from '../../src/registry/system-types.ts';
import type { Row } from '../../src/sql/statement.ts';
import { type Copies, openCopies } from '../core/sql/copies.ts';
import { D1_MIGRATIONS, runBatch } from '../core/sql/database.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { linkTablesOf } from '../core/sql/type-tables.ts';
import { UserError } from '../core/terminal.ts';
import { readSchemaEntries, SCHEMA_SQL, type SchemaEntry, sortSchema } from './schema.ts';

const MAX_ROUNDS = 8;

const STAMPS_SQL = `select "stamps" from ${identifier(STAMP_TABLE)} where "id" = 1`;
const SEQUENCES_SQL = 'select "name", "seq" from sqlite_sequence';

/** Table → uid of the content type whose stamps a write to it rotates; writes to tokens, sessions and roles rotate none. */
const stampedTables = ({ contentTypes }: Registry): ReadonlyMap<string, string> =>
  new Map(
    [...contentTypes.values()]
      .filter(({ uid }) => !uid.startsWith('admin::') && uid !== ROLE_UID)
      .flatMap((type) => [type.table, ...linkTablesOf(type).values()].map((table) => [table, type.uid] as const)),
  );

const stampsFor = (uid = ''): readonly string[] => [EVERY_STAMP, stampName(uid, 'draft'), stampName(uid, 'published')];

type Stamps = Readonly<Record<string, string>>;

function stampsIn(rows: readonly Row[] = []): Stamps {
  const text = rows[0]?.stamps;
  return typeof text === 'string' ? (JSON.parse(text) as Stamps) : {};
}

/** Reads in one transaction, at the end of a round. */
async function readMoment(db: D1Database, { rowsSql }: Copies, tables: readonly string[]) {
  const statements = [STAMPS_SQL, SCHEMA_SQL, SEQUENCES_SQL, ...tables.map(rowsSql)];
  const [stamps, entries = [], sequences = [], ...others] = await runBatch(db, statements);
  return { stamps: stampsIn(stamps), entries, sequences, others };
}

/** Copies all tables, again and again, until a round meets no write. @returns its moment. */
async function readRounds(
  db: D1Database,
  copies: Copies,
  entries: readonly SchemaEntry[],
  stamped: ReadonlyMap<string, string>,
) {
  const watched = copies.tables.filter((table) => stamped.has(table));
  const others = copies.tables.filter((table) => !stamped.has(table));
  let before = stampsIn((await db.prepare(STAMPS_SQL).all<Row>()).results);
  let due: readonly string[] = watched;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    for (const table of due) await copies.read(table);
    const moment = await readMoment(db, copies, others);
    if (JSON.stringify(moment.entries) !== JSON.stringify(entries))
      throw new UserError('No backup was made: the tables were changed meanwhile. Repeat the command');
    due = watched.filter((table) => stampsFor(stamped.get(table)).some((name) => before[name] !== moment.stamps[name]));
    if (due.length === 0) {
      for (const [index, table] of others.entries()) copies.add(table, moment.others[index] ?? []);
      return moment;
    }
    before = moment.stamps;
  }
  throw new UserError(
    `No backup was made: ${due.join(', ')} ${due.length === 1 ? 'was' : 'were'} written to during each read. Repeat the command when less is written`,
  );
}

/**
 * Copies all tables as of one moment.
 * @throws UserError when writes never pause, and for tables that cannot be backed up.
 */
export async function readSnapshot(db: D1Database, registry: Registry, report: (rows: number) => void) {
  const entries = await readSchemaEntries(db);
  const { tables, virtual, rest } = sortSchema(entries);
  const names = tables.map(({ name }) => name);
  const foreign = virtual.find(({ name }) => !rest.some((entry) => entry.name === `${name}_insert`))?.name;
  if (foreign !== undefined)
    throw new UserError(`${foreign} is a virtual table that Edgewise did not make: it cannot be backed up`);
  if (names.length === 0) throw new UserError('The database has no tables yet: npm run migrate');
  for (const table of [STAMP_TABLE, D1_MIGRATIONS])
    if (!names.includes(table)) throw new UserError('The database is not up to date: npm run migrate');
  const copies = await openCopies(db, names, report);
  const { sequences } = await readRounds(db, copies, entries, stampedTables(registry));
  return {
    copies,
    rest: rest.map(({ sql }) => sql),
    /** Table → the highest id that it has given. */
    sequences: Object.fromEntries(sequences.map(({ name, seq }) => [String(name), Number(seq)])),
  };
}
