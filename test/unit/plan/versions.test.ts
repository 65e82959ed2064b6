/**
 * @module Which versions of documents a read and a write use.
 */
import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/content/plan/model/read-plan.ts';
import {
  chainVersions,
  cohortCondition,
  effectiveStatus,
  listVersions,
  oneVersion,
  stampsOf,
  writtenLocale,
} from '../../../src/content/plan/model/versions.ts';
import type { QueryParams } from '../../../src/content/request/query-params.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { stampName } from '../../../src/schema/names.ts';
import { draft, place, x, y } from './linked-types.ts';

const params = (more: object = {}) => ({ sort: [], ...more }) as unknown as QueryParams;
const byLocale = { filters: [{ kind: 'key', key: 'locale' }] };
const byTitle = { filters: [{ kind: 'key', key: 'title' }] };

describe('the versions of a read', () => {
  it.each<readonly [ContentType, object, object]>([
    [x, {}, { status: 'published', locales: [''] }],
    [x, { locale: 'fr', status: 'draft', ...byLocale }, { status: 'published', locales: [''] }],
    [draft, { status: 'draft' }, { status: 'draft', locales: [''] }],
    [place, {}, { status: 'published', locales: ['en'] }],
    [place, byTitle, { status: 'published', locales: ['en'] }],
    [place, { locale: 'fr' }, { status: 'published', locales: ['fr'] }],
    [place, { locale: ['fr', 'de'] }, { status: 'published', locales: ['fr', 'de'] }],
    [place, { locale: '*' }, { status: 'published' }],
    [place, { locale: 'fr', ...byLocale }, { status: 'published' }],
  ])('of a list: %#: %j is %j', (type, query, versions) => {
    expect(listVersions(type, params(query), 'en')).toStrictEqual(versions);
  });

  it.each<readonly [ContentType, object, object]>([
    [x, { locale: ['fr'], ...byLocale }, { status: 'published', locales: [''] }],
    [place, {}, { status: 'published', locales: ['en'] }],
    [place, { locale: 'fr' }, { status: 'published', locales: ['fr'] }],
    [place, { locale: 'fr', ...byLocale }, { status: 'published' }],
  ])('of one document: %#: %j is %j', (type, query, versions) => {
    expect(oneVersion(type, params(query), 'en')).toStrictEqual(versions);
  });

  it('of one document, or of a write, are in one locale', () => {
    const message = 'Invalid locale param fr,de provided. Document locales must be strings.';
    expect(() => oneVersion(place, params({ locale: ['fr', 'de'] }), 'en')).toThrow(message);
    expect(() => writtenLocale(place, params({ locale: ['fr', 'de'] }), 'en')).toThrow(message);
    expect(() => writtenLocale(place, params({ locale: '*' }), 'en')).toThrow('Invalid locale param * provided');
    expect([x, place].map((type) => writtenLocale(type, params({}), 'en'))).toEqual(['', 'en']);
    expect(writtenLocale(place, params({ locale: 'fr' }), 'en')).toBe('fr');
    expect(writtenLocale(x, params({ locale: '*' }), 'en')).toBe('');
  });

  it('with a fallback are in a chain of locales', () => {
    const chain = (type: ContentType, locales?: readonly string[]) =>
      chainVersions(type, { status: 'published', ...(locales && { locales }) }, (locale) => [locale, 'other']);
    expect(chain(x, [''])).toEqual({ status: 'published', locales: [''] });
    expect(chain(place, ['fr'])).toEqual({ status: 'published', locales: ['fr', 'other'] });
    for (const wrong of [undefined, [], ['*'], ['fr', 'de']])
      expect(() => chain(place, wrong)).toThrow("Invalid parameter at 'fallback'");
  });

  it('have a status only where there are drafts', () => {
    expect([effectiveStatus(x, 'draft'), effectiveStatus(draft, 'draft'), effectiveStatus(draft, undefined)]).toEqual([
      'published',
      'draft',
      'published',
    ]);
    expect(stampsOf([x, y])).toEqual(
      ['api::x.x', 'api::y.y'].flatMap((uid) => [stampName(uid, 'draft'), stampName(uid, 'published')]),
    );
  });

  it('are filtered by the other version, as far as the caller sees that', () => {
    const asked: unknown[] = [];
    const condition = (
      type: ContentType,
      status: 'draft' | 'published',
      filter: 'never-published' | 'modified',
      visible?: Condition,
    ) =>
      cohortCondition(type, status, filter, (_, other) => {
        asked.push(other);
        return visible;
      });
    expect(condition(x, 'published', 'modified')).toBeUndefined();
    expect(condition(draft, 'published', 'never-published')).toEqual({ kind: 'never' });
    const rule = { kind: 'other-version', scope: 'version' };
    expect(condition(draft, 'draft', 'never-published')).toStrictEqual({ ...rule, status: 'draft', exists: false });
    expect(condition(draft, 'published', 'modified', { kind: 'never' })).toStrictEqual({
      ...rule,
      status: 'published',
      exists: true,
      modified: true,
      visible: { kind: 'never' },
    });
    expect(asked).toEqual(['published', 'draft']);
  });
});
