/**
 * @module A database as `npx edgewise migrate` leaves it, with rows and objects of every kind that is hard to keep.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unstable_splitSqlQuery } from 'wrangler';
import { SCHEMA_SQL, type SchemaEntry, sortSchema, stagingTables } from '../../../../cli/backup/schema.ts';
import type { Storage } from '../../../../cli/core/storage/bindings.ts';
import { listObjects } from '../../../../cli/core/storage/objects.ts';
import { D1_MIGRATIONS_SQL } from '../../../../cli/migrations/apply.ts';
import { MIGRATIONS, migrationNames } from '../../../../cli/migrations/migration-files.ts';
import { PART_BYTES } from '../../../../src/features/files/storage.ts';
import { DEMO } from '../../../support/demo.ts';

type Value = string | number | null;

/** Applies the migrations of a project, those of the demo by default, as wrangler does. */
export async function applyMigrations(
  { db }: Storage,
  root: string = DEMO,
  names: readonly string[] = migrationNames(root),
): Promise<void> {
  await db.prepare(D1_MIGRATIONS_SQL).run();
  for (const name of names) {
    const statements = unstable_splitSqlQuery(readFileSync(join(root, MIGRATIONS, name), 'utf8'));
    const noted = db.prepare('insert into d1_migrations (name) values (?)').bind(name);
    await db.batch([...statements.map((sql) => db.prepare(sql)), noted]);
  }
}

/** Takes everything out: tables, objects. */
export async function clearAll({ db, bucket }: Storage): Promise<void> {
  const { results } = await db.prepare(SCHEMA_SQL).all();
  const noted = results as unknown as readonly SchemaEntry[];
  const { tables, virtual } = sortSchema(noted);
  const drops = [...stagingTables(noted), ...tables, ...virtual].map((name) =>
    db.prepare(`drop table if exists "${name}"`),
  );
  if (drops.length > 0) await db.batch(drops);
  const keys = (await listObjects(bucket)).map(({ key }) => key);
  if (keys.length > 0) await bucket.delete(keys);
}

function inserted({ db }: Storage, table: string, row: Readonly<Record<string, Value>>): D1PreparedStatement {
  const names = Object.keys(row).map((name) => `"${name}"`);
  const sql = `insert into "${table}" (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`;
  return db.prepare(sql).bind(...Object.values(row));
}

export const insert = (storage: Storage, table: string, row: Readonly<Record<string, Value>>): Promise<unknown> =>
  inserted(storage, table, row).run();

const version = (document: string, row: Readonly<Record<string, Value>>) => ({
  ...{ document_id: document, locale: '', published_at: 1, created_at: 2, updated_at: 3 },
  ...row,
});

const ODD = 'it\'s "odd": a\nnew line, a literal \\n, \\r\r\n, \u2028, \u0085, 🍋, `x`; -- no comment\t%_';

/** What a restore leaves out, and what commands note. */
const UNFILLED = /^(_cf|sqlite|d1_|edgewise_(outbox|endpoints|oauth_grants|stamps)$)|_search/;

/** Puts a row into each table that has none. */
async function fillEmpty(storage: Storage): Promise<void> {
  const { results } = await storage.db.prepare("select name from sqlite_master where type = 'table'").all();
  for (const table of results.map(({ name }) => String(name)).filter((name) => !UNFILLED.test(name))) {
    if (await storage.db.prepare(`select 1 from "${table}"`).first()) continue;
    const columns = await storage.db.prepare('select name, type from pragma_table_info(?)').bind(table).all();
    // Also a value of JSON.
    const storedOf = (type: string) => (/int|num|dec|bool/i.test(type) ? 1 : /real/i.test(type) ? 0.5 : 'null');
    const row = columns.results.map(({ name, type }) => [String(name), storedOf(String(type))] as const);
    await insert(storage, table, Object.fromEntries(row));
  }
}

