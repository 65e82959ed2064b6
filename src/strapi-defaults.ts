/**
 * @module The settings whose defaults differ from Strapi, for `compatibility: 'strapi'`.
 */

const STRAPI_DEFAULTS = {
  api: { rest: { createResponse: 'strapi', publicDrafts: true } },
  users: { caseSensitiveNames: true, passwordChangeEndsTokens: false },
  upload: { replace: 'same-url', cacheSeconds: 60 },
};

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is no section is left as it is: the schema of the settings rejects it. */
function withDefaults(input: unknown, defaults: Tree): unknown {
  if (input === undefined) return defaults;
  if (!isTree(input)) return input;
  const merged = Object.entries(defaults).map(([key, value]) => {
    const own = input[key];
    return [key, isTree(value) ? withDefaults(own, value) : own === undefined ? value : own];
  });
  return { ...input, ...Object.fromEntries(merged) };
}

/** Adds Strapi's values where the input is `compatibility: 'strapi'` and has none of its own. */
export const withStrapiDefaults = (input: unknown): unknown =>
  isTree(input) && input.compatibility === 'strapi' ? withDefaults(input, STRAPI_DEFAULTS) : input;
