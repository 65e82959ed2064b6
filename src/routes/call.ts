/**
 * @module HTTP request → `Call`; bookmark and cost of each response.
 */
import { assumeCredential } from '../auth/credential.ts';
import { forbidden } from '../common/errors.ts';
import { hooksOf } from '../extensions/hooks.ts';
import { heldTags } from '../request/entity-tags.ts';
import { parseQueryString } from '../request/query-string.ts';
import type { Call } from '../runtime/call.ts';
import { openDatabase } from '../sql/batch.ts';
import { isShared, reportsCost } from './cache-headers.ts';
import { type AppContext, BOOKMARK_HEADER, isRead, secretOf } from './context.ts';
import type { Deployment } from './deployment.ts';
import { purgeCache } from './purge.ts';
import { report, reportCosts } from './report.ts';
import { addressOf } from './request-url.ts';

/** @throws ApiError 401 for a JWT or a preview that this deployment did not sign, 403 for a write with a preview */
export async function callOf(context: AppContext, deployment: Deployment): Promise<Call> {
  const { registry, settings, caches, parts, extensions } = deployment;
  const { pathname, search, isTest } = addressOf(context.req.raw);
  const now = Date.now();
  const readPreview = parts.find((part) => part.readPreview)?.readPreview;
  const header = context.req.header('authorization');
  const credential = await assumeCredential(header, settings, secretOf(context), now, readPreview);
  if (credential.kind === 'preview' && !isRead(context)) throw forbidden();
  const waitUntil = (work: Promise<unknown>) =>
    context.executionCtx.waitUntil(work.catch((error) => report(error, context)));
  // Not the database of the response, whose cost that has.
  const afterResponse: Call['afterResponse'] = (work) =>
    waitUntil(work(openDatabase(context.env.DB, undefined), context.env));
  return {
    registry,
    settings,
    caches,
    pathname,
    search,
    held: heldTags(context.req.header('if-none-match')),
    credential,
    secret: secretOf(context),
    database: openDatabase(context.env.DB, context.req.header(BOOKMARK_HEADER)),
    now,
    bodiless: context.req.method === 'HEAD',
    hooks: extensions && hooksOf(extensions, context.env),
    query: () => parseQueryString(search.slice(1), settings.api.rest.limits),
    purge: (names) =>
      purgeCache(context.executionCtx as ExecutionContext, settings, names, (error) => report(error, context)),
    parts,
    afterResponse: isTest ? undefined : afterResponse,
    waitUntil,
  };
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** https://www.w3.org/TR/server-timing/ */
function timingOf({ database }: Call): string {
  const { trips, rowsRead, rowsWritten } = database.spent;
  const parts = [counted(trips, 'round trip'), `${counted(rowsRead, 'row')} read`, `${rowsWritten} written`];
  return `database;desc="${parts.join(', ')}"`;
}

/** Adds the bookmark and the cost to a response, also to that of an error. */
export async function bookmarked(context: AppContext, call: Call, work: () => Promise<Response>): Promise<Response> {
  const addTo = (headers: Headers) => {
    if (call.credential.kind === 'preview') headers.set('cache-control', 'private, no-store');
    const shared = isShared(headers);
    if (reportsCost(context, call.settings, shared)) headers.append('server-timing', timingOf(call));
    const bookmark = call.database.bookmark();
    if (bookmark && !shared) headers.set(BOOKMARK_HEADER, bookmark);
  };
  try {
    const response = await work();
    addTo(response.headers);
    if (!context.error) reportCosts(call, context);
    return response;
  } catch (error) {
    addTo(context.res.headers);
    throw error;
  }
}
