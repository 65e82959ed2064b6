/**
 * @module What a request costs in D1: round trips, rows read, rows written. The Worker runs in this process, on the
 * seeded database, behind a D1 binding that reads the meta data of its answers.
 */

import { createApp } from '../src/app.ts';
import { parseSettings } from '../src/config.ts';
import type { Registry } from '../src/registry/model.ts';
import handwritten from './handwritten/index.ts';
import { nextUnique } from './load.ts';
import { type BenchRequest, type BenchRow, headersOf } from './rows.ts';
import settings from './settings.ts';

export interface DatabaseCost {
  readonly roundTrips: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

type Note = (results: readonly D1Result[]) => void;
type Batches = Pick<D1DatabaseSession, 'prepare' | 'batch' | 'getBookmark'>;

/** A session, or a database as one, that tells the meta data of each batch. */
function observed(session: Omit<Batches, 'getBookmark'> & Partial<Batches>, note: Note): Batches {
  return {
    prepare: (query) => session.prepare(query),
    getBookmark: () => session.getBookmark?.() ?? null,
    async batch<T>(statements: D1PreparedStatement[]) {
      const results = await session.batch<T>(statements);
      note(results);
      return results;
    },
  };
}

const observedDatabase = (database: D1Database, note: Note): D1Database =>
  ({
    ...observed(database, note),
    withSession: (constraint?: string) => observed(database.withSession(constraint), note),
  }) as never;

/** A Worker's `fetch`, as far as the benchmark needs it. */
export type Handler = (request: Request, env: Env, context: ExecutionContext) => Response | Promise<Response>;

export const handwrittenHandler = handwritten.fetch as unknown as Handler;
export const productHandler = (registry: Registry): Handler =>
  createApp({ registry, settings: parseSettings(settings) }).fetch as Handler;

/** A context whose background work can be waited for. */
function contextOf(background: Promise<unknown>[]): ExecutionContext {
  const waitUntil = (work: Promise<unknown>) => background.push(work);
  return { waitUntil, passThroughOnException() {}, props: {} } as unknown as ExecutionContext;
}

/** Serves a request, and what it leaves to be done after the answer. */
async function serve(handler: Handler, request: Request, env: Env): Promise<Response> {
  const background: Promise<unknown>[] = [];
  const response = await handler(request, env, contextOf(background));
  await Promise.all(background);
  return response;
}

function messageOf(request: BenchRequest): Request {
  const { method, path, body } = request;
  const init = { method, headers: headersOf(request), ...(body && { body: JSON.stringify(body(nextUnique())) }) };
  return new Request(`http://localhost${path}`, init);
}

/**
 * The cost of the row's first request to an isolate that has served one before: it knows the token by then.
 * @throws Error when the request is refused.
 */
export async function databaseCost(
  handler: Handler,
  row: BenchRow,
  size: number,
  database: D1Database,
): Promise<DatabaseCost> {
  const [request] = row.requests(size);
  if (!request) throw new Error(`${row.title}: no requests`);
  let results: (readonly D1Result[])[] = [];
  const env = { DB: observedDatabase(database, (batch) => results.push(batch)) } as unknown as Env;
  await serve(handler, messageOf(request), env);
  results = [];
  const response = await serve(handler, messageOf(request), env);
  if (!response.ok) throw new Error(`${row.title}: ${await response.text()}`);
  const metas = results.flat().map(({ meta }) => meta);
  return {
    roundTrips: results.length,
    rowsRead: metas.reduce((total, { rows_read }) => total + rows_read, 0),
    rowsWritten: metas.reduce((total, { rows_written }) => total + rows_written, 0),
  };
}
