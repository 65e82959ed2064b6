/**
 * @module Bodies of writes, in the formats that are read.
 */
import { describe, expect, it } from 'vitest';
import { type ApiError, toErrorBody } from '../../../src/common/errors.ts';
import { parseData, parseFixedBody, parseObject, wellFormed } from '../../../src/content/request/body.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const { limits } = parseSettings({}).api.rest;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

function refusal(text: string, contentType = JSON_TYPE) {
  try {
    parseData(text, contentType, limits);
  } catch (error) {
    return toErrorBody((error as ApiError).problem).error;
  }
  throw new Error(`${text} was accepted`);
}

describe('malformed JSON', () => {
  it.each(['{', '{"data":', '{"data":{}', '[1,', '{data:1}', "{'data':1}", '{"data":{}}x', '{"a":01}', '{"a":NaN}'])(
    'is a SyntaxError with the message of the parser: %s',
    (text) => {
      const { status, name, message, details } = refusal(text);
      expect({ status, name, details }).toEqual({ status: 400, name: 'SyntaxError', details: undefined });
      expect(message).not.toBe('');
    },
  );

  it('tells where the input ends', () => {
    expect(refusal('{').message).toMatch(/JSON/);
  });

  it.each(['5', 'true', 'null', '"text"', 'nope', ' ', '\uFEFF{"data":{}}'])('is no object or list: %j', (text) => {
    expect(refusal(text)).toEqual({
      status: 400,
      name: 'SyntaxError',
      message: 'invalid JSON, only supports object and array',
    });
  });
});

describe('a body without data', () => {
  it.each([
    ['', JSON_TYPE],
    ['{}', JSON_TYPE],
    ['[]', JSON_TYPE],
    ['{"title":"a"}', JSON_TYPE],
    ['{"data":null}', JSON_TYPE],
    ['{"data":"text"}', JSON_TYPE],
    ['{"data":5}', JSON_TYPE],
    ['[{"data":{}}]', JSON_TYPE],
    ['{"data":{}}', 'text/plain'],
    ['{"data":{}}', ''],
    ['{"data":{}}', 'application/jsonp'],
    ['data=1', FORM_TYPE],
    ['data[title]=a', 'text/plain'],
    ['{"data":{}}', FORM_TYPE],
  ])('is refused: %s as %j', (text, contentType) => {
    expect(refusal(text, contentType)).toMatchObject({
      status: 400,
      name: 'ValidationError',
      message: 'Missing "data" payload in the request body',
    });
  });
});

describe('a form', () => {
  const form = (count: number) =>
    `data[name]=a&${Array.from({ length: count }, (_, index) => `data[k${index}]=`).join('&')}`;

  it('of too many parameters is refused, and not cut off', () => {
    expect(refusal(form(limits.parameters), FORM_TYPE)).toMatchObject({
      status: 400,
      message: `Too many parameters. Expected at most ${limits.parameters}`,
      details: { limit: 'parameters', source: 'body' },
    });
  });

  it('is read to its last parameter', () => {
    expect(parseData(form(limits.parameters - 1), FORM_TYPE, limits)).toHaveProperty(`k${limits.parameters - 2}`);
  });

  it('keeps a list a list', () => {
    const list = Array.from({ length: 50 }, (_, index) => `data[tags][${index}]=${index}`).join('&');
    expect(parseData(list, FORM_TYPE, limits).tags).toHaveLength(50);
  });
});

describe('data that is a list', () => {
  it('is refused with the list as the validator prints it', () => {
    const message =
      'this must be a `object` type, but the final value was: `null` (cast from the value `[\n  "1",\n  "\\"a\\""\n]`).';
    expect(refusal('{"data":[1,"a"]}')).toEqual({
      status: 400,
      name: 'ValidationError',
      message,
      details: { errors: [{ path: [], message, name: 'ValidationError', value: null }] },
    });
  });

  it('is printed with all values in quotes', () => {
    expect(refusal('{"data":[null,true,[]]}').message).toContain('`[\n  "null",\n  "true",\n  []\n]`');
  });

  it.each([
    [2_000, false],
    [2_001, true],
  ])('of %i characters is cut off: %s', (length, isCut) => {
    const { message } = refusal(`{"data":["${'a'.repeat(length - 4)}"]}`);
    expect(message.includes('…')).toBe(isCut);
    expect(message.length).toBeLessThan(2_100);
  });
});

