/**
 * @module Populate up to its limits is one batch that D1 takes; beyond them it is refused by name.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { askingOf } from '../../fuzz/queries.ts';
import { populateOn, searchOf } from '../../generators/queries.ts';
import { type ApiDocument, clientOf, documentOf, type ErrorAnswer, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { recordedRegistry, serve } from '../../support/recorded.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import { openMagazine } from '../../support/world.ts';
import { createPopulatedWorld } from './populated-world.ts';

const { populateDepth, populateNodes, populateLists } = parseSettings({}).api.rest.limits;
const { client } = openMagazine();

let article = '';

beforeAll(async () => {
  article = (await createPopulatedWorld(client)).first;
});

/** `a.b.a.b…` */
const circle = (first: string, second: string, levels: number): string =>
  Array.from({ length: levels }, (_, level) => (level % 2 === 0 ? first : second)).join('.');

/** `populate[a][populate][b]…` */
const nested = (path: string): string =>
  `populate${path
    .split('.')
    .map((name) => `[${name}]`)
    .join('[populate]')}=true`;

const levels = (most: number): number[] => Array.from({ length: most }, (_, index) => index + 1);

describe('filters below populate', () => {
  it.each([
    ['populate[tags][filters]=abc', 'The filters parameter must be an object or an array'],
    ['populate[tags][filters][]=abc', 'Invalid filters parameter. Expected an object'],
    ['populate[author][populate][articles][filters]=a', 'The filters parameter must be an object or an array'],
  ])('are refused when they are none: %s', async (search, message) => {
    expect(await errorOf(client.get(`/api/articles?${search}`))).toMatchObject({ status: 400, message });
  });
});

describe('populate is refused by the name of its limit', () => {
  const thousand = levels(1_000);
  const names = [
    'tags',
    'categories',
    'reviewers',
    'comments',
    'cover',
    'gallery',
    'seo',
    'facts',
    'links',
    'sections',
  ];
  const different = thousand.map((index) => `author.articles.${names[index % 10]}`);

  it.each([
    ['20 levels deep, to one and back', `populate=${circle('coverOf', 'coverStory', 20)}`, 'populateDepth'],
    ['a level too deep', `populate=${circle('coverOf', 'coverStory', populateDepth + 1)}`, 'populateDepth'],
    ['20 levels deep, to many and back', `populate=${circle('author', 'articles', 20)}`, 'populateLists'],
    [
      'with a list too many in one another',
      `populate=${circle('related', 'related', populateLists + 1)}`,
      'populateLists',
    ],
    ['with a list too many, written out', nested(circle('related', 'related', populateLists + 1)), 'populateLists'],
    ['with 1,000 keys that differ', `populate=${different.join(',')}`, 'populateNodes'],
    [
      'with 1,000 keys in a list',
      thousand.map((index) => `populate[${index}]=author.avatar`).join('&'),
      'populateNodes',
    ],
    [
      'with a key too many',
      `populate=${levels(populateNodes + 1)
        .map(() => 'tags')
        .join(',')}`,
      'populateNodes',
    ],
  ])('%s', async (_, search, limit) => {
    for (const path of ['/api/articles', `/api/articles/${article}`]) {
      const { status, details } = await errorOf(client.get(`${path}?${search}`));
      expect({ status, limit: details?.limit }).toEqual({ status: 400, limit });
    }
  });

  it('on a write, before anything is written', async () => {
    const search = `populate=${circle('coverOf', 'coverStory', 20)}`;
    const { details } = await errorOf(client.update(`/api/articles/${article}?${search}`, { title: 'Refused' }));
    expect(details?.limit).toBe('populateDepth');
    expect((await documentOf(client.get(`/api/articles/${article}`))).title).toBe('First');
  });

  it('and 20 levels written out are no key at all', async () => {
    expect((await client.get(`/api/articles?${nested(circle('author', 'articles', 20))}`)).status).toBe(400);
  });
});

const D1_SQL_BYTES = 100_000;

interface Read {
  readonly status: number;
  readonly data: unknown;
  /** Name of the limit that a refusal is about. */
  readonly limit: string | undefined;
}

/** Reads, and holds the read to one batch of statements that D1 takes. */
async function readOnce(path: string): Promise<Read> {
  const counted = countedDatabase(env.DB);
  const response = await clientOf(serve({}, { DB: counted.database }), 'full').get(path);
  expect(counted.answering()).toHaveLength(1);
  for (const text of counted.batches.flat()) expect(new TextEncoder().encode(text).length).toBeLessThan(D1_SQL_BYTES);
  const { data, error } = (await response.json()) as { data: unknown; error?: ErrorAnswer };
  return { status: response.status, data, limit: error?.details?.limit as string | undefined };
}

/** Follows a path through the answer, by the first document of each list. */
function follow(data: unknown, path: string): unknown {
  return path.split('.').reduce((value, name) => {
    const document = (Array.isArray(value) ? value[0] : value) as ApiDocument | undefined;
    return document?.[name];
  }, data);
}

