/**
 * @module The settings whose defaults differ from Strapi, for `compatibility: 'strapi'`.
 */
import { isObject, type JsonObject } from './json.ts';

const STRAPI_DEFAULTS = {
  api: { rest: { createResponse: 'strapi', publicDrafts: true } },
  users: { caseSensitiveNames: true, passwordChangeEndsTokens: false },
  upload: { replace: 'same-url', cacheSeconds: 60 },
};

/** What is no section is left as it is: the schema of the settings rejects it. */
function withDefaults(input: unknown, defaults: JsonObject): unknown {
  if (input === undefined) return defaults;
  if (!isObject(input)) return input;
  const merged = Object.entries(defaults).map(([key, value]) => {
    const own = input[key];
    return [key, isObject(value) ? withDefaults(own, value) : own === undefined ? value : own];
  });
  return { ...input, ...Object.fromEntries(merged) };
}

/** Adds Strapi's values where the input is `compatibility: 'strapi'` and has none of its own. */
export const withStrapiDefaults = (input: unknown): unknown =>
  isObject(input) && input.compatibility === 'strapi' ? withDefaults(input, STRAPI_DEFAULTS) : input;
