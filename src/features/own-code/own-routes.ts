/**
 * @module The routes of the project, behind those of Edgewise.
 */
import type { Hono } from 'hono';
import { Hono as Router } from 'hono/tiny';
import { memoized } from '../../common/cache.ts';
import { notFound } from '../../common/errors.ts';
import { parseFixedBody } from '../../content/request/body.ts';
import type { Call } from '../../content/runtime/call.ts';
import { withCredential } from '../../content/runtime/caller.ts';
import { bookmarked, callOf } from '../../http/call.ts';
import { type App, type AppContext, isRead } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import { pathOfType } from '../../http/endpoint.ts';
import { otherMethod } from '../../http/methods.ts';
import { addressOf } from '../../http/request-url.ts';
import { respond } from '../../http/respond.ts';
import { DOCUMENT_ACTIONS, pathOfAction } from '../../schema/publication.ts';
import { mailOf } from '../users/mail.ts';
import type { AnyTypes } from './document-types.ts';
import { documentsOf } from './documents.ts';
import type { RouteVariables } from './extension-types.ts';
import { callerOf, errorOf } from './hooks.ts';

type Variables = RouteVariables<AnyTypes>;
type OwnApp = Hono<{ Bindings: Env; Variables: Variables }>;

const METHODS = ['HEAD', 'GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Unlike the paths of Edgewise, those of the project keep their case. */
const getPath = (request: Request): string => addressOf(request).pathname.replace(/(.)\/$/, '$1');

/** The patterns of all paths of the content types. */
const contentPaths = ({ registry, features }: Deployment): readonly string[] =>
  [...registry.routes.values()].flatMap((type) => {
    const path = pathOfType(type);
    const document = type.kind === 'singleType' ? path : `${path}/:documentId`;
    const actions = DOCUMENT_ACTIONS.map((action) => `${document}/actions/${pathOfAction(action)}`);
    const history = features.some((feature) => feature.history) ? ['history', 'history/:revision'] : [];
    return [...new Set([path, document, ...actions, ...history.map((name) => `${document}/${name}`)])];
  });

const isParameter = (segment: string): boolean => segment.startsWith(':') || segment === '*';

/** Is there a path that both match? A star at the end of the first stands for the rest of a path; the second has none. */
function overlap([a, ...restOfA]: readonly string[], [b, ...restOfB]: readonly string[]): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a === '*' && restOfA.length === 0) return true;
  return (a === b || isParameter(a) || isParameter(b)) && overlap(restOfA, restOfB);
}

/** Routers ignore empty segments. */
const segmentsOf = (path: string): readonly string[] => path.toLowerCase().split('/').filter(Boolean);

/** `/x/*` and `/x/:y?` match `/x`, too. */
const patternsOf = (path: string): readonly (readonly string[])[] =>
  [path, path.replace(/\/(\*|:[^/]*\?)\/?$/, '')].map(segmentsOf);

/** @throws Error for a route that Edgewise would serve in its place */
function rejectShadows(own: OwnApp['routes'], app: App, deployment: Deployment): void {
  const served = app.routes.map(({ path }) => path).filter((path) => path !== '/*');
  const taken = [...contentPaths(deployment), ...served];
  for (const { method, path } of own) {
    const patterns = patternsOf(path);
    const other = taken.find((each) => patterns.some((pattern) => overlap(pattern, segmentsOf(each))));
    if (other !== undefined)
      throw new Error(`The route ${method} ${path} shadows ${other}, which Edgewise serves: give it another path`);
  }
}

const confirmedCaller = (call: Call) =>
  withCredential(call, {}, async (caller) => {
    await caller.confirm();
    return callerOf(caller.credential, call.registry);
  });

/** Returns a handler that returns undefined for a path without a route. */
export function ownRoutes(app: App, deployment: Deployment) {
  const { extensions: { routes } = {}, settings } = deployment;
  if (!routes) return undefined;
  const variables = new WeakMap<Request, Variables>();
  const own: OwnApp = new Router({ getPath });
  own.use((context, next) => {
    for (const [name, value] of Object.entries(variables.get(context.req.raw) ?? {}))
      context.set(name as keyof Variables, value);
    const { req } = context;
    req.json = async <T>() => parseFixedBody(await req.text(), 'application/json', settings.api.rest.limits) as T;
    return next();
  });
  own.notFound(() => {
    throw notFound();
  });
  own.onError((error, context) => {
    // An HTTPException of Hono.
    if (!('getResponse' in error && 'status' in error)) throw error;
    const { status, message } = error;
    if ('res' in error && error.res) return error.getResponse();
    return respond(context, { data: null, error: { status, name: 'Error', message } }, Number(status));
  });
  routes(own);
  rejectShadows(own.routes.slice(1), app, deployment);
  /** Does a route match, beside the middleware above? */
  const has = (method: string, path: string) =>
    own.router.match(method === 'HEAD' ? 'GET' : method, path)[0].length > 1;
  return async (context: AppContext): Promise<Response | undefined> => {
    const { raw, method } = context.req;
    const path = getPath(raw);
    if (!has(method, path)) {
      const allow = METHODS.filter((each) => has(each, path));
      return allow.length > 0 && !isRead(context) ? otherMethod(context, allow.join(', ')) : undefined;
    }
    const call = await callOf(context, deployment);
    variables.set(raw, {
      documents: documentsOf(call),
      caller: memoized(() => confirmedCaller(call)),
      sendEmail: (message) => mailOf(context, deployment).email.send(message),
    });
    return bookmarked(context, call, async () => {
      try {
        const response = await own.fetch(raw, context.env, context.executionCtx);
        if (!response.headers.has('cache-control')) context.header('cache-control', 'no-store');
        return context.newResponse(response.body, response);
      } catch (thrown) {
        throw errorOf(thrown);
      }
    });
  };
}
