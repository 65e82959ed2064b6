/**
 * @module Links of published documents to targets that are unpublished and published again: they come back in their place.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const REGION = 'api::region.region';
const to = (relation: string, side: object = {}) => ({ type: 'relation', relation, target: REGION, ...side });
const inverse = (target: string, mappedBy: string) => ({
  ...{ type: 'relation', relation: 'manyToMany', target: `api::${target}.${target}`, mappedBy },
});

const relations = (name: string) => ({
  one: to('oneToOne'),
  loose: to('manyToMany'),
  listed: to('oneToMany'),
  mutual: to('manyToMany', { inversedBy: `${name}Of` }),
  morph: { type: 'relation', relation: 'morphToMany' },
});
const box = component('shared.box', { loose: to('manyToMany') });
const boxed = { box: { type: 'component', component: 'shared.box' } };

const registry = registryOf(
  [
    contentType(
      'region',
      {
        name: { type: 'string' },
        next: to('manyToMany'),
        near: to('manyToMany', { inversedBy: 'nearOf' }),
        nearOf: to('manyToMany', { mappedBy: 'near' }),
        cityOf: inverse('city', 'mutual'),
        plainOf: inverse('plain', 'mutual'),
        menus: { type: 'relation', relation: 'morphMany', target: 'api::city.city', morphBy: 'morph' },
      },
      { drafts: true, localized: true },
    ),
    contentType('city', { ...relations('city'), ...boxed }, { drafts: true, localized: true, plural: 'cities' }),
    contentType('plain', { ...relations('plain'), ...boxed }),
  ],
  [box],
);
const { client } = openWorld(registry);

type Regions = Readonly<Record<string, string>>;
const regionsOf = async (names: string): Promise<Regions> => {
  const made: Record<string, string> = {};
  for (const name of names) made[name] = (await documentOf(client.create('/api/regions', { name }))).documentId;
  return made;
};
const idsOf = (regions: Regions, names: string) => [...names].map((name) => regions[name] ?? '');
const typed = (ids: readonly string[]) => ids.map((documentId) => ({ __type: REGION, documentId }));
const act = async (regions: Regions, name: string, action: string) =>
  void (await documentOf(client.create(`/api/regions/${regions[name]}/actions/${action}`, {})));

const LISTS = ['loose', 'listed', 'mutual', 'morph'];
const POPULATE = `populate[one]=true&${LISTS.slice(0, 3)
  .map((name) => `populate[${name}]=true`)
  .join('&')}&populate[morph][on][${REGION}]=true&populate[box][populate]=loose`;
const namesOf = (value: unknown) => (value as { name: string }[]).map(({ name }) => name).join('');

async function shown(path: string, query = '') {
  const document = await documentOf(client.get(`${path}?${POPULATE}${query}`));
  const lists = LISTS.map((name) => namesOf(document[name]));
  const one = document.one as { name: string } | null;
  return [one?.name ?? '', ...lists, namesOf((document.box as { loose: unknown }).loose)];
}

const everywhere = (first: string, list: string) => [first, list, list, list, list, list];

async function holder(route: string, regions: Regions, names: string): Promise<string> {
  const ids = idsOf(regions, names);
  const lists = { loose: ids, listed: ids, mutual: ids, morph: typed(ids), box: { loose: ids } };
  const { documentId } = await documentOf(client.create(`/api/${route}`, { one: ids[1], ...lists }));
  return `/api/${route}/${documentId}`;
}

const complaints = () => checkInvariants(env.DB, registry);

describe.each(['cities', 'plains'])('the links of published %s', (route) => {
  it('come back in their place when their target is published again', async () => {
    const regions = await regionsOf('abc');
    const path = await holder(route, regions, 'abc');
    expect(await shown(path)).toEqual(everywhere('b', 'abc'));
    await act(regions, 'b', 'unpublish');
    expect(await shown(path)).toEqual(everywhere('', 'ac'));
    expect(await complaints()).toEqual([]);
    await act(regions, 'b', 'publish');
    expect(await shown(path)).toEqual(everywhere('b', 'abc'));
    expect(await complaints()).toEqual([]);
  });

  it.each(['bcad', 'acdb', 'dbca'])('come back at the place that a write gives them meanwhile: %s', async (order) => {
    const regions = await regionsOf('abcd');
    const path = await holder(route, regions, 'abcd');
    await act(regions, 'b', 'unpublish');
    const ids = idsOf(regions, order);
    await documentOf(client.update(path, { loose: ids, listed: ids, mutual: ids, morph: typed(ids) }));
    await act(regions, 'b', 'publish');
    expect((await shown(path)).slice(1, 5)).toEqual([order, order, order, order]);
    expect(await complaints()).toEqual([]);
  });

  it('stay away if they are removed meanwhile, and are gone with their target', async () => {
    const regions = await regionsOf('abc');
    const path = await holder(route, regions, 'abc');
    for (const name of ['a', 'b']) await act(regions, name, 'unpublish');
    const removed = { disconnect: idsOf(regions, 'b') };
    const lists = Object.fromEntries(['loose', 'listed', 'mutual'].map((name) => [name, removed]));
    await documentOf(client.update(path, { one: null, ...lists, morph: { disconnect: typed(idsOf(regions, 'b')) } }));
    await act(regions, 'b', 'publish');
    expect((await shown(path)).slice(0, 5)).toEqual(['', 'c', 'c', 'c', 'c']);
    expect((await client.remove(`/api/regions/${regions.a}`)).status).toBe(204);
    expect(await complaints()).toEqual([]);
  });
});

describe('a document that is unpublished and published again', () => {
  it('is back in its place in the lists of its targets', async () => {
    const regions = await regionsOf('a');
    const paths = [];
    for (let count = 0; count < 3; count += 1) paths.push(await holder('cities', regions, 'a'));
    const ids = paths.map((path) => path.split('/').at(-1));
    const listed = async (name: string) => {
      const region = await documentOf(client.get(`/api/regions/${regions.a}?populate=${name}`));
      return (region[name] as { documentId: string }[]).map(({ documentId }) => documentId);
    };
    for (const action of ['unpublish', 'publish']) {
      await documentOf(client.create(`${paths[1]}/actions/${action}`, {}));
      const rest = action === 'unpublish' ? [ids[0], ids[2]] : ids;
      expect(await listed('cityOf')).toEqual(rest);
      expect(await listed('menus')).toEqual(rest);
    }
    expect(await complaints()).toEqual([]);
  });

  it('leaves the links of its other locales as they are', async () => {
    const regions = await regionsOf('ab');
    for (const name of 'ab') await client.update(`/api/regions/${regions[name]}?locale=fr`, { name });
    const path = await holder('cities', regions, 'ab');
    const ids = idsOf(regions, 'ab');
    const lists = { loose: ids, listed: ids, mutual: ids, morph: typed(ids), box: { loose: ids } };
    await documentOf(client.update(`${path}?locale=fr`, { one: ids[0], ...lists }));
    await documentOf(client.create(`/api/regions/${regions.a}/actions/unpublish?locale=fr`, {}));
    expect(await shown(path, '&locale=fr')).toEqual(everywhere('', 'b'));
    expect(await shown(path)).toEqual(everywhere('b', 'ab'));
    await documentOf(client.create(`/api/regions/${regions.a}/actions/publish?locale=fr`, {}));
    expect(await shown(path, '&locale=fr')).toEqual(everywhere('a', 'ab'));
    expect(await complaints()).toEqual([]);
  });
});

describe('a published list', () => {
  it.each(['near', 'nearOf', 'next'])('of regions (%s) keeps its order when a target is published', async (name) => {
    const regions = await regionsOf('abcdeh');
    const path = `/api/regions/${regions.h}`;
    const published = async () => namesOf((await documentOf(client.get(`${path}?populate=${name}`)))[name]);
    await documentOf(client.update(path, { [name]: idsOf(regions, 'abcde') }));
    await documentOf(client.update(path, { [name]: { disconnect: idsOf(regions, 'bc') } }));
    await act(regions, 'h', 'discard-draft');
    await act(regions, 'e', 'publish');
    expect(await published()).toBe('ade');
    await documentOf(client.update(`${path}?status=draft`, { [name]: idsOf(regions, 'eda') }));
    for (const target of 'dea') await act(regions, target, 'publish');
    expect(await published()).toBe('ade');
    await act(regions, 'h', 'publish');
    expect(await published()).toBe('eda');
    expect(await complaints()).toEqual([]);
  });

  it.each(['near', 'nearOf'])('of regions (%s) takes a link at the place that the draft gives it', async (name) => {
    const regions = await regionsOf('abcdeh');
    const path = `/api/regions/${regions.h}`;
    const published = async () => namesOf((await documentOf(client.get(`${path}?populate=${name}`)))[name]);
    await documentOf(client.update(path, { [name]: idsOf(regions, 'abcde') }));
    await documentOf(client.update(path, { [name]: { disconnect: idsOf(regions, 'bc') } }));
    await act(regions, 'h', 'discard-draft');
    const f = await documentOf(client.create('/api/regions?status=draft', { name: 'f' }));
    const [d] = idsOf(regions, 'd');
    const connect = [{ documentId: f.documentId, position: { after: d } }];
    await documentOf(client.update(`${path}?status=draft`, { [name]: { connect } }));
    await documentOf(client.create(`/api/regions/${f.documentId}/actions/publish`, {}));
    expect(await published()).toBe('adfe');
    expect(await complaints()).toEqual([]);
  });

  it.each([
    ['near', 'nearOf'],
    ['nearOf', 'near'],
  ])('of regions (%s) keeps its order when a target is published with more links', async (name, other) => {
    const regions = await regionsOf('adegh');
    const path = `/api/regions/${regions.h}`;
    const published = async () => namesOf((await documentOf(client.get(`${path}?populate=${name}`)))[name]);
    await documentOf(client.update(path, { [name]: idsOf(regions, 'ade') }));
    await documentOf(client.update(`${path}?status=draft`, { [name]: idsOf(regions, 'eda') }));
    for (const target of 'ade') {
      const connect = idsOf(regions, 'g');
      await documentOf(client.update(`/api/regions/${regions[target]}?status=draft`, { [other]: { connect } }));
      await act(regions, target, 'publish');
      expect(await published()).toBe('ade');
    }
    await act(regions, 'h', 'publish');
    expect(await published()).toBe('eda');
    expect(await complaints()).toEqual([]);
  });

  it.each(['loose', 'listed', 'mutual', 'morph'])('of another type (%s) keeps its order, too', async (name) => {
    const regions = await regionsOf('abcde');
    const list = (names: string) => (name === 'morph' ? typed(idsOf(regions, names)) : idsOf(regions, names));
    const path = await holder('cities', regions, 'abcde');
    await documentOf(client.update(path, { [name]: { disconnect: list('bc') } }));
    await documentOf(client.create(`${path}/actions/discard-draft`, {}));
    await act(regions, 'e', 'publish');
    expect((await shown(path))[LISTS.indexOf(name) + 1]).toBe('ade');
    expect(await complaints()).toEqual([]);
  });
});
