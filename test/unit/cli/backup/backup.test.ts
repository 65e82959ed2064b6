import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeBackup } from '../../../../cli/backup/backup.ts';
import { checkBackup, restore } from '../../../../cli/backup/restore.ts';
import { readSnapshot } from '../../../../cli/backup/snapshot.ts';
import { ROTATE_STAMPS } from '../../../../cli/core/sql/database.ts';
import type { Storage } from '../../../../cli/core/storage/bindings.ts';
import { storedRegistry } from '../../../../cli/project/sources.ts';
import type { Registry } from '../../../../src/schema/model.ts';
import { filesOf } from '../../../support/archive.ts';
import { DEMO } from '../../../support/demo.ts';
import { useTestStorage } from '../import/imported.ts';
import {
  applyMigrations,
  bucketOf,
  clearAll,
  everything,
  fillBucket,
  fillEverything,
  insert,
  KEYS,
  searched,
  stampsOf,
} from './backed-up.ts';

const storage = await useTestStorage();
let registry: Registry;
let folder: string;
let files = 0;

const newPath = (): string => {
  files += 1;
  return join(folder, `backup-${files}.tar.gz`);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-backups-'));
  registry = await storedRegistry(DEMO);
  await startOver();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Tables without rows, and an empty bucket. */
async function startOver(): Promise<void> {
  await clearAll(storage);
  await applyMigrations(storage);
}

/** Does something once, before the rows of a table are read. */
function interrupted(pattern: RegExp, most: number, meanwhile: () => Promise<unknown>): Storage {
  let left = most;
  const db = new Proxy(storage.db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== 'prepare') return typeof value === 'function' ? value.bind(target) : value;
      return (sql: string) => {
        const statement = target.prepare(sql);
        if (!pattern.test(sql) || left === 0) return statement;
        left -= 1;
        return {
          bind: (...values: unknown[]) => ({
            all: async () => {
              const bound = statement.bind(...values);
              const rows = await bound.all();
              await meanwhile();
              return rows;
            },
          }),
        };
      };
    },
  });
  return { db, bucket: storage.bucket };
}

/** A category, an article that names it, and what the history keeps of it: one commit. */
const together = (name: string) =>
  storage.db.batch([
    storage.db.prepare(`insert into categories (document_id, locale, name) values (?, '', ?)`).bind(name, name),
    storage.db.prepare(`insert into articles (document_id, locale, title) values (?, 'en', ?)`).bind(name, name),
    storage.db
      .prepare(
        `update edgewise_stamps set stamps = json_set(stamps, '$."api::article.article draft"', ?, '$."api::category.category draft"', ?)`,
      )
      .bind(name, name),
    storage.db
      .prepare(
        `insert into edgewise_history ("type", "document_id", "locale", "version", "at", "id", "operation", "actor", "size") values ('api::article.article', ?, 'en', 'draft', 4, ?, 'create', 'user', 0)`,
      )
      .bind(name, name),
  ]);

const READS_ARTICLES = /select "_rowid_".* from "articles" where/;

