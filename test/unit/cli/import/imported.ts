/**
 * @module An archive made in a test goes through every stage of an import, into a database in memory or into none.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, vi } from 'vitest';
import { openArchive } from '../../../../cli/core/archive/archive-file.ts';
import { GROUPS } from '../../../../cli/core/archive/groups.ts';
import type { ContentCounts, Tally } from '../../../../cli/core/content-counts.ts';
import type { Storage } from '../../../../cli/core/storage/bindings.ts';
import { UserError } from '../../../../cli/core/terminal.ts';
import { archiveRoles, archiveSettings, placedRoles } from '../../../../cli/import/archive-settings.ts';
import { schemaFilesOf } from '../../../../cli/import/archive-types.ts';
import { beginStatements, type Marker, type Mode, readMarkers } from '../../../../cli/import/marker.ts';
import { archiveRegistry } from '../../../../cli/import/place-types.ts';
import { resolveRows } from '../../../../cli/import/resolve-rows.ts';
import { newWarnings, surveyArchive } from '../../../../cli/import/survey.ts';
import { writeContent } from '../../../../cli/import/write-content.ts';
import type { SchemaFiles } from '../../../../src/schema/build.ts';
import type { Registry } from '../../../../src/schema/model.ts';
import { parseSettings, type Settings, type SettingsInput } from '../../../../src/schema/settings/config.ts';
import { defaultLocale } from '../../../../src/schema/settings/derived.ts';
import { createSchemaSql } from '../../../support/schema-sql.ts';
import { openMemoryStorage, TABLES } from '../memory-storage.ts';

const NOW = Date.UTC(2026, 1, 1);

const folder = mkdtempSync(join(tmpdir(), 'edgewise-archives-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** A file that holds these bytes. */
export function fileOf(bytes: Buffer, ending = '.tar.gz'): string {
  files += 1;
  const path = join(folder, `archive-${files}${ending}`);
  writeFileSync(path, bytes);
  return path;
}

export interface ImportOptions {
  readonly key?: string;
  readonly mode?: Mode;
  /** Goes on where the database says that it was interrupted. */
  readonly resume?: boolean;
  /** Attributes without a column of their own, by uid. */
  readonly overflow?: Readonly<Record<string, readonly string[]>>;
}

export interface Imported {
  readonly read: ContentCounts;
  readonly taken: ContentCounts;
  readonly leftOut: Tally;
  readonly added: Tally;
  readonly warnings: readonly string[];
  readonly registry: Registry;
  readonly settings: Settings;
  readonly files: SchemaFiles;
}

async function markerFor(
  storage: Storage,
  archive: string,
  { mode = 'fresh', resume }: ImportOptions,
): Promise<Marker> {
  const markers = await readMarkers(storage.db);
  const [last] = markers;
  if (resume && last && last.finishedAt === null) return last;
  const stage = mode === 'replace' ? 'clear' : 'rows';
  const marker: Marker = { ...DRY, archive, name: 'test', mode, stage };
  await storage.db.batch(
    beginStatements(marker, markers).map(({ sql, params }) => storage.db.prepare(sql).bind(...params)),
  );
  return marker;
}

const DRY: Marker = {
  ...{ archive: '', groups: GROUPS, name: '', mode: 'fresh', stage: 'rows', done: 0, startedAt: NOW, finishedAt: null },
};

/** Wrong ones are refused before anything is written. */
function checkedSettings(settings: SettingsInput): Settings {
  try {
    return parseSettings(settings);
  } catch (error) {
    throw new UserError((error as Error).message);
  }
}

/** Takes an archive whole; without a storage nothing is written. @throws UserError as the command does. */
export async function importBytes(bytes: Buffer, storage?: Storage, options: ImportOptions = {}): Promise<Imported> {
  const warnings = newWarnings();
  const survey = await surveyArchive(openArchive(fileOf(bytes), options.key), warnings);
  try {
    const schemas = schemaFilesOf(survey, warnings);
    const { overflow } = options;
    const registry = archiveRegistry({ ...schemas, ...(overflow && { overflow }) });
    const settings = checkedSettings(archiveSettings(survey, registry));
    const roles = placedRoles(archiveRoles(survey), settings);
    const types = resolveRows(survey, registry, roles, defaultLocale(settings));
    const marker = storage ? await markerFor(storage, survey.fingerprint, options) : DRY;
    const taken = await writeContent({
      ...{ survey, registry, settings, types, roles, marker },
      ...(storage && { storage }),
    });
    const { counts: read, leftOut, added } = survey;
    return { read, taken, leftOut, added, warnings: warnings.lines(), registry, settings, files: schemas };
  } finally {
    survey.staging.close();
  }
}

export interface TestStorage extends Storage {
  /** Tables for these content types, and nothing in them. */
  prepare(registry: Registry): Promise<void>;
  /** Takes everything out of the tables. */
  clear(): Promise<void>;
  rows(sql: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** A real D1 and R2, in memory. */
export async function openTestStorage(): Promise<TestStorage> {
  const { storage, close } = await openMemoryStorage();
  const { db, bucket } = storage;
  const rows = async (sql: string) => (await db.prepare(sql).all<Record<string, unknown>>()).results;
  return {
    db,
    bucket,
    rows,
    async prepare(registry) {
      const tables = await rows(TABLES);
      if (tables.length > 0) await db.batch(tables.map(({ name }) => db.prepare(`drop table "${name}"`)));
      await db.batch((await createSchemaSql(registry)).map((statement) => db.prepare(statement)));
    },
    async clear() {
      const tables = await rows(TABLES);
      await db.batch(tables.map(({ name }) => db.prepare(`delete from "${name}"`)));
    },
    close,
  };
}

/** Opens a storage for the tests of the file, which keep from the terminal what commands say. */
export async function useTestStorage(): Promise<TestStorage> {
  const storage = await openTestStorage();
  beforeAll(() => void vi.spyOn(process.stderr, 'write').mockReturnValue(true));
  afterAll(async () => {
    vi.restoreAllMocks();
    await storage.close();
  });
  return storage;
}

/** The same storage, whose database does no more after so many batches. */
export function failingAfter(storage: TestStorage, batches: number): TestStorage {
  let left = batches;
  const db = new Proxy(storage.db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== 'batch') return typeof value === 'function' ? value.bind(target) : value;
      return (statements: D1PreparedStatement[]) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('the process was ended')) : target.batch(statements);
      };
    },
  });
  return { ...storage, db };
}

/** All content of a database, without what differs from import to import. */
export async function contentOf({ db, rows }: TestStorage): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = (await rows(TABLES))
    .map(({ name }) => String(name))
    .filter((name) => !['edgewise_imports', 'edgewise_stamps'].includes(name));
  const answers = await db.batch<Record<string, unknown>>(tables.map((name) => db.prepare(`select * from "${name}"`)));
  const texts = answers.map(({ results }) => results.map(({ id: _, ...row }) => JSON.stringify(row)).sort());
  return Object.fromEntries(tables.map((name, index) => [name, texts[index] ?? []]));
}
