/**
 * @module HTTP request or cron trigger → call; bookmark and cost of each response.
 */

import { forbidden } from '../common/errors.ts';
import { plural } from '../common/plural.ts';
import { assumeCredential, isPreview } from '../content/credentials/credential.ts';
import { assumeUser } from '../content/credentials/user-token.ts';
import { heldTags } from '../content/request/entity-tags.ts';
import { parseQueryString } from '../content/request/query-string.ts';
import type { Call, SystemCall } from '../content/runtime/call.ts';
import { openDatabase } from '../content/sql/batch.ts';
import { bindingOf } from './bindings.ts';
import { isShared, reportsCost } from './cache-headers.ts';
import { type AppContext, BOOKMARK_HEADER, isRead, OF_TOOL, secretOf } from './context.ts';
import type { Deployment } from './deployment.ts';
import { purgeCache } from './purge.ts';
import { report, reportCosts } from './report.ts';
import { addressOf } from './request-url.ts';

type Report = (error: unknown) => void;

/**
 * Returns what a call has without a request.
 * @param bookmark the header `x-d1-bookmark`
 */
export function systemCallOf(
  deployment: Deployment,
  env: Env,
  executionCtx: ExecutionContext,
  report: Report,
  bookmark?: string,
): SystemCall {
  const { registry, settings, caches, features, hooksOf } = deployment;
  return {
    registry,
    settings,
    caches,
    pathname: '',
    search: '',
    held: [],
    secret: secretOf({ env }),
    database: openDatabase(bindingOf(env, 'DB'), bookmark, executionCtx),
    now: Date.now(),
    bodiless: false,
    hooks: hooksOf(env),
    query: () => ({}),
    purge: (names) => purgeCache(executionCtx, settings, names, report),
    features,
    waitUntil: (work) => executionCtx.waitUntil(work.catch(report)),
  };
}

/**
 * @param claims those of a client of OAuth, which replace the header
 * @throws ApiError 401 for a JWT or a preview that this deployment did not sign, 403 for a write with a preview
 */
export async function callOf(
  context: AppContext,
  deployment: Deployment,
  claims = context.env[OF_TOOL]?.claims,
): Promise<Call> {
  const { settings, features } = deployment;
  const { env, req } = context;
  const { pathname, search, isTest } = addressOf(req.raw);
  const reportFailure: Report = (error) => report(error, context);
  const executionCtx = context.executionCtx as ExecutionContext;
  const system = systemCallOf(deployment, env, executionCtx, reportFailure, req.header(BOOKMARK_HEADER));
  const readPreview = features.find((feature) => feature.readPreview)?.readPreview;
  const header = req.header('authorization');
  const credential = claims
    ? assumeUser(claims, settings, system.now)
    : await assumeCredential(header, settings, system.secret, system.now, readPreview);
  if (isPreview(credential) && !isRead(context)) throw forbidden();
  // Not the database of the response, whose cost that has.
  const afterResponse: Call['afterResponse'] = (work) =>
    system.waitUntil(work(openDatabase(bindingOf(env, 'DB'), undefined, executionCtx), env));
  return {
    ...system,
    pathname,
    search,
    held: heldTags(req.header('if-none-match')),
    credential,
    isOfTool: env[OF_TOOL] !== undefined,
    bodiless: req.method === 'HEAD',
    query: () => parseQueryString(search.slice(1), settings.api.rest.limits),
    afterResponse: isTest ? undefined : afterResponse,
  };
}

/** https://www.w3.org/TR/server-timing/ */
function timingOf({ database }: Call): string {
  const { trips, rowsRead, rowsWritten } = database.spent;
  const parts = [
    `${trips} ${plural(trips, 'round trip')}`,
    `${rowsRead} ${plural(rowsRead, 'row')} read`,
    `${rowsWritten} written`,
  ];
  return `database;desc="${parts.join(', ')}"`;
}

/** Adds the bookmark and the cost to a response, also to that of an error. */
export async function bookmarked(context: AppContext, call: Call, work: () => Promise<Response>): Promise<Response> {
  const addTo = (headers: Headers) => {
    if (isPreview(call.credential)) headers.set('cache-control', 'private, no-store');
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
