/**
 * @module The total of a filtered list is counted only where the page does not tell.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { clientOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([contentType('song', { mood: { type: 'string' } })]);
const SONGS = 2_000;
const MATCHES = 7;

openWorld(registry);
beforeAll(async () => {
  const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${SONGS})`;
  await env.DB.prepare(
    `${numbers} insert into songs (document_id, locale, published_at, created_at, updated_at, mood)
     select 'song' || i, '', 1, i, i, iif(i % 300 = 1, 'rare', 'common') from n`,
  ).run();
});

async function listed(search: string) {
  const { database, rowsRead } = countedDatabase(env.DB);
  const response = await clientOf(serveRegistry(registry, {}, { DB: database }), 'full').get(`/api/songs?${search}`);
  const { meta } = await response.json<{ meta: { pagination: { total?: number } } }>();
  return { total: meta.pagination.total, rowsRead: [...rowsRead.values()].reduce((sum, rows) => sum + rows, 0) };
}

describe('the total', () => {
  it('of a page that is not full costs nothing', async () => {
    const search = 'filters[mood]=rare';
    const counted = await listed(search);
    const uncounted = await listed(`${search}&pagination[withCount]=false`);
    expect(counted.total).toBe(MATCHES);
    expect(counted.rowsRead).toBeLessThan(uncounted.rowsRead + 40);
    expect(counted.rowsRead).toBeLessThan(SONGS + 60);
  });

  it('of a full page is counted once, whatever the order', async () => {
    const { total, rowsRead } = await listed('filters[mood]=common&sort=id:desc');
    expect(total).toBe(SONGS - MATCHES);
    expect(rowsRead).toBeLessThan(SONGS + 200);
  });
});
