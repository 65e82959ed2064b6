/**
 * @module The headers by which caches store responses and ask whether they still hold.
 */
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { ReadResponse } from '../../../src/content/runtime/cached-response.ts';
import { cacheRules, isShared, respondConditionally } from '../../../src/http/cache-headers.ts';
import { OF_TOOL } from '../../../src/http/context.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const UID = 'api::tag.tag';
const type = registryOf([contentType('tag', { name: { type: 'string' } })]).contentTypes.get(UID);
const STALE = { maxAge: 60, staleWhileRevalidate: 600 };
const CACHED: SettingsInput = { cache: { [UID]: STALE } };
const PUBLIC = 'public, max-age=60, stale-while-revalidate=600';
const CLAIMS = { [OF_TOOL]: { claims: { id: 1, issuedAt: 0, session: null } } };

interface Exchange {
  readonly settings?: SettingsInput;
  readonly read?: Partial<ReadResponse>;
  readonly held?: readonly string[];
  readonly headers?: Record<string, string>;
  readonly env?: object;
  readonly origin?: string;
  readonly withoutType?: boolean;
}

/** Returns the response to a read of tags. */
async function responseTo(exchange: Exchange): Promise<Response> {
  const { settings = CACHED, read, held = [], headers = {}, env = {}, origin, withoutType } = exchange;
  const response = { bytes: new TextEncoder().encode('{}'), names: [`${UID} published`], cached: false, ...read };
  const call = { settings: parseSettings(settings), held, ...(type && !withoutType && { type }) };
  const app = new Hono().get('*', (context) => {
    context.header('vary', 'Origin');
    context.header('x-request-id', '7');
    return respondConditionally(context as never, response, call);
  });
  return app.request(`${origin ?? 'https://edgewise.test'}/api/tags`, { headers }, env);
}

describe('Cache-Control of a read', () => {
  const TIMED = [{ action: `${UID}.find`, where: { at: { $lt: '$now' } } }];

  it.each<readonly [string, Exchange, string]>([
    ['of a type that the settings name', {}, PUBLIC],
    [
      'that is never stale',
      { settings: { cache: { [UID]: { ...STALE, staleWhileRevalidate: 0 } } } },
      'public, max-age=60',
    ],
    ['of a tool for the public', { env: { [OF_TOOL]: {} } }, PUBLIC],
    ['of other roles whose grants depend on the time', { settings: { ...CACHED, roles: { editor: TIMED } } }, PUBLIC],
    [
      'of a public role whose grants depend on the time',
      { settings: { ...CACHED, roles: { public: TIMED } } },
      'no-cache',
    ],
    ['without such settings', { settings: {} }, 'no-cache'],
    ['of no content type', { withoutType: true }, 'no-cache'],
    ['with a credential', { headers: { authorization: 'Bearer x' } }, 'private, no-cache'],
    ['of a tool for a user', { env: CLAIMS }, 'private, no-cache'],
    ['with signed addresses', { read: { isSigned: true } }, 'private, no-cache'],
    ['with private attributes', { read: { isUnshared: true } }, 'private, no-store'],
    ['with both', { read: { isUnshared: true, isSigned: true } }, 'private, no-store'],
  ])('%s', async (_, exchange, control) => {
    const { headers } = await responseTo(exchange);
    expect(headers.get('cache-control')).toBe(control);
    expect(headers.has('cache-tag')).toBe(control.startsWith('public'));
    expect(headers.has('x-request-id')).toBe(!control.startsWith('public'));
    expect(isShared(headers)).toBe(control.startsWith('public'));
  });

  it.each([
    [16_000, PUBLIC],
    [16_001, 'no-cache'],
  ])('with %i bytes of tags', async (length, control) => {
    const { headers } = await responseTo({ read: { names: ['a'.repeat(length)] } });
    expect(headers.get('cache-control')).toBe(control);
  });
});

it('a response without Cache-Control is not shared', () => {
  expect(isShared(new Headers())).toBe(false);
});

