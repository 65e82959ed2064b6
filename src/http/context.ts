/**
 * @module Hono's context of a request.
 */
import type { Context, Hono } from 'hono';
import type { Claims } from '../content/credentials/jwt.ts';
import type { Settings } from '../schema/settings/config.ts';
import { addressOf } from './request-url.ts';

/** Names a binding that no project and no client can set. */
export const OF_TOOL = Symbol('a request of a tool');

/** The file that a one-time address was made for. */
export interface AddressedFile {
  /** The field `fileInfo`, as the address has it. */
  readonly fileInfo: string;
  /** The media type to declare; undefined for that of the part. */
  readonly type: string | undefined;
}

/** What a request that a tool sends through the app has beside HTTP. */
export interface ToolRequest {
  /** The only file that it may upload. */
  readonly addressed?: AddressedFile;
  /** Who a client of OAuth acts for; such a request has no header for it. */
  readonly claims?: Claims | undefined;
}

export type AppEnv = {
  Bindings: Env & { readonly [OF_TOOL]?: ToolRequest };
  Variables: { requestId: string };
};

export type App = Hono<AppEnv>;

export type AppContext = Context<AppEnv>;

export const BOOKMARK_HEADER = 'x-d1-bookmark';
/** Has advice for who writes the settings. */
export const HINT_HEADER = 'x-edgewise-hint';
export const SOURCE_MAPS_HEADER = 'strapi-encode-source-maps';

export const isLocal = ({ req }: AppContext): boolean => addressOf(req.raw).isLocal;

export const isRead = ({ req: { method } }: AppContext): boolean => method === 'GET' || method === 'HEAD';

/** A deployment without users may lack it. */
export const secretOf = ({ env }: { readonly env: Env }): string | undefined =>
  (env as Env & { JWT_SECRET?: string }).JWT_SECRET;

const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** May a page of the request's origin read responses? Those that the settings list, and on a local server local ones. */
export const isAllowedOrigin = (context: AppContext, { cors }: Settings): boolean => {
  const origin = context.req.header('origin') ?? '';
  return cors.origins.includes(origin) || (LOCAL_ORIGIN.test(origin) && isLocal(context));
};
