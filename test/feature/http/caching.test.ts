/**
 * @module What caches make of answers, judged by an implementation of RFC 9111: https://www.rfc-editor.org/rfc/rfc9111
 */
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import CachePolicy from 'http-cache-semantics';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { createDeployment } from '../../../src/deployment.ts';
import { respondConditionally } from '../../../src/http/cache-headers.ts';
import { purgeCache } from '../../../src/http/purge.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { bearer, createToken, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import { PASSWORD, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const OPEN: SettingsInput = {
  roles: { public: ['api::tag.tag.find', 'api::tag.tag.findOne', 'api::author.author.find'] },
};
const CACHED: SettingsInput = { ...OPEN, cache: { 'api::tag.tag': { maxAge: 60, staleWhileRevalidate: 600 } } };

let tag: string;

openMagazine();
beforeAll(async () => {
  await createToken('reader', 'read-only');
  tag = (await documentOf(clientOf(serve(), 'full').create('/api/tags', { name: 'One' }))).documentId;
});

interface Exchange {
  readonly settings: SettingsInput;
  readonly path: string;
  readonly init?: RequestInit;
}

const headersOf = (headers: Headers): Record<string, string> => Object.fromEntries(headers);

/** The judgement of a cache on one exchange. */
async function judged({ settings, path, init = {} }: Exchange, shared: boolean) {
  const response = await serve(settings)(path, init);
  await response.body?.cancel();
  const request = { url: path, method: init.method ?? 'GET', headers: headersOf(new Headers(init.headers)) };
  const stored = { status: response.status, headers: headersOf(response.headers) };
  return { request, response, policy: new CachePolicy(request, stored, { shared, cacheHeuristic: 0.1 }) };
}

describe('a shared cache', () => {
  it('gives what the settings let it keep to the public, for as long as they say', async () => {
    const { policy, request, response } = await judged({ settings: CACHED, path: '/api/tags' }, true);
    expect(policy.storable()).toBe(true);
    expect(policy.satisfiesWithoutRevalidation(request)).toBe(true);
    expect(policy.timeToLive()).toBeGreaterThan(50_000);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=600');
    expect(response.headers.get('cache-tag')).toBe('api::tag.tag:published');
    expect([response.headers.get('x-d1-bookmark'), response.headers.get('x-request-id')]).toEqual([null, null]);
  });

  it.each([
    ['with a token', bearer('reader').headers],
    ['for the older format', { 'strapi-response-format': 'v4' }],
    ['for another origin', { origin: 'https://other.example' }],
  ])('does not give it to a request %s', async (_, headers) => {
    const { policy, request } = await judged({ settings: CACHED, path: '/api/tags' }, true);
    const other = { ...request, headers: headersOf(new Headers(headers)) };
    expect(policy.satisfiesWithoutRevalidation(other)).toBe(false);
  });

  it.each<readonly [string, Exchange]>([
    ['what the settings do not name', { settings: CACHED, path: '/api/authors' }],
    ['anything without such settings', { settings: OPEN, path: '/api/tags' }],
    ['what a token reads', { settings: CACHED, path: '/api/tags', init: bearer('reader') }],
    ['a refusal', { settings: CACHED, path: '/api/articles' }],
    ['what is not there', { settings: CACHED, path: '/api/tags/nobody' }],
    ['a list that is asked for wrongly', { settings: CACHED, path: '/api/tags?sort=nothing' }],
    [
      'the answer to a write',
      { settings: CACHED, path: '/api/tags', init: sendJson('POST', 'full', { data: { name: 'Two' } }) },
    ],
    ['a list of locales', { settings: CACHED, path: '/api/i18n/locales', init: bearer('full') }],
    ['the users', { settings: CACHED, path: '/api/users', init: bearer('full') }],
  ])('never gives %s without asking', async (_, exchange) => {
    const { policy, request, response } = await judged(exchange, true);
    expect(response.headers.get('cache-control')).not.toBeNull();
    expect(policy.satisfiesWithoutRevalidation(request)).toBe(false);
    expect(response.headers.get('cache-tag')).toBeNull();
  });
});

