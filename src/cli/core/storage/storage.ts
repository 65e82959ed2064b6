/**
 * @module The database and the bucket of a deployment as objects in Node: the local ones of `wrangler dev`, or those at
 * Cloudflare.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Storage } from '../../media/media-check.ts';
import { withChildren } from '../child.ts';
import { temporaryFolder, withTemporaryFiles } from '../leftovers.ts';
import { UserError } from '../terminal.ts';
import { assertDone, CONFIG, type Target, wrangler } from '../wrangler/wrangler.ts';
import { getPlatformProxy, unstable_readConfig } from '../wrangler/wrangler-module.ts';
import { type OpenStorage, openLocalStorage } from './local-storage.ts';
import { controlOf, servedAt } from './lock.ts';
import { servedDatabase } from './served-database.ts';

interface Named {
  readonly name: string;
  readonly uuid: string;
}

/** Without an id in wrangler.toml the database was made under its name. */
async function databaseId(name: string): Promise<string> {
  const done = await wrangler(['d1', 'list', '--json']);
  assertDone('Listing the databases', done);
  const databases = JSON.parse(done.stdout.slice(done.stdout.indexOf('['))) as readonly Named[];
  const id = databases.find((database) => database.name === name)?.uuid;
  if (id === undefined) throw new UserError(`there is no database ${name} yet: npm run deploy`);
  return id;
}

/** The same two bindings, but those at Cloudflare. */
export async function remoteConfig(root: string, { env }: Target): Promise<object> {
  const read = unstable_readConfig({ config: join(root, CONFIG), ...(env !== undefined && { env }) });
  const { name, compatibility_date, d1_databases, r2_buckets } = read;
  const database = d1_databases.find(({ binding }: { binding: string }) => binding === 'DB');
  const bucket = r2_buckets.find(({ binding }: { binding: string }) => binding === 'MEDIA');
  if (!database?.database_name) throw new UserError(`${CONFIG}: d1_databases: expected a database_name for DB`);
  if (!bucket?.bucket_name) throw new UserError(`${CONFIG}: r2_buckets: expected a bucket_name for MEDIA`);
  const id = database.database_id ?? (await databaseId(database.database_name));
  return {
    name,
    compatibility_date,
    d1_databases: [{ binding: 'DB', database_name: database.database_name, database_id: id, remote: true }],
    r2_buckets: [{ binding: 'MEDIA', bucket_name: bucket.bucket_name, remote: true }],
  };
}

/**
 * The local database by way of the server that has it open; undefined if no server runs.
 * @throws UserError while the server starts.
 */
function servedBy(root: string, target: Target): D1Database | undefined {
  if (target.remote || target.env !== undefined) return undefined;
  if (controlOf(root, target) !== undefined) return servedDatabase(root, target);
  const url = servedAt(root, target);
  if (url !== undefined) throw new UserError(`${url} is just starting; repeat the command when it answers`);
  return undefined;
}

/** Those at Cloudflare: wrangler lends them. */
async function openRemoteStorage(root: string, target: Target): Promise<OpenStorage> {
  const { folder, remove } = temporaryFolder();
  try {
    const configPath = join(folder, 'wrangler.json');
    writeFileSync(configPath, JSON.stringify(await remoteConfig(root, target)));
    const lent = () => getPlatformProxy<Env>({ configPath, persist: false, remoteBindings: true });
    const { env, dispose } = await withTemporaryFiles(folder, () => withChildren(lent));
    return { storage: { db: env.DB, bucket: env.MEDIA }, close: () => dispose().finally(remove) };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Opens the storage, which takes a process of its own.
 * @throws UserError while `npm run dev` starts.
 */
export async function openStorage(root: string, target: Target): Promise<OpenStorage> {
  const served = servedBy(root, target);
  // Standard output belongs to the result of the command.
  process.env.WRANGLER_LOG ??= 'error';
  if (target.remote) return openRemoteStorage(root, target);
  const { env, persistTo } = target;
  const folder = resolve(root, persistTo ?? '.wrangler/state', 'v3');
  const opened = await openLocalStorage({ config: join(root, CONFIG), env, folder });
  return served ? { ...opened, storage: { ...opened.storage, db: served } } : opened;
}

async function worked<T>({ storage, explain }: OpenStorage, work: (storage: Storage) => Promise<T>): Promise<T> {
  try {
    return await work(storage);
  } catch (error) {
    throw (await explain?.(error)) ?? error;
  }
}

/**
 * Does some work on the storage, and closes it. Beside `npm run dev` the work may read, and nothing else: two processes
 * that write to the bucket lock it for each other.
 * @throws UserError while `npm run dev` starts.
 */
export async function withStorage<T>(root: string, target: Target, work: (storage: Storage) => Promise<T>): Promise<T> {
  const opened = await openStorage(root, target);
  try {
    return await worked(opened, work);
  } finally {
    await opened.close();
  }
}

/** Stays open from one work to the next. */
export interface StorageSession {
  use<T>(work: (storage: Storage) => Promise<T>): Promise<T>;
  /** For as long as another process is to write; the next work opens it again. */
  close(): Promise<void>;
}

export function storageSession(root: string, target: Target): StorageSession {
  let opened: Promise<OpenStorage> | undefined;
  const open = (): Promise<OpenStorage> => {
    opened ??= openStorage(root, target);
    return opened;
  };
  return {
    async use(work) {
      return worked(await open(), work);
    },
    async close() {
      const last = await opened?.catch(() => undefined);
      opened = undefined;
      await last?.close();
    },
  };
}
