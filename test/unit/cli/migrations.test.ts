/**
 * @module Migrations replayed from nothing: what was edited, removed or put in another place is noticed.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { diffSchemas, EMPTY_STATE, stateOf } from '../../../cli/migrations/migration.ts';
import { type Migration, nextMigrations, readMigrations } from '../../../cli/migrations/migration-files.ts';
import type { SchemaState } from '../../../cli/migrations/migration-work.ts';
import { NO_RENAMES } from '../../../cli/migrations/rename-options.ts';
import { assertWithinLimits, replayProblems } from '../../../cli/migrations/replay.ts';
import { readState } from '../../../cli/migrations/revisions.ts';
import { generate } from '../../../cli/project/generate.ts';
import { DEMO } from '../../support/demo.ts';
import { contentType } from '../../support/schema-files.ts';
import { registryAfter } from './content-model.ts';
import { hearProgress } from './heard.ts';
import { scratchProject } from './scratch-project.ts';

hearProgress();

const ARTICLE = 'api::article.article';

/** A project with a migration for each of its changes. */
async function changedProject() {
  const project = scratchProject();
  const change = async (attributes: Readonly<Record<string, object>>, settings = {}) => {
    project.schemas(contentType('article', { title: { type: 'string' }, rating: { type: 'decimal' }, ...attributes }));
    project.write('edgewise.config.ts', `export default ${JSON.stringify(settings)};`);
    await generate(project.root, { isEmpty: true });
  };
  await change({});
  await change({ lead: { type: 'string' } });
  await change({ lead: { type: 'string' } }, { indexes: { [ARTICLE]: [['rating:desc']] } });
  const found = { migrations: readMigrations(project.root), state: readState(project.root) };
  project.remove('.');
  return found;
}

describe('the migrations', () => {
  let migrations: readonly Migration[];
  let state: SchemaState;
  beforeAll(async () => {
    ({ migrations, state } = await changedProject());
  });

  const problemsOf = (changed: readonly Migration[]) => replayProblems(changed, state);
  const edited = (number: number, edit: (text: string) => string) =>
    migrations.map(({ name, text }, index) => ({ name, text: index === number - 1 ? edit(text) : text }));

  it('make the tables, columns, indexes and triggers that are said of them, and nothing else', async () => {
    expect(migrations).toHaveLength(3);
    expect(await problemsOf(migrations)).toEqual([]);
    expect(await replayProblems(readMigrations(DEMO), readState(DEMO))).toEqual([]);
  });

  it('that were edited are noticed', async () => {
    const column = edited(2, (text) => text.replace('`lead` text', '`lead` integer'));
    expect(await problemsOf(column)).toEqual(['column articles.lead differs']);
    const other = edited(3, (text) => `${text}CREATE TABLE "own" ("id" integer);`);
    expect(await problemsOf(other)).toEqual([
      'table own is not in drizzle/meta/',
      'column own.id is not in drizzle/meta/',
    ]);
    const less = edited(3, (text) => text.replace(/^CREATE INDEX `articles_by_rating_desc` .*$/m, ''));
    expect(await problemsOf(less)).toEqual(['index articles_by_rating_desc is missing']);
    const broken = edited(2, (text) => text.replace('ALTER TABLE', 'ALTER TABEL'));
    expect(await problemsOf(broken)).toEqual([
      expect.stringMatching(/^drizzle\/0002_alter_articles\.sql fails.*TABEL/),
    ]);
  });

  it('that are gone, or stand in another place, are noticed', async () => {
    expect(await problemsOf(migrations.slice(0, -1))).toContain('index articles_by_rating_desc is missing');
    const [first, second, third] = migrations;
    if (!first || !second || !third) throw new Error('there are three migrations');
    expect(await problemsOf([first, third])).toEqual(['0003_alter_tables.sql has number 3 and not 2']);
    const swapped = [{ ...second, name: '0001_b.sql' }, { ...first, name: '0002_a.sql' }, third];
    expect(await problemsOf(swapped)).toEqual([expect.stringMatching(/^drizzle\/0001_b\.sql fails/)]);
  });

  it('may be written in other words: what SQLite makes of them counts', async () => {
    const otherwise = edited(3, (text) =>
      text
        .replaceAll('`rating` DESC', '"rating" desc')
        .replace('CREATE INDEX `articles_by_rating_desc`', 'create  index articles_by_rating_desc')
        .replace('(`locale`,', '(locale ASC,')
        .replace('is not null;', 'IS NOT NULL;'),
    );
    expect(await problemsOf(otherwise)).toEqual([]);
  });

  it.each([
    ['another direction', (text: string) => text.replace('`rating` DESC', '`rating`')],
    ['other columns', (text: string) => text.replace('`rating` DESC', '`title` DESC')],
    ['another condition', (text: string) => text.replace('is not null', 'is null')],
    ['unique values', (text: string) => text.replace('CREATE INDEX', 'CREATE UNIQUE INDEX')],
  ])('are noticed when an index has %s', async (_, edit) => {
    const changed = edited(3, (text) => text.replace(/^CREATE INDEX `articles_by_rating_desc` .*$/m, edit));
    expect(await problemsOf(changed)).toEqual(['index articles_by_rating_desc differs']);
  });

  it('may make an index more', async () => {
    const own = edited(3, (text) => `${text}CREATE INDEX "own" ON "articles" ("title");`);
    expect(await problemsOf(own)).toEqual([]);
  });
});

