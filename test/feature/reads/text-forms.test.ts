/**
 * @module Texts within texts: short ones are looked for with a pattern, long ones without, and the answers are the same.
 */
import fc from 'fast-check';
import { beforeAll, expect, inject, it } from 'vitest';
import { documentOf, errorOf, valuesOf } from '../../support/client.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { samplesOf } from '../../support/tier.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([contentType('note', { text: { type: 'text' }, twin: { type: 'text' } })]);
const { client } = openWorld(registry);

/** Longer than any pattern: what is looked for behind it is looked for without one. */
const LONG = 'x'.repeat(50);

const LETTERS = ['a', 'A', 'b', 'é', 'É', 'ß', 'İ', 'K', '%', '_', '\\', "'", '"', ' ', '€', '🙂', '\n'] as const;
const texts = fc.array(fc.constantFrom(...LETTERS, '\0'), { maxLength: 12 }).map((list) => list.join(''));
const needles = fc.array(fc.constantFrom(...LETTERS), { maxLength: 4 }).map((list) => list.join(''));

const small = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
/** A text is looked into up to its first NUL. */
const head = (text: string): string => text.split('\0')[0] ?? '';

const ORACLE: Readonly<Record<string, (text: string, needle: string) => boolean>> = {
  $contains: (text, needle) => head(text).includes(needle),
  $notContains: (text, needle) => !head(text).includes(needle),
  $startsWith: (text, needle) => head(text).startsWith(needle),
  $endsWith: (text, needle) => head(text).endsWith(needle),
};

let stored: readonly string[];

beforeAll(async () => {
  stored = fc.sample(texts, { numRuns: 60, seed: inject('seed') });
  // `twin` is `text` with the long text where the operators look for it.
  for (const text of stored) await documentOf(client.create('/api/notes', { text, twin: `${LONG}${text}` }));
  await documentOf(client.create('/api/notes', { text: null, twin: null }));
});

const found = (operator: string, attribute: string, needle: string) =>
  valuesOf(
    client.get(
      `/api/notes?filters[${attribute}][${operator}]=${encodeURIComponent(needle)}&pagination[pageSize]=100&fields=text`,
    ),
    'text',
  );

it.each(Object.keys(ORACLE))('%s finds what it says, whatever stands in the texts', async (operator) => {
  const holds = ORACLE[operator] as (typeof ORACLE)[string];
  const property = fc.asyncProperty(needles, async (needle) => {
    const expected = stored.filter((text) => holds(small(text), small(needle)));
    expect(await found(operator, 'text', needle)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: samplesOf(60), seed: inject('seed') });
});

it.each(['$contains', '$notContains', '$startsWith'])(
  '%s finds with a text that is too long for a pattern what it finds with a short one',
  async (operator) => {
    const property = fc.asyncProperty(needles, async (needle) => {
      const short = await found(operator === '$contains' ? '$startsWith' : operator, 'text', needle);
      const expected =
        operator === '$notContains' ? stored.filter((text) => !small(head(text)).startsWith(small(needle))) : short;
      const long = await found(operator, 'twin', `${LONG}${needle}`);
      expect(long).toEqual(expected);
    });
    await fc.assert(property, { numRuns: samplesOf(40), seed: inject('seed') });
  },
);

it.each([46, 47, 48, 49, 50, 51])('a text of %i bytes is found, at every place', async (length) => {
  const needle = `${'é_'.repeat(30).slice(0, Math.floor(length / 3) * 2)}${'z'.repeat(length % 3)}`;
  await documentOf(client.create('/api/notes', { text: `${needle}!`, twin: needle }));
  for (const operator of ['$contains', '$startsWith'])
    expect(await found(operator, 'text', needle)).toEqual([`${needle}!`]);
  expect(await found('$endsWith', 'twin', needle)).toEqual([`${needle}!`]);
});

it('one with a NUL is never taken for the part before it', async () => {
  await documentOf(client.create('/api/notes', { text: 'left\0right', twin: 'left' }));
  expect(await found('$contains', 'text', 'RIGHT')).toEqual([]);
  expect(await found('$contains', 'text', 'left\0R')).toEqual(['left\0right']);
  expect(await found('$contains', 'twin', 'left\0')).toEqual([]);
});

it('texts of 10,000 characters are looked for, and more than may be are refused by name', async () => {
  expect(await found('$contains', 'text', 'a'.repeat(10_000))).toEqual([]);
  expect(await errorOf(client.get(`/api/notes?_q=${'a'.repeat(70_000)}`))).toMatchObject({ status: 400 });
});
