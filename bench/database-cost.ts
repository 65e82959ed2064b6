/**
 * @module What a request costs in D1: round trips, rows read, rows written. The Worker runs in this process, on the
 * seeded database, behind a D1 binding that reads the meta data of its answers.
 */

import { createApp } from '../src/app.ts';
import { createDeployment } from '../src/deployment.ts';
import type { Registry } from '../src/schema/model.ts';
import { parseSettings } from '../src/schema/settings/config.ts';
import handwritten from './handwritten/index.ts';
import { type BenchRequest, type BenchRow, bodyOf, headersOf, pathOf } from './rows.ts';
import settings from './settings.ts';

export interface StatementCost {
  readonly sql: string;
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

export interface DatabaseCost {
  readonly roundTrips: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly statements: readonly StatementCost[];
}

type Note = (costs: readonly StatementCost[]) => void;
type Batches = Pick<D1DatabaseSession, 'prepare' | 'batch' | 'getBookmark'>;

/** A statement whose text can be read again. */
interface Legible {
  readonly sql: string;
  readonly statement: D1PreparedStatement;
  bind(...values: unknown[]): Legible;
  run(): Promise<D1Result>;
}

const legible = (sql: string, statement: D1PreparedStatement): Legible => ({
  sql,
  statement,
  bind: (...values) => legible(sql, statement.bind(...values)),
  run: () => statement.run(),
});

/** A session, or a database as one, that tells what each batch cost. */
function observed(session: Omit<Batches, 'getBookmark'> & Partial<Batches>, note: Note): Batches {
  return {
    prepare: (query) => legible(query, session.prepare(query)) as never,
    getBookmark: () => session.getBookmark?.() ?? null,
    async batch<T>(batch: D1PreparedStatement[]) {
      const statements = batch as unknown as readonly Legible[];
      const results = await session.batch<T>(statements.map(({ statement }) => statement));
      const costOf = ({ sql }: Legible, index: number): StatementCost => {
        const { rows_read: rowsRead = 0, rows_written: rowsWritten = 0 } = results[index]?.meta ?? {};
        return { sql, rowsRead, rowsWritten };
      };
      note(statements.map(costOf));
      return results;
    },
  };
}

const observedDatabase = (database: D1Database, note: Note): D1Database =>
  ({
    ...observed(database, note),
    withSession: (constraint?: string) => observed(database.withSession(constraint), note),
  }) as never;

/** The environment of a Worker whose database tells what all its batches cost. */
export function observedCosts(bindings: Env) {
  const costs: StatementCost[] = [];
  const env: Env = { ...bindings, DB: observedDatabase(bindings.DB, (more) => costs.push(...more)) };
  const sum = (name: 'rowsRead' | 'rowsWritten') => costs.reduce((total, cost) => total + cost[name], 0);
  return { env, rowsRead: () => sum('rowsRead'), rowsWritten: () => sum('rowsWritten') };
}

/** A Worker's `fetch`, as far as the benchmark needs it. */
export type Handler = (request: Request, env: Env, context: ExecutionContext) => Response | Promise<Response>;

export const handwrittenHandler = handwritten.fetch as unknown as Handler;
export const productHandler = (registry: Registry): Handler =>
  createApp(createDeployment({ registry, settings: parseSettings(settings) })).fetch as Handler;

/** A context whose background work can be waited for. */
function contextOf(background: Promise<unknown>[]): ExecutionContext {
  const waitUntil = (work: Promise<unknown>) => background.push(work);
  return { waitUntil, passThroughOnException() {}, props: {} } as unknown as ExecutionContext;
}

/** Serves a request, and what it leaves to be done after the answer. */
export async function serve(handler: Handler, request: Request, env: Env): Promise<Response> {
  const background: Promise<unknown>[] = [];
  const response = await handler(request, env, contextOf(background));
  await Promise.all(background);
  return response;
}

function messageOf(request: BenchRequest, unique: number, held?: string): Request {
  const { method } = request;
  const body = bodyOf(request, unique);
  const init = {
    method,
    headers: headersOf(request, request.revalidates && held),
    ...(body !== undefined && { body }),
  };
  return new Request(`http://localhost${pathOf(request, unique)}`, init);
}

export interface Served {
  readonly cost: DatabaseCost;
  readonly body: string;
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
): Promise<Served> {
  const [request] = row.requests(size);
  if (!request) throw new Error(`${row.title}: no requests`);
  let batches: (readonly StatementCost[])[] = [];
  const env = { DB: observedDatabase(database, (costs) => batches.push(costs)) } as unknown as Env;
  const { headers } = await serve(handler, messageOf(request, 1, '""'), env);
  batches = [];
  const response = await serve(handler, messageOf(request, 2, headers.get('etag') ?? undefined), env);
  const body = await response.text();
  if (response.status !== (request.revalidates ? 304 : 200) && !response.ok) throw new Error(`${row.title}: ${body}`);
  const statements = batches.flat();
  const cost = {
    roundTrips: batches.length,
    rowsRead: statements.reduce((total, { rowsRead }) => total + rowsRead, 0),
    rowsWritten: statements.reduce((total, { rowsWritten }) => total + rowsWritten, 0),
    statements,
  };
  return { cost, body };
}