it.each([
  [100, 'public, max-age=60, stale-while-revalidate=600'],
  [1_000, 'no-cache'],
])('an answer that depends on %i types is shared only if all its tags are told', async (count, told) => {
  const [settings, type] = [parseSettings(CACHED), recordedRegistry.contentTypes.get('api::tag.tag')];
  const names = Array.from({ length: count }, (_, number) => `api::type-${number}.type-${number} published`);
  const answer = { bytes: new TextEncoder().encode('{}'), names, cached: false };
  const app = new Hono().get('/', (context) =>
    respondConditionally(context as never, answer, { settings, held: [], ...(type && { type }) }),
  );
  const { headers } = await app.request('http://edgewise.test/', {}, {});
  expect(headers.get('cache-control')).toBe(told);
  expect(headers.get('cache-tag')?.split(',').length).toBe(told === 'no-cache' ? undefined : count);
});

it('an answer to HEAD, which refreshes what a cache keeps, has the tags of the answer to GET', async () => {
  const settings = { ...CACHED, roles: { public: ['api::tag.tag.find', 'api::article.article.find'] } };
  const tagsOf = async (method: string) => {
    const { response } = await judged({ settings, path: '/api/tags?populate=articles', init: { method } }, true);
    return response.headers.get('cache-tag');
  };
  expect(await tagsOf('GET')).toContain('api::article.article:published');
  expect(await tagsOf('HEAD')).toBe(await tagsOf('GET'));
});

describe('a cache of one user', () => {
  it.each<readonly [string, Exchange]>([
    ['of a list', { settings: OPEN, path: '/api/tags' }],
    ['of one document', { settings: OPEN, path: '/api/tags', init: bearer('reader') }],
    ['of users', { settings: OPEN, path: '/api/users', init: bearer('full') }],
    ['of files', { settings: OPEN, path: '/api/upload/files', init: bearer('full') }],
  ])('asks whether the answer still holds, and is told so: %s', async (_, exchange) => {
    const { policy, request, response } = await judged(exchange, false);
    expect([response.status, policy.storable(), policy.satisfiesWithoutRevalidation(request)]).toEqual([
      200,
      true,
      false,
    ]);
    const headers = policy.revalidationHeaders(request) as Record<string, string>;
    expect(headers['if-none-match']).toBe(response.headers.get('etag'));
    const again = await serve(exchange.settings)(exchange.path, { headers });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const { modified } = policy.revalidatedPolicy({ headers }, { status: 304, headers: headersOf(again.headers) });
    expect(modified).toBe(false);
  });
});

describe('a 304', () => {
  it.each([
    '/api/tags',
    '/api/users',
    '/api/upload/files',
    '/api/i18n/locales',
    '/api/content-type-builder/content-types',
  ])('of %s has the headers of a 200, but for what is about its body', async (path) => {
    const send = serve({ cors: { origins: ['https://site.example'] } });
    const headers = { ...bearer('full').headers, origin: 'https://site.example' };
    const first = await send(path, { headers });
    const again = await send(path, { headers: { ...headers, 'if-none-match': first.headers.get('etag') ?? '' } });
    expect([first.status, again.status]).toEqual([200, 304]);
    const names = [...first.headers.keys()].filter((name) => name !== 'content-type');
    expect([...again.headers.keys()]).toEqual(names);
  });
});

