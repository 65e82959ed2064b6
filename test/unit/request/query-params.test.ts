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
const read = (search: string, scope: 'list' | 'one' | 'write' = 'list', own = settings) =>
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
    expect(read('').fields).toBeUndefined();
  });

  it('are malformed if an item of a list has several names, which is reported after unknown ones', () => {
    expect(read('fields[]=a,b').fields).toEqual({ names: ['a', 'b'], everything: false, hasCommaInItem: true });
  });
});

it('populate becomes a tree', () => {
  expect(read('populate=a').populate).toEqual({ kind: 'paths', texts: ['a'] });
  expect(read('populate').populate).toBeUndefined();
});

describe('status', () => {
  it.each(['bogus', 'Draft', 'PUBLISHED', 'draft,published', ' '])('%j is refused', (status) => {
    const message = `Invalid parameter at 'status'. Expected 'published' or 'draft', received: ${status}`;
    expect(refusal(`status=${status}`)).toMatchObject({ status: 400, message });
  });

  it.each([
    ['status=draft', 'draft'],
    ['status=published', 'published'],
    ['status=', 'draft'],
    ['status', 'draft'],
    ['', undefined],
  ])('%j means %s', (search, status) => {
    expect(read(search).status).toBe(status);
    expect(read(search).namesDraft).toBe(search === 'status=draft');
  });

  it('that is unknown is that of drafts without strictParams', () => {
    expect(read('status=bogus', 'list', lenient)).toMatchObject({ status: 'draft', namesDraft: false });
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
    [`locale=en${'-abcdefgh'.repeat(3)}-abcdef`, "Invalid parameter at 'locale'. Locale exceeds maximum length"],
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
    ['locale[]', undefined],
    ['locale[]=en&locale[]', ['en']],
    [`locale=en${'-abcdefgh'.repeat(3)}-abcde`, `en${'-abcdefgh'.repeat(3)}-abcde`],
  ])('%s means %j', (search, locale) => {
    expect(read(search).locale).toEqual(locale);
  });

  it('may be any text without strictParams', () => {
    expect(read('locale=en_US', 'list', lenient).locale).toBe('en_US');
    expect(read('locale[]=*&locale[]=1', 'list', lenient).locale).toEqual(['*', '1']);
  });
});