describe('populate to every depth up to its limit is one batch', () => {
  const paths = [
    ...levels(populateDepth).map((depth) => circle('coverOf', 'coverStory', depth)),
    ...levels(populateDepth - 1).map((depth) => circle('author', 'articles', depth)),
    ...levels(populateLists).map((depth) => circle('related', 'related', depth)),
  ];

  it.each(paths)('%s', async (path) => {
    for (const search of [`populate=${path}`, nested(path)]) {
      const { status, data } = await readOnce(`/api/articles/${article}?${search}`);
      expect(status).toBe(200);
      expect(follow(data, path)).toBeTruthy();
      expect((await readOnce(`/api/articles?${search}&locale=*&status=draft`)).status).toBe(200);
    }
  });

  it.each(levels(populateLists))('through %i zones', async (depth) => {
    const path = circle('sections', 'articles', depth * 2);
    const { status, data } = await readOnce(`/api/articles/${article}?populate=${path}`);
    expect(status).toBe(200);
    expect(JSON.stringify(data).split('"articles":[{').length - 1).toBeGreaterThanOrEqual(depth);
  });

  it.each(levels(populateLists - 1))('with everything at level %i', async (depth) => {
    const above = '[related][populate]'.repeat(depth);
    expect((await readOnce(`/api/articles?populate${above}=*`)).status).toBe(200);
  });

  it('with as many keys as there may be', async () => {
    const own = [
      'author',
      'tags',
      'categories',
      'reviewers',
      'comments',
      'coverOf',
      'cover',
      'gallery',
      'seo',
      'facts',
      'links',
      'localizations',
    ];
    const above = levels(populateLists).map((depth) => '[related][populate]'.repeat(depth - 1));
    const keys = above.flatMap((place) => own.map((name) => `populate${place}[${name}]=true`)).slice(0, populateNodes);
    const { status } = await readOnce(`/api/articles?${keys.join('&')}`);
    expect(status).toBe(200);
  });

  it('with filters and sort at every level', async () => {
    const places = levels(populateDepth / 2).map(
      (depth) => `populate[${circle('coverOf', 'coverStory', depth).replaceAll('.', '][populate][')}]`,
    );
    const options = places.map(
      (place) => `${place}[filters][id][$notNull]=true&${place}[sort]=id:desc&${place}[fields]=title`,
    );
    expect((await readOnce(`/api/articles?${options.join('&')}`)).status).toBe(200);
  });

  it.each(levels(populateLists))('with filters and sort through relations at each of %i levels', async (depth) => {
    const options = levels(depth).map((level) => {
      const place = `populate[${circle('author', 'articles', level).replaceAll('.', '][populate][')}]`;
      const [far, back] = level % 2 === 1 ? ['articles', 'author'] : ['author', 'articles'];
      const filters = [
        `${place}[filters][$or][0][${far}][${back}][${far}][id][$notNull]=true`,
        `${place}[filters][$or][1][${far}][createdAt][$null]=true`,
      ];
      return [...filters, `${place}[sort][0]=createdAt:desc`, `${place}[sort][1]=id`].join('&');
    });
    const { status, limit } = await readOnce(`/api/articles?${options.join('&')}&pagination[withCount]=true`);
    expect({ status, limit }).toEqual({ status: 200, limit: undefined });
  });
});

describe('generated populate trees', () => {
  const sizes = fc.constantFrom(
    { depth: 2, width: 5, list: 3 },
    { depth: 4, width: 3, list: 3 },
    { depth: 7, width: 2, list: 2 },
  );
  const routes = [...recordedRegistry.routes.values()];
  const trees = fc.tuple(fc.constantFrom(...routes), sizes).chain(([type, size]) =>
    fc.record({
      type: fc.constant(type),
      populate: populateOn(type, askingOf(recordedRegistry), size),
      status: fc.constantFrom('draft', 'published'),
    }),
  );

  it('are answered in one batch, or refused', async () => {
    const seed = seedOf('populate trees');
    const outcomes = { answered: 0, refused: 0 };
    const property = fc.asyncProperty(trees, async ({ type, populate, status }) => {
      const route = type.kind === 'singleType' ? type.singularName : type.pluralName;
      const read = await readOnce(
        `/api/${route}?${searchOf({ populate, status, ...(type.localized && { locale: 'en' }) })}`,
      );
      const missing = type.kind === 'singleType' && read.status === 404;
      const refused = read.limit?.startsWith('populate') === true;
      expect(missing ? 200 : read.status).toBe(refused ? 400 : 200);
      outcomes[refused ? 'refused' : 'answered'] += 1;
    });
    await fc.assert(property, { seed, numRuns: samplesOf(300) });
    expect(outcomes.answered).toBeGreaterThan(outcomes.refused);
  });
});
