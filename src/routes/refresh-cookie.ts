/**
 * @module Refresh tokens in a cookie that scripts cannot read, where the settings or a request ask for it.
 */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { type Settings, secondsOf } from '../config.ts';
import type { Tokens } from '../users/tokens.ts';
import type { AppContext } from './content.ts';

const HEADER = 'x-strapi-refresh-cookie';
const SAME_SITE = { strict: 'Strict', lax: 'Lax', none: 'None' } as const;

export const refreshCookieOf = (context: AppContext, { users }: Settings): string | undefined =>
  getCookie(context, users.sessions.cookie.name);

const isWanted = (context: AppContext, { users }: Settings): boolean =>
  users.sessions.httpOnly || context.req.header(HEADER) === 'httpOnly';

function optionsOf({ users }: Settings, local: boolean): CookieOptions {
  const { path, domain, sameSite, secure } = users.sessions.cookie;
  return {
    httpOnly: true,
    path,
    sameSite: SAME_SITE[sameSite],
    secure: secure ?? !local,
    ...(domain !== null && { domain }),
  };
}

/** Moves the refresh token of an answer into the cookie, if it is wanted there. */
export function inCookie<T extends Partial<Tokens>>(context: AppContext, settings: Settings, local: boolean, body: T) {
  const { refreshToken, ...rest } = body;
  if (refreshToken === undefined || !isWanted(context, settings)) return body;
  const { name, maxAge } = settings.users.sessions.cookie;
  const options = optionsOf(settings, local);
  setCookie(context, name, refreshToken, { ...options, ...(maxAge !== null && { maxAge: secondsOf(maxAge) }) });
  return rest;
}

export function dropCookie(context: AppContext, settings: Settings, local: boolean): void {
  if (isWanted(context, settings))
    deleteCookie(context, settings.users.sessions.cookie.name, optionsOf(settings, local));
}
