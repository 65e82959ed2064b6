/**
 * @module Numbers in JSON compare and sort as numbers, before every text, as in Strapi.
 */
import { beforeAll, expect, it } from 'vitest';
import { documentsOf } from '../../support/client.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf(
  [
    contentType('note', {
      title: { type: 'string' },
      data: { type: 'json' },
      part: { type: 'component', component: 'parts.part' },
    }),
  ],
  [component('parts.part', { data: { type: 'json' } })],
);
const { client } = openWorld(registry);
const VALUES = { minus: -1.5, zero: 0, five: 5, twelve: 12, word: 'abc', list: [1] };

beforeAll(async () => {
  for (const [title, data] of Object.entries(VALUES))
    await client.create('/api/notes', { title, data, part: { data } });
});

const titles = async (query: string): Promise<readonly unknown[]> =>
  (await documentsOf(client.get(`/api/notes?${query}`))).map(({ title }) => title);

it.each([
  ['[$eq]=5.0', ['five']],
  ['[$in]=5.0', ['five']],
  ['[$lt]=-1', ['minus']],
  ['[$between][0]=-2&filters$[$between][1]=9', ['minus', 'zero', 'five']],
  ['[$gt]=5', ['twelve', 'word', 'list']],
  ['[$lt]=%25', ['minus', 'zero', 'five', 'twelve']],
  ['[$contains]=.5', ['minus']],
  ['[$startsWith]=1', ['twelve']],
  ['[$eqi]=5.0', []],
  ['[$in][0]=1e999&filters$[$in][1]=12', ['twelve']],
  [`[$eq]=${'1'.repeat(4_000)}x`, []],
])('filters$%s', async (condition, found) => {
  for (const at of ['[data]', '[part][data]'])
    expect([at, await titles(`filters${at}${condition.replaceAll('$[', `${at}[`)}&sort=id`)]).toEqual([at, found]);
});

it('sort by them', async () => {
  expect(await titles('sort=data')).toEqual(['minus', 'zero', 'five', 'twelve', 'list', 'word']);
});
