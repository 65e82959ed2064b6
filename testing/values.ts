/**
 * @module A valid value for each scalar attribute: another one for each number, the same for the same.
 */
import fc from 'fast-check';
import { sameFor } from '../src/common/same-for.ts';
import { checkScalar } from '../src/content/plan/validate/rules.ts';
import type { ScalarType } from '../src/schema/fields.ts';
import type { ScalarAttribute } from '../src/schema/model.ts';

const CONTEXT = { draft: false, operation: 'create', taken: new Set<string>() } as const;
const DAY = 86_400_000;
/** Midnight of the first value. */
const EPOCH = Date.UTC(2001, 0, 1);
/** How many texts of each size are drawn for a regular expression before it counts as one without any that fits. */
const DRAWS = 30;
/** Where neither bound is given. */
const SPAN = 4_096;

/** Texts that fit most attributes: with words, without, as short as can be. */
function texts({ name, minLength = 0, maxLength = 255 }: ScalarAttribute, number: number): readonly string[] {
  const digits = number.toString(36);
  const words = `${name.slice(0, Math.max(0, maxLength - digits.length - 1))} ${digits}`.trimStart();
  return [words.padStart(minLength, 'x'), digits.padStart(minLength, 'a')];
}

const uids = (attribute: ScalarAttribute, number: number): readonly string[] =>
  texts(attribute, number).map((text) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'));

const emails = (number: number): readonly string[] => [`reader-${number}@example.com`, `${number.toString(36)}@a.co`];

/** Texts that a regular expression matches. One that fast-check cannot read, such as a lookahead, has none. */
function matching({ regex }: ScalarAttribute, number: number): readonly string[] {
  if (!regex) return [];
  try {
    return (['small', 'medium'] as const).flatMap((size) =>
      fc.sample(fc.stringMatching(regex, { size }), { numRuns: DRAWS, seed: number }),
    );
  } catch {
    return [];
  }
}

function bounds({ min, max }: ScalarAttribute): readonly [low: number, high: number] {
  const low = Math.ceil(min ?? (max === undefined ? 0 : max - SPAN));
  return [low, Math.floor(max ?? low + SPAN)];
}

function whole(attribute: ScalarAttribute, number: number): number {
  const [low, high] = bounds(attribute);
  return low + (number % (high - low + 1));
}

/** A fraction that is exact in binary, so that filters find it. */
function fraction({ min, max }: ScalarAttribute, number: number): number {
  const low = min ?? (max === undefined ? 0 : max - SPAN);
  return low + (((max ?? low + SPAN) - low) * (number % SPAN)) / SPAN;
}

type Candidates = (attribute: ScalarAttribute, number: number) => readonly unknown[];

const textual: Candidates = (attribute, number) => [...texts(attribute, number), ...matching(attribute, number)];
const dayOf = (number: number): string => new Date(EPOCH + number * DAY).toISOString();

const CANDIDATES: Readonly<Record<ScalarType, Candidates>> = {
  ...sameFor(['string', 'text', 'richtext', 'password'], textual),
  email: (attribute, number) => [...emails(number), ...matching(attribute, number)],
  uid: (attribute, number) => [...uids(attribute, number), ...matching(attribute, number)],
  enumeration: ({ enum: names = [] }, number) => [names[number % names.length]],
  integer: (attribute, number) => [whole(attribute, number)],
  biginteger: (attribute, number) => [String(whole(attribute, number))],
  ...sameFor<'decimal' | 'float', Candidates>(['decimal', 'float'], (...of) => [fraction(...of)]),
  boolean: (_, number) => [number % 2 === 0],
  date: (_, number) => [dayOf(number).slice(0, 10)],
  datetime: (_, number) => [dayOf(number)],
  time: (_, number) => [new Date(EPOCH + (number % 86_400) * 1_000).toISOString().slice(11, 23)],
  json: (_, number) => [{ number }],
  blocks: ({ name }, number) => [[{ type: 'paragraph', children: [{ type: 'text', text: `${name} ${number}` }] }]],
};

/** A value that the attribute's rules accept; undefined where none was found. */
export function sampleValue(attribute: ScalarAttribute, number: number): unknown {
  for (const value of CANDIDATES[attribute.type](attribute, number))
    if (checkScalar(attribute, value, [attribute.name], CONTEXT).issues.length === 0) return value;
  return undefined;
}