describe('depth', () => {
  const nested = (levels: number) => `{"data":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;

  it('beyond the limit is refused, and the limit is named', () => {
    expect(refusal(nested(limits.bodyDepth))).toMatchObject({
      status: 400,
      message: `Body nested too deeply. Expected at most ${limits.bodyDepth} levels`,
      details: { limit: 'bodyDepth', source: 'body' },
    });
  });

  it.each([10_000, 100_000])('of %i levels does not exhaust the stack', (levels) => {
    expect(refusal(nested(levels))).toMatchObject({ details: { limit: 'bodyDepth' } });
  });

  it('within the limit is read', () => {
    expect(parseData(nested(limits.bodyDepth - 1), JSON_TYPE, limits)).toHaveProperty('a');
  });
});

describe('data', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/vnd.api+json',
    'application/csp-report',
  ])('is read from %s', (contentType) => {
    expect(parseData('{"data":{"title":"a"},"meta":1}', contentType, limits)).toEqual({ title: 'a' });
  });

  it.each(['application/ld+json', 'application/jsonx', 'text/json'])('is not read from %s', (contentType) => {
    expect(() => parseData('{"data":{}}', contentType, limits)).toThrow('Missing "data"');
  });

  it('is read from a form, where everything is text', () => {
    expect(parseData('data[name]=a+b&data[weight]=5&data[tags][]=x', FORM_TYPE, limits)).toEqual({
      name: 'a b',
      weight: '5',
      tags: ['x'],
    });
  });

  it.each([
    '{"data":{"__proto__":{"admin":true}}}',
    '{"data":{"a":[{"\\u005f_proto__":1}]}}',
    '{"__proto__":1,"data":{}}',
  ])('has no key __proto__: %s', (text) => {
    expect(() => parseData(text, JSON_TYPE, limits)).toThrow('Object contains forbidden prototype property');
  });

  it('may tell of __proto__', () => {
    expect(parseData('{"data":{"a":"\\"__proto__\\":1","b":null}}', JSON_TYPE, limits)).toEqual({
      a: '"__proto__":1',
      b: null,
    });
  });

  it('loses the key __proto__ of a form', () => {
    expect(parseData('data[__proto__][admin]=1&data[a]=1', FORM_TYPE, limits)).toEqual({ a: '1' });
  });
});

it('a malformed multipart body is rejected', () => {
  expect(refusal('', 'multipart/form-data; boundary=x')).toMatchObject({
    status: 400,
    message: 'Malformed multipart body',
  });
});

describe('a body of a fixed form', () => {
  it.each([
    ['', '', {}],
    ['', 'text/plain', {}],
    ['text', 'text/plain', 'text'],
    ['{"a":1}', '', '{"a":1}'],
    ['{"a":1}', JSON_TYPE, { a: 1 }],
    ['[1]', JSON_TYPE, [1]],
    ['a=1', FORM_TYPE, { a: '1' }],
  ])('%j as %j is %j', (text, contentType, body) => {
    expect(parseFixedBody(text, contentType, limits)).toEqual(body);
  });

  it('is no malformed multipart body', () => {
    expect(() => parseFixedBody('a', 'multipart/form-data', limits)).toThrow('Malformed multipart body');
  });
});

describe('the body of an account route', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1]', {}],
    ['', {}],
  ])('%j is %j', (text, body) => {
    expect(parseObject(text, JSON_TYPE, limits)).toEqual(body);
  });

  it('is rejected without an excerpt, which may have a password', () => {
    expect(() => parseObject('{"password":"secret",}', JSON_TYPE, limits)).toThrow(/^(?!.*secret).*JSON/s);
    expect(() => parseObject('{"password":secret}', JSON_TYPE, limits)).toThrow(/^(?!.*secret).* in JSON$/s);
  });

  it('is rejected by the limit that it exceeds', () => {
    const deep = '['.repeat(limits.bodyDepth + 1) + ']'.repeat(limits.bodyDepth + 1);
    const problem = expect.objectContaining({ kind: 'validation', details: { limit: 'bodyDepth', source: 'body' } });
    expect(() => parseObject(deep, JSON_TYPE, limits)).toThrow(expect.objectContaining({ problem }));
  });
});

describe('a lone surrogate', () => {
  it.each([
    ['"\\ud800"', '"\\ufffd"'],
    ['"\\uDFFFa"', '"\\ufffda"'],
    ['"\\ud800\\ud800\\udc00"', '"\\ufffd\\ud800\\udc00"'],
    ['"\\ud83c\\udf89\\n"', '"\\ud83c\\udf89\\n"'],
    ['"\\\\ud800"', '"\\\\ud800"'],
    ['"\\\\\\ud800"', '"\\\\\\ufffd"'],
  ])('is replaced, and nothing else: %s', (json, text) => {
    expect(wellFormed(json)).toBe(text);
  });
});