export async function fillEverything(storage: Storage): Promise<void> {
  const article = (title: string, more = {}) => version(title.slice(0, 20), { locale: 'en', title, ...more });
  await insert(storage, 'articles', article('Lemon cake', { body: ODD, rating: '9007199254740993', featured: 1 }));
  await insert(
    storage,
    'articles',
    article('Long read', { body: 'é'.repeat(650_000), rating: 0.1, published_at: null }),
  );
  const articles = Array.from({ length: 30 }, (_, index) => article(`Article ${index}`, { rating: index / 7 }));
  await storage.db.batch(articles.map((row) => inserted(storage, 'articles', row)));
  await storage.db.prepare("delete from articles where title = 'Article 29'").run();
  await insert(storage, 'authors', version('ada', { name: 'Ada', words_written: '9223372036854775807' }));
  await insert(storage, 'authors', version('bob', { name: 'Bob', words_written: '-9223372036854775808' }));
  await insert(storage, 'articles_author_lnk', {
    ...{ source_document_id: 'Lemon cake', source_locale: 'en', target_document_id: 'ada', target_locale: '' },
    ...{ status: 'published', position: 65_536.000000000015, inverse_position: 0.1 },
  });
  await insert(storage, 'up_users', version('eve', { username: 'eve', email: 'eve@a.test', password: 'scrypt$1$2' }));
  await insert(storage, 'strapi_sessions', version('session', { user_id: 1, key_hash: 'ab' }));
  await insert(
    storage,
    'strapi_api_tokens',
    version('token', { name: 'website', type: 'read-only', access_key: 'ff' }),
  );
  await insert(
    storage,
    'files',
    version('file', { name: 'a.png', hash: 'a_0123456789', ext: '.png', mime: 'image/png' }),
  );
  await insert(storage, 'edgewise_history', {
    ...{ type: 'api::article.article', document_id: 'Lemon cake', locale: 'en', version: 'draft', at: 4, id: 'rev_1' },
    ...{ operation: 'update', actor: 'user', actor_id: '1', actor_name: 'eve', entry: ODD, size: 90 },
  });
  await insert(storage, 'edgewise_tasks', { kind: 'file', argument: '{"hash":"b_0123456789","ext":".png"}' });
  await storage.db.prepare('delete from categories').run();
  await insert(storage, 'categories', version('gone', { name: 'gone' }));
  await fillEmpty(storage);
  await storage.db.prepare('delete from categories').run();
}

export const KEYS = [
  'a_0123456789.png',
  'long_0123456789.bin',
  'odd/../key ü',
  '.hidden',
  'a_0123456789-private.png',
] as const;

export async function fillBucket({ bucket }: Storage): Promise<void> {
  const [picture, long, ...odd] = KEYS;
  const notes = { contentType: 'image/png', cacheControl: 'max-age=1', contentDisposition: 'attachment' };
  await bucket.put(picture, 'a picture', { httpMetadata: notes, customMetadata: { by: 'ada' } });
  await bucket.put(long, new Uint8Array(PART_BYTES + 17).fill(7));
  for (const key of odd) await bucket.put(key, `under ${key}`);
}

const unquoted = (sql: unknown): string => String(sql).replaceAll(/[`"']/g, '').replaceAll(/\s+/g, ' ').toLowerCase();

/** Every value as SQLite writes it down, and every table, index and trigger. Stamps are new after each restore. */
export async function everything({ db }: Storage): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const { results } = await db
    .prepare(
      `select type, name, sql from sqlite_master where name not like '\\_cf%' escape '\\' and sql is not null order by type, name`,
    )
    .all<{ type: string; name: string; sql: string }>();
  const found: Record<string, readonly unknown[]> = {
    schema: results.map(({ name, sql }) => `${name}: ${unquoted(sql)}`),
  };
  for (const { type, name } of results) {
    if (type !== 'table' || name === 'edgewise_stamps' || name.includes('_search')) continue;
    const columns = (await db.prepare('select name from pragma_table_info(?)').bind(name).all<{ name: string }>())
      .results;
    const quoted = columns.map((column) => `quote("${column.name}") as "${column.name}"`).join(', ');
    const rows = await db.prepare(`select ${quoted} from "${name}"`).all();
    found[name] = rows.results.map((row) => Object.values(row).join('|')).toSorted();
  }
  return found;
}

/** Ids of articles that the search index finds. */
export async function searched({ db }: Storage, text: string): Promise<readonly unknown[]> {
  const trigrams = [...text].slice(2).map((_, at) => `"${text.slice(at, at + 3)}"`);
  const { results } = await db
    .prepare('select "rowid" as "id" from "articles_search" where "articles_search" match ? order by 1')
    .bind(trigrams.join(' AND '))
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}

export const stampsOf = async ({ db }: Storage): Promise<unknown> =>
  db.prepare('select stamps from edgewise_stamps').first('stamps');

/** Of each object: bytes and what is said of them. */
export async function bucketOf({ bucket }: Storage): Promise<Readonly<Record<string, unknown>>> {
  const found: Record<string, unknown> = {};
  for (const { key } of await listObjects(bucket)) {
    const object = await bucket.get(key);
    const bytes = Buffer.from((await object?.arrayBuffer()) ?? new ArrayBuffer(0));
    found[key] = [bytes.length, bytes.subarray(0, 40).toString(), object?.httpMetadata, object?.customMetadata];
  }
  return found;
}
