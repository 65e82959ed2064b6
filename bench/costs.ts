/**
 * @module What every row costs in D1, with the product and with the hand-written Worker, each on a database of its own;
 * and whether their writes leave the same documents behind.
 */
import {
  type DatabaseCost,
  databaseCost,
  type Handler,
  handwrittenHandler,
  productHandler,
  serve,
} from './database-cost.ts';
import { type BenchRow, headersOf } from './rows.ts';
import { assertSameDocuments } from './same-answers.ts';
import type { Scratch } from './scratch.ts';
import { withDatabase } from './seed.ts';

export interface Costs {
  readonly product: DatabaseCost;
  readonly handwritten: DatabaseCost;
}

/** State directories, one for each side: writes are made in them. */
export interface States {
  readonly product: string;
  readonly handwritten: string;
}

interface Side {
  readonly cost: DatabaseCost;
  /** The document that a write was about, as the product reads it: draft and published. */
  readonly written: string;
}

async function writtenDocument(product: Handler, database: D1Database, path: string, query: string): Promise<string> {
  const env = { DB: database } as unknown as Env;
  const versions = ['draft', 'published'].map(async (status) => {
    const url = `http://localhost${path}?${encodeURI(query)}&status=${status}`;
    const response = await serve(product, new Request(url, { headers: headersOf({ method: 'GET', path }) }), env);
    return response.text();
  });
  return (await Promise.all(versions)).join('\n');
}

/** Collection and documentId of what a write answered. */
function pathOf(row: BenchRow, size: number, body: string): string {
  const [, api, collection] = row.requests(size)[0]?.path.split('/') ?? [];
  const { data } = JSON.parse(body) as { data: { documentId: string } };
  return `/${api}/${collection}/${data.documentId}`;
}

async function sidesOf(
  handler: Handler,
  product: Handler,
  rows: readonly BenchRow[],
  size: number,
  database: D1Database,
) {
  const sides: Side[] = [];
  for (const row of rows) {
    const { cost, body } = await databaseCost(handler, row, size, database);
    const { written: query } = row;
    const written = query ? await writtenDocument(product, database, pathOf(row, size, body), query) : '';
    sides.push({ cost, written });
  }
  return sides;
}

/**
 * In the order of the rows.
 * @throws Error when a row is refused, or its two writes leave different documents.
 */
export async function costsOf(
  { configs, registry }: Scratch,
  states: States,
  rows: readonly BenchRow[],
  size: number,
): Promise<readonly Costs[]> {
  const product = productHandler(registry);
  const measured = (handler: Handler, state: string) =>
    withDatabase(configs.product, state, (database) => sidesOf(handler, product, rows, size, database));
  const own = await measured(product, states.product);
  const other = await measured(handwrittenHandler, states.handwritten);
  return rows.map((row, index) => {
    const [left, right] = [own[index] as Side, other[index] as Side];
    assertSameDocuments(row, left.written, right.written);
    return { product: left.cost, handwritten: right.cost };
  });
}
