/**
 * @module A project whose files are data and whose local database is in memory, with the Worker over it: saves, requests,
 * and what the tables hold.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { storedFence } from '../../../../cli/core/sql/fence.ts';
import { identifier } from '../../../../cli/core/sql/sql-text.ts';
import { createTokenSql } from '../../../../cli/core/sql/tokens.ts';
import { type Consent, planPush, settle } from '../../../../cli/dev/push.ts';
import { runAll } from '../../../../cli/migrations/apply.ts';
import { valueIn } from '../../../../cli/migrations/attribute-changes.ts';
import {
  type BlocksPlace,
  EMPTY_LAYOUT,
  type Layout,
  layoutOf,
  type Place,
  type TypeLayout,
} from '../../../../cli/migrations/layout.ts';
import { diffSchemas, EMPTY_STATE, stateOf } from '../../../../cli/migrations/migration.ts';
import { migrationFiles, nextMigrations } from '../../../../cli/migrations/migration-files.ts';
import { statusOf } from '../../../../cli/migrations/migration-work.ts';
import { NO_RENAMES } from '../../../../cli/migrations/rename-options.ts';
import { journalFiles, readFolder, revisionFiles } from '../../../../cli/migrations/revisions.ts';
import { type Sources, wantedOf } from '../../../../cli/project/sources.ts';
import { createApp } from '../../../../src/app.ts';
import { createDeployment } from '../../../../src/deployment.ts';
import type { Registry } from '../../../../src/schema/model.ts';
import { checkInvariants } from '../../../support/invariants.ts';
import { memoryDatabase } from '../../../support/memory-database.ts';
import { createSchemaSql } from '../../../support/schema-sql.ts';
import { scratchProject } from '../scratch-project.ts';
import { type Files, sourcesOf } from './random-files.ts';

type Row = Readonly<Record<string, unknown>>;

/** A version of a document as the tables hold it: its columns, and of each relation the documents in order. */
export interface StoredVersion {
  readonly documentId: string;
  readonly values: Row;
  readonly links: Readonly<Record<string, readonly string[]>>;
}

/** uid → `documentId/locale/status` → version */
export type Stored = Readonly<Record<string, Readonly<Record<string, StoredVersion>>>>;

const TOKEN = '0123456789abcdef'.repeat(4);

const OBJECTS = `SELECT "type", "name", "sql" FROM sqlite_master WHERE "name" NOT LIKE 'sqlite%' AND "name" NOT LIKE 'd1\\_%' ESCAPE '\\' AND "name" <> 'edgewise_local'`;

