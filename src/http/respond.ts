/**
 * @module JSON responses with Strapi's content type.
 */
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

export const respond = (context: Context, body: unknown, status: number = 200): Response =>
  context.body(JSON.stringify(body), status as ContentfulStatusCode, HEADERS);
