/**
 * @module `history` of the settings: the types whose former versions are kept, and how many.
 */
import * as z from 'zod/mini';

const positive = z.optional(z.int().check(z.positive()));

/** Of each document; `true`: as many as by default. */
const ofType = z.union([z.literal(true), z.strictObject({ versions: positive, days: positive })]);

const options = z.strictObject({
  /** Of all former versions; the oldest go first. */
  bytes: positive,
});

/** Beside the options: the types with a history, by uid. */
const types = z.looseRecord(z.templateLiteral([z.string(), '::', z.string()]), ofType);

const isKnown = (key: string): boolean => key.includes('::') || Object.hasOwn(options.shape, key);

/** `true`: every content type; `null`: none. */
export const history = z._default(
  z.union([
    z.null(),
    z.literal(true),
    z.intersection(options, types).check((context) => {
      const keys = Object.keys(context.value).filter((key) => !isKnown(key));
      if (keys.length > 0) context.issues.push({ code: 'unrecognized_keys', input: context.value, keys });
    }),
  ]),
  null,
);
