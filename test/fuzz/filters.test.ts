/**
 * @module A filter that is given filters, as a second implementation in JavaScript says, or is refused by name.
 */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { encode, hostileText } from '../generators/hostile.ts';
import { searchOf } from '../generators/queries.ts';
import { documentOf, type ErrorAnswer } from '../support/client.ts';
import { thingRegistry } from '../support/condition-cases.ts';
import { typeAt } from '../support/recorded-registry.ts';
import { openWorld } from '../support/world.ts';
import { expectAccepted, parameters, progress, timeout } from './options.ts';
import { type Filter, holds, type Row, SIMPLE_OPERATORS, written } from './oracle.ts';

const { client } = openWorld(thingRegistry);
const rows: Row[] = [];

/** Values of one operator: few are spelled out in SQL, more of them travel as one list. */
const MOST_VALUES = 6;

const NAMES = [
  'Apple',
  'apple pie',
  'Émile',
  'émile',
  '100%',
  '100',
  '',
  'ÅPPLE',
  '🎉 party',
  "it's",
  'zz',
  'a_b',
  'a\\b',
  null,
];
const COUNTS = [0, 1, 2, -3, 100, null, 10];
const DAYS = ['2024-01-01', '2024-06-01', '1999-12-31', null];

beforeAll(async () => {
  for (const [index, name] of NAMES.entries()) {
    const values = {
      name,
      count: COUNTS[index % COUNTS.length] ?? null,
      flag: [true, false, null][index % 3] ?? null,
      day: DAYS[index % DAYS.length] ?? null,
      spilled: NAMES[(index * 5) % NAMES.length] ?? null,
      spilledCount: COUNTS[(index * 3) % COUNTS.length] ?? null,
    };
    rows.push({ ...values, documentId: (await documentOf(client.create('/api/things', values))).documentId });
  }
});

async function answerTo(search: string) {
  const response = await client.get(`/api/things?${search}&pagination[pageSize]=100&fields=name`);
  const body = (await response.json()) as { data: { documentId: string }[] | null; error?: ErrorAnswer };
  return { status: response.status, found: body.data?.map(({ documentId }) => documentId), error: body.error };
}

const expected = (filter: Filter): string[] =>
  rows.filter((row) => holds(row, filter) === true).map(({ documentId }) => documentId);

const texts = NAMES.filter((name) => name !== null);
const operands: Readonly<Record<string, fc.Arbitrary<string>>> = {
  name: fc.oneof(fc.constantFrom(...texts, 'A', 'p', 'É', 'IE'), fc.string({ unit: 'grapheme', maxLength: 3 })),
  spilled: fc.constantFrom(...texts, 'a', '%'),
  count: fc.constantFrom('0', '1', '2', '-3', '100', '5', '1.5'),
  spilledCount: fc.constantFrom('0', '1', '2', '-3', '100', '5'),
  flag: fc.constantFrom('true', 'false', '0', '1'),
  day: fc.constantFrom('2024-01-01', '2024-06-01', '1999-12-31', '2000-01-01'),
};

const leaf: fc.Arbitrary<Filter> = fc
  .tuple(
    fc.constantFrom(...Object.keys(operands)),
    fc.constantFrom(...SIMPLE_OPERATORS, '$in', '$notIn', '$between', '$null', '$notNull'),
  )
  .chain(([attribute, operator]) => {
    const operand = operands[attribute] ?? fc.constant('');
    const flag = operator === '$null' || operator === '$notNull';
    const pair = operator === '$between';
    const values = flag
      ? fc.constantFrom(['true'], ['false'])
      : fc.array(operand, pair ? { minLength: 2, maxLength: 2 } : { minLength: 1, maxLength: MOST_VALUES });
    return values.map((all): Filter => ({ kind: 'is', attribute: attribute as keyof Row, operator, values: all }));
  });

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'filter' },
    { weight: 4, arbitrary: leaf },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('and', 'or'),
        filters: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: tie('filter').map((inner): Filter => ({ kind: 'not', filter: inner })) },
  ),
}));

it('filters select what they say', { timeout }, async () => {
  const tick = progress('filters');
  let partial = 0;
  const property = fc.asyncProperty(filter, async (given) => {
    const { status, found, error } = await answerTo(searchOf({ filters: written(given) }));
    expect({ status, error }).toEqual({ status: 200, error: undefined });
    expect(found).toEqual(expected(given));
    if (found && found.length > 0 && found.length < rows.length) partial += 1;
    tick();
  });
  const chosen = parameters('filters');
  await fc.assert(property, chosen);
  expectAccepted(partial, chosen);
});

/** A refusal that tells which part of the request it is about. */
function isNamed({ status, message, details }: ErrorAnswer): boolean {
  const { key, param, limit } = details ?? {};
  return (
    status === 400 &&
    ([key, param, limit].some((name) => typeof name === 'string') || /^Invalid (format|date|time)/i.test(message))
  );
}

/** NUL ends a text for SQLite's `length`. */
const bindable = hostileText.filter((text) => !text.includes('\0') && text.isWellFormed());

it('hostile operands filter or are refused by name', { timeout }, async () => {
  const tick = progress('hostile operands');
  let compared = 0;
  const position = fc.tuple(fc.constantFrom(...Object.keys(operands)), fc.constantFrom(...SIMPLE_OPERATORS), bindable);
  const property = fc.asyncProperty(position, async ([attribute, operator, text]) => {
    const { status, found, error } = await answerTo(`filters[${attribute}][${operator}]=${encode(text)}`);
    if (status !== 200) expect(error).toSatisfy(isNamed);
    else if (attribute === 'name' || attribute === 'spilled') {
      expect(found).toEqual(expected({ kind: 'is', attribute, operator, values: [text] }));
      compared += 1;
    }
    tick();
  });
  const chosen = parameters('hostile operands');
  await fc.assert(property, chosen);
  expectAccepted(compared, chosen);
});

it('hostile keys are refused by name, and never ignored', { timeout }, async () => {
  const tick = progress('hostile keys');
  const known = new Set([
    ...Object.getOwnPropertyNames(Object.prototype),
    ...typeAt('things', thingRegistry).attributes.keys(),
  ]);
  const key = hostileText.filter(
    (text) => !known.has(text) && text !== '' && !/^\d+$|[[\].]/.test(text) && text.isWellFormed(),
  );
  const property = fc.asyncProperty(
    key,
    fc.constantFrom('[KEY]=a', '[name][KEY]=a', '[$or][0][KEY]=a', '[$not][KEY][$eq]=a'),
    async (text, shape) => {
      const { status, error } = await answerTo(`filters${shape.replace('KEY', encode(text))}`);
      expect({ status, named: error && isNamed(error) }).toEqual({ status: 400, named: true });
      tick();
    },
  );
  await fc.assert(property, parameters('hostile keys'));
});
