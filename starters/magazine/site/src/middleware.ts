import { API_URL } from 'astro:env/server';
import { defineMiddleware } from 'astro:middleware';
import { findCategories } from './lib/api';
import { DEFAULT_LOCALE, localeOf } from './lib/locales';

/** A page may be kept for a minute, and is renewed beside that. */
const KEPT = 'public, max-age=0, s-maxage=60, stale-while-revalidate=600';

export const onRequest = defineMiddleware(async ({ locals, url }, next) => {
  const parts = url.pathname.split('/').filter((part) => part !== '' && part !== 'preview');
  // A page that leads to another one, such as a 404, keeps its language.
  locals.locale ??= localeOf(parts[0]) ?? DEFAULT_LOCALE;
  // Each page shows them, in its header and its cards.
  locals.categories ??= findCategories(locals.locale).catch(() => []);
  const response = await next();
  const { headers } = response;
  if (!headers.has('cache-control')) headers.set('cache-control', response.ok ? KEPT : 'no-store');
  headers.set('x-content-type-options', 'nosniff');
  headers.set('referrer-policy', 'strict-origin-when-cross-origin');
  // Studio shows pages beside its form.
  headers.set('content-security-policy', `frame-ancestors 'self' ${new URL(API_URL).origin}`);
  return response;
});
