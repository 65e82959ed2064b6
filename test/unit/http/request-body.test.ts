/**
 * @module Bodies of a fixed form.
 */
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type ApiError, toErrorBody } from '../../../src/common/errors.ts';
import { rejectEncodedBody, requestBody, validBody } from '../../../src/http/request-body.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const FORM = 'application/x-www-form-urlencoded';
const settings = parseSettings({});
const schema = z.strictObject({
  name: z.optional(z.string({ error: 'a text' })),
  inner: z.optional(z.strictObject({ count: z.number({ error: 'a number' }) })),
});
const read = (text: string, contentType = 'application/json') => validBody({ text, contentType }, schema, settings);

const made = async <T>(init: RequestInit, make: (context: never) => T): Promise<Awaited<T>> => {
  const results: Awaited<T>[] = [];
  const app = new Hono().all('*', async (context) => {
    results.push(await make(context as never));
    return context.body(null);
  });
  app.onError((error) => {
    throw error;
  });
  await app.request('http://edgewise.test/', { method: 'POST', ...init });
  return results[0] as Awaited<T>;
};

describe('a body of a fixed form', () => {
  it.each([
    ['{"name":"a","inner":{"count":1}}', { name: 'a', inner: { count: 1 } }],
    ['{}', {}],
    ['', {}],
  ])('is %s', (text, body) => {
    expect(read(text)).toEqual(body);
  });

  it.each<readonly [string, string, object]>([
    ['{"nope":1}', 'Invalid key nope', { key: 'nope', path: null, param: 'nope' }],
    ['{"inner":{"count":1,"nope":1}}', 'Invalid key inner.nope', { key: 'nope', path: 'inner', param: 'inner.nope' }],
    ['{"name":1}', 'Invalid name. Expected a text', { param: 'name' }],
    ['{"inner":{"count":"1"}}', 'Invalid inner.count. Expected a number', { param: 'inner.count' }],
    ['[]', 'Expected a JSON object', {}],
  ])('is not %s', (text, message, details) => {
    try {
      read(text);
      expect.unreachable();
    } catch (error) {
      expect(toErrorBody((error as ApiError).problem).error).toEqual({
        ...{ status: 400, name: 'ValidationError', message, details: { source: 'body', ...details } },
      });
    }
  });

  it('is no text of another content type', () => {
    expect(() => read('{"name":"a"}', 'text/plain')).toThrow('Expected a JSON object');
  });
});

describe('the text of a body', () => {
  it.each([
    ['application/json', '{"a":"ä"}'],
    ['application/json; charset=latin1', 'ä'],
  ])('of %s is UTF-8', async (contentType, body) => {
    const headers = { 'content-type': contentType };
    expect(await made({ body, headers }, requestBody)).toEqual({ text: body, contentType });
  });

  it('has no content type unless the request has one', async () => {
    expect(await made({ body: new TextEncoder().encode('a') }, requestBody)).toEqual({ text: 'a', contentType: '' });
  });

  it('of a multipart form has its fields, and not its files', async () => {
    const body = new FormData();
    body.append('a', '1 2');
    body.append('file', new File(['x'], 'x.txt'));
    expect(await made({ body }, requestBody)).toEqual({ text: 'a=1+2', contentType: FORM });
  });

  it('of a malformed multipart form keeps its type, for which it is rejected later', async () => {
    const headers = { 'content-type': 'Multipart/form-data; boundary=x' };
    expect(await made({ body: 'a', headers }, requestBody)).toEqual({ text: '', contentType: headers['content-type'] });
  });
});

describe('a compressed body', () => {
  it.each(['gzip', ' GZIP ', 'br, identity'])('is rejected: %j', async (encoding) => {
    const rejected = made({ headers: { 'content-encoding': encoding } }, rejectEncodedBody);
    await expect(rejected).rejects.toThrow(`Unsupported Content-Encoding: ${encoding.trim().toLowerCase()}`);
  });

  it.each([{}, { 'content-encoding': '' }, { 'content-encoding': ' Identity' }])(
    'is not one with %j',
    async (headers) => {
      await expect(made({ headers: headers as Record<string, string> }, rejectEncodedBody)).resolves.toBeUndefined();
    },
  );
});
