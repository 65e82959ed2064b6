/**
 * @module Lists page by page with cursors: nothing twice, nothing left out, every page at the same cost.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Registry } from '../../../src/schema/model.ts';
import { serveRegistry } from '../../support/app.ts';
import { type ApiDocument, clientOf, documentOf, errorOf, valuesOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { diceOf } from '../../support/dice.ts';
import { TWO_LOCALES } from '../../support/locales.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { samplesOf } from '../../support/tier.ts';
import { openWorld } from '../../support/world.ts';

const UID = 'api::song.song';
const FILES = [
  contentType(
    'song',
    {
      name: { type: 'string' },
      rank: { type: 'integer' },
      big: { type: 'biginteger' },
      price: { type: 'float' },
      day: { type: 'date' },
      flag: { type: 'boolean' },
      data: { type: 'json' },
      lyrics: { type: 'text' },
      spilled: { type: 'integer' },
      card: { type: 'component', component: 'shared.card' },
      author: { type: 'relation', relation: 'manyToOne', target: UID },
    },
    { drafts: true, localized: true },
  ),
  contentType('other', { name: { type: 'string' } }),
];
const COMPONENTS = [component('shared.card', { label: { type: 'string' }, weight: { type: 'float' } })];
const OVERFLOW = { [UID]: ['spilled'] };
const indexed = registryOf(FILES, COMPONENTS, OVERFLOW, {
  indexes: { [UID]: [['rank:desc', 'name'], ['name'], ['flag', 'price:desc'], ['big']] },
});
const bare = registryOf(FILES, COMPONENTS, OVERFLOW);
const serving = (registry: Registry, database = env.DB) =>
  clientOf(serveRegistry(registry, TWO_LOCALES, { DB: database }), 'full');
const client = serving(indexed);

openWorld(indexed);
beforeAll(async () => {
  const dice = diceOf(inject('seed'));
  const ids: string[] = [];
  for (let number = 0; number < 40; number += 1) {
    const data = {
      name: dice.pick([null, 'a', 'B', 'é', 'a\0b', 'a\ud800b', '"', `song ${number}`]),
      rank: dice.pick([null, 1, 2, 3]),
      big: dice.pick([null, '9007199254740993', '9007199254740992', '-9007199254740993']),
      price: dice.pick([null, 0.1 + 0.2, 0.3, 1 / 3, 1e300, -0.1]),
      day: dice.pick([null, '2024-01-01', '2024-01-02']),
      flag: dice.pick([null, true, false]),
      data: dice.pick([null, 'word', { a: 1 }, 5]),
      spilled: dice.pick([null, 9, 10]),
      card: dice.once(3) ? null : { label: dice.pick(['x', 'y', null]), weight: dice.pick([null, 0.1 + 0.2, 3]) },
      author: ids.length > 0 && dice.once(2) ? dice.pick(ids as never) : null,
    };
    const { documentId } = await documentOf(client.create('/api/songs', data));
    ids.push(documentId);
    if (dice.once(3)) await client.update(`/api/songs/${documentId}?status=draft`, { rank: 9 });
    if (dice.once(4)) await client.update(`/api/songs/${documentId}?locale=fr`, data);
  }
  // An import brings such numbers from beyond 64 bits.
  await env.DB.prepare('update songs set big = 1.2345678901234567e20 where id % 7 = 0').run();
});

interface CursorPage {
  readonly data: readonly ApiDocument[];
  readonly meta: {
    readonly pagination: { readonly limit: number; readonly next: string | null; readonly total?: number };
  };
}

const pageOf = async (search: string, after: string, limit: number, from = client): Promise<CursorPage> =>
  (await from.get(`/api/songs?${search}&pagination[after]=${after}&pagination[limit]=${limit}`)).json();

/** Every page of a list, one after the other. */
async function walked(search: string, limit: number, registry: Registry): Promise<readonly ApiDocument[]> {
  const found: ApiDocument[] = [];
  let after: string | null = '';
  while (after !== null) {
    const { data, meta }: CursorPage = await pageOf(search, after, limit, serving(registry));
    found.push(...data);
    expect(data.length).toBe(meta.pagination.next === null ? data.length : limit);
    after = meta.pagination.next;
  }
  return found;
}

