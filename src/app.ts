/**
 * @module The Hono app of a deployment: middleware, routes, error responses.
 */
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { requestId } from 'hono/request-id';
import { Hono } from 'hono/tiny';
import { ApiError, type Problem, toErrorBody } from './common/errors.ts';
import { ownRoutes } from './features/own-code/own-routes.ts';
import { addBatchRoute } from './http/batch.ts';
import { cacheRules } from './http/cache-headers.ts';
import { contentRoute } from './http/content.ts';
import { type App, type AppContext, BOOKMARK_HEADER, isAllowedOrigin, SOURCE_MAPS_HEADER } from './http/context.ts';
import type { Deployment } from './http/deployment.ts';
import { explained } from './http/explained-rights.ts';
import { localesRoute } from './http/locales-route.ts';
import { limitContent } from './http/rate-limit.ts';
import { report } from './http/report.ts';
import { rejectEncodedBody } from './http/request-body.ts';
import { addressOf } from './http/request-url.ts';
import { respond } from './http/respond.ts';
import { SectionRouter } from './http/section-router.ts';
import { securityHeaders } from './http/security-headers.ts';

/** Request headers that Strapi does not have, or does not allow. */
const OWN_HEADERS = [
  ...[BOOKMARK_HEADER, 'if-match', 'if-none-match', 'idempotency-key', SOURCE_MAPS_HEADER],
  ...['mcp-protocol-version', 'mcp-method', 'mcp-name'],
];

const corsWith = (...headers: readonly string[]) =>
  cors({
    origin: (origin) => origin,
    credentials: true,
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
    allowHeaders: ['Content-Type', 'Authorization', 'Origin', 'Accept', ...headers],
    exposeHeaders: [BOOKMARK_HEADER, 'x-request-id', 'retry-after', 'etag', 'idempotency-replayed'],
    maxAge: 31_536_000,
  });

/** Of every origin: such responses depend on no cookie, and on no address of the client. */
const WITHOUT_CREDENTIALS = cors({ origin: '*', allowMethods: ['GET', 'POST', 'HEAD'], maxAge: 86_400 });

/**
 * CORS for listed origins, and on a local server for local ones; others get no CORS headers. Allows Strapi's headers,
 * and of our own those that a preflight names. An OPTIONS that is no preflight goes to the route.
 */
function crossOrigin({ settings, features }: Deployment) {
  const open = new Set(features.flatMap(({ openPaths = [] }) => openPaths));
  return async function crossOriginSharing(context: AppContext, next: () => Promise<void>) {
    if (open.has(context.req.path)) return WITHOUT_CREDENTIALS(context, next);
    const isPlainOptions =
      context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') === undefined;
    if (!isAllowedOrigin(context, settings) || isPlainOptions) {
      context.header('vary', 'Origin');
      return next();
    }
    const requested = context.req.header('access-control-request-headers')?.toLowerCase() ?? '';
    return corsWith(...OWN_HEADERS.filter((name) => requested.includes(name)))(context, next);
  };
}

function respondError(error: Error, context: AppContext, deployment: Deployment): Response {
  const given: Problem = error instanceof ApiError ? error.problem : { kind: 'internal' };
  const problem = explained(given, context, deployment);
  const body = toErrorBody(problem);
  if (body.error.status >= 500) report(error, context);
  context.header('etag', problem.etag);
  context.header('retry-after', problem.retryAfter?.toString());
  return respond(context, body, body.error.status);
}

/** Routes match paths in any case, with or without a trailing slash. */
const routedPath = (request: Request): string =>
  addressOf(request)
    .pathname.toLowerCase()
    .replace(/(.)\/$/, '$1');

export function createApp(deployment: Deployment): App {
  const app: App = new Hono({ getPath: routedPath });
  app.router = new SectionRouter();
  const { settings, features } = deployment;
  const limitBody = bodyLimit({
    maxSize: settings.api.rest.limits.bodyBytes,
    onError() {
      throw new ApiError({ kind: 'too-large' });
    },
  });
  app.use(requestId());
  app.use(securityHeaders);
  app.use(cacheRules);
  app.use(crossOrigin(deployment));
  if (settings.rateLimit.content.enabled) app.use(limitContent(deployment));
  app.use((context, next) => {
    const { method, path } = context.req;
    if (method === 'GET') return next();
    rejectEncodedBody(context);
    return features.some((feature) => feature.streams?.(path)) ? next() : limitBody(context, next);
  });
  app.get('/api/i18n/locales', localesRoute(deployment));
  addBatchRoute(app, deployment);
  for (const feature of features) feature.addRoutes?.(app, deployment);
  // For monitoring: no database query.
  app.all('/_health', (context) => context.body(null, 204));
  app.all('*', contentRoute(deployment, ownRoutes(app, deployment)));
  app.onError((error, context) => respondError(error, context, deployment));
  return app;
}
