/**
 * @module The local database and bucket in a workerd of their own. Statements cross as one message a batch: the bindings
 * that wrangler lends to Node cross with each value that is bound, and let Node wait for it.
 */
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptionsShape } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import type { Storage } from '../media/media-check.ts';
import { type Ask, askedDatabase, type Rows } from './asked-database.ts';

const WORKER = `export default {
  async fetch(request, { DB }) {
    const questions = await request.json();
    try {
      const answers = await DB.batch(questions.map(({ sql, params }) => DB.prepare(sql).bind(...params)));
      return Response.json(answers.map(({ results }) => results));
    } catch (error) {
      return new Response(error.message, { status: 400 });
    }
  },
};`;

/** Where wrangler would find what is stored: by its configuration, an environment of it, and a folder (absent: memory). */
interface Place {
  readonly config: string;
  readonly env?: string | undefined;
  readonly folder?: string;
}

export interface OpenStorage {
  readonly storage: Storage;
  close(): Promise<void>;
}

const asking =
  (miniflare: Miniflare): Ask =>
  async (questions) => {
    const body = JSON.stringify(questions);
    const answer = await miniflare.dispatchFetch('http://localhost/', { method: 'POST', body });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as readonly Rows[];
  };

type Bindings = Required<Pick<V4WorkerOptionsShape, 'd1Databases' | 'r2Buckets' | 'compatibilityDate'>>;

function bindingsOf({ config, env }: Place): Bindings {
  const { d1Databases, r2Buckets, compatibilityDate } = unstable_getMiniflareWorkerOptions(config, env).workerOptions;
  return { d1Databases, r2Buckets, compatibilityDate } as Bindings;
}

/** workerd states no file, and shows its stack. @throws what the system refuses. */
function assertWritable(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || entry.name.endsWith('.sqlite')) accessSync(path, constants.W_OK);
  }
}

/** The bindings DB and MEDIA, as `wrangler dev` has them. */
export async function openLocalStorage(place: Place): Promise<OpenStorage> {
  const { folder } = place;
  if (folder !== undefined) assertWritable(folder);
  const persisted = folder === undefined ? {} : { resourcePersistencePath: folder };
  // Without `cf` it asks Cloudflare where this machine is.
  const options = { ...bindingsOf(place), cf: false, modules: true, script: WORKER, ...persisted };
  const miniflare = new Miniflare(convertV4MiniflareOptions(options));
  try {
    const bucket = (await miniflare.getR2Bucket('MEDIA')) as unknown as R2Bucket;
    return { storage: { db: askedDatabase(asking(miniflare)), bucket }, close: () => miniflare.dispose() };
  } catch (error) {
    // What is half open would keep the process from its end.
    await miniflare.dispose().catch(() => undefined);
    throw error;
  }
}
