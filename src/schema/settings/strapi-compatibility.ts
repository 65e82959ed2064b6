/**
 * @module Strapi's values of the settings whose defaults differ, for `compatibility: 'strapi'`.
 */
import { isObject } from '../../common/json.ts';

const STRAPI_DEFAULTS = {
  api: {
    rest: {
      ...{ createResponse: 'strapi', errorDetails: 'strapi' },
      ...{ publication: false, extensions: false, publicDrafts: true },
    },
    documents: { mixedRelations: 'strapi' },
  },
  users: { caseSensitiveNames: true, passwordChangeEndsTokens: false },
  upload: { replace: 'same-url', cacheSeconds: 60 },
};

/** Fills in undefined values; keeps malformed ones, which the schema of the settings rejects. */
function withDefaults(input: unknown, defaults: unknown): unknown {
  if (input === undefined) return defaults;
  if (!isObject(input) || !isObject(defaults)) return input;
  const merged = Object.entries(defaults).map(([key, value]) => [key, withDefaults(input[key], value)]);
  return { ...input, ...Object.fromEntries(merged) };
}

export const withStrapiDefaults = (input: unknown): unknown =>
  isObject(input) && input.compatibility === 'strapi' ? withDefaults(input, STRAPI_DEFAULTS) : input;