const SORTABLE = [
  'id',
  'documentId',
  'name',
  'rank',
  'big',
  'price',
  'day',
  'flag',
  'data',
  'spilled',
  'card.label',
  'card.weight',
];
SORTABLE.push('author.name', 'author.rank', 'author.id', 'author.documentId', 'card.id', 'createdAt', 'publishedAt');
const sorts = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...SORTABLE), fc.boolean()), { maxLength: 5, selector: ([name]) => name })
  .map((terms) => `sort=${terms.map(([name, descending]) => `${name}${descending ? ':desc' : ''}`).join()}`)
  .map((sort) => (sort === 'sort=' ? '' : sort));
const more = fc
  .tuple(
    fc.constantFrom('', 'status=draft', 'locale=fr', 'locale=*'),
    fc.constantFrom('', 'filters[rank][$gte]=2', 'filters[flag]=true', 'filters[author][rank]=1', '_q=song'),
    fc.constantFrom('', 'populate=author', 'fields=name'),
  )
  .map((parts) => parts.join('&'));

describe('a walk by cursors', () => {
  it('shows every document once, in the order of the list, with indexes and without', async () => {
    const property = fc.asyncProperty(sorts, more, fc.integer({ min: 3, max: 17 }), async (sort, other, limit) => {
      const search = `${sort}&${other}`;
      const list = await (await client.get(`/api/songs?${search}&pagination[limit]=100`)).json();
      const { data } = list as CursorPage;
      expect([search, await walked(search, limit, indexed)]).toEqual([search, data]);
      expect([search, await walked(search, limit, bare)]).toEqual([search, data]);
    });
    await fc.assert(property, { numRuns: samplesOf(60, 0.2), seed: inject('seed') });
  });

  it('goes on behind a document that was deleted meanwhile', async () => {
    const ids = await valuesOf(client.get('/api/songs?sort=rank:desc,name&fields=name'), 'documentId');
    const { data, meta } = await pageOf('sort=rank:desc,name', '', 4);
    await client.remove(`/api/songs/${data[3]?.documentId}?locale=*`);
    const next = await pageOf('sort=rank:desc,name', meta.pagination.next ?? '', 4);
    expect(next.data.map(({ documentId }) => documentId)).toEqual(ids.slice(4, 8));
  });
});

describe('meta.pagination', () => {
  it('has the limit and the next cursor, null on the last page, and the total where it is asked for', async () => {
    const first = await pageOf('filters[name][$ne]=nobody', '', 2);
    expect(first.meta.pagination).toEqual({ limit: 2, next: expect.any(String) });
    const all = await pageOf('filters[rank][$null]=false&pagination[withCount]=true', '', 100);
    expect(all.meta.pagination).toEqual({ limit: 100, next: null, total: all.data.length });
    const second = await pageOf('filters[rank][$null]=false&pagination[withCount]=true', '', 1);
    expect(second.meta.pagination.total).toBe(all.data.length);
    const none = await pageOf('filters[name]=nobody&pagination[withCount]=true', '', 5);
    expect(none).toEqual({ data: [], meta: { pagination: { limit: 5, next: null, total: 0 } } });
  });

  it('is as before without pagination[after]', async () => {
    const { meta } = (await (await client.get('/api/songs?pagination[limit]=2')).json()) as CursorPage;
    expect(Object.keys(meta.pagination)).toEqual(['start', 'limit', 'total']);
  });

  it('comes in the older format too', async () => {
    const headers = { authorization: 'Bearer full', 'strapi-response-format': 'v4' };
    const response = await serveRegistry(indexed, TWO_LOCALES)('/api/songs?pagination[after]=', { headers });
    expect(await response.json()).toMatchObject({ meta: { pagination: { next: expect.any(String) } } });
  });
});

