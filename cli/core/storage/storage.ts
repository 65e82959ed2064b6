/**
 * @module The database and the bucket of a deployment as objects in Node: the local ones of `wrangler dev`, or those at
 * Cloudflare.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../leftovers.ts';
import { lentDatabase } from '../sql/statements.ts';
import { UserError } from '../terminal.ts';
import {
  assertAllBound,
  type Binding,
  boundIn,
  bucketIn,
  databaseIn,
  listDatabases,
  readConfiguration,
} from '../wrangler/configuration.ts';
import { type Target, WRANGLER_TOML, wrangler } from '../wrangler/wrangler.ts';
import { getPlatformProxy } from '../wrangler/wrangler-module.ts';
import { PRIVATE_BUCKET, type Storage } from './bindings.ts';
import { servedDatabase } from './control.ts';
import { fileBucket } from './file-bucket.ts';
import { type OpenStorage, openLocalStorage } from './local-storage.ts';
import { stateFolder } from './state-folder.ts';

/** The same bindings, but those at Cloudflare. @throws UserError for a database that is not there. */
export async function remoteConfig(root: string, target: Target): Promise<object> {
  const configuration = readConfiguration(root, target);
  const { name, compatibility_date, targetEnvironment } = configuration;
  assertAllBound(boundIn(configuration), targetEnvironment);
  const database = databaseIn(configuration);
  const bucket_name = bucketIn(configuration);
  const secret = configuration.r2_buckets
    .filter(({ binding }: Binding) => binding === PRIVATE_BUCKET)
    .map((bucket: Binding) => ({ ...bucket, remote: true }));
  const database_id =
    database.id ?? (await listDatabases(wrangler)).find((listed) => listed.name === database.name)?.uuid;
  if (database_id === undefined) throw new UserError(`there is no database ${database.name} yet: npm run deploy`);
  return {
    name,
    compatibility_date,
    d1_databases: [{ binding: 'DB', database_name: database.name, database_id, remote: true }],
    r2_buckets: [{ binding: 'MEDIA', bucket_name, remote: true }, ...secret],
  };
}

/** Those at Cloudflare: wrangler lends them. */
async function openRemoteStorage(root: string, target: Target): Promise<OpenStorage> {
  const configPath = join(temporaryFolder(), 'wrangler.json');
  writeFileSync(configPath, JSON.stringify(await remoteConfig(root, target)));
  const { env, dispose } = await getPlatformProxy<Env & { readonly [PRIVATE_BUCKET]?: R2Bucket }>({
    configPath,
    persist: false,
    remoteBindings: true,
  });
  const secret = env[PRIVATE_BUCKET];
  return {
    storage: { db: lentDatabase(env.DB), bucket: fileBucket(env.MEDIA, secret, target.env), lacksPrivate: !secret },
    close: dispose,
  };
}

/** Opens the storage, which takes a process of its own. */
async function openStorage(root: string, target: Target): Promise<OpenStorage> {
  const served = servedDatabase(root, target);
  // Standard output belongs to the result of the command.
  process.env.WRANGLER_LOG ??= 'error';
  if (target.remote) return openRemoteStorage(root, target);
  const folder = join(stateFolder(root, target), 'v3');
  const opened = await openLocalStorage(join(root, WRANGLER_TOML), folder, target.env);
  return served ? { ...opened, storage: { ...opened.storage, db: served } } : opened;
}

/**
 * Does some work on the storage, and closes it. Beside `npm run dev` the work may read, and nothing else: two processes
 * that write to the bucket lock it for each other.
 * @throws UserError while `npm run dev` starts.
 */
export async function withStorage<T>(root: string, target: Target, work: (storage: Storage) => Promise<T>): Promise<T> {
  const { storage, explain, close } = await openStorage(root, target);
  try {
    return await work(storage);
  } catch (error) {
    throw (await explain?.(error)) ?? error;
  } finally {
    await close();
  }
}
