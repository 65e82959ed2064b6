/**
 * @module The migrations of the demo, replayed from nothing, and what they do to what is stored.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS, migrationNames, readMigrations, readState } from '../../../src/cli/migrations/migration-files.ts';
import { fillNameKeys } from '../../../src/cli/migrations/name-keys.ts';
import { replayProblems } from '../../../src/cli/migrations/replay.ts';
import { snapshotOf } from '../../../src/cli/migrations/snapshot.ts';
import { DEMO } from '../../support/demo.ts';
import { demoRegistry } from '../../support/demo-registry.ts';

const names = migrationNames(DEMO);
const textOf = (name: string): string => readFileSync(join(DEMO, MIGRATIONS, name), 'utf8');

function databaseAfter(texts: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const text of texts) database.exec(text);
  return database;
}

describe('the migrations', () => {
  const migrations = readMigrations(DEMO);
  const problemsOf = async (changed: typeof migrations) => replayProblems(changed, await readState(DEMO));
  const edited = (name: string, edit: (text: string) => string) =>
    migrations.map((item) => (item.name === name ? { name, text: edit(item.text) } : item));

  it('make the tables, columns, indexes and triggers that are said of them, and nothing else', async () => {
    expect(await problemsOf(migrations)).toEqual([]);
  });

  it('that were edited are noticed', async () => {
    const column = edited('0005_alter_up_users.sql', (text) => text.replace('`email_key` text', '`email_key` integer'));
    expect(await problemsOf(column)).toEqual(['column up_users.email_key is made otherwise']);
    const other = edited('0008_alter_tables.sql', (text) => `${text}CREATE TABLE "own" ("id" integer);`);
    expect(await problemsOf(other)).toEqual([
      'table own is made and not asked for',
      'column own.id is made and not asked for',
    ]);
    const less = edited('0007_alter_articles.sql', (text) =>
      text.replace(/^CREATE INDEX `articles_by_rating_desc` .*$/m, ''),
    );
    expect(await problemsOf(less)).toEqual(['index articles_by_rating_desc is not made']);
    const broken = edited('0004_add_strapi_sessions.sql', (text) => text.replace('CREATE TABLE', 'CREATE TABEL'));
    expect(await problemsOf(broken)).toEqual([
      expect.stringMatching(/^0004_add_strapi_sessions\.sql cannot be run.*TABEL/),
    ]);
  });

  it('that are gone, or stand in another place, are noticed', async () => {
    expect(await problemsOf(migrations.slice(0, -1))).toContain('table edgewise_migrations is not made');
    const [first, second, ...rest] = migrations;
    if (!first || !second) throw new Error('there are migrations');
    expect(await problemsOf([first, ...rest])).toEqual(['0003_alter_categories.sql has number 3 and not 2']);
    const swapped = [{ ...second, name: '0001_b.sql' }, { ...first, name: '0002_a.sql' }, ...rest];
    expect(await problemsOf(swapped)).toEqual([expect.stringMatching(/^0001_b\.sql cannot be run/)]);
  });

  it('may be written in other words: what SQLite makes of them counts', async () => {
    const otherwise = edited('0007_alter_articles.sql', (text) =>
      text
        .replaceAll('`rating` DESC', '"rating" desc')
        .replace('CREATE INDEX `articles_by_issue_date_desc`', 'create  index articles_by_issue_date_desc')
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
    const changed = edited('0007_alter_articles.sql', (text) =>
      text.replace(/^CREATE INDEX `articles_by_rating_desc` .*$/m, edit),
    );
    expect(await problemsOf(changed)).toEqual(['index articles_by_rating_desc is made otherwise']);
  });

  it('may make an index more', async () => {
    const own = edited('0008_alter_tables.sql', (text) => `${text}CREATE INDEX "own" ON "articles" ("title");`);
    expect(await problemsOf(own)).toEqual([]);
  });

  it('move the categories to the default locale when they become localized, and count them there', () => {
    const at = names.indexOf('0003_alter_categories.sql');
    const database = databaseAfter(names.slice(0, at).map(textOf));
    database.exec(`
      insert into articles (document_id, locale) values ('x', 'en');
      insert into categories (document_id, locale, published_at) values ('a', '', 1), ('b', '', 1);
      insert into articles_categories_lnk values (1, 'a', '', 1, 1);
      insert into edgewise_counters values ('api::category.category', '', 'published', 2);
    `);
    for (const name of names.slice(at)) database.exec(textOf(name));
    expect(database.prepare('select distinct locale from categories').all()).toEqual([{ locale: 'en' }]);
    expect(database.prepare('select target_locale from articles_categories_lnk').all()).toEqual([
      { target_locale: 'en' },
    ]);
    expect(database.prepare('select * from edgewise_counters').all()).toEqual([
      { type: 'api::category.category', locale: 'en', status: 'published', total: 2 },
    ]);
  });

  it('give users who are there the keys of their names, and keep two whose keys are the same', () => {
    const at = names.indexOf('0005_alter_up_users.sql');
    const database = databaseAfter(names.slice(0, at).map(textOf));
    database.exec(`
      insert into up_users (document_id, published_at, username, email)
      values ('a', 1, 'Mira', 'Mira@Example.com'), ('b', 1, 'MIRA', 'mira@example.com'), ('c', 1, null, 'É@example.com')`);
    for (const name of names.slice(at)) database.exec(textOf(name));
    const users = database.prepare('select username, username_key, email_key from up_users order by id').all();
    expect(users.map((user) => ({ ...user }))).toEqual([
      { username: 'Mira', username_key: 'mira', email_key: 'mira@example.com' },
      { username: 'MIRA', username_key: 'mira', email_key: 'mira@example.com' },
      { username: null, username_key: null, email_key: 'É@example.com' },
    ]);
  });

  it('fill keys of names where the table of users had none, once', async () => {
    const after = await snapshotOf(demoRegistry);
    const before = structuredClone(after);
    const columns: Record<string, unknown> = before.tables.up_users?.columns ?? {};
    for (const key of ['username_key', 'email_key']) delete columns[key];
    expect(fillNameKeys(before, demoRegistry)).toHaveLength(2);
    expect(fillNameKeys(after, demoRegistry)).toEqual([]);
    expect(fillNameKeys(await snapshotOf(), demoRegistry)).toEqual([]);
  });
});
