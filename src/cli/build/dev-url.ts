/**
 * @module How `npm run dev` and the build that its wrangler runs find each other.
 */

/** Environment variable: the URL at which `npm run dev` prepares what wrangler bundles next, tables included. */
export const DEV_URL = 'EDGEWISE_DEV_URL';