describe('a replayed migration', () => {
  let state: SchemaState;
  let initial: Migration;
  beforeAll(async () => {
    const types = [contentType('article', { title: { type: 'string' } })];
    state = stateOf(registryAfter(EMPTY_STATE, { types, search: [ARTICLE] }));
    const { parts } = await diffSchemas(EMPTY_STATE, state, { renames: NO_RENAMES, defaultLocale: 'en' });
    [initial] = nextMigrations('initial', parts) as [Migration];
  });
  const problemsOf = (edit: (text: string) => string) => {
    const text = edit(initial.text);
    return replayProblems([{ ...initial, text }], state);
  };
  const ofDelete = /(AFTER DELETE ON "edgewise_history" .*)/;

  it.each<readonly [what: string, problems: readonly string[], edit: (text: string) => string]>([
    ['as it was written', [], (text) => text],
    [
      'whose table uses ids again',
      ['table articles differs'],
      (text) => text.replace(/(`articles` \(\s*`id` integer PRIMARY KEY) AUTOINCREMENT/, '$1'),
    ],
    [
      'whose table checks its values',
      ['table articles differs'],
      (text) => text.replace(/(CREATE TABLE `articles` \([^;]*\));/, '$1 STRICT;'),
    ],
    [
      'whose search index divides texts otherwise',
      ['table articles_search differs'],
      (text) => text.replace(`tokenize='trigram'`, `tokenize='porter'`),
    ],
    [
      'whose trigger does something else',
      ['trigger edgewise_history_delete differs'],
      (text) => text.replace(ofDelete, (trigger) => trigger.replace('-old."size"', '+old."size"')),
    ],
    [
      'whose trigger has a text in another case',
      ['trigger edgewise_history_delete differs'],
      (text) => text.replace(ofDelete, (trigger) => trigger.replace(`'bytes'`, `'Bytes'`)),
    ],
    [
      'whose trigger has its names in other quotes and cases',
      [],
      (text) => text.replace(ofDelete, (trigger) => trigger.replaceAll('"size"', '`SIZE`').replace('UPDATE', 'update')),
    ],
    [
      'without a trigger',
      ['trigger edgewise_history_delete is missing'],
      (text) => text.replace(/^CREATE TRIGGER "edgewise_history_delete" .*$/m, ''),
    ],
  ])('%s: %j', async (_, problems, edit) => {
    expect(await problemsOf(edit)).toEqual(problems);
  });

  it('is not run without new ones after it', () => {
    const broken = [{ name: '0001_broken.sql', text: 'CREATE TABEL' }];
    expect(() => assertWithinLimits(broken, [])).not.toThrow();
    expect(() => assertWithinLimits(broken, [initial])).toThrow('drizzle/0001_broken.sql fails');
    expect(() => assertWithinLimits([], [initial])).not.toThrow();
    expect(() => assertWithinLimits([], broken)).toThrow('D1 would reject the migration: ');
    const long = [{ name: '0002_long.sql', text: `SELECT '${'x'.repeat(100_000)}'` }];
    expect(() => assertWithinLimits([initial], long)).toThrow('D1 would reject the migration: ');
    expect(() => assertWithinLimits([initial, ...long], broken)).toThrow('TABEL');
  });
});
