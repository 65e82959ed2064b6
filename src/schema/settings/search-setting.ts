/**
 * @module `search` of the settings: the types with a search index, by uid.
 */
import * as z from 'zod/mini';

/** What `search` ranks is computed for each weight. */
const MAX_WEIGHT = 10;

const weight = z.int().check(z.gte(1), z.lte(MAX_WEIGHT));

/** Of the attributes that `search` looks into. */
const weights = z
  .record(z.string(), weight)
  .check(z.refine((given) => Object.keys(given).length > 0, { error: 'at least one attribute with its weight' }));

export const search = z._default(z.union([z.array(z.string()), z.record(z.string(), weights)]), []);
