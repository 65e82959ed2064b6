import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeBackup } from '../../../../cli/backup/backup.ts';
import {
  assertEmpty,
  assertReplaceable,
  assertServable,
  checkBackup,
  restore,
} from '../../../../cli/backup/restore.ts';
import { cipherKeyOf, cipherWith } from '../../../../cli/core/archive/archive-file.ts';
import { NOTE_CHECKED, READ_FENCE } from '../../../../cli/core/sql/fence.ts';
import { STUDIO_TOKEN } from '../../../../cli/core/sql/tokens.ts';
import { listObjects } from '../../../../cli/core/storage/objects.ts';
import { INTERRUPTED_SQL, LACKS_INDEXES } from '../../../../cli/core/storage/unfinished.ts';
import { migrationNames } from '../../../../cli/migrations/migration-files.ts';
import { parseRenames } from '../../../../cli/migrations/rename-options.ts';
import { generate } from '../../../../cli/project/generate.ts';
import { storedRegistry } from '../../../../cli/project/sources.ts';
import { DEMO } from '../../../support/demo.ts';
import { component, contentType } from '../../../support/schema-files.ts';
import { failingAfter, useTestStorage } from '../import/imported.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';
import { applyMigrations, clearAll, insert } from './backed-up.ts';

const storage = await useTestStorage();
let folder: string;
let whole: Buffer;
let files = 0;

function fileOf(bytes: Buffer): string {
  files += 1;
  const isPlain = bytes[0] === 0x1f || bytes.toString('latin1').startsWith('no backup');
  const path = join(folder, `restored-${files}.tar.gz${isPlain ? '' : '.enc'}`);
  writeFileSync(path, bytes);
  return path;
}

function enciphered(bytes: Buffer): Buffer {
  const cipher = cipherWith(cipherKeyOf('a key'));
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

const tag = (name: string) => insert(storage, 'categories', { document_id: name, locale: '', name });

async function backedUp(root: string): Promise<Buffer> {
  files += 1;
  const path = join(folder, `backup-${files}.tar.gz`);
  await writeBackup(storage, await storedRegistry(root), path);
  return readFileSync(path);
}

/** The same tar with other files in it. */
async function repacked(
  change: (name: string, bytes: Buffer) => Buffer | undefined,
  ...more: readonly string[]
): Promise<Buffer> {
  const [reader, tar, chunks] = [extract(), pack(), [] as Buffer[]];
  tar.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => tar.on('end', resolve));
  reader.end(gunzipSync(whole));
  for await (const entry of reader) {
    const parts: Buffer[] = [];
    for await (const part of entry) parts.push(part as Buffer);
    const bytes = change(entry.header.name, Buffer.concat(parts));
    if (bytes) tar.entry({ name: entry.header.name }, bytes);
  }
  for (const name of more) tar.entry({ name }, '{}');
  tar.finalize();
  await ended;
  return gzipSync(Buffer.concat(chunks));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-restores-'));
  await applyMigrations(storage);
  await tag('backed up');
  await insert(storage, 'articles', { document_id: 'a', locale: 'en', title: 'Backed up' });
  await storage.bucket.put('a_0123456789.txt', 'backed up');
  whole = await backedUp(DEMO);
});
afterAll(() => rmSync(folder, { recursive: true }));

const DATABASE = 'database.sqlite';

const manifestWith = (change: (manifest: Record<string, unknown>) => void) =>
  repacked((name, bytes) => {
    if (name !== 'manifest.json') return bytes;
    const manifest = JSON.parse(String(bytes)) as Record<string, unknown>;
    change(manifest);
    return Buffer.from(JSON.stringify(manifest));
  });

/** The same backup, in whose database somebody has run statements. */
function databaseWith(...statements: readonly string[]): Promise<Buffer> {
  let databaseSize = 0;
  return repacked((name, bytes) => {
    if (name === 'manifest.json') return Buffer.from(JSON.stringify({ ...JSON.parse(String(bytes)), databaseSize }));
    if (name !== DATABASE) return bytes;
    files += 1;
    const path = join(folder, `changed-${files}.sqlite`);
    writeFileSync(path, bytes);
    const db = new DatabaseSync(path, { defensive: false });
    for (const sql of statements) db.exec(sql);
    db.close();
    databaseSize = statSync(path).size;
    return readFileSync(path);
  });
}

