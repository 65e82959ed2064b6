/**
 * @module The Hono app of a deployment: middleware, routes, the one place that answers errors.
 */
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { requestId } from 'hono/request-id';
import { Hono } from 'hono/tiny';
import { withNamedActions } from './auth/actions.ts';
import type { Settings } from './config.ts';
import { ApiError, type Problem, toErrorBody } from './errors.ts';
import { createCaches } from './execute/caches.ts';
import { cacheRules } from './routes/conditional.ts';
import { contentRoute } from './routes/content.ts';
import { addSchemaRoutes } from './routes/content-type-builder.ts';
import { type App, type AppContext, BOOKMARK_HEADER, type Deployment, isLocal } from './routes/context.ts';
import { DESCRIPTION_PATH, descriptionRoute } from './routes/description.ts';
import { favicon, landingPage } from './routes/landing.ts';
import { localesRoute } from './routes/locales.ts';
import { limitContent } from './routes/rate-limit.ts';
import { report } from './routes/report.ts';
import { rejectEncodedBody } from './routes/request-body.ts';
import { addressOf } from './routes/request-url.ts';
import { respond } from './routes/respond.ts';
import { SectionRouter } from './routes/section-router.ts';
import { PAGE_POLICY, securityHeaders } from './routes/security-headers.ts';
import { addUploadRoutes, UPLOAD_PATH } from './routes/upload.ts';
import { addUserRoutes } from './routes/users.ts';

export type { Deployment } from './routes/context.ts';

const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Origins on the list may call; on a local server every local one too. */
function mayCall(origin: string, context: AppContext, listed: ReadonlySet<string>): boolean {
  const local = LOCAL_ORIGIN.test(origin) && isLocal(context);
  return local || listed.has(origin);
}

const corsWith = (...headers: readonly string[]) =>
  cors({
    origin: (origin) => origin,
    credentials: true,
    allowMethods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'],
    allowHeaders: ['Content-Type', 'Authorization', 'Origin', 'Accept', ...headers],
    exposeHeaders: [BOOKMARK_HEADER, 'x-request-id', 'retry-after'],
    maxAge: 31_536_000,
  });

/**
 * CORS for the origins that may call; others get no CORS header at all. The allowed headers are Strapi's, and
 * the bookmark where a preflight asks for it. A plain OPTIONS, which is no preflight, is answered by the route.
 */
function crossOrigin(settings: Settings) {
  const listed = new Set(settings.cors.origins);
  const plain = corsWith();
  const bookmarked = corsWith(BOOKMARK_HEADER);
  return async function crossOriginSharing(context: AppContext, next: () => Promise<void>) {
    const isPlainOptions =
      context.req.method === 'OPTIONS' && context.req.header('access-control-request-method') === undefined;
    const allowed = mayCall(context.req.header('origin') ?? '', context, listed);
    if (!allowed || isPlainOptions) {
      context.header('vary', 'Origin');
      return next();
    }
    const asked = context.req.header('access-control-request-headers')?.toLowerCase().includes(BOOKMARK_HEADER);
    return (asked ? bookmarked : plain)(context, next);
  };
}

function problemOf(error: unknown): Problem {
  return error instanceof ApiError ? error.problem : { kind: 'internal' };
}

function answerError(error: unknown, context: AppContext): Response {
  const problem = problemOf(error);
  const body = toErrorBody(problem);
  if (body.error.status >= 500) report(error, context);
  if ('retryAfter' in problem) context.header('retry-after', String(problem.retryAfter));
  return respond(context, body, body.error.status);
}

/** Paths match without regard to case, with or without a trailing slash. */
const routedPath = (request: Request): string =>
  addressOf(request)
    .pathname.toLowerCase()
    .replace(/(.)\/$/, '$1');

/** The whole API of a deployment. */
export function createApp(given: Omit<Deployment, 'caches'>): App {
  const deployment = {
    ...given,
    settings: withNamedActions(given.settings, given.registry),
    caches: createCaches(given.settings.memory),
  };
  const app: App = new Hono({ getPath: routedPath });
  app.router = new SectionRouter();
  const { settings } = deployment;
  const maxSize = settings.api.rest.limits.bodyBytes;
  const tooLarge = () => {
    throw new ApiError({ kind: 'too-large' });
  };
  app.use(requestId());
  app.use(securityHeaders);
  app.use(cacheRules);
  app.use(crossOrigin(settings));
  if (settings.rateLimit.content.enabled) app.use(limitContent(deployment));
  const limit = bodyLimit({ maxSize, onError: tooLarge });
  // Nobody looks into the body of a read. Uploads have limits of their own, and are never read as a whole.
  const isUnlimited = ({ method, path }: AppContext['req']) => method === 'GET' || path === UPLOAD_PATH;
  app.use((context, next) => {
    if (context.req.method !== 'GET') rejectEncodedBody(context);
    return isUnlimited(context.req) ? next() : limit(context, next);
  });
  app.get('/api/i18n/locales', localesRoute(deployment));
  addSchemaRoutes(app, deployment);
  addUserRoutes(app, deployment);
  addUploadRoutes(app, deployment);
  if (settings.server.openapi) app.get(DESCRIPTION_PATH, descriptionRoute(deployment));
  app.get('/favicon.ico', favicon);
  // For monitoring: any method, without a database query.
  app.all('/_health', (context) => context.body(null, 204));
  app.get('/', (context) => context.html(landingPage(deployment), 200, { 'content-security-policy': PAGE_POLICY }));
  app.all('*', contentRoute(deployment));
  app.onError((error, context) => answerError(error, context));
  return app;
}
