/**
 * @module The local database as commands see it: values and refusals cross as D1 tells them.
 */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenStorage, openLocalStorage } from '../../../../cli/core/storage/local-storage.ts';
import { itLong } from '../../../support/tier.ts';
import { wranglerToml } from '../cloudflare.ts';
import { openMemoryStorage, STORAGE_TOML } from '../memory-storage.ts';

let opened: OpenStorage;

beforeAll(async () => {
  opened = await openMemoryStorage();
});
afterAll(() => opened.close());

describe('a value', () => {
  it.each<[value: unknown, read: unknown]>([
    ['a\0b', 'a\0b'],
    ['\u2028😀\ufeff', '\u2028😀\ufeff'],
    [2 ** 53, 2 ** 53],
    [-0, 0],
    [1e300, 1e300],
    [Number.NaN, null],
    [null, null],
    [true, 1],
    [
      [0, 255],
      [0, 255],
    ],
  ])('%j is read as %j', async (value, read) => {
    const statement = opened.storage.db.prepare('SELECT ? AS value').bind(value);
    expect(await statement.first('value')).toEqual(read);
  });

  itLong('may be as long as D1 takes', async () => {
    const text = 'é'.repeat(900_000);
    const batch = Array.from({ length: 20 }, () => opened.storage.db.prepare('SELECT ? AS value').bind(text));
    const answers = await opened.storage.db.batch<{ readonly value: string }>(batch);
    expect(answers.every(({ results }) => results[0]?.value === text)).toBe(true);
  });
});

describe('a refusal', () => {
  it.each([
    ['SELECT * FROM nowhere', 'D1_ERROR: no such table: nowhere: SQLITE_ERROR'],
    ['SELECT ? AS value', 'D1_ERROR: Wrong number of parameter bindings for SQL query.'],
    ["SELECT json_extract('{}', 'CODE')", "D1_ERROR: bad JSON path: 'CODE': SQLITE_ERROR"],
    ['', 'D1_ERROR: No SQL statements detected.'],
  ])('of %j has the words of D1', async (sql, message) => {
    await expect(opened.storage.db.prepare(sql).run()).rejects.toThrow(new Error(message));
  });

  it('leaves nothing of its batch', async () => {
    const { db } = opened.storage;
    await db.prepare('CREATE TABLE once (name UNIQUE)').run();
    const insert = db.prepare('INSERT INTO once VALUES (?)').bind('a');
    await expect(db.batch([insert, insert])).rejects.toThrow(/UNIQUE constraint failed: once\.name/);
    expect(await db.prepare('SELECT count(*) AS rows FROM once').first('rows')).toBe(0);
  });
});

describe('a database that another process has locked', () => {
  it('is waited for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-locked-'));
    const config = join(folder, 'wrangler.toml');
    writeFileSync(config, STORAGE_TOML);
    const state = join(folder, 'state');
    const { storage, close } = await openLocalStorage(config, state);
    await storage.db.batch([storage.db.prepare('CREATE TABLE saves (name)')]);
    const files = readdirSync(state, { recursive: true, encoding: 'utf8' });
    const file = files.find((name) => /d1.*[0-9a-f]{64}\.sqlite$/.test(name)) ?? '';
    for (const lock of ['IMMEDIATE', 'EXCLUSIVE']) {
      const other = new DatabaseSync(join(state, file));
      other.exec(`BEGIN ${lock}; INSERT INTO saves VALUES ('other')`);
      const written = storage.db.prepare('INSERT INTO saves VALUES (?)').bind('own').run();
      await pause(300);
      other.exec('COMMIT');
      other.close();
      await written;
    }
    const all = await storage.db.prepare('SELECT name FROM saves').all();
    expect(all.results.map(({ name }) => name)).toEqual(['other', 'own', 'other', 'own']);
    await close();
    rmSync(folder, { recursive: true });
  });
});

describe('a folder that is none', () => {
  const servers = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;

  it('leaves nothing open that would keep the process from its end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'edgewise-none-'));
    const config = join(folder, 'wrangler.toml');
    writeFileSync(config, wranglerToml('test'));
    const before = servers();
    await expect(openLocalStorage(config, config)).rejects.toThrow(/ENOTDIR/);
    expect(servers()).toBe(before);
    rmSync(folder, { recursive: true });
  });
});
