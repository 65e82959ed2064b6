/**
 * @module Refresh tokens in an HttpOnly cookie, if the settings or a request ask for it.
 */
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { forbidden } from '../../common/errors.ts';
import { readRefreshToken } from '../../content/credentials/jwt.ts';
import { type AppContext, isLocal, secretOf } from '../../http/context.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { secondsOf } from '../../schema/settings/derived.ts';
import type { Tokens } from './tokens.ts';

/** An empty cookie counts as absent. */
export const refreshCookieOf = (context: AppContext, { users }: Settings): string | undefined =>
  getCookie(context, users.sessions.cookie.name) || undefined;

const isRequested = (context: AppContext, { users }: Settings): boolean =>
  users.sessions.httpOnly || context.req.header('x-strapi-refresh-cookie') === 'httpOnly';

const hasCookie = (context: AppContext, settings: Settings): boolean =>
  refreshCookieOf(context, settings) !== undefined;

/**
 * Otherwise another site could sign its visitors in to an account of its own.
 * @param mayUse may the route use the cookie of the request?
 * @param usesAnother does it use another cookie, which is sent from other sites?
 * @throws ApiError 403
 */
export function rejectOtherSites(context: AppContext, settings: Settings, mayUse: boolean, usesAnother = false): void {
  const { origins } = settings.cors;
  if (context.req.header('sec-fetch-site') !== 'cross-site' || isLocal(context)) return;
  const usesCookie = usesAnother || isRequested(context, settings) || (mayUse && hasCookie(context, settings));
  if (usesCookie && !origins.includes(context.req.header('origin') ?? '')) throw forbidden();
}

/** Is the new token of the session whose token came in the cookie? It never gets into a body, which scripts can read. */
async function isOfCookie(context: AppContext, settings: Settings, refreshToken: string): Promise<boolean> {
  const held = refreshCookieOf(context, settings);
  const [earlier, next] = await Promise.all(
    [held ?? '', refreshToken].map((token) => readRefreshToken(token, secretOf(context))),
  );
  return earlier !== undefined && earlier.session === next?.session;
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

/**
 * Moves the refresh token of a response to the cookie, if that is used. The cookie of another sign-in is dropped with one
 * whose token is in the body.
 * @param inBody did the request have a refresh token in its body?
 */
export async function inCookie(context: AppContext, settings: Settings, body: Partial<Tokens>, inBody: boolean) {
  const { refreshToken, ...rest } = body;
  if (refreshToken === undefined) return body;
  const isInCookie = isRequested(context, settings) || (!inBody && (await isOfCookie(context, settings, refreshToken)));
  if (!isInCookie) {
    if (!inBody) dropCookie(context, settings);
    return body;
  }
  const { name, maxAge } = settings.users.sessions.cookie;
  const options = { ...optionsOf(context, settings), ...(maxAge !== null && { maxAge: secondsOf(maxAge) }) };
  setCookie(context, name, refreshToken, options);
  return rest;
}

export function dropCookie(context: AppContext, settings: Settings): void {
  if (isRequested(context, settings) || hasCookie(context, settings))
    deleteCookie(context, settings.users.sessions.cookie.name, optionsOf(context, settings));
}
