/**
 * @module Each change of an attribute on a local database that `npm run dev` has brought ahead of the migrations. The save
 * leaves the tables as they are, or makes of them what the change wants; the migration that is made then always does.
 */
import { expect, it } from 'vitest';
import { planPush, settle } from '../../../cli/dev/push.ts';
import { runAll } from '../../../cli/migrations/apply.ts';
import type { Output } from '../../../cli/migrations/migration-files.ts';
import { parseRenames } from '../../../cli/migrations/rename-options.ts';
import { schemaParts } from '../../../cli/migrations/replay.ts';
import { readFolder, readState } from '../../../cli/migrations/revisions.ts';
import { type GenerateOptions, planGenerate } from '../../../cli/project/generate.ts';
import { type Sources, wantedOf } from '../../../cli/project/sources.ts';
import { buildRegistry } from '../../../src/schema/build.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { ATTRIBUTE_CHANGES, isPlayedWith, withIndexing } from '../../support/attribute-changes.ts';
import type { Change } from '../../support/changes/change.ts';
import type { Model } from '../../support/changes/content.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { contentType } from '../../support/schema-files.ts';
import { createSchemaSql } from '../../support/schema-sql.ts';
import { oneIn } from '../../support/tier.ts';
import { executeOn } from './dev/local-project.ts';
import { scratchProject } from './scratch-project.ts';

/** A content type that no migration knows. */
const AHEAD = contentType('ahead', { title: { type: 'string' } });

function sourcesOf({ types, components, indexes, search }: Model, locale: string, ...more: Model['types']): Sources {
  const files = { contentTypes: [...types, ...more], components };
  const settings = parseSettings({
    indexes,
    search,
    i18n: { locales: [{ code: locale, name: locale, isDefault: true }] },
  });
  return { files, settings, declared: buildRegistry(files, CHECKED) };
}

/** What the content tables are, without those of migrations and of `npm run dev`. */
const partsOf = (sqlite: ReturnType<typeof memoryDatabase>['sqlite']) =>
  Object.fromEntries([...schemaParts(sqlite)].filter(([name]) => !/d1_migrations|edgewise_local/.test(name)));

async function freshParts(sources: Sources, root: string) {
  const { sqlite } = memoryDatabase();
  const { registry } = wantedOf(sources, readState(root).layout);
  for (const statement of await createSchemaSql(registry)) sqlite.exec(statement);
  return partsOf(sqlite);
}

function openWorld() {
  const project = scratchProject();
  const { root } = project;
  const { db, sqlite } = memoryDatabase();
  const write = (outputs: readonly Output[]) => {
    for (const { path, text } of outputs) project.write(path, text);
  };
  return {
    ...{ root, db, sqlite },
    async generate(sources: Sources, options: GenerateOptions = {}) {
      const basis = { sources, folder: readFolder(root), locales: undefined, required: undefined };
      write((await planGenerate(root, basis, { ...options, execute: executeOn(db) })).outputs);
    },
    async save(sources: Sources) {
      const [local] = await settle(readFolder(root), db);
      const { statements, wanted } = await planPush({ sources, folder: readFolder(root) }, db, local);
      await runAll(db, 'content-types/', statements);
      return wanted.registry;
    },
    close: () => project.remove('.'),
  };
}

const ALL = 'a descending index and a search index';

async function play(change: Change): Promise<void> {
  const indexing = isPlayedWith(change, ALL) ? ALL : 'a search index';
  const { before, after, fill, survives, rename, renameType, renameComponent, ...played } = withIndexing(
    change,
    indexing,
  );
  const { defaultLocale = 'en' } = played;
  const world = openWorld();
  const { root, db, sqlite } = world;
  const survivors = () =>
    survives.map(({ sql }) =>
      sqlite
        .prepare(sql)
        .all()
        .map((row) => Object.values(row)),
    );
  await world.generate(sourcesOf(before, defaultLocale));
  await world.save(sourcesOf(before, defaultLocale, AHEAD));
  for (const statement of fill) sqlite.exec(statement);
  const tables = partsOf(sqlite);
  const wanted = sourcesOf(after, defaultLocale, AHEAD);
  const isServed = await world.save(wanted).then(
    () => true,
    ({ message }) => {
      expect(message).toMatch(/^A save only adds\. /);
      return false;
    },
  );
  if (isServed) expect(survivors()).toEqual(survives.map(({ rows }) => rows));
  else expect(partsOf(sqlite)).toEqual(tables);
  const renames = parseRenames(rename ?? [], renameType ?? [], renameComponent ?? []);
  await world.generate(wanted, { renames, allowDrop: true });
  const registry = await world.save(wanted);
  expect(survivors()).toEqual(survives.map(({ rows }) => rows));
  expect(partsOf(sqlite)).toEqual(await freshParts(wanted, root));
  expect(await checkInvariants(db, registry)).toEqual([]);
  world.close();
}

it.each(oneIn(4, ATTRIBUTE_CHANGES))('$title', play);
