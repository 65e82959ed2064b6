/**
 * @module Slices of populated lists, facets, and the end of an order: what a list takes, and what it rejects.
 */
import { describe, expect, it } from 'vitest';
import { rawOf } from '../../../src/content/plan/read/rule-condition.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { listPlan, refusal } from './support.ts';

const registry = registryOf(
  [
    contentType('song', {
      title: { type: 'string' },
      mood: { type: 'enumeration', enum: ['calm'] },
      rating: { type: 'float' },
      notes: { type: 'string', private: true },
      singers: relation('manyToMany', 'singer'),
      label: relation('manyToOne', 'singer'),
      pictures: { type: 'media', multiple: true },
      cover: { type: 'media' },
      card: { type: 'component', component: 'page.card' },
    }),
    contentType('singer', { name: { type: 'string' } }),
  ],
  [component('page.card', { singers: relation('oneToMany', 'singer') })],
);
const song = registry.contentTypes.get('api::song.song');
if (!song) throw new Error('no type');
const planned = (search: string, rest: object = {}) =>
  listPlan(song, search, { registry, settings: parseSettings({ api: { rest } }) });

describe('the slice of a populated list', () => {
  it.each<readonly [string, object]>([
    ['singers][limit]=0', { slice: { start: 0, limit: 0 } }],
    ['singers][limit]=100', { slice: { start: 0, limit: 100 } }],
    ['singers][start]=5', { slice: { start: 5 } }],
    ['pictures][start]=1&populate[pictures][limit]=2', { slice: { start: 1, limit: 2 } }],
    ['singers][withCount]=true', { withCount: true }],
    ['singers][withCount]=0', {}],
    ['singers][limit]=1&populate[singers][withCount]=1', { slice: { start: 0, limit: 1 }, withCount: true }],
    ['singers][limit]=1&populate[singers][count]=false', { slice: { start: 0, limit: 1 } }],
  ])('%s is %j', (option, shown) => {
    const [node] = planned(`populate[${option}`).selection.populate;
    const { slice, withCount } = node as unknown as { slice?: object; withCount?: boolean };
    expect({ slice, withCount }).toEqual({ slice: undefined, withCount: undefined, ...shown });
  });

  it.each<readonly [string, string, string, object]>([
    ['singers][limit]=101', 'limit', 'Expected an integer from 0 to 100, received: 101', { limit: 'maxLimit' }],
    ['singers][limit]=-1', 'limit', 'Expected an integer from 0 to 100, received: -1', { limit: 'maxLimit' }],
    ['singers][limit]', 'limit', 'Expected an integer from 0 to 100', { limit: 'maxLimit' }],
    ['singers][start]=x', 'start', 'Expected an integer of at least 0, received: x', {}],
    [
      `singers][start]=${'1'.repeat(16)}`,
      'start',
      `Expected an integer of at least 0, received: ${'1'.repeat(16)}`,
      {},
    ],
    ['singers][withCount]=x', 'withCount', 'Expected true or false, received: x', {}],
    ['label][limit]=1', 'limit', 'Expected a relation to many or a list of files', {}],
    ['cover][start]=1', 'start', 'Expected a relation to many or a list of files', {}],
    ['singers][limit]=1&populate[singers][count]=true', 'limit', 'Expected no count beside it', {}],
  ])('is rejected: %s', (option, key, problem, more) => {
    const path = option.slice(0, option.indexOf(']'));
    const error = refusal(() => planned(`populate[${option}`));
    expect(error.message).toBe(`Invalid ${key} at ${path}. ${problem}`);
    expect(error.details).toEqual({ key, path, source: 'query', param: 'populate', ...more });
  });

  it('has no limit without maxLimit', () => {
    const [node] = planned('populate[singers][limit]=1000', { maxLimit: null }).selection.populate;
    expect(node).toMatchObject({ slice: { start: 0, limit: 1_000 } });
  });

  it.each(['limit', 'start', 'withCount'])('is an unknown key without api.rest.extensions: %s', (key) => {
    const rejected = () => planned(`populate[singers][${key}]=1`, { extensions: false });
    expect(refusal(rejected).message).toBe(`Invalid key ${key} at singers`);
  });

  it.each(['fields=name', 'filters[name]=a', 'sort=name', 'count=true', 'populate=*'])(
    'may stand beside %s',
    (option) => {
      const search = `populate[singers][${option.replace(/[[=]/, (sign) => (sign === '=' ? ']=' : ']['))}`;
      expect(() => planned(search)).not.toThrow();
    },
  );
});

describe('facets', () => {
  it('are of attributes with few values, and of relations', () => {
    const facets = planned('facets=mood,singers,label,title').facets ?? [];
    expect(facets.map(({ name, step }) => [name, step?.kind])).toEqual([
      ['mood', undefined],
      ['singers', 'link'],
      ['label', 'link'],
      ['title', undefined],
    ]);
  });

  it.each<readonly [string, string, object]>([
    ['nope', 'Invalid key nope', { key: 'nope', path: null }],
    ['notes', 'Invalid key notes', { key: 'notes', path: 'notes' }],
    ['rating,notes', 'Invalid key notes', { key: 'notes', path: 'notes' }],
    ['notes,nope', 'Invalid key nope', { key: 'nope', path: null }],
    [
      'rating',
      "Invalid parameter at 'facets'. Expected relations, enumerations, booleans, integers and strings, received: rating",
      {},
    ],
    ['card', "Invalid parameter at 'facets'. Expected relations", {}],
    ['a,b,c,d', 'Too many facets. Expected at most 3', { limit: 'facets' }],
  ])('of %s are rejected: %s', (names, message, details) => {
    const error = refusal(() => planned(`facets=${names}`, { limits: { facets: 3 } }));
    expect(error.message).toContain(message);
    expect(error.details).toMatchObject({ source: 'query', param: 'facets', ...details });
  });

  it('are as many as the limit', () => {
    expect(planned('facets=mood,singers,label', { limits: { facets: 3 } }).facets).toHaveLength(3);
  });
});

it.each([
  ['', ['id']],
  ['sort=title', ['title', 'id']],
  ['sort=id:desc', ['id']],
  ['sort=label.id', ['label.id', 'id']],
])('the order of %j ends in the id: %j', (search, order) => {
  const names = planned(search).order.map(
    ({ steps, attribute }) => `${steps.length > 0 ? 'label.' : ''}${attribute.name}`,
  );
  expect(names).toEqual(order);
});

it('a filter of the settings is read like one of a query string', () => {
  expect(rawOf({ a: [1, true, null, 'b'], c: { d: 2 } })).toEqual({ a: ['1', 'true', null, 'b'], c: { d: '2' } });
});
