/**
 * @module The log of what goes wrong, and of what costs much.
 */
import type { Costly } from '../sql/batch.ts';
import type { AppContext } from './content.ts';

/** A request that read many rows for few, under its path: the query string may say whom it is about. */
export function reportCosts(costs: readonly Costly[], context: AppContext, isLocal: boolean): void {
  const [worst] = costs.toSorted((a, b) => b.rowsRead - a.rowsRead);
  if (!worst) return;
  const { rowsRead, rows, advice } = worst;
  const path = context.req.path;
  if (isLocal) console.warn(`hint: ${path} read ${rowsRead} rows to answer ${rows}. In edgewise.config.ts: ${advice}`);
  else
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
