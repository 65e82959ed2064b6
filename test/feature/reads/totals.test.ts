/**
 * @module The total of a filtered list: right for every page, and counted only where the page does not tell.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { clientOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([
  contentType('song', {
    name: { type: 'string' },
    mood: { type: 'string' },
    parts: relation('oneToMany', 'song'),
  }),
]);
const SONGS = 2_000;
const MATCHES = 7;

openWorld(registry);
beforeAll(async () => {
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${SONGS})`;
  await env.DB.prepare(
    `${numbers} insert into songs (document_id, locale, published_at, created_at, updated_at, name, mood)
     select 'song' || i, '', 1, i, i, 'Song ' || (i % 97), iif(i % 300 = 1, 'rare', 'common') from n`,
  ).run();
});

interface Listed {
  readonly ids: readonly string[];
  readonly pagination: Readonly<Record<string, number>>;
  readonly rowsRead: number;
}

async function listed(search: string): Promise<Listed> {
  const { database, rowsRead } = countedDatabase(env.DB);
  const response = await clientOf(serveRegistry(registry, {}, { DB: database }), 'full').get(`/api/songs?${search}`);
  const { data, meta } = (await response.json()) as {
    data: { documentId: string }[];
    meta: { pagination: Record<string, number> };
  };
  const ids = data.map(({ documentId }) => documentId);
  return { ids, pagination: meta.pagination, rowsRead: [...rowsRead.values()].reduce((sum, rows) => sum + rows, 0) };
}

describe('the total', () => {
  const rare = ['song1', 'song301', 'song601', 'song901', 'song1201', 'song1501', 'song1801'];

  it.each(['', '&sort=name', '&populate=parts', '&sort=name:desc&populate=parts'])(
    'is right on every page, full, half full, empty and beyond the end%s',
    async (more) => {
      for (const start of [0, 1, 3, 6, 7, 8, 1_000])
        for (const limit of [1, 3, 6, 7, 8, 100]) {
          const search = `filters[mood]=rare&pagination[start]=${start}&pagination[limit]=${limit}${more}`;
          const { ids, pagination } = await listed(search);
          expect(pagination).toEqual({ start, limit, total: MATCHES });
          expect(ids).toHaveLength(Math.max(0, Math.min(limit, MATCHES - start)));
          if (more === '') expect(ids).toEqual(rare.slice(start, start + limit));
        }
    },
  );

  it('is 0 where nothing matches, on any page', async () => {
    for (const page of [1, 2])
      expect((await listed(`filters[mood]=none&pagination[page]=${page}`)).pagination).toMatchObject({ total: 0 });
  });

  it('of a page that is not full costs nothing', async () => {
    const search = 'filters[mood]=rare';
    const counted = await listed(search);
    const uncounted = await listed(`${search}&pagination[withCount]=false`);
    expect(counted.pagination.total).toBe(MATCHES);
    expect(counted.rowsRead).toBeLessThan(uncounted.rowsRead + 40);
    expect(counted.rowsRead).toBeLessThan(SONGS + 60);
  });

  it.each(['sort=mood:desc,name', 'sort=name,mood:desc', 'sort=parts.name', 'sort=name&populate=parts'])(
    'of a search that is sorted comes with the same documents as without it: %s',
    async (sort) => {
      // `Song 1`, `Song 10` to `Song 19`: each remainder of 97 comes 20 or 21 times.
      const expected = Array.from({ length: SONGS }, (_, index) => `Song ${(index + 1) % 97}`);
      const total = expected.filter((name) => name.startsWith('Song 1')).length;
      for (const start of [0, 100, total - 1, total, total + 5]) {
        const search = `_q=song 1&${sort}&pagination[start]=${start}&pagination[limit]=30`;
        const { ids, pagination } = await listed(search);
        expect(pagination).toEqual({ start, limit: 30, total });
        expect(ids).toEqual((await listed(`${search}&pagination[withCount]=false`)).ids);
      }
    },
  );

  it('of a full page is counted once, whatever the order', async () => {
    const { pagination, rowsRead } = await listed('filters[mood]=common&sort=id:desc');
    expect(pagination.total).toBe(SONGS - MATCHES);
    expect(rowsRead).toBeLessThan(SONGS + 200);
  });
});
