/**
 * @module A batch does what its requests do one after another: the same responses, the same rows, the same first error. Or it
 * is rejected because a request depends on what another one changes.
 */
import { beforeAll, expect, it, vi } from 'vitest';
import { FILES } from '../../support/compared-runs.ts';
import type { Dice } from '../../support/dice.ts';
import { createTables, recordedRegistry } from '../../support/recorded.ts';
import { seedOf } from '../../support/seed.ts';
import { isLongTier, samplesOf } from '../../support/tier.ts';
import { type Body, compareBatches, type Names, type Request } from './sequence.ts';

const BATCHES = samplesOf(40, 0.25);
const RIGHTS = ['article', 'comment', 'tag'].flatMap((name) => [
  `api::${name}.${name}.create`,
  `api::${name}.${name}.update`,
]);

beforeAll(createTables);

const SEEDS: readonly (readonly [route: string, data: Body])[] = [
  ...['one', 'two', 'three'].map((name) => ['tags', { name }] as const),
  ...['one', 'two'].map((name) => ['authors', { name }] as const),
  ...['one', 'two'].map((name) => ['categories', { name }] as const),
  ...['one', 'two', 'three'].map(
    (title, index) => ['articles', { title: `Article ${title}`, code: `code ${index}` }] as const,
  ),
  ...[1, 2].map((number) => ['issues', { title: 'Issue', number }] as const),
  ...['one', 'two'].map((text) => ['comments', { text }] as const),
];

function drawn(dice: Dice, names: Names): Request {
  const one = (route: string): string => names[route]?.[dice.below(names[route]?.length ?? 0)] ?? 'nobody';
  const stored = (route: string): string => {
    const list = (names[route] ?? []).filter((name) => !name.startsWith('$'));
    return list[dice.below(list.length)] ?? 'nobody';
  };
  const to = (route: string) => {
    const [name, other] = [one(route), one(route)];
    return dice.pick<unknown>([
      name,
      [name, other],
      { connect: [name] },
      {
        connect: [{ documentId: name, position: dice.pick<Body>([{ start: true }, { before: other }, { end: true }]) }],
      },
      { set: [{ documentId: name }] },
      { disconnect: [name] },
      null,
    ]);
  };
  const search = dice.pick(['', '', '', '?status=draft', '?locale=fr', '?populate=*']);
  const plainSearch = dice.pick(['', '', '?populate=*', '?fields=documentId']);
  const post = (route: string, data: Body, query = plainSearch): Request => ({
    method: 'POST',
    path: `/api/${route}${query}`,
    body: { data },
  });
  const put = (route: string, data: Body, query = plainSearch): Request => ({
    method: 'PUT',
    path: `/api/${route}/${stored(route)}${query}`,
    body: { data },
  });
  const remove = (route: string, query = ''): Request => ({
    method: 'DELETE',
    path: `/api/${route}/${stored(route)}${query}`,
    body: { data: {} },
  });
  const links = () =>
    dice.pick<() => Body>([
      () => ({}),
      () => ({ tags: to('tags') }),
      () => ({ author: to('authors') }),
      () => ({ related: to('articles') }),
      () => ({ relatedFrom: to('articles') }),
      () => ({ coverOf: to('issues') }),
      () => ({ comments: to('comments') }),
      () => ({ categories: to('categories'), primaryCategory: to('categories') }),
      () => ({ reviewers: to('authors') }),
      () => ({ sections: [{ __component: 'blocks.quote', text: 'q', speaker: one('authors') }] }),
      () => ({ gallery: { connect: [dice.pick(FILES)] } }),
    ])();
  const code = () => (dice.once(3) ? { code: `code ${dice.below(5)}` } : {});
  return dice.pick<() => Request>([
    () => post('articles', { title: 'New', ...code(), ...links() }, search),
    () => post('articles', { title: 'New', ...code(), ...links() }, search),
    () => put('articles', { title: 'Changed', ...code(), ...links() }, search),
    () => put('articles', { ...code(), ...links() }, search),
    () => put('articles', { price: dice.below(5) }, search),
    () => remove('articles', dice.pick(['', '?locale=fr', '?locale=*'])),
    () => post('tags', { name: dice.pick(['one', 'four', 'five', 'six']), articles: to('articles') }),
    () => post('tags', { name: `tag ${dice.below(1_000)}` }),
    () => put('tags', { name: dice.pick(['one', 'four', 'five']) }),
    () => put('tags', { articles: to('articles') }),
    () => remove('tags'),
    () => post('comments', { text: 'c', article: to('articles'), by: to('authors') }),
    () => post('comments', { text: 'c', article: dice.pick([1, 2, 3, 4, 5, 6, 99]) }),
    () => put('comments', { article: to('articles') }),
    () => remove('comments'),
    () => post('authors', { name: 'a', articles: to('articles') }),
    () => put('authors', { articles: to('articles') }),
    () => post('issues', { title: 'i', number: dice.below(9), coverStory: to('articles'), previous: to('issues') }),
    () =>
      put(
        'issues',
        dice.pick<Body>([{ coverStory: to('articles') }, { next: to('issues') }, { picks: to('articles') }]),
      ),
    () => remove('issues'),
    () => post('categories', { name: 'c', parent: to('categories') }, dice.pick(['', '?locale=fr'])),
    () => put('categories', { children: to('categories') }, dice.pick(['', '?locale=fr'])),
    () => put('articles', { title: dice.pick<unknown>([null, 'x', 5]) }),
    () => ({
      method: 'PUT',
      path: '/api/site-setting',
      body: { data: { siteName: 'S', editorInChief: one('authors') } },
    }),
    () => ({
      method: 'PUT',
      path: `/api/homepage?locale=${dice.pick(['en', 'fr'])}`,
      body: { data: { heading: 'h', featuredArticles: to('articles') } },
    }),
    () => ({ method: 'DELETE', path: '/api/site-setting', body: { data: {} } }),
  ])();
}

it('does what its requests do in sequence', async () => {
  vi.spyOn(console, 'error').mockReturnValue();
  const world = { registry: recordedRegistry, rights: RIGHTS, seeds: SEEDS, drawn };
  const counts = await compareBatches(world, seedOf('batches'), BATCHES);
  console.log(JSON.stringify(counts));
  // In a sample, chance may leave out a kind.
  if (isLongTier) expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
});
