/**
 * @module Where the API and this site are.
 */

/** The origin of the API. */
export const API_URL = process.env.API_URL ?? 'http://127.0.0.1:8787';

/** The public origin of this site, for canonical links, the sitemap and the feeds. */
export const SITE_URL = process.env.SITE_URL ?? 'http://127.0.0.1:3000';