describe('_q', () => {
  it.each(['_q[]=a', '_q[a]=b', '_q=a&_q=b'])('is one text: %s', (search) => {
    expect(refusal(search)).toMatchObject({ details: { param: '_q' } });
  });

  it.each([
    ['_q=', undefined],
    ['_q', undefined],
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

  it.each<readonly [string, string | undefined]>([
    ...[
      ...['never-published', 'has-published-version', 'modified', 'unmodified', 'never-published-document'],
      ...['has-published-version-document', 'published-without-draft', 'published-with-draft'],
    ].map((name) => [`publicationFilter=${name}`, name] as const),
    ['publicationFilter', undefined],
    ['hasPublishedVersion', undefined],
    ['hasPublishedVersion=true', 'has-published-version-document'],
    ['hasPublishedVersion=false', 'never-published-document'],
    ['hasPublishedVersion=true&publicationFilter=modified', 'modified'],
  ])('%s is %s', (search, filter) => {
    expect(read(search).publicationFilter).toBe(filter);
  });
});

describe('parameters that Strapi does not have', () => {
  const own = (search: string, scope: 'list' | 'one' | 'write', settings_ = settings) => {
    const { sort: _sort, page: _page, namesDraft: _draft, ...others } = read(search, scope, settings_);
    return others;
  };

  it.each([
    ['search=a%20b&highlights=true', 'list', { words: ['a', 'b'], highlights: true }],
    ['search=a&highlights=false', 'list', { words: ['a'] }],
    ['facets=a,%20b,a', 'list', { facets: ['a', 'b'] }],
    ['facets[]=a&facets[]=b,c', 'list', { facets: ['a', 'b', 'c'] }],
    ['facets=&search=', 'list', {}],
    ['facets&search', 'list', {}],
    ['fallback=true', 'one', { fallback: { withCount: false } }],
    ['fallback=true', 'list', { fallback: { withCount: false } }],
    ['fallback=true&pagination[withCount]=1', 'list', { fallback: { withCount: true } }],
    ['fallback=false', 'one', {}],
    ['private=true', 'one', { showsPrivate: true }],
    ['private=false', 'one', {}],
    ['', 'write', {}],
  ] as const)('%j of %s is %j', (search, scope, params) => {
    expect(own(search, scope)).toEqual(params);
  });

  const FLAG = "Expected 'true' or 'false'";
  it.each([
    ['highlights=true', 'list', "Invalid parameter at 'highlights'. Expected 'search' beside it"],
    ['search=a&highlights=1', 'list', `Invalid parameter at 'highlights'. ${FLAG}`],
    ['search[]=a', 'list', "Invalid parameter at 'search'. Expected a string"],
    ['facets[a]=b', 'list', "Invalid parameter at 'facets'. Expected a string or an array of strings"],
    ['facets[]=a&facets[]', 'list', "Invalid parameter at 'facets'. Expected a string or an array of strings"],
    ['fallback', 'one', `Invalid parameter at 'fallback'. ${FLAG}`],
    ['fallback=false', 'write', "Invalid parameter at 'fallback'. Expected none"],
    ['private=1', 'one', `Invalid parameter at 'private'. ${FLAG}`],
    ...['search', 'highlights', 'facets'].map((key) => [`${key}=a`, 'one', `Invalid key ${key}`] as const),
    ['private=true', 'list', 'Invalid key private'],
    ['private=true', 'write', 'Invalid key private'],
  ] as const)('%s of %s is rejected: %s', (search, scope, message) => {
    expect(() => read(search, scope)).toThrow(message);
  });

  const EXTENSIONS = ['search=a', 'search=a&highlights=true', 'facets=a', 'fallback=true'];
  const strapi = { rest: { extensions: false } };
  const without = parseSettings({ api: strapi });
  const ignoring = parseSettings({ api: { rest: { ...strapi.rest, strictParams: false } } });

  it.each(EXTENSIONS)('are unknown without api.rest.extensions: %s', (search) => {
    expect(() => read(search, 'list', without)).toThrow('Invalid key');
    expect(own(search, 'list', ignoring)).toEqual({});
  });

  it('are ignored where they mean nothing, without strictParams', () => {
    expect(own('search=a&highlights=true&facets=a', 'one', lenient)).toEqual({});
    expect(own('private=true', 'list', lenient)).toEqual({});
  });
});

describe('sort by rank', () => {
  const RANK = { path: ['_rank'], direction: 'desc' };

  it.each([
    ['search=a', [RANK]],
    ['search=a&sort=_rank', [RANK]],
    ['search=a&sort=_rank:asc', [{ ...RANK, direction: 'asc' }]],
    ['search=a&sort=title', [{ path: ['title'] }]],
    ['search=a&sort=title,_rank', [{ path: ['title'] }, RANK]],
    ['search=a&sort[_rank]=', [{ path: ['_rank'], ignoredBecause: 'empty' }]],
    ['sort=_rank.x', [{ path: ['_rank', 'x'] }]],
    ['sort=title', [{ path: ['title'] }]],
    ['', []],
  ])('%j is %j', (search, terms) => {
    expect(read(search).sort).toEqual(terms);
  });

  it.each(['sort=_rank', 'sort=title,_rank:asc'])('needs a search: %s', (search) => {
    expect(() => read(search)).toThrow("Invalid parameter at 'sort'. Expected _rank only beside 'search'");
  });

  it('is by an attribute of this name for one document, and without api.rest.extensions', () => {
    const strapi = parseSettings({ api: { rest: { extensions: false } } });
    for (const params of [read('sort=_rank', 'one'), read('sort=_rank', 'list', strapi)])
      expect(params.sort).toEqual([{ path: ['_rank'] }]);
  });
});

describe('what has no effect', () => {
  it.each(['one', 'write'] as const)('is a page of %s', (scope) => {
    expect(read('pagination[page]=3&pagination[pageSize]=5', scope).page).toMatchObject({ start: 0, limit: 25 });
    expect(read('page=2', scope).page).toMatchObject({ start: 0 });
  });

  it('is not lookup, which is rejected also without strictParams', () => {
    expect(() => read('lookup=1', 'list', lenient)).toThrow("Invalid params: 'lookup'");
  });
});
