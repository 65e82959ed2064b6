/**
 * @module The log of errors and of expensive reads.
 */

import type { BoundedCache } from '../common/cache.ts';
import { isProblem } from '../common/errors.ts';
import type { Call } from '../content/runtime/call.ts';
import { type AppContext, HINT_HEADER, isLocal } from './context.ts';
import type { Deployment } from './deployment.ts';

/** Milliseconds between two identical lines of a deployed Worker's log. */
const PAUSE = 60_000;

function isDue(advice: string, advised: BoundedCache<string, number>): boolean {
  const now = Date.now();
  if (now - (advised.get(advice) ?? Number.NEGATIVE_INFINITY) < PAUSE) return false;
  advised.set(advice, now);
  return true;
}

/** Logs a request that read many rows for few, without its query string, which may have personal data. */
export function reportCosts({ database, caches }: Call, context: AppContext): void {
  const [worst] = database.costly.toSorted((a, b) => b.rowsRead - a.rowsRead);
  if (!worst) return;
  const { rowsRead, rows, advice } = worst;
  const { path } = context.req;
  if (isLocal(context)) {
    console.warn(`hint: ${path} read ${rowsRead} rows to answer ${rows}. In edgewise.config.ts: ${advice}`);
  } else if (isDue(`${path} ${advice}`, caches.advised)) {
    const entry = { message: 'many rows read', path, rowsRead, rows, setting: advice };
    console.warn(JSON.stringify({ requestId: context.get('requestId'), ...entry }));
  }
}

/** Adds a hint about the settings to a response, and logs it once in the life of an isolate. */
export function hintAt(context: AppContext, { caches }: Pick<Deployment, 'caches'>, hint: string): void {
  context.header(HINT_HEADER, hint);
  if (caches.advised.get(hint) !== undefined) return;
  caches.advised.set(hint, Date.now());
  const { path } = context.req;
  const entry = { requestId: context.get('requestId'), message: hint, path };
  console.warn(isLocal(context) ? `hint: ${path}: ${hint}` : JSON.stringify(entry));
}

/** Logs what the response does not have, under its request id. */
export function report(error: unknown, context: AppContext): void {
  const { message, stack, cause } = error as Error;
  const isNotReady = isProblem(error, 'not-ready');
  const entry = isNotReady ? { message: cause } : { message, stack, cause: String(cause ?? '') };
  const isText = isNotReady && isLocal(context);
  console.error(isText ? cause : JSON.stringify({ requestId: context.get('requestId'), ...entry }));
}
