/**
 * @module A real D1 and R2 in memory. The files of a process take turns with the same one, since workerd starts slowly.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenStorage, openLocalStorage } from '../../../cli/core/storage/local-storage.ts';
import { listObjects } from '../../../cli/core/storage/objects.ts';
import { wranglerToml } from './cloudflare.ts';

/** A `wrangler.toml` with what a storage has. */
export const STORAGE_TOML = `${wranglerToml('test')}[[r2_buckets]]
binding = "MEDIA"
bucket_name = "test"
[[r2_buckets]]
binding = "PRIVATE_MEDIA"
bucket_name = "test-private"
`;
/** Names the tables of a database. */
export const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf%' ESCAPE '\\'`;

const free: OpenStorage[] = [];

async function open(): Promise<OpenStorage> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-storage-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const config = join(folder, 'wrangler.toml');
  writeFileSync(config, STORAGE_TOML);
  return openLocalStorage(config);
}

async function empty({ db, bucket }: OpenStorage['storage']): Promise<void> {
  const { results } = await db.prepare(TABLES).all<{ readonly name: string }>();
  if (results.length > 0) await db.batch(results.map(({ name }) => db.prepare(`DROP TABLE IF EXISTS "${name}"`)));
  const keys = (await listObjects(bucket)).map(({ key }) => key);
  if (keys.length > 0) await bucket.delete(keys);
}

/** Empty. Closing it gives it to the next file. */
export async function openMemoryStorage(): Promise<OpenStorage> {
  const opened = free.pop() ?? (await open());
  const close = async () => {
    await empty(opened.storage);
    free.push(opened);
  };
  return { storage: opened.storage, close };
}
