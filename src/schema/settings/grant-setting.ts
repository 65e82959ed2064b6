/**
 * @module Grants: of roles in the settings, and of API tokens.
 */
import * as z from 'zod/mini';

/** Levels of objects and lists in a filter of a grant. */
const MAX_LEVELS = 32;

const fits = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((each) => fits(each, levels - 1)));

/** A filter of the settings; its values may name the caller: `$user`, `$user.<attribute>`, `$now`. */
const grantFilter = z
  .record(z.string(), z.unknown())
  .check(
    z.refine((filter) => fits(filter, MAX_LEVELS), { error: `expected a filter of at most ${MAX_LEVELS} levels` }),
  );

/** A grant that is limited to some documents and attributes. */
const conditionalGrant = z.strictObject({
  action: z.union([z.string(), z.array(z.string())]),
  /** The documents; of several grants of an action, one has to match. */
  where: z.optional(grantFilter),
  /** The attributes that a response shows, or a body may have. */
  fields: z.optional(z.array(z.string())),
  /** Written whatever the body has. */
  set: z.optional(z.record(z.string(), z.unknown())),
  /** What the written document must match. */
  validate: z.optional(grantFilter),
  /** Only drafts are written. */
  status: z.optional(z.literal('draft')),
});

export type ConditionalGrant = z.output<typeof conditionalGrant>;

export const grants = z.array(z.union([z.string(), conditionalGrant]));

/** Reads a list of grants; undefined for anything else. */
export const readGrants = (value: unknown): readonly (string | ConditionalGrant)[] | undefined =>
  grants.safeParse(value).data;