const flipped = (bytes: Buffer, at: number): Buffer => {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(at) ^ 0x10, at);
  return changed;
};

const noteMigration = (name: string) => databaseWith(`insert into d1_migrations ("name") values ('${name}')`);

describe('a backup is refused before anything is written', () => {
  const without = (omitted: string, ...more: readonly string[]) =>
    repacked((name, bytes) => (name === omitted ? undefined : bytes), ...more);
  const shorter = (changed: string) =>
    repacked((name, bytes) => (name === changed ? bytes.subarray(0, bytes.length - 1) : bytes));
  /** Leaves the first page, which has the schema, and the last, whose cells may be anywhere. */
  const scribbled = () =>
    repacked((name, bytes) => (name === DATABASE ? Buffer.from(bytes).fill(0xab, 4096, 4096 * 3) : bytes));
  const NO_DATABASE = /damaged: no backup writes such a database. Nothing was changed$/;

  it.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['that is cut', () => whole.subarray(0, whole.length - 200), /is cut/],
    ['that is cut by a byte', () => whole.subarray(0, whole.length - 1), /is cut/],
    ['that is an enciphered export', () => enciphered(whole), /is no backup.*enciphered.*npx edgewise import /],
    [
      'that is an export',
      () => without('manifest.json', 'metadata.json'),
      /is no backup but an export.*npx edgewise import /,
    ],
    ['that is none', () => Buffer.from('no backup at all '.repeat(90)), /is no archive: neither tar nor gzip/],
    ['that is unpacked', () => gunzipSync(whole), /is not gzipped, so damage to it would not show/],
    ['without its manifest', () => without('manifest.json'), /is no backup/],
    ['without its database', () => without(DATABASE), /damaged: database\.sqlite is missing/],
    ['without an object', () => without('objects/1'), /damaged: objects\/1 is missing.*Nothing was changed/],
    ['with a shorter object', () => shorter('objects/1'), /damaged: objects\/1 is missing or has another size/],
    ['with a shorter database', () => shorter(DATABASE), /damaged: database\.sqlite is missing or has another size/],
    ['with other pages in its database', scribbled, NO_DATABASE],
    [
      'without a table',
      () => databaseWith('drop table categories'),
      /other content types:\n {2}it lacks categories\.id/,
    ],
    ['without migrations', () => databaseWith('drop table d1_migrations'), NO_DATABASE],
    [
      'of another version',
      () => manifestWith((manifest) => Object.assign(manifest, { version: 1 })),
      /manifest\.json: version/,
    ],
    ['of a later state', () => noteMigration('0099_later.sql'), /a migration that drizzle\/ lacks: 0099_later\.sql/],
    ['with migrations in another order', () => noteMigration('0001_initial.sql'), /in another order/],
    [
      'with the fence of a save of npm run dev',
      () => databaseWith(`update edgewise_stamps set stamps = '{"fence":"0123456789abcdef"}'`),
      /has the fence 0123456789abcdef, which no migration in drizzle\/ sets/,
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(checkBackup(DEMO, fileOf(await bytes()))).rejects.toThrow(message);
  });

  it('of which any bit that matters is another one', async () => {
    const content = gunzipSync(whole);
    /** Some bits of a gzip change nothing: those of codes that it does not use. */
    const isSame = (bytes: Buffer): boolean => {
      try {
        return gunzipSync(bytes).equals(content);
      } catch {
        return false;
      }
    };
    const places = Array.from({ length: 60 }, (_, index) => 10 + Math.floor((index * (whole.length - 10)) / 60));
    const checksum = Array.from({ length: 8 }, (_, index) => whole.length - 8 + index);
    const changed = [...places, ...checksum].map((at) => flipped(whole, at)).filter((bytes) => !isSame(bytes));
    expect(changed.length).toBeGreaterThan(55);
    for (const bytes of changed) await expect(checkBackup(DEMO, fileOf(bytes))).rejects.toThrow(/is (damaged|cut)/);
  });

  it('of other content types, though its migrations have the same names', async () => {
    const project = scratchProject();
    const attributes: Record<string, { type: string }> = { title: { type: 'string' } };
    for (const [index, migration] of migrationNames(DEMO).entries()) {
      project.schemas(contentType('article', { ...attributes }));
      await generate(project.root, index === 0 ? {} : { name: migration.slice(5, -'.sql'.length) });
      attributes[['summary', 'body', 'format', 'editorNotes'][index] ?? `rest${index}`] = { type: 'text' };
    }
    expect(migrationNames(project.root)).toEqual(migrationNames(DEMO));
    await expect(checkBackup(project.root, fileOf(whole))).rejects.toThrow(
      /other content types:\n(?: {2}it lacks .*\n)* {2}the project lacks articles\.slug text/,
    );
    project.remove('.');
  });

  it('with more tables than D1 replaces in one transaction', async () => {
    const verified = await checkBackup(DEMO, fileOf(whole));
    await assertReplaceable(storage, verified);
    const schema = { ...verified.schema, renaming: Array.from({ length: 1_000 }, () => 'alter table …') };
    await expect(assertReplaceable(storage, { ...verified, schema })).rejects.toThrow(
      /^Nothing was changed: .* D1 runs 1,000/,
    );
  });

  it('into a database that somebody would miss something of', async () => {
    await expect(assertEmpty(storage)).rejects.toThrow(/has content \(articles, categories\), which --replace/);
    await clearAll(storage);
    await applyMigrations(storage);
    await assertEmpty(storage);
    // `npx edgewise migrate` notes the migrations that it has applied.
    await insert(storage, 'edgewise_migrations', { name: '0001_initial.sql', checksum: 'ab' });
    await assertEmpty(storage);
    await insert(storage, 'strapi_api_tokens', { document_id: 't', locale: '', name: 'website' });
    await expect(assertEmpty(storage)).rejects.toThrow(/has content \(strapi_api_tokens\)/);
  });
});

