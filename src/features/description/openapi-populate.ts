/**
 * @module The parameter `populate`.
 */
import { MAX_DEPTH } from '../../content/request/populate.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { arrayOf, type JsonSchema, text } from './json-schema.ts';

/** What is below a name of `populate`, as far as Strapi does not have it. */
function populateOptions({ extensions, maxLimit }: Settings['api']['rest']): JsonSchema | true {
  if (!extensions) return true;
  const limit = {
    ...{ type: 'integer', minimum: 0, ...(maxLimit !== null && { maximum: maxLimit }) },
    description: 'Of a relation to many or a list of files: how many of them come.',
  };
  const start = { type: 'integer', minimum: 0, description: 'How many of them are skipped.' };
  const withCount = { type: 'boolean', description: 'Of such a list: is the number of all in `$counts`?' };
  return { properties: { limit, start, withCount } };
}

/** Does `populate` take `@deep:2`? */
export const deepPopulates = ({ extensions, deepPopulate }: Settings['api']['rest']): boolean =>
  extensions && deepPopulate;

const DEEP = Array.from({ length: MAX_DEPTH }, (_, index) => `@deep:${index + 1}`);

/** The parameter `populate`. */
export const populateParameter = (rest: Settings['api']['rest']): JsonSchema => ({
  name: 'populate',
  in: 'query',
  description:
    'Relations, media, components and dynamic zones to bring: `*`, or names and dotted paths separated by commas. ' +
    'In brackets each takes `fields`, `filters`, `sort`, `populate`, `count` (which puts `{ count }` in its place) and, ' +
    'for dynamic zones, `on`: `populate[author][fields]=name`.' +
    (rest.extensions
      ? ' Lists take `limit`, `start` and `withCount`, too: `populate[comments][limit]=3`. `@card` is a preset of the operation, as `x-presets` names it.'
      : '') +
    (deepPopulates(rest) ? ' `@deep:2` brings two levels; `meta.populated` names what it left out.' : ''),
  schema: {
    anyOf: [
      arrayOf(text),
      deepPopulates(rest) ? { ...text, examples: DEEP } : text,
      { type: 'object', additionalProperties: populateOptions(rest) },
    ],
  },
  style: 'form',
  explode: false,
  examples: { all: { value: ['*'] } },
});