describe('a backup', () => {
  it('leaves no file when it fails', async () => {
    const path = newPath();
    const failing = interrupted(READS_ARTICLES, 1, () => Promise.reject(new Error('the connection was lost')));
    await expect(writeBackup(failing, registry, path)).rejects.toThrow('the connection was lost');
    expect(readdirSync(folder).filter((name) => path.endsWith(name.replace('.part', '')))).toEqual([]);
  });

  it('gives up, and leaves no file, where each reading meets a write', async () => {
    const path = newPath();
    let written = 0;
    const busy = interrupted(READS_ARTICLES, 1_000, async () => {
      written += 1;
      await together(`busy-${written}`);
    });
    await expect(writeBackup(busy, registry, path)).rejects.toThrow(/No backup was made: .*articles.* were written to/);
    expect(existsSync(path)).toBe(false);
  });

  it('is refused where the tables change meanwhile', async () => {
    const meanwhile = () => storage.db.prepare('alter table articles add column later text').run();
    const changed = interrupted(READS_ARTICLES, 1, meanwhile);
    await expect(writeBackup(changed, registry, newPath())).rejects.toThrow(/the tables were changed meanwhile/);
    await storage.db.prepare('alter table articles drop column later').run();
  });

  it('is refused of a database without tables', async () => {
    await clearAll(storage);
    await expect(writeBackup(storage, registry, newPath())).rejects.toThrow(/no tables yet: npx edgewise migrate/);
    await startOver();
  });

  it.each([
    // Categories come behind articles; what is written between is in the one and not in the other.
    ['articles', READS_ARTICLES],
    ['the former versions', /select "_rowid_".* from "edgewise_history" where/],
  ])('is of one moment: of what one commit wrote after %s were read it has all', async (_, pattern) => {
    await startOver();
    const path = newPath();
    const meanwhile = interrupted(pattern, 1, () => together('meanwhile'));
    await writeBackup(meanwhile, registry, path);
    await clearAll(storage);
    await restore(storage, await checkBackup(DEMO, path));
    const names = async (sql: string) => (await storage.db.prepare(sql).all()).results.length;
    expect(await names("select 1 from categories where name = 'meanwhile'")).toBe(1);
    expect(await names("select 1 from articles where title = 'meanwhile'")).toBe(1);
    expect(await names("select 1 from edgewise_history where id = 'meanwhile'")).toBe(1);
  });

  it('has the objects that came while rows were read, and the new bytes of those that were replaced', async () => {
    await startOver();
    await storage.bucket.put('replaced_0123456789.txt', 'before');
    const path = newPath();
    const meanwhile = interrupted(READS_ARTICLES, 1, async () => {
      await storage.bucket.put('replaced_0123456789.txt', 'after');
      await storage.bucket.put('new_0123456789.txt', 'new');
    });
    expect(await writeBackup(meanwhile, registry, path)).toMatchObject({ content: { files: 2 } });
    await clearAll(storage);
    await restore(storage, await checkBackup(DEMO, path));
    const textOf = async (key: string) => (await storage.bucket.get(key))?.text();
    expect(await textOf('replaced_0123456789.txt')).toBe('after');
    expect(await textOf('new_0123456789.txt')).toBe('new');
    await startOver();
  });

  it('names objects of files that are not there, and leaves the trash out', async () => {
    await insert(storage, 'files', { document_id: 'f', locale: '', name: 'a', hash: 'a_0123456789', ext: '.png' });
    await storage.bucket.put('trash/20260101T000000Z/old_0123456789.png', 'old');
    expect(await writeBackup(storage, registry, newPath())).toMatchObject({
      ...{ content: { files: 0 }, missing: ['a_0123456789.png'] },
    });
  });

  it('reads large tables without stamps page by page, and the small ones in one transaction', async () => {
    const row = { digest: 'd', document_id: 'a', response: 'x'.repeat(500_000), created_at: 1 };
    for (let index = 0; index < 20; index += 1)
      await insert(storage, 'edgewise_requests', { ...row, key: `large ${index}` });
    let most = 0;
    const db = new Proxy(storage.db, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (name !== 'batch') return typeof value === 'function' ? value.bind(target) : value;
        return async (statements: D1PreparedStatement[]) => {
          const results = await target.batch(statements);
          most = Math.max(most, JSON.stringify(results).length);
          return results;
        };
      },
    });
    await writeBackup({ db, bucket: storage.bucket }, registry, newPath());
    expect(most).toBeLessThan(8_000_000);
    const { copies } = await readSnapshot(storage.db, registry, () => undefined);
    expect([copies.count('edgewise_requests'), copies.count('edgewise_stamps')]).toEqual([20, 1]);
    copies.close();
    await storage.rows('delete from edgewise_requests');
  });

  it('reads tables without stamps in its first round alone', async () => {
    let reads = 0;
    const busy = interrupted(/from "edgewise_requests" where/, 8, async () => {
      reads += 1;
      await together('between rounds');
    });
    const { copies } = await readSnapshot(busy.db, registry, () => undefined);
    copies.close();
    expect(reads).toBe(1);
    await startOver();
  });

  it('has all rows of a table with a column called rowid', async () => {
    const made = [
      'create table "odd" ("id" integer primary key, "rowid" integer)',
      'insert into "odd" ("rowid") values (null), (7), (7)',
    ];
    await storage.db.batch(made.map((sql) => storage.db.prepare(sql)));
    const path = newPath();
    await writeBackup(storage, registry, path);
    const files = await filesOf(gunzipSync(readFileSync(path)));
    writeFileSync(join(folder, 'odd.sqlite'), files.get('database.sqlite') ?? '');
    const rows = new DatabaseSync(join(folder, 'odd.sqlite')).prepare('select * from odd').all();
    expect(rows.map((row) => Object.values(row))).toEqual([
      [1, null],
      [2, 7],
      [3, 7],
    ]);
    await storage.db.prepare('drop table "odd"').run();
  });

  it('can be read by nobody else on the machine', async () => {
    const path = newPath();
    await writeBackup(storage, registry, path);
    expect(statSync(path).mode & 0o077).toBe(0);
    expect(readFileSync(path).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });
});

