/**
 * @module The database and the bucket of a deployment as objects in Node: the local ones of `wrangler dev`, or those at
 * Cloudflare.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withChildren } from '../child.ts';
import { temporaryFolder, withTemporaryFiles } from '../leftovers.ts';
import { UserError } from '../terminal.ts';
import {
  bucketIn,
  databaseIn,
  listDatabases,
  type NamedDatabase,
  readConfiguration,
} from '../wrangler/configuration.ts';
import { type Target, WRANGLER_TOML, wrangler } from '../wrangler/wrangler.ts';
import { getPlatformProxy } from '../wrangler/wrangler-module.ts';
import type { Storage } from './bindings.ts';
import { servedDatabase } from './control.ts';
import { type OpenStorage, openLocalStorage } from './local-storage.ts';

/** @throws UserError for a database that is not there. */
async function deployedId({ name, id }: NamedDatabase): Promise<string> {
  const found = id ?? (await listDatabases(wrangler)).find((database) => database.name === name)?.uuid;
  if (found === undefined) throw new UserError(`there is no database ${name} yet: npm run deploy`);
  return found;
}

/** The same two bindings, but those at Cloudflare. */
export async function remoteConfig(root: string, target: Target): Promise<object> {
  const configuration = readConfiguration(root, target);
  const { name, compatibility_date } = configuration;
  const database = databaseIn(configuration);
  const bucket = bucketIn(configuration);
  const id = await deployedId(database);
  return {
    name,
    compatibility_date,
    d1_databases: [{ binding: 'DB', database_name: database.name, database_id: id, remote: true }],
    r2_buckets: [{ binding: 'MEDIA', bucket_name: bucket, remote: true }],
  };
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
async function openStorage(root: string, target: Target): Promise<OpenStorage> {
  const served = servedDatabase(root, target);
  // Standard output belongs to the result of the command.
  process.env.WRANGLER_LOG ??= 'error';
  if (target.remote) return openRemoteStorage(root, target);
  const { env, persistTo } = target;
  const folder = resolve(root, persistTo ?? '.wrangler/state', 'v3');
  const opened = await openLocalStorage({ config: join(root, WRANGLER_TOML), env, folder });
  return served ? { ...opened, storage: { ...opened.storage, db: served } } : opened;
}

/** Stays open from one work to the next. */
export interface StorageSession {
  use<T>(work: (storage: Storage) => Promise<T>): Promise<T>;
  /** For as long as another process is to write; the next work opens it again. */
  close(): Promise<void>;
}

export function storageSession(root: string, target: Target): StorageSession {
  let opened: Promise<OpenStorage> | undefined;
  return {
    async use(work) {
      opened ??= openStorage(root, target);
      const { storage, explain } = await opened;
      try {
        return await work(storage);
      } catch (error) {
        throw (await explain?.(error)) ?? error;
      }
    },
    async close() {
      const last = await opened?.catch(() => undefined);
      opened = undefined;
      await last?.close();
    },
  };
}

/**
 * Does some work on the storage, and closes it. Beside `npm run dev` the work may read, and nothing else: two processes
 * that write to the bucket lock it for each other.
 * @throws UserError while `npm run dev` starts.
 */
export async function withStorage<T>(root: string, target: Target, work: (storage: Storage) => Promise<T>): Promise<T> {
  const session = storageSession(root, target);
  try {
    return await session.use(work);
  } finally {
    await session.close();
  }
}
