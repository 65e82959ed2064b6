/**
 * @module Which parameters there are, and the form that each must have.
 */
import { describe, expect, it } from 'vitest';
import { type ApiError, toErrorBody } from '../../../src/common/errors.ts';
import { parseQueryParams } from '../../../src/content/request/query-params.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const settings = parseSettings({});
const lenient = parseSettings({ api: { rest: { strictParams: false } } });
const read = (search: string, scope: 'list' | 'one' = 'list', own = settings) =>
  parseQueryParams(parseQueryString(search, own.api.rest.limits), scope, own);

function refusal(search: string) {
  try {
    read(search);
  } catch (error) {
    return toErrorBody((error as ApiError).problem).error;
  }
  throw new Error(`${search} was accepted`);
}

describe('unknown parameters', () => {
  it.each(['foo', 'access_token', 'where', 'publicationState', 'id', 'Filters', 'offset', ' '])(
    'are refused: %j',
    (key) => {
      expect(refusal(`${encodeURIComponent(key)}=1`)).toEqual({
        status: 400,
        name: 'ValidationError',
        message: `Invalid key ${key}`,
        details: { key, path: null, source: 'query', param: key },
      });
    },
  );

  it('are refused on single documents too', () => {
    expect(() => read('foo=1', 'one')).toThrow('Invalid key foo');
  });

  it('are ignored without strictParams', () => {
    expect(read('foo=1', 'list', lenient)).toMatchObject({ sort: [] });
  });

  it.each(['count=true', 'ordering=x', 'start=1', 'limit=1'])('do not include %s, which has no effect', (search) => {
    expect(read(search)).toMatchObject({ sort: [] });
  });
});

describe('filters', () => {
  it.each([
    ['filters=', 'The filters parameter must be an object or an array'],
    ['filters=abc', 'The filters parameter must be an object or an array'],
    ['filters[]=1', 'Invalid filters parameter. Expected an object'],
    ['filters[0][title]=1', 'Invalid filters parameter. Expected an object'],
  ])('%s: %s', (search, message) => {
    expect(refusal(search)).toMatchObject({ status: 400, message });
  });

  it('become a tree', () => {
    const is = { kind: 'comparison', operator: '$eq', operands: ['a'] };
    expect(read('filters[title][$eq]=a').filters).toEqual([{ kind: 'key', key: 'title', filter: [is] }]);
  });
});

describe('fields', () => {
  it.each(['fields[a]=b', 'fields[0][a]=b'])('are no object, and have none in a list: %s', (search) => {
    expect(refusal(search)).toMatchObject({
      message: 'Invalid fields parameter. Expected a string or an array of strings',
    });
  });

  it.each([
    ['fields=title', ['title']],
    ['fields=title,slug', ['title', 'slug']],
    ['fields=title, slug', ['title', 'slug']],
    ['fields=title&fields=slug', ['title', 'slug']],
    ['fields[]=title&fields[]=slug', ['title', 'slug']],
    ['fields[]=title&fields[]', ['title']],
    ['fields[]', []],
    ['fields=title,title', ['title']],
    ['fields=title, *', ['title', '*']],
    ['fields=', ['']],
  ])('%s names %j', (search, names) => {
    expect(read(search).fields).toEqual({ names, everything: false });
  });

  it.each([
    ['fields=*', []],
    ['fields=title,*', ['title']],
    ['fields[]=title&fields[]=*', ['title']],
  ])('%s is everything, and names %j', (search, names) => {
    expect(read(search).fields).toEqual({ names, everything: true });
  });

  it('without a value are none', () => {
    expect(read('fields').fields).toBeUndefined();
  });
});

describe('status', () => {
  it.each(['bogus', 'Draft', 'PUBLISHED', 'draft,published', ' '])('%j is refused', (status) => {
    const message = `Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${status}`;
    expect(refusal(`status=${status}`)).toMatchObject({ status: 400, message });
  });

  it.each([
    ['status=draft', 'draft'],
    ['status=published', 'published'],
    ['', undefined],
  ])('%j means %s', (search, status) => {
    expect(read(search).status).toBe(status);
  });

  it('that is unknown is not refused without strictParams', () => {
    expect(() => read('status=bogus', 'list', lenient)).not.toThrow();
  });
});

describe('locale', () => {
  const BCP = 'Locale must be a valid BCP 47 format (e.g. en, en-US, zh-Hans).';
  it.each([
    ['locale=fr,en', `Invalid parameter at 'locale'. ${BCP}`],
    ['locale=e', `Invalid parameter at 'locale'. ${BCP}`],
    ['locale=en_US', `Invalid parameter at 'locale'. ${BCP}`],
    ["locale=en'--", `Invalid parameter at 'locale'. ${BCP}`],
    ['locale[]=en&locale[]=1', `Invalid parameter at 'locale[1]'. ${BCP}`],
    [`locale=en-${'a'.repeat(40)}`, "Invalid parameter at 'locale'. Locale exceeds maximum length of 35 characters."],
    ['locale[a]=en', "Invalid parameter at 'locale'. Expected a string, array of strings"],
  ])('%s is refused', (search, message) => {
    expect(refusal(search).message).toContain(message);
  });

  it.each([
    ['locale=', undefined],
    ['locale', undefined],
    ['locale=en', 'en'],
    ['locale=zh-Hans', 'zh-Hans'],
    ['locale=zh-Hans-TW', 'zh-Hans-TW'],
    ['locale=sl-rozaj-biske-1994', 'sl-rozaj-biske-1994'],
    ['locale=zz', 'zz'],
    ['locale=*', '*'],
    ['locale[]=en&locale[]=fr', ['en', 'fr']],
    ['locale[]=', undefined],
  ])('%s means %j', (search, locale) => {
    expect(read(search).locale).toEqual(locale);
  });
});

describe('_q', () => {
  it.each(['_q[]=a', '_q[a]=b', '_q=a&_q=b'])('is one text: %s', (search) => {
    expect(refusal(search)).toMatchObject({ details: { param: '_q' } });
  });

  it.each([
    ['_q=', undefined],
    ['_q=a%20b', 'a b'],
    ['_q=%25', '%'],
  ])('%s searches %j', (search, text) => {
    expect(read(search).search).toBe(text);
  });
});

describe('publicationFilter', () => {
  it.each(['publicationFilter=nope', 'publicationFilter=', 'publicationFilter[]=modified', 'hasPublishedVersion=yes'])(
    'is refused: %s',
    (search) => {
      expect(refusal(search).message).toMatch(
        /^Invalid value for '(publicationFilter|hasPublishedVersion)'\. Expected/,
      );
    },
  );

  it.each([
    ['publicationFilter=modified', 'modified'],
    ['hasPublishedVersion=true', 'has-published-version-document'],
    ['hasPublishedVersion=false', 'never-published-document'],
    ['hasPublishedVersion=true&publicationFilter=modified', 'modified'],
  ])('%s is %s', (search, filter) => {
    expect(read(search).publicationFilter).toBe(filter);
  });
});