describe('SQL in a backup', () => {
  const target = () => join(folder, 'attached.db');
  const hostile = () =>
    `ATTACH '${target()}' AS other; CREATE TABLE other.made (a); VACUUM INTO '${target()}.copy'; DELETE FROM categories`;

  it.each<[string, () => string]>([
    ['among indexes and triggers', hostile],
    ['behind an index', () => `CREATE INDEX by_hand ON categories (name); ${hostile()}`],
    ['in a trigger', () => 'CREATE TRIGGER by_hand AFTER INSERT ON articles BEGIN DELETE FROM categories; END'],
  ])('%s is executed neither by the check nor by the restore', async (_, sql) => {
    const changed = await manifestWith(({ rest }) => (rest as string[]).push(sql()));
    await restore(storage, await checkBackup(DEMO, fileOf(changed)));
    await insert(storage, 'articles', { document_id: 'b', locale: 'en', title: 'after' });
    expect(readdirSync(folder).filter((name) => name.startsWith('attached'))).toEqual([]);
    expect(await storage.rows('select name from categories')).toEqual([{ name: 'backed up' }]);
    expect(await storage.rows("select name from sqlite_master where name like '%by_hand%'")).toEqual([]);
  });

  const remade = (columns: string) => ['drop table edgewise_stamps', `create table edgewise_stamps (${columns})`];

  it.each<[string, readonly string[]]>([
    [
      'as a view',
      ['alter table categories rename to kept', 'create view categories as select * from kept', 'drop table articles'],
    ],
    ['in a trigger', ['create trigger made after insert on categories begin delete from articles; end']],
    ['in an index', ['create index made on categories (lower("name"))']],
    ['in a computed column', remade('"id" integer, "stamps" text as (hex("id"))')],
    ['in a check', remade('"id" integer, "stamps" text check (length("stamps") > 1)')],
    ['in a default', remade('"id" integer, "stamps" text default (hex(randomblob(9)))')],
    ['in a virtual table', ['create virtual table made using fts5("text")']],
    ['in a statistic', ['analyze']],
  ])('%s of its database is refused', async (_, statements) => {
    await expect(checkBackup(DEMO, fileOf(await databaseWith(...statements)))).rejects.toThrow(
      /no backup writes such a database/,
    );
  });
});

