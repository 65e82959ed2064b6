/**
 * @module Refresh tokens in an HttpOnly cookie, if the settings or a request ask for it.
 */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { forbidden } from '../common/errors.ts';
import type { Settings } from '../settings/config.ts';
import { secondsOf } from '../settings/derived.ts';
import type { Tokens } from '../users/tokens.ts';
import { type AppContext, isLocal } from './context.ts';

/** An empty cookie counts as absent. */
export const refreshCookieOf = (context: AppContext, { users }: Settings): string | undefined =>
  getCookie(context, users.sessions.cookie.name) || undefined;

/** Is the cookie used? A refreshed token that came in the cookie never gets into a body, which scripts can read. */
const usesCookie = (context: AppContext, settings: Settings, refreshed: boolean): boolean =>
  settings.users.sessions.httpOnly ||
  context.req.header('x-strapi-refresh-cookie') === 'httpOnly' ||
  (refreshed && refreshCookieOf(context, settings) !== undefined);

/** Otherwise another site could sign its visitors in to an account of its own. @throws ApiError 403 */
export function rejectOtherSites(context: AppContext, settings: Settings, refreshed: boolean): void {
  const { origins } = settings.cors;
  if (context.req.header('sec-fetch-site') !== 'cross-site' || isLocal(context)) return;
  if (usesCookie(context, settings, refreshed) && !origins.includes(context.req.header('origin') ?? ''))
    throw forbidden();
}

function optionsOf(context: AppContext, { users }: Settings): CookieOptions {
  const { path, domain, sameSite, secure } = users.sessions.cookie;
  return {
    httpOnly: true,
    path,
    sameSite,
    secure: secure ?? !isLocal(context),
    ...(domain !== null && { domain }),
  };
}

/** Moves the refresh token of a body to the cookie, if that is used. */
export function inCookie(context: AppContext, settings: Settings, body: Partial<Tokens>, refreshed: boolean) {
  const { refreshToken, ...rest } = body;
  if (refreshToken === undefined || !usesCookie(context, settings, refreshed)) return body;
  const { name, maxAge } = settings.users.sessions.cookie;
  const options = { ...optionsOf(context, settings), ...(maxAge !== null && { maxAge: secondsOf(maxAge) }) };
  setCookie(context, name, refreshToken, options);
  return rest;
}

export function dropCookie(context: AppContext, settings: Settings): void {
  if (usesCookie(context, settings, true))
    deleteCookie(context, settings.users.sessions.cookie.name, optionsOf(context, settings));
}
