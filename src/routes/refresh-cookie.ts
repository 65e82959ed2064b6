/**
 * @module Refresh tokens in a cookie that scripts cannot read, where the settings or a request ask for it.
 */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import type { Settings } from '../config.ts';
import { forbidden } from '../errors.ts';
import { secondsOf } from '../setting-values.ts';
import type { Tokens } from '../users/tokens.ts';
import { type AppContext, isLocal } from './context.ts';

const HEADER = 'x-strapi-refresh-cookie';
const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

/** Returns the refresh token of the cookie; an empty cookie counts as absent. */
export const refreshCookieOf = (context: AppContext, { users }: Settings): string | undefined =>
  getCookie(context, users.sessions.cookie.name) || undefined;

const isAsked = (context: AppContext, { users }: Settings): boolean =>
  users.sessions.httpOnly || context.req.header(HEADER) === 'httpOnly';

/** A token that came in the cookie never gets into a body, where scripts could read it. */
const isUsed = (context: AppContext, settings: Settings): boolean =>
  refreshCookieOf(context, settings) !== undefined || isAsked(context, settings);

/** Is the cookie to be set by this answer, to a sign-in or to a refresh? */
const isWanted = (context: AppContext, settings: Settings, refreshed: boolean): boolean =>
  refreshed ? isUsed(context, settings) : isAsked(context, settings);

/**
 * Rejects other sites: a page there could sign its visitor in to its own account, since the browser stores the cookie of
 * a response that the page cannot read.
 * @throws ApiError 403
 */
export function refuseOtherSites(context: AppContext, settings: Settings, refreshed = false): void {
  const { origins } = settings.cors;
  if (context.req.header('sec-fetch-site') !== 'cross-site' || isLocal(context)) return;
  if (isWanted(context, settings, refreshed) && !origins.includes(context.req.header('origin') ?? ''))
    throw forbidden();
}

function optionsOf(context: AppContext, { users }: Settings): CookieOptions {
  const { path, domain, sameSite, secure } = users.sessions.cookie;
  return {
    httpOnly: true,
    path,
    sameSite: SAME_SITE[sameSite],
    secure: secure ?? !isLocal(context),
    ...(domain !== null && { domain }),
  };
}

/**
 * The answer to a sign-in, or to a refresh: its refresh token goes into the cookie where the settings or the request
 * ask for that, and on a refresh also where the old one came from there.
 */
export function inCookie<T extends Partial<Tokens>>(
  context: AppContext,
  settings: Settings,
  body: T,
  refreshed = false,
) {
  const { refreshToken, ...rest } = body;
  if (refreshToken === undefined || !isWanted(context, settings, refreshed)) return body;
  const { name, maxAge } = settings.users.sessions.cookie;
  const options = { ...optionsOf(context, settings), ...(maxAge !== null && { maxAge: secondsOf(maxAge) }) };
  setCookie(context, name, refreshToken, options);
  return rest;
}

export function dropCookie(context: AppContext, settings: Settings): void {
  if (isUsed(context, settings))
    deleteCookie(context, settings.users.sessions.cookie.name, optionsOf(context, settings));
}
