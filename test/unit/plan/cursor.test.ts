/**
 * @module Cursors: what they hold, and for which lists they are.
 */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../src/common/digest.ts';
import type { Keys } from '../../../src/content/plan/model/page-cursor.ts';
import type { Order, Versions } from '../../../src/content/plan/model/read-plan.ts';
import { planCursor, writeCursor } from '../../../src/content/plan/read/cursor.ts';
import { parseQueryParams } from '../../../src/content/request/query-params.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { typeOf } from '../../support/schema-files.ts';

const settings = parseSettings({});
const thing = typeOf({ title: { type: 'string' } });
const other = { ...thing, uid: 'api::other.other' };
const ENGLISH: Versions = { status: 'published', locales: ['en'] };

interface List {
  readonly search?: string;
  readonly versions?: Versions;
  readonly type?: typeof thing;
  readonly terms?: number;
}

const SORTED = 'sort=title:desc';
const planned = (
  after: string | undefined,
  { search = SORTED, versions = ENGLISH, type = thing, terms = 1 }: List = {},
) => {
  const raw = parseQueryString(search, settings.api.rest.limits);
  const params = parseQueryParams(raw, 'list', settings);
  const page = after === undefined ? params.page : { ...params.page, after };
  return planCursor({ ...params, page }, type, versions, Array.from<Order>({ length: terms }));
};
const listOf = (list?: List): readonly string[] => planned('', list)?.list ?? [];
const cursorOf = (keys: Keys, list?: List): string => writeCursor({ list: listOf(list) }, keys);
/** Returns a cursor of any text, with its digest. */
const signed = (text: string): string => {
  const encoded = Buffer.from(text).toString('base64url');
  return `${encoded}.${sha256(encoded).slice(0, 12)}`;
};

describe('the list of a cursor', () => {
  it('is absent without pagination[after]', () => {
    expect(planned(undefined)).toBeUndefined();
  });

  it.each<readonly [List, readonly string[]]>([
    [{}, ['api::thing.thing', 'en', 'published', 'title:desc']],
    [{ search: 'sort=title:asc,slug: DESC ' }, ['api::thing.thing', 'en', 'published', 'title,slug:desc']],
    [{ versions: { status: 'draft' } }, ['api::thing.thing', '*', 'draft', 'title:desc']],
    [{ versions: { status: 'draft', locales: ['fr', 'en'] } }, ['api::thing.thing', 'fr,en', 'draft', 'title:desc']],
    [
      { search: `${SORTED}&fallback=true`, versions: { status: 'draft', locales: ['fr', 'en'] } },
      ['api::thing.thing', 'fr>en', 'draft', 'title:desc'],
    ],
  ])('of %j is %j', (list, parts) => {
    expect(listOf(list).slice(0, 4)).toEqual(parts);
  });

  it('depends on all that chooses documents', () => {
    const searches = ['filters[title]=a', 'filters[title]=b', '_q=a', 'search=a', 'publicationFilter=modified', ''];
    const chosen = searches.map((search) => listOf({ search: `${SORTED}&${search}` }).at(4));
    expect(new Set(chosen).size).toBe(searches.length);
  });
});

describe('a cursor', () => {
  it.each<Keys>([['a'], [null], [1.5], ['ä"'], ['']])('has the values of the last document: %j', (...keys) => {
    expect(planned(cursorOf(keys))).toEqual({ list: listOf(), after: keys });
  });

  it.each<readonly [string, List]>([
    ['content type', { type: other }],
    ['locale', { versions: { status: 'published' } }],
    ['status', { versions: { ...ENGLISH, status: 'draft' } }],
    ['sort', { search: 'sort=title' }],
    ['filters', { search: `${SORTED}&filters[title]=a` }],
    ['sort', { terms: 2 }],
  ])('is of the same %s as the list: %j', (difference, list) => {
    expect(() => planned(cursorOf(['a']), list)).toThrow(
      `Invalid parameter at 'pagination[after]'. Expected a cursor of the same ${difference}`,
    );
  });

  const parts = JSON.stringify(listOf()).slice(0, -1);
  it.each([
    'x',
    cursorOf(['a']).slice(1),
    cursorOf(['a']).replace(/\..*/, ''),
    cursorOf(['a']).replace(/\..*/, '.0123456789ab'),
    signed('{"5":["a"]}'),
    signed(parts),
    signed(`${parts}]`),
    signed(`${parts},"a"]`),
    signed(`${parts},[true]]`),
    signed(`${parts},["a",{}]]`),
    signed(`${parts},[1e999]]`),
  ])('is one that a list gave, and not %s', (after) => {
    expect(() => planned(after)).toThrow("Invalid parameter at 'pagination[after]'. Expected a cursor as it was given");
  });

  it('has room for 6,000 bytes', () => {
    const left = 6_000 - JSON.stringify([...listOf(), ['']]).length;
    expect(planned(cursorOf(['a'.repeat(left)]))?.after).toHaveLength(1);
    expect(() => cursorOf(['a'.repeat(left + 1)])).toThrow('A value of sort is too long for a cursor');
  });
});
