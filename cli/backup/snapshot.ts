/**
 * @module Copies all rows of a database as of one moment. Tables are read page by page, to bound memory. Version
 * stamps (`content/sql/stamps.ts`) show which tables were written to meanwhile; those are read again, until a round meets no
 * write. Tables without stamps are read in the first round, and once more at the end, in one transaction with the stamps, as far
 * as memory allows.
 */
import { plural } from '../../src/common/plural.ts';

import type { Row } from '../../src/content/sql/statement.ts';
import type { ContentType, Registry } from '../../src/schema/model.ts';
import { EVERY_STAMP, HISTORY_TABLE, STAMP_TABLE, stampName } from '../../src/schema/names.ts';
import { ROLE_UID } from '../../src/schema/system-types.ts';
import { type Copies, openCopies } from '../core/sql/copies.ts';
import { D1_MIGRATIONS } from '../core/sql/database.ts';
import { identifier } from '../core/sql/sql-text.ts';
import { BATCH_SIZE, runBatch } from '../core/sql/statements.ts';
import { linkTablesOf } from '../core/sql/type-tables.ts';
import { UserError } from '../core/terminal.ts';
import { readSchemaEntries, SCHEMA_SQL, sortSchema } from './schema.ts';

const MAX_ROUNDS = 8;

const STAMPS_SQL = `select "stamps" from ${identifier(STAMP_TABLE)} where "id" = 1`;
const SEQUENCES_SQL = 'select "name", "seq" from sqlite_sequence';

/** Table → stamps of which a write to it rotates one; writes to tokens, sessions and roles rotate none. */
function stampedTables({ contentTypes }: Registry): ReadonlyMap<string, readonly string[]> {
  const types = [...contentTypes.values()].filter(({ uid }) => !uid.startsWith('admin::') && uid !== ROLE_UID);
  const stampsOf = ({ uid }: ContentType) => [EVERY_STAMP, stampName(uid, 'draft'), stampName(uid, 'published')];
  const tables = types.flatMap((type) =>
    [type.table, ...linkTablesOf(type).values()].map((table) => [table, stampsOf(type)] as const),
  );
  // A former version comes with the write that makes it.
  return new Map([...tables, [HISTORY_TABLE, types.flatMap(stampsOf)]]);
}

const stampsIn = (rows: readonly Row[] = []) => JSON.parse(String(rows[0]?.stamps ?? '{}')) as Record<string, string>;

/** Bytes of all tables that are read in one transaction. */
const MAX_BYTES = 8_000_000;

/** Returns the tables that are read in one transaction: the smallest ones, such as that of the stamps. */
function momentary(copies: Copies, tables: readonly string[]): readonly string[] {
  const sizes = tables.map((table) => ({ table, size: copies.bytes(table) })).toSorted((a, b) => a.size - b.size);
  let bytes = 0;
  const fitting = sizes.filter(({ size }) => {
    bytes += size;
    return bytes <= MAX_BYTES;
  });
  return fitting.slice(0, BATCH_SIZE - 3).map(({ table }) => table);
}

/**
 * Copies tables, again and again, until a round meets no write.
 * @param schema of the database.
 * @returns the sequences of its moment.
 */
async function readRounds(
  db: D1Database,
  copies: Copies,
  schema: object,
  stamped: ReadonlyMap<string, readonly string[]>,
) {
  const watched = copies.tables.filter((table) => stamped.has(table));
  const others = copies.tables.filter((table) => !stamped.has(table));
  let before = stampsIn((await runBatch(db, [STAMPS_SQL]))[0]);
  let due = watched;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    for (const table of round === 0 ? [...due, ...others] : due) await copies.read(table);
    // In one transaction, at the end of a round.
    const small = momentary(copies, others);
    const moment = await runBatch(db, [STAMPS_SQL, SCHEMA_SQL, SEQUENCES_SQL, ...small.map(copies.rowsSql)]);
    const [stamps, entries, sequences = [], ...rows] = moment;
    if (JSON.stringify(entries) !== JSON.stringify(schema))
      throw new UserError('No backup was made: the tables were changed meanwhile. Repeat the command');
    const after = stampsIn(stamps);
    due = watched.filter((table) => stamped.get(table)?.some((name) => before[name] !== after[name]));
    if (due.length === 0) {
      for (const [index, table] of small.entries()) copies.replace(table, rows[index] ?? []);
      return sequences;
    }
    before = after;
  }
  throw new UserError(
    `No backup was made: ${due.join(', ')} ${plural(due.length, 'was', 'were')} written to during each read. Repeat the command when less is written`,
  );
}

/**
 * Copies all tables as of one moment.
 * @throws UserError when writes never pause, and for tables that cannot be backed up.
 */
export async function readSnapshot(db: D1Database, registry: Registry, report: (rows: number) => void) {
  const entries = await readSchemaEntries(db);
  const { tables, virtual, rest } = sortSchema(entries);
  const foreign = virtual.find((table) => !rest.some(({ name }) => name === `${table}_insert`));
  if (foreign !== undefined)
    throw new UserError(`${foreign} is a virtual table that Edgewise did not make: it cannot be backed up`);
  if (tables.length === 0) throw new UserError('The database has no tables yet: npx edgewise migrate');
  for (const table of [STAMP_TABLE, D1_MIGRATIONS])
    if (!tables.includes(table)) throw new UserError('The database is not up to date: npx edgewise migrate');
  const copies = await openCopies(db, tables, report);
  const sequences = await readRounds(db, copies, entries, stampedTables(registry));
  return {
    copies,
    rest: rest.map(({ sql }) => sql),
    /** Table → the highest id that it has given. */
    sequences: Object.fromEntries(sequences.map(({ name, seq }) => [String(name), Number(seq)])),
  };
}