describe('after a commit', () => {
  /** Stands in for the cache in front of the Worker; what it is told is written down. */
  async function purged(
    settings: SettingsInput,
    path: string,
    init: RequestInit,
    results: readonly (boolean | Error)[] = [],
  ) {
    const asked: string[][] = [];
    const cache = {
      purge: async ({ tags }: { tags: string[] }) => {
        asked.push(tags);
        const result = results[asked.length - 1] ?? true;
        if (result instanceof Error) throw result;
        return { success: result, errors: [] };
      },
    };
    const app = createApp(createDeployment({ registry: recordedRegistry, settings: parseSettings(settings) }));
    const context = createExecutionContext();
    Object.defineProperty(context, 'cache', { value: cache });
    const response = await app.fetch(new Request(`http://edgewise.test${path}`, init), env, context);
    await waitOnExecutionContext(context);
    expect(response.status).toBeLessThan(400);
    return asked;
  }
  const JSON_BODY = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const change = () => sendJson('PUT', 'full', { data: { name: crypto.randomUUID() } });

  it('what it made untrue is dropped', async () => {
    expect(await purged(CACHED, `/api/tags/${tag}`, change())).toEqual([['api::tag.tag:published']]);
  });

  const draft = () => sendJson('POST', 'full', { data: { title: 'Draft' } });
  it('a draft drops what shows drafts, and nothing of what is published', async () => {
    const roles = { public: ['api::article.article.find'] };
    const settings = { ...CACHED, roles, api: { rest: { publicDrafts: true } } };
    const [tags = []] = await purged(settings, '/api/articles?status=draft', draft());
    expect(tags).toContain('api::article.article:draft');
    expect(tags).not.toContain('api::article.article:published');
  });

  it('a draft asks the cache for nothing where the public reads none', async () => {
    expect(await purged(CACHED, '/api/articles?status=draft', draft())).toEqual([]);
  });

  it('an account asks the cache for nothing where the public may not find any', async () => {
    const entering = (username: string) => {
      const account = { username, email: `${username}@example.com`, password: PASSWORD };
      return { ...JSON_BODY, body: JSON.stringify(account) };
    };
    const find = 'plugin::users-permissions.user.find';
    const open = { ...CACHED, roles: { public: [find] } };
    expect(await purged(CACHED, '/api/auth/local/register', entering('unseen'))).toEqual([]);
    const [tags = []] = await purged(open, '/api/auth/local/register', entering('seen'));
    expect(tags).toContain('plugin::users-permissions.user:published');
  });

  it('a session that is opened asks for nothing: the cache is asked a few times a minute at most', async () => {
    const settings: SettingsInput = { ...CACHED, users: { jwtManagement: 'refresh' } };
    await register(serve(settings), 'visitor');
    const entering = { ...JSON_BODY, body: JSON.stringify({ identifier: 'visitor', password: PASSWORD }) };
    expect(await purged(settings, '/api/auth/local', entering)).toEqual([]);
  });

  it.each([
    ['says that it failed', false],
    ['cannot be reached', new Error('Network connection lost.')],
  ])('a cache that %s is asked again', async (_, result) => {
    expect(await purged(CACHED, `/api/tags/${tag}`, change(), [result])).toHaveLength(2);
  });

  it('a cache is asked to drop so many tags at once as it takes', async () => {
    const asked: string[][] = [];
    const cache = {
      purge: async ({ tags }: { tags: string[] }) => {
        asked.push(tags);
        return { success: true, errors: [] };
      },
    };
    const names = Array.from({ length: 250 }, (_, number) => `api::type-${number}.type-${number}`);
    purgeCache(
      { cache, waitUntil: () => {} } as never,
      parseSettings({ ...CACHED, roles: { public: names.map((uid) => `${uid}.find`) } }),
      names.map((uid) => `${uid} published`),
      () => undefined,
    );
    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(asked.flat()).toEqual(names.map((uid) => `${uid}:published`));
  });

  it('a read drops nothing', async () => {
    expect(await purged(CACHED, '/api/tags', {})).toEqual([]);
  });

  it('nothing is dropped where nothing is kept', async () => {
    expect(await purged(OPEN, `/api/tags/${tag}`, change())).toEqual([]);
  });
});

describe('Server-Timing', () => {
  const timingOf = async (settings: SettingsInput, url: string) =>
    (await serve(settings)(url, bearer('reader'))).headers.get('server-timing');

  it('says on a local server what an answer has cost, and whether it was known', async () => {
    const send = serve();
    const ask = async (): Promise<string | null> => {
      const response = await send('http://localhost/api/tags', bearer('reader'));
      return response.headers.get('server-timing');
    };
    const first = await ask();
    expect(first).toMatch(/^answer;desc="recomputed", database;desc="\d round trips?, \d+ rows read, 0 written"$/);
    expect(await ask()).toMatch(/^answer;desc="cached", database;desc="1 round trip, [1-8] rows read, 0 written"$/);
  });

  it('says nothing elsewhere, unless the settings say so', async () => {
    expect(await timingOf({}, '/api/tags')).toBeNull();
    expect(await timingOf({ server: { timing: true } }, '/api/tags')).toContain('rows read');
  });

  it('says nothing that a shared cache would repeat', async () => {
    const send = serve({ ...CACHED, server: { timing: true } });
    expect((await send('/api/tags')).headers.get('server-timing')).toBeNull();
    expect((await send('/api/authors')).headers.get('server-timing')).toContain('rows read');
  });
});