describe('a cursor is refused', () => {
  const SEARCH = 'sort=rank:desc';
  const next = async () => (await pageOf(SEARCH, '', 2)).meta.pagination.next ?? '';
  const refusal = (path: string) => errorOf(client.get(path));

  it.each([
    ['content type', 'others?sort=name'],
    ['locale', `songs?${SEARCH}&locale=fr`],
    ['locale', `songs?${SEARCH}&locale=*`],
    ['status', `songs?${SEARCH}&status=draft`],
    ['sort', 'songs?sort=rank'],
    ['sort', 'songs?sort=rank:desc,name'],
    ['sort', 'songs?sort=name'],
    ['filters', `songs?${SEARCH}&filters[name]=a`],
    ['filters', `songs?${SEARCH}&_q=a`],
  ])('by the name of what differs: the %s, for %s', async (what, path) => {
    expect(await refusal(`/api/${path}&pagination[after]=${await next()}`)).toMatchObject({
      status: 400,
      message: `Invalid parameter at 'pagination[after]'. Expected a cursor of the same ${what}`,
    });
  });

  it('when it is cut off, changed or none', async () => {
    const whole = await next();
    const changed = `${whole[0] === 'A' ? 'B' : 'A'}${whole.slice(1)}`;
    const given = [whole.slice(0, -1), whole.slice(0, 20), changed, 'x', '.', 'x.y', `${whole}=`, '%00', 'é.é', '2'];
    for (const cursor of given)
      expect(await refusal(`/api/songs?${SEARCH}&pagination[after]=${encodeURIComponent(cursor)}`)).toMatchObject({
        status: 400,
        message: "Invalid parameter at 'pagination[after]'. Expected a cursor as it was given",
      });
  });

  it('as a list or an object', async () => {
    for (const written of ['[after][]=x', '[after][a]=x'])
      expect((await refusal(`/api/songs?pagination${written}`)).message).toContain("'pagination[after]'");
  });

  it('together with pages and offsets', async () => {
    for (const other of ['page', 'pageSize', 'start'])
      expect(await refusal(`/api/songs?pagination[after]=&pagination[${other}]=1`)).toMatchObject({
        name: 'PaginationError',
        message: `Cannot use both after & ${other} pagination in the same query`,
      });
  });

  it('where the values to sort by would be too long for one', async () => {
    for (const number of [1, 2]) await client.create('/api/songs?locale=fr', { lyrics: `${number}`.repeat(9_000) });
    expect(await refusal('/api/songs?sort=lyrics:desc&locale=fr&pagination[after]=&pagination[limit]=1')).toMatchObject(
      {
        status: 400,
        message: 'A value of sort is too long for a cursor. Expected a sort by shorter values',
      },
    );
  });

  it('where it holds values that no list gave', async () => {
    expect((await refusal(`/api/songs?sort=name&pagination[after]=${'A'.repeat(60_000)}`)).status).toBe(400);
  });
});

describe('a page behind a cursor', () => {
  it.each([
    '',
    'sort=rank:desc,name',
    'sort=rank',
    'sort=createdAt:desc',
    'sort=createdAt',
    'filters[flag]=true&sort=price:desc',
  ])('reads few rows, however far it is and however many share a value: %s', async (search) => {
    await env.DB.prepare('delete from songs').run();
    const numbers = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 4000)';
    await env.DB.prepare(
      `${numbers} insert into songs (document_id, locale, published_at, created_at, updated_at, name, rank, price, flag)
         select 'song' || i, 'en', i, i, i, 'Song ' || (i % 500), nullif(i % 4, 0), i % 3, 1 from n`,
    ).run();
    let after: string | null = '';
    for (let page = 0; page < 30 && after !== null; page += 1) {
      const { database, rowsRead } = countedDatabase(env.DB);
      const answer: CursorPage = await pageOf(search, after, 100, serving(indexed, database));
      after = answer.meta.pagination.next;
      const rows = [...rowsRead.values()].reduce((sum, each) => sum + each, 0);
      if (search !== 'sort=rank') expect(rows).toBeLessThan(search === 'sort=createdAt' ? 600 : 420);
      expect(answer.data).toHaveLength(100);
    }
  });
});
