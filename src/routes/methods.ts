/**
 * @module Paths and their methods: routes of a table, and the refusal of what they do not have.
 */
import type { MiddlewareHandler } from 'hono';
import { ApiError, notFound } from '../errors.ts';
import type { App, AppContext, AppEnv } from './context.ts';
import { addressOf, decoded } from './request-url.ts';

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** OPTIONS tells the methods of a path, and so does the refusal of a method that it does not have. */
export function otherMethod(context: AppContext, allow: string): Response {
  const { method } = context.req;
  if (method === 'OPTIONS') return context.body('', 200, { allow, 'content-type': 'text/plain; charset=UTF-8' });
  const known = KNOWN_METHODS.has(method);
  return context.text(known ? 'Method Not Allowed' : 'Not Implemented', known ? 405 : 501, { allow });
}

/**
 * A read of what is not there ends among the files of the reference's `public` folder.
 * @throws ApiError 400 for a path that names a file no system has.
 */
export function refuseBadPath({ req }: AppContext): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') return;
  const { pathname } = addressOf(req.raw);
  if (decoded(pathname) === undefined) throw new ApiError({ kind: 'bad-path', message: 'failed to decode' });
  if (pathname.includes('%00') || pathname.startsWith('//'))
    throw new ApiError({ kind: 'bad-path', message: 'Malicious Path' });
}

interface Route {
  readonly method: string;
  readonly path: string;
}

/** A path without GET answers it all the same, with a 404. */
function otherThan(methods: readonly string[], context: AppContext): Response {
  refuseBadPath(context);
  const { method } = context.req;
  if (method === 'GET' || method === 'HEAD') throw notFound();
  return otherMethod(context, ['HEAD', 'GET', ...methods.filter((name) => name !== 'GET')].join(', '));
}

/** `/users/:id` is the path of `/users/me`, too. */
function covers(pattern: string, path: string): boolean {
  const segments = path.split('/');
  const parts = pattern.split('/');
  return parts.length === segments.length && parts.every((part, at) => part.startsWith(':') || part === segments[at]);
}

/** Adds routes, each with its middleware and handler, and refuses other methods on their paths. */
export function addRoutes<R extends Route>(
  app: App,
  routes: readonly R[],
  chain: (route: R) => readonly MiddlewareHandler<AppEnv>[],
): void {
  for (const route of routes) app.on(route.method, [route.path], ...chain(route));
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods = routes.filter((route) => covers(route.path, path)).map(({ method }) => method);
    app.all(path, (context) => otherThan(methods, context));
  }
}
