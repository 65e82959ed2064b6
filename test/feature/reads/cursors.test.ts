/**
 * @module Lists page by page with cursors: nothing twice, nothing left out, every page at the same cost.
 */
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Registry } from '../../../src/schema/model.ts';
import { serveRegistry } from '../../support/app.ts';
import { type ApiDocument, clientOf, documentOf } from '../../support/client.ts';
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
      spilled: { type: 'integer' },
      card: { type: 'component', component: 'shared.card' },
      author: { type: 'relation', relation: 'manyToOne', target: UID },
    },
    { drafts: true, localized: true },
  ),
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
