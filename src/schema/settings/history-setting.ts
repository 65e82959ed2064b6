/**
 * @module `history` of the settings: the types whose former versions are kept, and how many.
 */
import * as z from 'zod/mini';
import { besideOptions, positive } from './setting-values.ts';

const optional = z.optional(positive);

/** Of each document; `true`: as many as by default. */
const ofType = z.union([z.literal(true), z.strictObject({ versions: optional, days: optional })]);

/** `true`: every content type; `null`: none. `bytes` limits all former versions; the oldest go first. */
export const history = z._default(
  z.union([z.null(), z.literal(true), besideOptions({ bytes: optional }, ofType)]),
  null,
);
