/**
 * @module What an index does for a list: the setting that would help one, whether it holds its order, and whether it finds
 * the first row behind a cursor.
 */
import { describe, expect, it } from 'vitest';
import type { ReadPlan } from '../../../src/content/plan/model/read-plan.ts';
import { adviceFor } from '../../../src/content/sql/read/advice.ts';
import { isOrdered, isSought } from '../../../src/content/sql/read/order-index.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { localesOf } from '../../support/locales.ts';
import { typeAt } from '../../support/recorded-registry.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { listPlan, onePlan } from '../plan/support.ts';

const UID = 'api::song.song';
const ATTRIBUTES = {
  name: { type: 'string' },
  mood: { type: 'string' },
  rank: { type: 'integer' },
  spilled: { type: 'integer' },
  author: relation('manyToOne', 'song'),
};
const FILES = [
  contentType('song', ATTRIBUTES, { localized: true }),
  contentType('anthem', ATTRIBUTES, { single: true }),
];
const indexes = { [UID]: [['mood', 'rank:desc'], ['rank'], ['name', 'mood']] };
const overflow = { [UID]: ['spilled'] };
const bare = registryOf(FILES, [], overflow);
const indexed = registryOf(FILES, [], overflow, { indexes, search: [UID] });
const settings = parseSettings({ i18n: localesOf('en', 'fr') });

const planOf = (search: string, registry = indexed): ReadPlan =>
  listPlan(typeAt('songs', registry), search, { registry, settings });

describe('the advice for a list', () => {
  it.each<readonly [string, string | undefined]>([
    ['', undefined],
    ['filters[mood]=a', "'mood'"],
    ['filters[mood]', undefined],
    ['filters[mood][$in]=a&filters[mood][$in]=b', "'mood'"],
    ['filters[mood][$ne]=a', undefined],
    ['filters[spilled]=1', undefined],
    ['filters[$and][0][mood]=a&filters[$and][1][mood]=b', "'mood'"],
    ['filters[$or][0][mood]=a&filters[$or][1][rank]=1', undefined],
    ['filters[$not][mood]=a', undefined],
    ...['$lt', '$lte', '$gt', '$gte'].map((operator) => [`filters[rank][${operator}]=1`, "'rank'"] as const),
    ['filters[rank][$between]=1&filters[rank][$between]=2', "'rank'"],
    ['filters[mood]=a&filters[rank][$gt]=1', "'mood', 'rank'"],
    ['filters[mood]=a&filters[rank][$gt]=1&filters[name][$lt]=b', "'mood', 'rank'"],
    ['filters[rank][$gt]=1&sort=name', "'name'"],
    ['filters[mood]=a&sort=mood,name:desc', "'mood', 'name:desc'"],
    ['filters[mood]=a&sort=author.name,name', "'mood'"],
    ['sort=name,author.name,rank', "'name'"],
    ['sort=name,spilled,rank', "'name'"],
    ['sort=author.name', undefined],
    ['locale=*&sort=name', undefined],
    ['locale[]=en&locale[]=fr&sort=name', undefined],
  ])('%s is an index of %s', (search, terms) => {
    expect(adviceFor(planOf(search, bare))).toBe(terms && `indexes: { '${UID}': [[${terms}]] }`);
  });

  it.each([
    ['_q=a', `search: ['${UID}']`, undefined],
    ['filters[$or][0][name][$contains]=a&filters[$or][1][rank]=1', `search: ['${UID}']`, undefined],
    ['sort=mood,rank:desc', `indexes: { '${UID}': [['mood', 'rank:desc']] }`, undefined],
    ['sort=rank', `indexes: { '${UID}': [['rank']] }`, undefined],
    ['sort=mood,rank', `indexes: { '${UID}': [['mood', 'rank']] }`, `indexes: { '${UID}': [['mood', 'rank']] }`],
  ])('%s is %s, and with indexes %s', (search, advice, other) => {
    expect(adviceFor(planOf(search, bare))).toBe(advice);
    expect(adviceFor(planOf(search))).toBe(other);
  });

  it('is of no single type, and of no type of Edgewise', () => {
    const anthem = onePlan(typeAt('anthem', bare), '', { registry: bare, settings });
    const { where } = planOf('filters[mood]=a', bare);
    expect(adviceFor({ ...anthem, ...(where && { where }) })).toBeUndefined();
    const plan = planOf('sort=name', bare);
    expect(adviceFor({ ...plan, type: { ...plan.type, system: true } })).toBeUndefined();
  });
});

describe('an index', () => {
  it.each([
    ['', true, false],
    ['sort=id:desc', true, false],
    ['sort=rank', true, true],
    ['sort=rank:desc', false, true],
    ['sort=rank,id', true, true],
    ['sort=rank,id:desc', false, true],
    ['sort=spilled', false, false],
    ['sort=author.rank', false, false],
    ['sort=author.id', false, false],
    ['sort=mood', false, true],
    ['sort=mood,rank:desc', true, true],
    ['sort=mood,rank', false, true],
    ['sort=mood,name', false, true],
    ['sort=name,mood', true, true],
    ['sort=name,mood,rank', false, true],
    ['sort=rank:desc&filters[mood]=a', true, true],
    ['sort=rank:desc&filters[mood]=a&filters[mood]=b', false, true],
    ['sort=rank:desc&filters[mood][$ne]=a', false, true],
    ['sort=mood&filters[name]=a', true, true],
    ['sort=name,mood&filters[name]=a', false, false],
    ['sort=createdAt:desc', true, true],
    ['sort=rank&locale=*', false, false],
    ['sort=rank&locale[]=en&locale[]=fr', false, false],
  ])('%s: holds the order %s, finds its first term %s', (search, holds, finds) => {
    const plan = planOf(search);
    expect([isOrdered(plan), isSought(plan)]).toEqual([holds, finds]);
  });
});
