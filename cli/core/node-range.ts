/**
 * @module The versions of Node whose SQLite keeps limits, for `engines`; `node-limits.mjs` looks for the limits themselves.
 */

export const NODE_RANGE = '^24.15.0 || >=25.8.0';
