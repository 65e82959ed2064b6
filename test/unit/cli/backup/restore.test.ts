import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { writeBackup } from '../../../../cli/backup/backup.ts';
import { assertEmpty, checkBackup, restore } from '../../../../cli/backup/restore.ts';
import { cipherKeyOf, cipherWith } from '../../../../cli/core/archive/archive-file.ts';
import { STUDIO_TOKEN } from '../../../../cli/core/sql/tokens.ts';
import { migrationNames } from '../../../../cli/migrations/migration-files.ts';
import { generate } from '../../../../cli/project/generate.ts';
import { storedRegistry } from '../../../../cli/project/sources.ts';
import { DEMO } from '../../../support/demo.ts';
import { contentType } from '../content-model.ts';
import { failingAfter, openTestStorage, type TestStorage } from '../import/imported.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';
import { applyMigrations, clearAll, insert } from './backed-up.ts';

let storage: TestStorage;
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
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  folder = mkdtempSync(join(tmpdir(), 'edgewise-restores-'));
  storage = await openTestStorage();
  await applyMigrations(storage);
  await tag('backed up');
  await insert(storage, 'articles', { document_id: 'a', locale: 'en', title: 'Backed up' });
  await storage.bucket.put('a_0123456789.txt', 'backed up');
  whole = await backedUp(DEMO);
}, 60_000);
afterAll(async () => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
  await storage.close();
});

const manifestWith = (change: (manifest: Record<string, unknown>) => void) =>
  repacked((name, bytes) => {
    if (name !== 'manifest.json') return bytes;
    const manifest = JSON.parse(String(bytes)) as Record<string, unknown>;
    change(manifest);
    return Buffer.from(JSON.stringify(manifest));
  });

