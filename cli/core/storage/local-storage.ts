/**
 * @module The local database and bucket in a workerd of their own. Statements cross as one message a batch: the bindings
 * that wrangler lends to Node cross with each value that is bound, and let Node wait for it.
 */
import { accessSync, constants, existsSync, readdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptionsShape } from 'miniflare';
import type { Results } from '../../../src/content/sql/statement.ts';
import { failureText, isLocked } from '../failure-text.ts';
import { temporaryFolder } from '../leftovers.ts';
import { progress, UserError } from '../terminal.ts';
import { assertAllBound } from '../wrangler/configuration.ts';
import { unstable_getMiniflareWorkerOptions } from '../wrangler/wrangler-module.ts';
import { PRIVATE_BUCKET, type Storage } from './bindings.ts';
import { fileBucket } from './file-bucket.ts';
import { type RunStatements, relayedDatabase } from './relayed-database.ts';

const WORKER = `export default {
  async fetch(request, { DB }) {
    const statements = await request.json();
    try {
      const results = await DB.batch(statements.map(({ sql, params }) => DB.prepare(sql).bind(...params)));
      return Response.json(results.map(({ results: rows }) => rows));
    } catch (error) {
      return new Response(error.message, { status: 400 });
    }
  },
};`;

export interface OpenStorage {
  readonly storage: Storage;
  /** @returns the error, with its cause where workerd wrote that to its log and reported nothing but an internal error. */
  explain?(error: unknown): Promise<unknown>;
  close(): Promise<void>;
}

const FULL = 'database or disk is full';
/** Bytes without which SQLite cannot write: pages of the database, of its journal, of the memory that both share. */
const LEAST_SPACE = 65_536;

function isFull(path: string | undefined): boolean {
  if (path === undefined || !existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize < LEAST_SPACE;
}

/** Milliseconds in which the log of workerd arrives after the error. */
const LOG_DELAY = 200;

/** Keeps what workerd logs of failures of the disk, with its stack, off the terminal. @param path of the database. */
export function runtimeLog(path: string | undefined) {
  let logged: Error | undefined;
  const failureIn = (message: string): Error | undefined => {
    const cause = { message, ...(path !== undefined && { path }) };
    const text = failureText(cause);
    return text === undefined ? undefined : new Error(text, { cause });
  };
  return {
    take({ level, message }: { readonly level: string; readonly message: string }): void {
      const failure = failureIn(message);
      if (failure) logged = failure;
      else if (level === 'error') progress(message);
    },
    async explain(error: unknown): Promise<unknown> {
      // Those with a code are of Node, about other files.
      if (!(error instanceof Error) || error instanceof UserError || 'code' in error) return error;
      if (!/internal error/i.test(error.message)) return failureIn(error.message) ?? error;
      if (!logged) await pause(LOG_DELAY);
      const cause = logged;
      logged = undefined;
      return cause ?? ((isFull(path) && failureIn(FULL)) || error);
    },
  };
}

/** Milliseconds that a batch waits for a lock: a Worker that starts beside it has one for a moment. */
const PATIENCE = 10_000;
const AGAIN_AFTER = 50;

const runIn =
  (miniflare: Miniflare, log: ReturnType<typeof runtimeLog>): RunStatements =>
  async (statements) => {
    const body = JSON.stringify(statements);
    for (const limit = Date.now() + PATIENCE; ; await pause(AGAIN_AFTER)) {
      const response = await miniflare.dispatchFetch('http://localhost/', { method: 'POST', body });
      if (response.ok) return (await response.json()) as Results;
      const failure = await log.explain(new Error(await response.text()));
      if (!isLocked(failure) || Date.now() > limit) throw failure;
    }
  };

type Bindings = Required<Pick<V4WorkerOptionsShape, 'd1Databases' | 'r2Buckets' | 'compatibilityDate'>>;

/** workerd states no file, and shows its stack. @throws the system's error. */
function assertWritable(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || entry.name.endsWith('.sqlite')) accessSync(path, constants.W_OK);
  }
}

/**
 * The bindings DB, MEDIA and PRIVATE_MEDIA, as `wrangler dev` has them.
 * @param config path of a configuration of wrangler
 * @param folder where wrangler stores them; absent: memory
 */
export async function openLocalStorage(config: string, folder?: string, env?: string): Promise<OpenStorage> {
  if (folder !== undefined) assertWritable(folder);
  const persisted = folder === undefined ? {} : { resourcePersistencePath: folder };
  // Without `cf: false` it requests the location of this machine from Cloudflare.
  const log = runtimeLog(folder);
  const own = { cf: false, modules: true, script: WORKER, handleStructuredLogs: log.take } as const;
  const { d1Databases, r2Buckets, compatibilityDate } = unstable_getMiniflareWorkerOptions(config, env).workerOptions;
  assertAllBound({ DB: Object.keys(d1Databases ?? {}), MEDIA: Object.keys(r2Buckets ?? {}) }, env);
  const bindings = { d1Databases, r2Buckets, compatibilityDate } as Bindings;
  const options = convertV4MiniflareOptions({ ...bindings, ...own, ...persisted });
  temporaryFolder();
  const miniflare = new Miniflare(options);
  const close = () => miniflare.dispose();
  try {
    const bucketOf = async (binding: string) => (await miniflare.getR2Bucket(binding)) as unknown as R2Bucket;
    const secret = PRIVATE_BUCKET in bindings.r2Buckets ? await bucketOf(PRIVATE_BUCKET) : undefined;
    const bucket = fileBucket(await bucketOf('MEDIA'), secret, env);
    const storage = { db: relayedDatabase(runIn(miniflare, log)), bucket, lacksPrivate: !secret };
    return { storage, explain: log.explain, close };
  } catch (error) {
    // What is half open would keep the process from its end.
    await close().catch(() => undefined);
    throw await log.explain(error);
  }
}
