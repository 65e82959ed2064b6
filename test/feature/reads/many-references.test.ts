/**
 * @module A populate of more values than two levels of JSON functions take: zones that lead to thirty types each.
 */
import { expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const places = (count: number) => Array.from({ length: count }, (_, place) => place);
const TYPES = places(30);
const ZONES = places(31);

const zone = { type: 'dynamiczone', components: ['kit.part'] };
const link = (place: number) => ({
  type: 'relation',
  relation: 'oneToOne',
  target: `api::target${place}.target${place}`,
});

const registry = registryOf(
  [
    contentType('sheet', Object.fromEntries(ZONES.map((place) => [`zone${place}`, zone]))),
    ...TYPES.map((place) => contentType(`target${place}`, { name: { type: 'string' } })),
  ],
  [component('kit.part', Object.fromEntries(TYPES.map((place) => [`link${place}`, link(place)])))],
);

const { client } = openWorld(registry);

it('is read in several statements, and shows each value', async () => {
  const { documentId } = await documentOf(client.create('/api/target29s', { name: 'Target' }));
  const entries = [{ __component: 'kit.part', link29: documentId }];
  await documentOf(client.create('/api/sheets', { zone0: entries, zone15: entries, zone30: entries }));
  const query = ZONES.map((place) => `populate[zone${place}][populate]=*`).join('&');
  const response = await client.get(`/api/sheets?${query}`);
  const { data } = (await response.json()) as { data: unknown };
  const shown = [{ link0: null, link29: { name: 'Target' } }];
  expect(data).toMatchObject([{ zone0: shown, zone1: [], zone15: shown, zone30: shown }]);
});