describe('a backup is refused before anything is written', () => {
  const altered = (bytes: Buffer) => Buffer.from(String(bytes).replace('backed up', 'Backed Up'));

  it.each<[string, () => Promise<Buffer> | Buffer, RegExp]>([
    ['that is cut', () => whole.subarray(0, whole.length - 200), /is cut/],
    ['that is an enciphered export', () => enciphered(whole), /is no backup.*enciphered.*npm run import -- /],
    [
      'that is an export',
      () => repacked((name, bytes) => (name === 'manifest.json' ? undefined : bytes), 'metadata.json'),
      /is no backup but an export.*npm run import -- /,
    ],
    ['that is none', () => Buffer.from('no backup at all '.repeat(90)), /is no archive: neither tar nor gzip/],
    [
      'without its manifest',
      () => repacked((name, bytes) => (name === 'manifest.json' ? undefined : bytes)),
      /is no backup/,
    ],
    [
      'with another row',
      () => repacked((name, bytes) => (name.includes('categories') ? altered(bytes) : bytes)),
      /damaged: 1 file in it changed since.*tables\/categories\.jsonl.*Nothing was changed/,
    ],
    [
      'with other bytes of an object',
      () => repacked((name, bytes) => (name.startsWith('objects/') ? altered(bytes) : bytes)),
      /damaged: 1 file in it changed since.*objects\/a_0123456789\.txt/,
    ],
    [
      'without a table',
      () => repacked((name, bytes) => (name.includes('categories') ? undefined : bytes)),
      /damaged: .*categories/,
    ],
    [
      'of another version',
      () => manifestWith((manifest) => Object.assign(manifest, { version: 2 })),
      /manifest\.json: version/,
    ],
    [
      'of a later state',
      () => manifestWith(({ migrations }) => (migrations as string[]).push('0099_later.sql')),
      /a migration that drizzle\/ lacks: 0099_later\.sql/,
    ],
    [
      'with migrations in another order',
      () => manifestWith(({ migrations }) => (migrations as string[]).push('0001_initial.sql')),
      /in another order/,
    ],
    [
      'from before the first release',
      () => manifestWith(({ migrations }) => (migrations as string[]).push('0006_link_versions.sql')),
      /^The backup was made by a version from before the first release: export its content/,
    ],
  ])('%s', async (_, bytes, message) => {
    await expect(checkBackup(DEMO, fileOf(await bytes()))).rejects.toThrow(message);
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

  it('into a database that somebody would miss something of', async () => {
    await expect(assertEmpty(storage)).rejects.toThrow(/has content \(articles, categories\), which --replace/);
    await clearAll(storage);
    await applyMigrations(storage);
    await assertEmpty(storage);
    await insert(storage, 'strapi_api_tokens', { document_id: 't', locale: '', name: 'website' });
    await expect(assertEmpty(storage)).rejects.toThrow(/has content \(strapi_api_tokens\)/);
  });
});

describe('SQL in a backup', () => {
  type Json = Record<string, Record<string, unknown>[]>;
  const target = () => join(folder, 'attached.db');
  const hostile = () =>
    `ATTACH '${target()}' AS other; CREATE TABLE other.made (a); VACUUM INTO '${target()}.copy'; DELETE FROM categories`;

  it.each<[string, (manifest: Json) => void]>([
    ['in place of a table', ({ tables = [] }) => Object.assign(tables[0] ?? {}, { sql: hostile() })],
    ['among indexes and triggers', (manifest) => (manifest.rest as unknown as string[]).push(hostile())],
    [
      'behind an index',
      (manifest) => {
        const index = `CREATE INDEX by_hand ON categories (name); ${hostile()}`;
        (manifest.rest as unknown as string[]).push(index);
      },
    ],
    [
      'in a trigger',
      (manifest) => {
        const trigger = 'CREATE TRIGGER by_hand AFTER INSERT ON articles BEGIN DELETE FROM categories; END';
        (manifest.rest as unknown as string[]).push(trigger);
      },
    ],
    [
      'as a search index',
      (manifest) => {
        manifest.searches = [{ name: 'x_search', sql: hostile(), table: 'categories', fill: hostile() }];
      },
    ],
  ])('%s is executed neither by the check nor by the restore', async (_, change) => {
    const verified = await checkBackup(DEMO, fileOf(await manifestWith((manifest) => change(manifest as Json))));
    await restore(storage, verified);
    await insert(storage, 'articles', { document_id: 'b', locale: 'en', title: 'after' });
    expect(readdirSync(folder).filter((name) => name.startsWith('attached'))).toEqual([]);
    expect(await storage.rows('select name from categories')).toEqual([{ name: 'backed up' }]);
    const added = "select name from sqlite_master where name like '%by_hand%' or name like 'x\\_%' escape '\\'";
    expect(await storage.rows(added)).toEqual([]);
  });

  it.each([
    ['that is no row', '[1]'],
    ['with an object in it', '{"a":1}'],
  ])('a line %s is named, and leaves no table behind', async (_, line) => {
    const bytes = Buffer.from(`${line}\n`);
    const note = { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    const changed = await repacked((name, present) => {
      if (name === 'tables/categories.jsonl') return bytes;
      if (name !== 'manifest.json') return present;
      const manifest = JSON.parse(String(present)) as { files: Record<string, object> };
      manifest.files['tables/categories.jsonl'] = note;
      return Buffer.from(JSON.stringify(manifest));
    });
    const verified = await checkBackup(DEMO, fileOf(changed));
    await expect(restore(storage, verified)).rejects.toThrow(
      /tables\/categories\.jsonl, line 1: not a list of \d+ texts/,
    );
    expect(await storage.rows("select name from sqlite_master where name like 'edgewise_restore%'")).toEqual([]);
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

describe('a restore that is interrupted', () => {
  it('has changed nothing that anybody reads, wherever it ended, and comes to its end when it is repeated', async () => {
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
    let interruptions = 0;
    for (; ; interruptions += 1) {
      const failed = await restore(failingAfter(storage, interruptions), verified).then(
        () => false,
        () => true,
      );
      if (!failed) break;
      expect(await tablesOf(), `after ${interruptions} batches`).toEqual(before);
      expect(interruptions).toBeLessThan(60);
    }
    expect(interruptions).toBeGreaterThan(3);
    expect(await storage.rows('select name from categories')).toEqual([{ name: 'backed up' }]);
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
