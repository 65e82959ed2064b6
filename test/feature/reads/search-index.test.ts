/**
 * @module Answers with a search index and with declared indexes are those without; only what they cost differs.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Registry } from '../../../src/schema/model.ts';
import { serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf, valuesOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { type Dice, diceOf } from '../../support/dice.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { TWO_LOCALES } from '../../support/locales.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { samplesOf } from '../../support/tier.ts';
import { openWorld } from '../../support/world.ts';

const UID = 'api::note.note';
const FILES = [
  contentType(
    'note',
    {
      title: { type: 'string' },
      body: { type: 'richtext' },
      kind: { type: 'enumeration', enum: ['short', 'long'] },
      rank: { type: 'integer' },
      price: { type: 'decimal' },
      spilled: { type: 'text' },
      spilledRank: { type: 'integer' },
      secret: { type: 'text', private: true },
      parts: { type: 'relation', relation: 'oneToMany', target: UID },
    },
    { drafts: true, localized: true },
  ),
];
const OVERFLOW = { [UID]: ['spilled', 'spilledRank'] };
const indexed = registryOf(FILES, [], OVERFLOW, {
  indexes: {
    [UID]: [
      ['rank:desc', 'title'],
      ['kind', 'price'],
    ],
  },
  search: [UID],
});
const bare = registryOf(FILES, [], OVERFLOW);
const serving = (registry: Registry, database = env.DB) =>
  clientOf(serveRegistry(registry, TWO_LOCALES, { DB: database }), 'full');

const WORDS = [
  'alpha',
  'ALPHABET',
  'beta',
  'été',
  'Été',
  'a"b OR c',
  "o'neil",
  '50%',
  'x_y',
  '🙂🙂🙂',
  'ab',
  '   ',
  'NEAR',
  'na\0me',
  '2024',
];
const text = (dice: Dice): string =>
  Array.from({ length: 1 + dice.below(4) }, () => dice.pick(WORDS as never)).join(dice.pick([' ', '', '-']));

function values(dice: Dice): Record<string, unknown> {
  return {
    title: dice.once(6) ? null : text(dice),
    body: text(dice),
    kind: dice.pick(['short', 'long', null]),
    rank: dice.pick([null, 1, 2, 2024]),
    price: dice.pick([null, 1.5, 20.24]),
    spilled: text(dice),
    spilledRank: dice.pick([null, 7, 2024]),
    secret: text(dice),
  };
}

async function writeAtRandom(dice: Dice, times: number): Promise<void> {
  const client = serving(indexed);
  const ids: string[] = [];
  for (let time = 0; time < times; time += 1) {
    const id = dice.pick(['', ...ids]);
    const search = `${dice.pick(['status=draft', ''])}&${dice.pick(['', 'locale=fr'])}`;
    if (id === '') ids.push((await documentOf(client.create(`/api/notes?${search}`, values(dice)))).documentId);
    else if (dice.once(6)) await client.remove(`/api/notes/${id}?locale=*`);
    else await client.update(`/api/notes/${id}?${search}`, dice.once(2) ? values(dice) : { body: text(dice) });
  }
}

openWorld(indexed);
beforeAll(async () => {
  await writeAtRandom(diceOf(inject('seed')), 120);
});

const OPERATORS = ['$contains', '$containsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi', '$notContains'];
const ATTRIBUTES = ['title', 'body', 'kind', 'spilled', 'rank', 'documentId', 'locale', 'createdAt'];
const searched = fc.oneof(
  fc.constantFrom(...WORDS.filter((word) => !word.includes('\0'))),
  fc
    .tuple(fc.constantFrom(...WORDS), fc.nat(4), fc.nat(6))
    .map(([word, from, length]) => [...word].slice(from, from + length).join('')),
  fc.constantFrom(
    'lph',
    'LPH',
    'b OR',
    '"',
    '" OR "',
    'title:a',
    'alpha*',
    '^alpha',
    'a'.repeat(300),
    '   ',
    '-alpha',
    '(alpha',
  ),
);
const filter = fc
  .tuple(fc.constantFrom(...ATTRIBUTES), fc.constantFrom(...OPERATORS), searched)
  .map(([attribute, operator, needle]) => `[${attribute}][${operator}]=${encodeURIComponent(needle)}`);
const query = fc.oneof(
  searched.map((needle) => `_q=${encodeURIComponent(needle)}`),
  filter.map((one) => `filters${one}`),
  filter.map((one) => `filters[$not]${one}`),
  fc.tuple(filter, filter).map(([one, other]) => `filters[$or][0]${one}&filters[$or][1]${other}`),
  fc.tuple(filter, searched).map(([one, needle]) => `filters${one}&_q=${encodeURIComponent(needle)}`),
  filter.map((one) => `filters[parts]${one}`),
  filter.map((one) => `filters${one}&filters[kind]=short&filters[rank][$gte]=2`),
);
const SORTS = [
  '',
  'sort=rank:desc,title',
  'sort=rank',
  'sort=kind,price',
  'sort=createdAt:desc',
  'sort=publishedAt:desc',
  'sort=parts.title',
];
const more = fc
  .tuple(
    fc.constantFrom(...SORTS),
    fc.constantFrom('', 'status=draft', 'locale=fr', 'locale=*'),
    fc.constantFrom('', 'pagination[pageSize]=3', 'pagination[start]=2&pagination[limit]=4', 'populate=parts'),
  )
  .map((parts) => parts.join('&'));

describe('an answer with indexes', () => {
  it('is the answer without them', async () => {
    const [fast, slow] = [serving(indexed), serving(bare)];
    const property = fc.asyncProperty(query, more, async (asked, other) => {
      const path = `/api/notes?${asked}&${other}`;
      const [one, two] = await Promise.all([fast.get(path), slow.get(path)]);
      expect([path, one.status, await one.json()]).toEqual([path, two.status, await two.json()]);
    });
    await fc.assert(property, { numRuns: samplesOf(250), seed: inject('seed') });
  });

  it('leaves every row in its index with its texts, and none that is gone', async () => {
    expect(await checkInvariants(env.DB, indexed)).toEqual([]);
  });
});

describe('the invariants of a search index', () => {
  it('tell of a row that was left out, and of one that is gone', async () => {
    await env.DB.prepare('drop trigger notes_search_update').run();
    await env.DB.prepare('drop trigger notes_search_delete').run();
    const client = serving(indexed);
    const one = await documentOf(client.create('/api/notes', { title: 'One' }));
    await client.update(`/api/notes/${one.documentId}?status=draft`, { title: 'Changed since' });
    expect(await checkInvariants(env.DB, indexed)).toContainEqual(expect.stringContaining('not found by its texts'));
    await client.remove(`/api/notes/${one.documentId}`);
    expect(await checkInvariants(env.DB, indexed)).toContainEqual(expect.stringContaining('is gone'));
  });
});

describe('with many documents', () => {
  it('a search reads the rows that it finds, and few others', async () => {
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000)';
    await env.DB.prepare(
      `${numbers} insert into notes (document_id, locale, published_at, created_at, updated_at, title, body)
       select 'note' || i, 'en', i, i, i, 'Note ' || i, iif(i % 1000 = 0, 'a wombat', 'nothing of note') from n`,
    ).run();
    for (const search of ['_q=wombat', 'filters[body][$contains]=WOMB', 'filters[body][$endsWith]=wombat&sort=title']) {
      const { database, rowsRead } = countedDatabase(env.DB);
      expect(await valuesOf(serving(indexed, database).get(`/api/notes?${search}`), 'body')).toHaveLength(3);
      expect([...rowsRead.values()].reduce((sum, rows) => sum + rows, 0)).toBeLessThan(70);
    }
  });
});