describe('a conditional read', () => {
  const etag = '"a.1"';

  it.each<readonly [string, Exchange, number]>([
    ['of what the caller holds', { read: { etag }, held: ['"b"', etag] }, 304],
    ['of anything', { held: ['*'] }, 304],
    ['without a body', { read: { etag, bytes: undefined } as never }, 304],
    ['of something else', { read: { etag }, held: ['"b"'] }, 200],
    ['without a tag', { held: ['"b"'] }, 200],
  ])('%s', async (_, exchange, status) => {
    const response = await responseTo(exchange);
    expect([response.status, await response.text()]).toEqual([status, status === 200 ? '{}' : '']);
    expect(response.headers.get('etag')).toBe(exchange.read?.etag ?? null);
  });
});

it.each([
  [{}, 'Origin, Authorization, Strapi-Response-Format'],
  [{ preview: {} }, 'Origin, Authorization, Strapi-Response-Format, strapi-encode-source-maps'],
])('Vary names the headers that a response depends on: %j', async (settings, vary) => {
  expect((await responseTo({ settings: settings as SettingsInput })).headers.get('vary')).toBe(vary);
});

describe('Server-Timing of a read', () => {
  const timing: SettingsInput = { server: { timing: true } };

  it.each<readonly [string, Exchange, string | null]>([
    ['on a local server', { origin: 'http://localhost:8787' }, 'answer;desc="recomputed"'],
    ['from the cache', { origin: 'http://[::1]', read: { cached: true } }, 'answer;desc="cached"'],
    ['by the settings', { settings: timing }, 'answer;desc="recomputed"'],
    ['that a shared cache would repeat', { settings: { ...CACHED, ...timing } }, null],
    ['of a deployed Worker', { settings: {} }, null],
    ['of a deployed Worker, shared', {}, null],
  ])('%s', async (_, exchange, header) => {
    expect((await responseTo(exchange)).headers.get('server-timing')).toBe(header);
  });
});

describe('a response without a tag of the cache', () => {
  const app = new Hono()
    .use(cacheRules as never)
    .all('/api/list', (context) => context.json([1], 200, { 'x-own': 'a' }))
    .all('/page', (context) => context.text('a'))
    .get('/api/tagged', (context) => context.text('a', 200, { etag: '"own"', 'cache-control': 'private' }))
    .get('/api/stream', (context) => context.text('a', 200, { 'cache-control': 'no-store' }))
    .get('/api/failed', (context) => context.text('a', 400));
  const send = (path: string, init: RequestInit = {}) => app.request(`https://edgewise.test${path}`, init, {});
  const TAG = /^"[0-9a-f]{40}"$/;

  it.each<readonly [string, RequestInit, RegExp | string | null, string]>([
    ['/api/list', {}, TAG, 'no-cache'],
    ['/api/list', { headers: { authorization: 'Bearer x' } }, TAG, 'private, no-cache'],
    ['/api/list', { method: 'HEAD' }, null, 'no-cache'],
    ['/api/list', { method: 'POST' }, null, 'no-store'],
    ['/page', {}, null, 'no-cache'],
    ['/api/stream', {}, null, 'no-store'],
    ['/api/failed', {}, null, 'no-store'],
    ['/api/nope', {}, null, 'no-store'],
    ['/api/tagged', {}, '"own"', 'private'],
    ['/api/tagged', { headers: { 'if-none-match': '"own"' } }, '"own"', 'private'],
  ])('%s %j has ETag %s and Cache-Control %s', async (path, init, etag, control) => {
    const { headers, status } = await send(path, init);
    expect(status).not.toBe(304);
    if (etag instanceof RegExp) expect(headers.get('etag')).toMatch(etag);
    else expect(headers.get('etag')).toBe(etag);
    expect(headers.get('cache-control')).toBe(control);
  });

  it('that the caller holds is a 304 with its headers', async () => {
    const etag = (await send('/api/list')).headers.get('etag') ?? '';
    const response = await send('/api/list', { headers: { 'if-none-match': etag } });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(Object.fromEntries(response.headers)).toEqual({ etag, 'cache-control': 'no-cache', 'x-own': 'a' });
  });
});
