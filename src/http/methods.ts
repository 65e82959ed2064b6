/**
 * @module Adds tables of routes, and rejects other methods on their paths.
 */
import type { MiddlewareHandler } from 'hono';
import { ApiError, notFound } from '../common/errors.ts';
import { type App, type AppContext, type AppEnv, isRead } from './context.ts';
import { addressOf, decoded } from './request-url.ts';

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Responds to OPTIONS with the methods of a path, and to methods that it lacks with 405 or 501. */
export function otherMethod(context: AppContext, allow: string): Response {
  const { method } = context.req;
  if (method === 'OPTIONS') return context.body('', 200, { allow, 'content-type': 'text/plain; charset=UTF-8' });
  if (KNOWN_METHODS.has(method)) return context.text('Method Not Allowed', 405, { allow });
  return context.text('Not Implemented', 501, { allow });
}

/** @throws ApiError 400 for a read of a malformed path, which Strapi looks up in its `public` folder */
export function rejectBadPath(context: AppContext): void {
  if (!isRead(context)) return;
  const { pathname } = addressOf(context.req.raw);
  if (decoded(pathname) === undefined) throw new ApiError({ kind: 'bad-path', message: 'failed to decode' });
  if (pathname.includes('%00') || pathname.startsWith('//'))
    throw new ApiError({ kind: 'bad-path', message: 'Malicious Path' });
}

/** A path without GET responds to it with 404. */
function otherThan(methods: readonly string[], context: AppContext): Response {
  rejectBadPath(context);
  if (isRead(context)) throw notFound();
  return otherMethod(context, ['HEAD', 'GET', ...new Set(methods.filter((name) => name !== 'GET'))].join(', '));
}

/** Does a pattern match a path or pattern? `/users/:id` matches `/users/me`. */
function covers(pattern: string, path: string): boolean {
  const segments = path.split('/');
  const parts = pattern.split('/');
  return parts.length === segments.length && parts.every((part, at) => part.startsWith(':') || part === segments[at]);
}

/** @param chain returns the middleware and the handler of a route */
export function addRoutes<R extends { readonly method: string; readonly path: string }>(
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
