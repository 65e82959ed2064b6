/**
 * @module The kinds of values that settings have.
 */
import * as z from 'zod/mini';

export const positive = z.int().check(z.gte(1));
export const flag = (value: boolean) => z._default(z.boolean(), value);
export const number = (value: number) => z._default(positive, value);
export const section = <T extends z.core.$ZodLooseShape>(shape: T) => z.prefault(z.strictObject(shape), {} as never);

/** @param expected for the error message */
export const matching = (pattern: RegExp, expected: string) => z.string().check(z.regex(pattern, expected));

export const durationText = matching(/^[1-9]\d*[smhd]$/, 'a duration like 45s, 15m, 12h or 30d');
export const duration = (value: string) => z._default(durationText, value);

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** `30d` → seconds */
export const secondsOf = (text: string): number =>
  Number(text.slice(0, -1)) * SECONDS[text.slice(-1) as keyof typeof SECONDS];

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
export const conditionalGrant = z.strictObject({
  action: z.union([z.string(), z.array(z.string())]),
  /** The documents; of several grants of an action, one has to match. */
  where: z.optional(grantFilter),
  /** The attributes that a response shows, or a body may have. */
  fields: z.optional(z.array(z.string())),
  /** Written whatever the body has. */
  set: z.optional(z.record(z.string(), z.unknown())),
  /** What the written document must match. */
  validate: z.optional(grantFilter),
});
