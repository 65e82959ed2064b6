/**
 * @module Databases that follow a content model, for the tests of the command line.
 */
import { afterAll } from 'vitest';
import { overflowOf } from '../../../cli/migrations/layout.ts';
import {
  diffSchemas,
  EMPTY_STATE,
  renamedLayout,
  type SchemaDiff,
  stateOf,
} from '../../../cli/migrations/migration.ts';
import type { Loss, SchemaState } from '../../../cli/migrations/migration-work.ts';
import { NO_RENAMES, parseRenames, type Renames, resolveRenames } from '../../../cli/migrations/rename-options.ts';
import { buildRegistry, type SchemaFile, type SchemaFiles } from '../../../src/schema/build.ts';
import type { Registry } from '../../../src/schema/model.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { openMemoryStorage } from './memory-storage.ts';

export interface Model {
  readonly types: readonly SchemaFile[];
  readonly components?: readonly SchemaFile[];
  readonly indexes?: NonNullable<SchemaFiles['indexes']>;
  readonly search?: readonly string[];
}

/** The registry that generate would build after `previous`. */
export function registryAfter(previous: SchemaState, model: Model, renames: Renames = NO_RENAMES): Registry {
  const files = { contentTypes: model.types, components: model.components ?? [] };
  const declared = buildRegistry(files, CHECKED);
  const overflow = overflowOf(declared, renamedLayout(previous, declared, renames));
  const { indexes = {}, search = [] } = model;
  return buildRegistry({ ...files, overflow, indexes, search }, CHECKED);
}

export interface TestDatabase {
  /** Migrates to a content model, as generate and migrate would, whatever is lost. */
  evolve(model: Model, options?: EvolveOptions): Promise<Evolved>;
  run(sql: string): Promise<Record<string, unknown>[]>;
  /** Drops everything, for the next test. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

interface Evolved extends SchemaDiff {
  /** Of all parts. */
  readonly statements: readonly string[];
  readonly losses: readonly Loss[];
  /** subject → how many rows its count statements find before the migration. */
  readonly held: Readonly<Record<string, number>>;
}

interface EvolveOptions {
  readonly rename?: readonly string[];
  readonly renameType?: readonly string[];
  readonly renameComponent?: readonly string[];
  readonly defaultLocale?: string;
}

const OBJECTS = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`;

/** A real D1 in memory. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { storage, close } = await openMemoryStorage();
  const DB = storage.db;
  let state = EMPTY_STATE;
  const run = async (sql: string) => (await DB.prepare(sql).run<Record<string, unknown>>()).results;
  return {
    run,
    async evolve(model, { rename = [], renameType = [], renameComponent = [], defaultLocale = 'en' } = {}) {
      const declared = parseRenames(rename, renameType, renameComponent);
      const registry = registryAfter(state, model, declared);
      const renames = resolveRenames(declared, state.layout, registry);
      const diff = await diffSchemas(state, stateOf(registry), { renames, defaultLocale });
      const held: Record<string, number> = {};
      const statements = diff.parts.flatMap((part) => part.statements);
      const losses = diff.parts.flatMap((part) => part.losses);
      for (const { subject, counts } of losses)
        for (const count of counts) held[subject] = (held[subject] ?? 0) + Number((await run(count))[0]?.rows);
      if (statements.length > 0) await DB.batch(statements.map((statement) => DB.prepare(statement)));
      // Read back as from drizzle/meta/, with everything that JSON does to it.
      state = JSON.parse(JSON.stringify(diff.next));
      return { ...diff, statements, losses, held };
    },
    async reset() {
      for (const { name } of await run(OBJECTS)) await run(`DROP TABLE IF EXISTS "${name}"`);
      state = EMPTY_STATE;
    },
    close,
  };
}

/** Opens a database for the tests of the file or the group. */
export async function useTestDatabase(): Promise<TestDatabase> {
  const database = await openTestDatabase();
  afterAll(() => database.close());
  return database;
}
