/**
 * @module The bracket grammar of query strings.
 */

import { describe, expect, it } from 'vitest';
import { type ApiError, toErrorBody } from '../../../src/common/errors.ts';
import { isObject } from '../../../src/common/json.ts';
import { parseQueryString } from '../../../src/content/request/query-string.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const { limits } = parseSettings({}).api.rest;
const parse = (search: string) => parseQueryString(search, limits);

describe('a query string that is too long', () => {
  it('is refused, and the limit is named', () => {
    const small = parseSettings({ api: { rest: { limits: { queryLength: 10 } } } }).api.rest.limits;
    expect(parseQueryString('a=12345678', small)).toHaveProperty('a');
    try {
      parseQueryString('a=123456789', small);
      expect.unreachable();
    } catch (error) {
      expect(toErrorBody((error as ApiError).problem).error).toMatchObject({
        status: 400,
        message: 'Query string too long. Expected at most 10 characters',
        details: { limit: 'queryLength', source: 'query' },
      });
    }
  });
});

describe('what is beyond a limit', () => {
  const small = parseSettings({ api: { rest: { limits: { parameters: 5, listItems: 3 } } } }).api.rest.limits;
  const refused = (search: string) => {
    try {
      return parseQueryString(search, small);
    } catch (error) {
      return toErrorBody((error as ApiError).problem).error;
    }
  };

  it.each(['a[3]=x', 'a[b][99999]=x', 'a[0]=&a[1]=&a[2]=&a[3]=', 'a[]=&a[]=&a[]=&a[]=', 'a=1&a=2&a=3&a=4'])(
    'is refused as a list, which would lose its meaning: %s',
    (search) => {
      expect(refused(search)).toMatchObject({
        status: 400,
        message: 'Too many values in a list. Expected at most 3',
        details: { limit: 'listItems', source: 'query' },
      });
    },
  );

  it('is refused as a parameter, and not cut off', () => {
    expect(refused('a&b&c&d&e&f')).toMatchObject({
      status: 400,
      message: 'Too many parameters. Expected at most 5',
      details: { limit: 'parameters', source: 'query' },
    });
  });

  it.each(['a[2]=x', 'a[]=&a[]=&a[]=', 'a&b&c&d&e', 'a=[99999]', 'a[99999x]=1'])(
    'is not yet reached by %s',
    (search) => {
      expect(refused(search)).not.toHaveProperty('status');
    },
  );

  it('cannot be reached by sparse lists that take seconds to read', () => {
    const { limits } = parseSettings({}).api.rest;
    const sparse = Array.from({ length: 3_000 }, (_, index) => `a[${index}][99999]=`).join('&');
    expect(() => parseQueryString(sparse, limits)).toThrow('values in a list');
  });
});

describe('names of Object.prototype', () => {
  it.each([
    '__proto__[x]=1',
    'constructor=1',
    'toString=1',
    'hasOwnProperty[a]=1',
    'a[__proto__]=1',
    'a[constructor][b]=1',
  ])('are dropped from %s', (search) => {
    expect(parse(search)).toEqual({});
    expect({}).not.toHaveProperty('x');
  });
});

describe('notations', () => {
  it.each([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a', { a: null }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['a[b]=1', { a: { b: '1' } }],
    ['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
    ['a[]=1&a[]=2', { a: ['1', '2'] }],
    ['a[0]=1&a[1]=2', { a: ['1', '2'] }],
    ['a[1]=2&a[0]=1', { a: ['1', '2'] }],
    ['a[5]=x', { a: ['x'] }],
    ['a=1&a=2', { a: ['1', '2'] }],
    ['a[0][b]=1&a[1][b]=2', { a: [{ b: '1' }, { b: '2' }] }],
    ['a[b]=1&a[b]=2', { a: { b: ['1', '2'] } }],
    ['a[0]=1&a[b]=2', { a: { 0: '1', b: '2' } }],
    ['a=x,y', { a: 'x,y' }],
    ['a.b=1', { 'a.b': '1' }],
    ['a=1;b=2', { a: '1;b=2' }],
  ])('%j is %j', (search, value) => {
    expect(parse(search)).toEqual(value);
  });

  it('reads a list of 300 entries as a list', () => {
    const search = Array.from({ length: 300 }, (_, index) => `a[${index}]=${index}`).join('&');
    expect(parse(search).a).toHaveLength(300);
  });
});

describe('percent-encoding', () => {
  it.each([
    ['a=%20+%2B', { a: '  +' }],
    ['%61=1', { a: '1' }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['a=%C3%A9', { a: 'é' }],
    ['a=%00', { a: '\0' }],
    ['a=%F0%9F%8E%89', { a: '🎉' }],
    ['a=%zz', { a: '%zz' }],
    ['a=%C3', { a: '%C3' }],
    ['a=%', { a: '%' }],
  ])('%j is %j', (search, value) => {
    expect(parse(search)).toEqual(value);
  });
});

describe('nesting', () => {
  const nested = (depth: number) => `a${'[x]'.repeat(depth)}=1`;
  const depthOf = (value: unknown): number => (isObject(value) ? 1 + depthOf(Object.values(value)[0]) : 0);

  it('is understood 20 deep', () => {
    expect(depthOf(parse(nested(20)))).toBe(21);
  });

  it('is one key in brackets from there on', () => {
    const value = parse(nested(22));
    expect(depthOf(value)).toBe(22);
    expect(JSON.stringify(value)).toContain('"[x][x]":"1"');
  });
});
