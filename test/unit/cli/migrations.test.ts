/**
 * @module The migrations in drizzle/, replayed from nothing: they must amount to the tables that the content types ask
 * for. So a migration that was edited, lost or put in another place is noticed before a new deployment runs it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { createSchemaSql } from '../../../src/cli/migrations/migration.ts';
import { MIGRATIONS, migrationNames } from '../../../src/cli/migrations/migration-files.ts';
import { fillNameKeys } from '../../../src/cli/migrations/name-keys.ts';
import { snapshotOf } from '../../../src/cli/migrations/snapshot.ts';
import { buildRegistry } from '../../../src/registry/build.ts';
import { bundled } from '../../../src/registry/bundled.ts';

/** Names of indexes that migrations written by hand add; see docs/storage.md. */
const OWN_INDEXES: readonly string[] = [];

const ROOT = join(import.meta.dirname, '../../..');
const names = migrationNames(ROOT);
const textOf = (name: string): string => readFileSync(join(ROOT, MIGRATIONS, name), 'utf8');

const TABLES = `select "name", "sql" like '%autoincrement%' as "counts" from sqlite_master
  where "type" = 'table' and "name" not like 'sqlite%' order by "name"`;
const COLUMNS = `select "name", upper("type") as "type", "notnull", "dflt_value", "pk", "hidden"
  from pragma_table_xinfo(?) order by "name"`;
const OTHERS = `select "type", "name", "tbl_name", "sql" from sqlite_master
  where "type" <> 'table' and "name" not like 'sqlite%' order by "name"`;

/** SQLite keeps the statement as it was written; renames leave other quotes in it. */
const unquoted = (sql: unknown): string => String(sql).replaceAll(/[`"]/g, '').replaceAll(/\s+/g, ' ');

/** Tables with their columns, and every index (unique or partial as its statement says), view and trigger. */
function schemaOf(database: DatabaseSync) {
  const columns = database.prepare(COLUMNS);
  const tables = database.prepare(TABLES).all() as { name: string; counts: number }[];
  const others = database.prepare(OTHERS).all() as { type: string; name: string; tbl_name: string; sql: string }[];
  return {
    tables: tables.map((table) => ({ ...table, columns: columns.all(table.name) })),
    others: others
      .filter(({ name }) => !OWN_INDEXES.includes(name))
      .map((other) => ({ ...other, sql: unquoted(other.sql) })),
  };
}

function databaseAfter(texts: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const text of texts) database.exec(text);
  return database;
}

describe('the migrations', () => {
  it('are numbered from one, without a gap or a number that comes twice', () => {
    expect(names.map((name) => Number.parseInt(name, 10))).toEqual(names.map((_, index) => index + 1));
  });

  it('make the tables, columns and indexes that the content types ask for, and nothing else', async () => {
    const asked = databaseAfter(await createSchemaSql(buildRegistry(bundled)));
    const { tables, others } = schemaOf(asked);
    expect(others.filter(({ sql }) => /^CREATE UNIQUE INDEX .* WHERE /.test(sql)).length).toBeGreaterThan(0);
    expect(schemaOf(databaseAfter(names.map(textOf)))).toEqual({ tables, others });
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
    const registry = buildRegistry(bundled);
    const after = await snapshotOf(registry);
    const before = structuredClone(after);
    const columns: Record<string, unknown> = before.tables.up_users?.columns ?? {};
    for (const key of ['username_key', 'email_key']) delete columns[key];
    expect(fillNameKeys(before, registry)).toHaveLength(2);
    expect(fillNameKeys(after, registry)).toEqual([]);
    expect(fillNameKeys(await snapshotOf(), registry)).toEqual([]);
  });
});
