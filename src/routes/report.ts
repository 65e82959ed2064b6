/**
 * @module The log of what goes wrong, and of what costs much.
 */

import type { BoundedCache } from '../cache.ts';
import type { Call } from '../execute/call.ts';
import type { AppContext } from './context.ts';

/** Milliseconds between two lines of a deployed Worker's log that say the same. */
const PAUSE = 60_000;

function isNews(advice: string, advised: BoundedCache<string, number>): boolean {
  const now = Date.now();
  if (now - (advised.get(advice) ?? Number.NEGATIVE_INFINITY) < PAUSE) return false;
  advised.keep(advice, now);
  return true;
}

/**
 * A request that read many rows for few, under its path: the query string may say whom it is about. To log each of them
 * would cost as much as some of them do, so a deployed Worker gives the same advice about a path once a minute.
 */
export function reportCosts({ database, caches }: Call, context: AppContext, isLocal: boolean): void {
  const [worst] = database.costly.toSorted((a, b) => b.rowsRead - a.rowsRead);
  if (!worst) return;
  const { rowsRead, rows, advice } = worst;
  const path = context.req.path;
  if (isLocal) console.warn(`hint: ${path} read ${rowsRead} rows to answer ${rows}. In edgewise.config.ts: ${advice}`);
  else if (isNews(`${path} ${advice}`, caches.advised))
    console.warn(
      JSON.stringify({
        requestId: context.get('requestId'),
        message: 'many rows read',
        path,
        rowsRead,
        rows,
        setting: advice,
      }),
    );
}

/** What a client may not read goes to the log, under the id that the answer carries. */
export function report(error: unknown, context: AppContext): void {
  const { message, stack, cause } = error as Error;
  console.error(JSON.stringify({ requestId: context.get('requestId'), message, stack, cause: String(cause ?? '') }));
}