/** The objects of a database, each with its columns or what it does. */
function objectsOf(sqlite: ReturnType<typeof memoryDatabase>['sqlite']): readonly string[] {
  const columns = sqlite.prepare('SELECT "name", "type" FROM pragma_table_info(?) ORDER BY 1');
  const lines = (sqlite.prepare(OBJECTS).all() as Record<string, string>[]).map(({ type, name, sql }) => {
    const what = type === 'table' ? JSON.stringify(columns.all(name as string)) : String(sql).replaceAll(/[`"]/g, '');
    return `${type} ${name}: ${what}`;
  });
  return lines.sort();
}

export interface SavedWorld {
  /** What `npm run dev` does with saved files, or `npx edgewise migrate` by a consent. @throws UserError when they are refused. */
  save(files: Files, consent?: Consent): Promise<void>;
  /** A request with full access; answers of 500 and above are thrown. */
  send(method: string, path: string, data?: unknown): Promise<Response>;
  /** Everything that is wrong with the tables. */
  complaints(): Promise<readonly string[]>;
  stored(): Stored;
  query(sql: string): readonly Row[];
  layout(): Layout;
  registry(): Registry;
  close(): void;
}

type Json = Record<string, unknown>;

/** What a response has of an instance, but what it shows for a value that is not stored: null, or an empty list. */
function shownInstance(instance: Json, uid: string, layout: Layout): Json {
  const places = layout.components[uid] ?? {};
  const entries = Object.entries(instance).flatMap(([name, value]) => {
    const place = places[name];
    const isEmpty = value === null || (Array.isArray(value) && value.length === 0 && place?.kind !== 'scalar');
    if (isEmpty || !(place || name === 'id' || name === '__component')) return [];
    const isBlocks = place?.kind === 'component' || place?.kind === 'dynamiczone';
    return [[name, isBlocks ? shownBlocks(value, place, layout) : value] as const];
  });
  return Object.fromEntries(entries);
}

function shownBlocks(value: unknown, place: BlocksPlace, layout: Layout): unknown {
  const one = (instance: Json) =>
    shownInstance(instance, place.kind === 'component' ? place.component : String(instance.__component), layout);
  return Array.isArray(value) ? value.map(one) : one(value as Json);
}

/** A list without entries is read as one that was never written. */
function shown(value: unknown, place: Place, layout: Layout): unknown {
  if (place.kind !== 'component' && place.kind !== 'dynamiczone') return value;
  if (value === null) return place.kind === 'dynamiczone' || place.repeatable ? [] : null;
  return shownBlocks(JSON.parse(String(value)), place, layout);
}

function versionsOf(
  query: SavedWorld['query'],
  type: TypeLayout,
  layout: Layout,
): Readonly<Record<string, StoredVersion>> {
  const entries = Object.entries(type.attributes);
  const values = entries.flatMap(([name, place]) =>
    place.kind === 'links'
      ? []
      : [[name, valueIn(identifier(type.table), place, { column: place.column, name })] as const],
  );
  const list = values.map(([name, sql]) => `, ${sql} AS "a ${name}"`).join('');
  const rows = query(`SELECT *, ${statusOf(identifier(type.table))} AS "status"${list} FROM ${identifier(type.table)}`);
  const links = entries.flatMap(([name, place]) =>
    place.kind === 'links'
      ? [[name, query(`SELECT * FROM ${identifier(place.table)} ORDER BY "position"`)] as const]
      : [],
  );
  const versions = rows.map((row) => {
    const { document_id: id, locale, status } = row;
    const isOwn = (link: Row) =>
      link.source_document_id === id &&
      link.source_locale === locale &&
      (!type.draftAndPublish || link.status === status);
    const version = {
      documentId: String(id),
      values: {
        ...Object.fromEntries(['id', 'created_at', 'updated_at', 'published_at'].map((name) => [name, row[name]])),
        ...Object.fromEntries(
          values.map(([name]) => [name, shown(row[`a ${name}`], type.attributes[name] as Place, layout)]),
        ),
      },
      links: Object.fromEntries(
        links.map(([name, all]) => [
          name,
          all.filter(isOwn).map((link) => `${link.target_document_id}/${link.target_locale}/${link.status}`),
        ]),
      ),
    };
    return [`${id}/${locale}/${status}`, version] as const;
  });
  return Object.fromEntries(versions);
}

async function commit(root: string, sources: Sources): Promise<void> {
  const { registry } = wantedOf(sources, EMPTY_LAYOUT);
  const declared = { renames: NO_RENAMES, defaultLocale: 'en' };
  const { parts, next } = await diffSchemas(EMPTY_STATE, stateOf(registry), declared);
  const migrations = nextMigrations('initial', parts);
  const names = migrations.map(({ name }) => name);
  const revision = { migrations: names, state: next, ...declared, localRenames: NO_RENAMES, drops: [] };
  const revisions = [revision];
  const outputs = [...migrationFiles(migrations), ...revisionFiles(revisions, true), ...journalFiles(revisions)];
  for (const { path, text } of outputs) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** @param first the files of the only migration. */
export async function openSavedWorld(first: Files): Promise<SavedWorld> {
  const project = scratchProject();
  const { root } = project;
  const { db, sqlite } = memoryDatabase();
  const fresh = new Map<string, readonly string[]>();
  let served: { registry: Registry; app: ReturnType<typeof createApp> };
  await commit(root, sourcesOf(first));
  const expected = async (registry: Registry): Promise<readonly string[]> => {
    const key = JSON.stringify([...registry.contentTypes.values()].map((type) => [type, [...type.attributes]]));
    const known = fresh.get(key);
    if (known) return known;
    const other = memoryDatabase();
    for (const statement of await createSchemaSql(registry)) other.sqlite.exec(statement);
    const objects = objectsOf(other.sqlite);
    fresh.set(key, objects);
    return objects;
  };
  const query = (sql: string) => sqlite.prepare(sql).all() as Row[];
  const layout = () => layoutOf(served.registry);
  return {
    async save(files, consent) {
      const sources = sourcesOf(files);
      const [local] = await settle(readFolder(root), db);
      const push = await planPush({ sources, folder: readFolder(root) }, db, local, consent);
      await runAll(db, 'content-types/', push.statements);
      // As `cli/dev/follow.ts` bundles it.
      const fence = await storedFence(db);
      const registry = { ...push.wanted.registry, fences: fence ? [fence] : [] };
      served = { registry, app: createApp(createDeployment({ registry, settings: sources.settings })) };
      sqlite.exec(`DELETE FROM strapi_api_tokens`);
      sqlite.exec(createTokenSql({ name: 'test', type: 'full-access' }, TOKEN, 1));
    },
    async send(method, path, data) {
      const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
      const body = data === undefined ? {} : { body: JSON.stringify({ data }) };
      const request = new Request(`http://edgewise.test${path}`, { method, headers, ...body });
      const context = { waitUntil() {}, passThroughOnException() {}, props: {} };
      const response = await served.app.fetch(
        request,
        { DB: db, JWT_SECRET: 'x'.repeat(32) } as never,
        context as never,
      );
      if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return response;
    },
    async complaints() {
      const objects = new Set(objectsOf(sqlite));
      const wanted = new Set(await expected(served.registry));
      const complaints = await checkInvariants(db, served.registry);
      return [
        ...complaints,
        ...[...objects].filter((each) => !wanted.has(each)).map((each) => `is there: ${each}`),
        ...[...wanted].filter((each) => !objects.has(each)).map((each) => `is missing: ${each}`),
      ];
    },
    stored: () =>
      Object.fromEntries(
        Object.entries(layout().types)
          .filter(([uid]) => uid.startsWith('api::'))
          .map(([uid, type]) => [uid, versionsOf(query, type, layout())]),
      ),
    query,
    layout,
    registry: () => served.registry,
    close: () => project.remove('.'),
  };
}
