/**
 * @module Each change of an attribute, with each way of indexing it (one of them in the short tier), on a database with content.
 */
import { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { diffSchemas, EMPTY_STATE, stateOf } from '../../../cli/migrations/migration.ts';
import { type Migration, nextMigrations } from '../../../cli/migrations/migration-files.ts';
import type { Loss, SchemaState } from '../../../cli/migrations/migration-work.ts';
import { parseRenames, resolveRenames } from '../../../cli/migrations/rename-options.ts';
import { schemaParts } from '../../../cli/migrations/replay.ts';
import { MAX_COLUMNS } from '../../../src/common/d1-limits.ts';
import { FIELDS } from '../../../src/schema/fields.ts';
import type { Registry } from '../../../src/schema/model.ts';
import {
  ALL_INDEXINGS,
  ATTRIBUTE_CHANGES,
  type Indexing,
  isPlayedWith,
  withIndexing,
} from '../../support/attribute-changes.ts';
import type { Change } from '../../support/changes/change.ts';
import type { Expected, Model } from '../../support/changes/content.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { contentType } from '../../support/schema-files.ts';
import { databaseOver } from '../../support/sqlite-storage.ts';
import { oneIn } from '../../support/tier.ts';
import { registryAfter } from './content-model.ts';

/**
 * Names that SQLite does not find it may read as texts, as on D1: what a statement counts then is wrong. And a table has as
 * many columns as there, at any time.
 */
const openDatabase = () =>
  new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true, limits: { column: MAX_COLUMNS } });

/** As read back from drizzle/meta/. */
const readBack = (state: SchemaState): SchemaState => JSON.parse(JSON.stringify(state));

const migrate = (database: DatabaseSync, migrations: readonly Migration[]): void => {
  for (const { text } of migrations) database.exec(text);
};

async function planFrom(state: SchemaState, model: Model, declared = parseRenames([], []), defaultLocale = 'en') {
  const registry = registryAfter(state, model, declared);
  const renames = resolveRenames(declared, state.layout, registry);
  const { parts, what, next } = await diffSchemas(state, stateOf(registry), { renames, defaultLocale });
  return { registry, parts, what, migrations: nextMigrations('change', parts), next: readBack(next) };
}

const read = (database: DatabaseSync, { sql }: Expected) =>
  database
    .prepare(sql)
    .all()
    .map((row) => Object.values(row));

const empty = EMPTY_STATE;

/** Makes the same of the same model once. */
function once<T>(make: (model: Model) => Promise<T>): (model: Model) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (model) => {
    const key = JSON.stringify(model);
    const found = made.get(key) ?? make(model);
    made.set(key, found);
    return found;
  };
}

const planFirst = once((model) => planFrom(empty, model));

/** The schema of a database that was made from the content types as they are. */
const freshParts = once(async (model) => {
  const { migrations } = await planFirst(model);
  const database = openDatabase();
  migrate(database, migrations);
  return schemaParts(database);
});

/** Has the tables of a model, and does not read names that it does not find as texts. */
const strictDatabase = once(async (model) => {
  const { migrations } = await planFirst(model);
  const database = new DatabaseSync(':memory:');
  migrate(database, migrations);
  return database;
});

/** How many rows the losses count, by subject. */
function heldIn(database: DatabaseSync, losses: readonly Loss[]): Readonly<Record<string, number>> {
  const held: Record<string, number> = {};
  for (const { subject, counts } of losses)
    for (const count of counts) held[subject] = (held[subject] ?? 0) + Number(database.prepare(count).get()?.rows);
  return held;
}

/** Reads every value of the scalars that have a column, as a response does. */
function readAll(database: DatabaseSync, { contentTypes }: Registry): void {
  for (const { table, attributes } of contentTypes.values())
    for (const attribute of attributes.values()) {
      if (attribute.kind !== 'scalar' || attribute.overflow) continue;
      const rows = database.prepare(`SELECT "${attribute.column}" AS "value" FROM "${table}" WHERE 1`).all();
      for (const { value } of rows) if (value !== null) JSON.stringify(FIELDS[attribute.type].read(value));
    }
}

async function play(change: Change, indexing: Indexing): Promise<void> {
  const {
    before,
    after,
    fill,
    survives,
    loses = {},
    reasons,
    when,
    moves,
    what,
    ...options
  } = withIndexing(change, indexing);
  const first = await planFirst(before);
  const database = openDatabase();
  migrate(database, first.migrations);
  for (const statement of fill) database.exec(statement);
  expect(await checkInvariants(databaseOver(database), first.registry)).toEqual([]);

  const { rename = [], renameType = [], renameComponent = [], defaultLocale } = options;
  const second = await planFrom(first.next, after, parseRenames(rename, renameType, renameComponent), defaultLocale);
  const losses = second.parts.flatMap((part) => part.losses);
  for (const count of losses.flatMap(({ counts }) => counts)) (await strictDatabase(before)).prepare(count);
  expect(heldIn(database, losses)).toEqual(loses);
  if (reasons) expect(losses.map(({ reason }) => reason)).toEqual(reasons);
  if (when) expect(second.parts.map((part) => part.when)).toEqual(when);
  if (moves !== undefined) expect(second.parts.some((part) => part.moves === true)).toBe(moves);
  if (what) expect(second.what).toBe(what);
  migrate(database, second.migrations);
  const [made, wanted] = [schemaParts(database), await freshParts(after)];
  // Many parts, which toEqual takes long to compare.
  if (!isDeepStrictEqual(made, wanted)) expect(Object.fromEntries(made)).toEqual(Object.fromEntries(wanted));
  for (const expected of survives) expect(read(database, expected)).toEqual(expected.rows);
  readAll(database, second.registry);
  expect(await checkInvariants(databaseOver(database), second.registry)).toEqual([]);
}

/** With which a change is played: one of them in the short tier, another with each commit. */
function indexingsOf(change: Change, index: number): readonly Indexing[] {
  const all = ALL_INDEXINGS.filter((indexing) => isPlayedWith(change, indexing));
  return oneIn(all.length, all, index);
}

describe.each(ALL_INDEXINGS)('with %s', (indexing) => {
  const changes = ATTRIBUTE_CHANGES.filter((change, index) => indexingsOf(change, index).includes(indexing));
  it.each(changes)('$title', (change) => play(change, indexing));
});

describe('an attribute called true', () => {
  it('keeps its values in a database that an earlier version of Edgewise has made', async () => {
    const types = [contentType('thing', { true: { type: 'string', unique: true }, False: { type: 'json' } })];
    const model: Model = { types, components: [], indexes: {}, search: [] };
    const first = await planFrom(empty, model);
    const former = readBack(JSON.parse(JSON.stringify(first.next).replaceAll(/"(true|false)_"/g, '"$1"')));
    const database = openDatabase();
    for (const { text } of first.migrations) database.exec(text.replaceAll(/`(true|false)_`/g, '`$1`'));
    database.exec(`INSERT INTO things (document_id, published_at, "true", "false") VALUES ('a', 1, 'yes', '[]')`);
    const { migrations, parts } = await planFrom(former, model);
    migrate(database, migrations);
    expect(parts.flatMap(({ losses }) => losses)).toEqual([]);
    expect(read(database, { sql: 'SELECT true_, false_ FROM things', rows: [] })).toEqual([['yes', '[]']]);
    expect(Object.fromEntries(schemaParts(database))).toEqual(Object.fromEntries(await freshParts(model)));
  });
});