describe('what has no place in the project is refused before anything is written', () => {
  const objectWith = (change: (object: Record<string, unknown>) => object) =>
    manifestWith((manifest) => {
      const [first = {}] = manifest.objects as Record<string, unknown>[];
      manifest.objects = [{ ...first, ...change(first) }];
    });

  it.each<[string, () => Promise<Buffer>, string]>([
    [
      'bytes',
      () => databaseWith("update categories set name = x'00ff'"),
      'categories.name has bytes in a row, which cannot be backed up or restored',
    ],
    [
      'a document twice',
      () =>
        databaseWith('insert into articles (id, document_id, locale) select id + 1, document_id, locale from articles'),
      'articles has two rows with the same document_id, locale',
    ],
    [
      'an id twice',
      () => databaseWith("insert into articles (id, document_id, locale) select id, 'b', locale from articles"),
      'articles has two rows with the same id',
    ],
    [
      'a link twice',
      () =>
        databaseWith(
          ...[1, 2].map(
            (position) =>
              `insert into articles_categories_lnk values ('a', 'en', 'c', '', 'draft', ${position}, ${position})`,
          ),
        ),
      'articles_categories_lnk has two rows with the same source_document_id, ',
    ],
    [
      'no value in a required column',
      () => databaseWith('update articles set document_id = null'),
      'articles.document_id lacks a value in a row, which the project requires',
    ],
    [
      'a number that JSON does not have',
      () => databaseWith("insert into articles_categories_lnk values ('a', 'en', 'c', '', 'draft', 9e999, 1)"),
      'articles_categories_lnk.position lacks a value in a row',
    ],
    [
      'a text for an id',
      () => databaseWith("update categories set id = 'one'"),
      'categories.id has a text in a row, where the project has a number',
    ],
    [
      'a value that is too large',
      () => databaseWith("update categories set name = replace(hex(zeroblob(1500000)), '0', 'x')"),
      'categories.name has a value of more than 2 MB, which D1 does not store',
    ],
    ['an object with a long key', () => objectWith(() => ({ key: 'k'.repeat(2000) })), 'objects.0.key: no key that R2'],
    ['an object without a key', () => objectWith(() => ({ key: '' })), 'objects.0.key: no key that R2 stores'],
    [
      'an object with much metadata',
      () => objectWith(() => ({ customMetadata: { a: 'x'.repeat(9000) } })),
      'objects.0.customMetadata: longer than R2 stores',
    ],
    [
      'an object with a wrong time',
      () => objectWith(() => ({ httpMetadata: { cacheExpiry: 'soon' } })),
      'objects.0.httpMetadata: no time',
    ],
    [
      'an object twice',
      () =>
        manifestWith((manifest) => Object.assign(manifest, { objects: [manifest.objects, manifest.objects].flat() })),
      'objects: an object twice',
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(checkBackup(DEMO, fileOf(await bytes()))).rejects.toThrow(message);
  });
});

describe('pictures on request', () => {
  it('are those of the backup: later ones may show other bytes or another focal point', async () => {
    const [kept, later, trashed] = ['64-75.webp', '128-75.webp', '256-75.webp'].map(
      (name) => `pictures/a_0123456789-private.png/${name}`,
    ) as [string, string, string];
    await clearAll(storage);
    await applyMigrations(storage);
    await storage.bucket.put(kept, 'kept');
    const verified = await checkBackup(DEMO, fileOf(await backedUp(DEMO)));
    for (const key of [kept, later, `trash/1/${trashed}`, 'b_0123456789.txt']) await storage.bucket.put(key, 'later');
    await restore(storage, verified);
    const keys = (await listObjects(storage.bucket)).map(({ key }) => key);
    expect(keys.toSorted()).toEqual(['b_0123456789.txt', kept, `trash/1/${trashed}`]);
    expect(await (await storage.bucket.get(kept))?.text()).toBe('kept');
  });
});

describe('the token of npm run dev for Studio', () => {
  it('is taken to no database, since it is known on the machine that it was made on', async () => {
    await clearAll(storage);
    await applyMigrations(storage);
    for (const name of [STUDIO_TOKEN, 'website'])
      await insert(storage, 'strapi_api_tokens', { document_id: name, locale: '', name });
    await restore(storage, await checkBackup(DEMO, fileOf(await backedUp(DEMO))));
    expect(await storage.rows('select name from strapi_api_tokens')).toEqual([{ name: 'website' }]);
  });
});

describe('what users had let clients do', () => {
  it('ends with a restore, since it may have ended meanwhile', async () => {
    await clearAll(storage);
    await applyMigrations(storage);
    const names = { client_id: 'c', host: 'c.example', name: 'C', level: 'read', key_hash: 'k' };
    const times = { created_at: 1, updated_at: 1, expires_at: 9e15 };
    await insert(storage, 'edgewise_oauth_grants', { id: 'g', user: 'ann', ...names, ...times });
    await restore(storage, await checkBackup(DEMO, fileOf(await backedUp(DEMO))));
    expect(await storage.rows('select id from edgewise_oauth_grants')).toEqual([]);
  });
});

describe('a user whose name is being removed from former versions', () => {
  it('is forgotten from the first version again, since their rows have other numbers', async () => {
    await clearAll(storage);
    await applyMigrations(storage);
    for (const id of ['rev_1', 'rev_2', 'rev_3'])
      await insert(storage, 'edgewise_history', {
        ...{
          type: 'api::article.article',
          document_id: id,
          locale: 'en',
          version: 'draft',
          at: 1,
          id,
          operation: 'update',
        },
        ...{ actor: 'user', actor_id: '7', actor_name: 'Ann', entry: '{}', size: 2 },
      });
    await insert(storage, 'edgewise_tasks', { kind: 'name', argument: '{"user":"7","after":2}' });
    await storage.db.prepare("delete from edgewise_history where id <> 'rev_3'").run();
    await restore(storage, await checkBackup(DEMO, fileOf(await backedUp(DEMO))));
    expect(await storage.rows('select "rowid", actor_name from edgewise_history')).toEqual([
      { rowid: 1, actor_name: 'Ann' },
    ]);
    expect(await storage.rows('select argument from edgewise_tasks')).toEqual([{ argument: '{"user":"7","after":0}' }]);
  });
});

it('a restore of a backup of before the fence keeps the note that the version which serves checks it', async () => {
  await storage.db.prepare(NOTE_CHECKED).run();
  const fences = async () => (await storage.rows(READ_FENCE)).map(({ fence }) => fence);
  await restore(storage, await checkBackup(DEMO, fileOf(whole)));
  expect(await fences()).toEqual(['']);
  await storage.rows(`update edgewise_stamps set stamps = json_remove(stamps, '$.fence')`);
  await restore(storage, await checkBackup(DEMO, fileOf(whole)));
  expect(await fences()).toEqual([null]);
});

describe('a backup of a project whose migrations move stored values', () => {
  let project: ScratchProject;
  const migrate = (...names: readonly string[]) => applyMigrations(storage, project.root, names);
  const fences = async () => (await storage.rows(READ_FENCE)).map(({ fence }) => fence);
  /** One that renames an attribute of a component. @returns the names of the migrations */
  const rename = async (from: string, to: string): Promise<readonly string[]> => {
    const part = { type: 'component', component: 'kit.part', repeatable: false };
    project.schemas(contentType('article', { part }), component('kit.part', { [to]: { type: 'string' } }));
    await generate(project.root, { renames: parseRenames(from === to ? [] : [`kit.part.${from}=${to}`], []) });
    return migrationNames(project.root);
  };
  /** The wrangler of an account in which a Worker serves, or none. */
  const serving = (isThere: boolean) => async () =>
    isThere ? { code: 0, stdout: '[]', stderr: '' } : { code: 1, stdout: '', stderr: 'Worker "magazine" not found.' };
  const insertText = (path: string, text: string) =>
    insert(storage, 'articles', { document_id: 'a', locale: '', part: `{"${path}":"${text}"}` });

  beforeEach(async () => {
    project = scratchProject();
    await rename('text', 'text');
    await clearAll(storage);
    await migrate(...migrationNames(project.root));
    return () => project.remove('.');
  });

  it('brings its own fence, with values under the names of that time', async () => {
    const [, moved = ''] = await rename('text', 'label');
    await migrate(moved);
    await insertText('label', 'early');
    const [fence] = await fences();
    expect(fence).toMatch(/^0002-/);
    const backup = fileOf(await backedUp(project.root));
    const [, , again = ''] = await rename('label', 'title');
    await migrate(again);
    expect(await fences()).toEqual([expect.stringMatching(/^0003-/)]);
    const verified = await checkBackup(project.root, backup);
    await restore(storage, verified);
    expect(await fences()).toEqual([fence]);
    expect(verified.due).toEqual([again]);
    await migrate(...verified.due);
    expect(await fences()).toEqual([expect.stringMatching(/^0003-/)]);
    expect(await storage.rows(`select part ->> '$.title' as title from articles`)).toEqual([{ title: 'early' }]);
  });

  it('is refused before anything is replaced, where the version that serves checks no fence', async () => {
    await insertText('text', 'early');
    const verified = await checkBackup(project.root, fileOf(await backedUp(project.root)));
    const check = (due: readonly string[], isThere = true) =>
      assertServable(project.root, storage, { due }, { remote: true }, serving(isThere));
    await check(verified.due);
    const [, moved = ''] = await rename('text', 'label');
    const { due } = await checkBackup(project.root, verified.path);
    expect(due).toEqual([moved]);
    await expect(check(due)).rejects.toThrow(`  drizzle/${moved}\nDeploy twice`);
    // A backup with the migration, which this database lacks.
    await expect(check([])).rejects.toThrow('Deploy twice');
    await check(due, false);
    await storage.db.prepare(NOTE_CHECKED).run();
    await check(due);
  });
});

describe('a restore that is interrupted', () => {
  it('has changed nothing that anybody reads, or lacks indexes and says so, and comes to its end when it is repeated', async () => {
    await clearAll(storage);
    await applyMigrations(storage);
    await tag('there before');
    const tablesOf = async () => {
      const own = `name not like 'edgewise_restore_%' and tbl_name not like 'edgewise_restore_%'`;
      const schema = `select name, sql from sqlite_master where ${own} order by name`;
      const sequences = `select * from sqlite_sequence where name not like 'edgewise_restore_%' order by name`;
      const texts = [schema, sequences, 'select * from categories', 'select * from edgewise_stamps'];
      const answers = await storage.db.batch(texts.map((sql) => storage.db.prepare(sql)));
      return answers.map(({ results }) => results);
    };
    const before = await tablesOf();
    const verified = await checkBackup(DEMO, fileOf(whole));
    const names = async () => (await storage.rows('select name from categories')).map(({ name }) => name);
    const interrupted = async () => (await storage.rows(INTERRUPTED_SQL[1] ?? '')).map(({ name }) => name);
    const indexes = `select name from sqlite_master where type = 'index' and sql is not null order by name`;
    const allIndexes = await storage.rows(indexes);
    let [interruptions, lacking] = [0, 0];
    for (; ; interruptions += 1) {
      const failed = await restore(failingAfter(storage, interruptions), verified).then(
        () => false,
        () => true,
      );
      if (!failed) break;
      expect(interruptions).toBeLessThan(60);
      if ((await names())[0] === 'there before') {
        expect(await tablesOf(), `after ${interruptions} batches`).toEqual(before);
        continue;
      }
      lacking += 1;
      expect([await names(), await interrupted()]).toEqual([['backed up'], [LACKS_INDEXES]]);
    }
    expect(lacking).toBeGreaterThan(1);
    expect(await storage.rows(indexes)).toEqual(allIndexes);
    expect(await interrupted()).toEqual([]);
    expect(interruptions).toBeGreaterThan(3);
    expect(await names()).toEqual(['backed up']);
    expect(await storage.rows("select name from sqlite_master where name like 'edgewise_restore%'")).toEqual([]);
  });
});

describe('a backup of an earlier state', () => {
  let project: ScratchProject;

  it('is restored as it was, and says which migrations are due', async () => {
    project = scratchProject();
    project.schemas(contentType('article', { title: { type: 'string' } }));
    await generate(project.root);
    await clearAll(storage);
    await applyMigrations(storage, project.root);
    await insert(storage, 'articles', { document_id: 'a', locale: '', title: 'early' });
    const early = fileOf(await backedUp(project.root));
    project.schemas(contentType('article', { title: { type: 'string' }, body: { type: 'text' } }));
    await generate(project.root);
    const verified = await checkBackup(project.root, early);
    expect(verified.due).toEqual([migrationNames(project.root)[1]]);
    await applyMigrations(storage, project.root, [migrationNames(project.root)[1] ?? '']);
    await restore(storage, verified);
    expect(await storage.rows('select name from d1_migrations')).toHaveLength(1);
    expect(await storage.rows('select title from articles')).toEqual([{ title: 'early' }]);
    project.remove('.');
  });
});