describe('a restore', () => {
  it('brings every value, table, index, trigger, id and object back as it was', async () => {
    await startOver();
    await fillEverything(storage);
    await fillBucket(storage);
    const before = await everything(storage);
    const [objects, found, stamps] = [
      await bucketOf(storage),
      await searched(storage, 'cake'),
      await stampsOf(storage),
    ];
    const path = newPath();
    expect(await writeBackup(storage, registry, path)).toMatchObject({ content: { files: KEYS.length }, missing: [] });
    await clearAll(storage);
    const verified = await checkBackup(DEMO, path);
    expect(verified.due).toEqual([]);
    await restore(storage, verified);
    expect(await everything(storage)).toEqual(before);
    expect(await bucketOf(storage)).toEqual(objects);
    expect(found).toEqual([1]);
    expect(await searched(storage, 'cake')).toEqual([1]);
    expect(await searched(storage, 'rticle 11')).toEqual([14]);
    expect(await stampsOf(storage)).not.toEqual(stamps);
  });

  it('goes on as before: ids are not given again, and triggers index what is new', async () => {
    await insert(storage, 'categories', { document_id: 'new', locale: '', name: 'new' });
    expect(await storage.db.prepare("select id from categories where name = 'new'").first('id')).toBe(2);
    await insert(storage, 'articles', { document_id: 'n', locale: 'en', title: 'Marzipan' });
    expect(await searched(storage, 'Marzipan')).toEqual([33]);
    await storage.db.prepare("delete from articles where title = 'Lemon cake'").run();
    expect(await searched(storage, 'cake')).toEqual([]);
    await storage.db.prepare(ROTATE_STAMPS).run();
  });

  it('takes the place of what is there, and leaves other objects', async () => {
    await startOver();
    await insert(storage, 'categories', { document_id: 'kept', locale: '', name: 'kept' });
    const path = newPath();
    const before = await everything(storage);
    // Of another deployment, maybe, whose messages it alone sends.
    await insert(storage, 'edgewise_endpoints', { url: 'https://example.com/', paused_at: 1 });
    await insert(storage, 'edgewise_outbox', {
      ...{ id: 'm', endpoint: 'https://example.com/', event: 'entry.create', type: 'api::category.category' },
      ...{ document_id: 'kept', locale: '', created_at: 1, due_at: 1, attempts: 0 },
    });
    await writeBackup(storage, registry, path);
    await insert(storage, 'articles', { document_id: 'x', locale: 'en', title: 'Lemon cake' });
    await storage.bucket.put('other_0123456789.txt', 'stays');
    await restore(storage, await checkBackup(DEMO, path));
    expect(await everything(storage)).toEqual(before);
    expect(await searched(storage, 'cake')).toEqual([]);
    expect(Object.keys(await bucketOf(storage))).toEqual(['other_0123456789.txt']);
  });
});
