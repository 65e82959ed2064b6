/**
 * @module Security headers of every response, with the values of Strapi's `strapi::security`.
 * Cross-Origin-*-Policy headers are off, as in Strapi: pictures are shown on other origins.
 */
import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { addressOf } from './request-url.ts';

const withTransport = (strictTransportSecurity: string | false) =>
  secureHeaders({
    crossOriginResourcePolicy: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    xXssProtection: false,
    removePoweredBy: false,
    strictTransportSecurity,
  });

const overHttp = withTransport(false);
const overHttps = withTransport('max-age=31536000; includeSubDomains');

/** Adds the headers; `Strict-Transport-Security` over HTTPS alone (https://www.rfc-editor.org/rfc/rfc6797#section-7.2). */
export const securityHeaders: MiddlewareHandler = (context, next) =>
  (addressOf(context.req.raw).isHttps ? overHttps : overHttp)(context, next);

/** Pages have inline styles and no scripts. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";
