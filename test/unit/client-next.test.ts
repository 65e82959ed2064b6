/**
 * @module `edgewise-client/next` with stand-ins for what Next gives it; test/node/next.long.test.ts has the real ones.
 */
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextFetch, openPreview, previewStatus, revalidateRoute } from '../../client/next.ts';
import type { ContentTypes } from '../../types/content-types.d.ts';
import { next, resetNext } from '../support/stand-in-next.ts';

const SITE = 'https://site.example';

beforeEach(resetNext);
afterEach(() => vi.restoreAllMocks());

const open = (query: string) => openPreview(new Request(`${SITE}/api/preview?${query}`));

describe('a link to a preview', () => {
  it.each([
    ['path=/articles/a&status=draft', 'The parameter token is missing'],
    ['token=t&status=draft', 'The parameter path is not a path of this site'],
    ...['https://other.example/a', '//other.example', '/\\other.example', '/.//other.example', 'http://'].map(
      (path) => [
        `token=t&status=draft&path=${encodeURIComponent(path)}`,
        'The parameter path is not a path of this site',
      ],
    ),
  ])('is refused with %s', async (query, message) => {
    const response = await open(query);
    expect([response.status, await response.text()]).toEqual([400, message]);
    expect(next).toMatchObject({ isDraft: false, token: undefined });
  });

  it('leads to the page, in draft mode only for a draft', async () => {
    const draft = await open('path=/articles/a%3Fpart%3D1%23b&status=draft&token=preview_x');
    expect([draft.status, draft.headers.get('location')]).toEqual([307, '/articles/a?part=1#b']);
    expect(next).toMatchObject({ isDraft: true, token: 'preview_x' });
    expect(await previewStatus()).toBe('draft');
    await open('path=/articles/a&status=published&token=preview_y');
    expect(next).toMatchObject({ isDraft: false, token: 'preview_y' });
    expect(await previewStatus()).toBe('published');
  });

  it('shows no draft once the token is gone', async () => {
    next.isDraft = true;
    expect(await previewStatus()).toBe('published');
  });
});

describe('the fetch of the client', () => {
  const API = 'https://api.example.com';
  const requests: unknown[][] = [];
  const read = nextFetch<ContentTypes>({ articles: ['article', 'author', 'file'] });

  beforeEach(() => {
    requests.length = 0;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      requests.push([String(input), { ...init, headers }]);
      return new Response('{}', { status: headers.authorization === 'Bearer expired' ? 401 : 200 });
    });
  });

  it.each([
    ['/api/articles?sort=title', ['article', 'author', 'file']],
    ['/api/articles/a', ['article', 'author', 'file']],
    ['/api/homepage', ['edgewise']],
    ['/api/authors?filters[name]=articles', ['edgewise']],
  ])('caches %s with its tags', async (path, tags) => {
    await read(`${API}${path}`, { headers: { authorization: 'Bearer t' } });
    const options = { cache: 'force-cache', headers: { authorization: 'Bearer t' }, next: { tags } };
    expect(requests).toEqual([[`${API}${path}`, options]]);
  });

  it('lets a read have other tags, or none', async () => {
    await read(`${API}/api/articles`, { cache: 'no-store', next: { tags: ['other'] } } as RequestInit);
    expect(requests).toEqual([[expect.anything(), { cache: 'no-store', headers: {}, next: { tags: ['other'] } }]]);
  });

  it('caches no write', async () => {
    await read(`${API}/api/articles`, { method: 'POST', body: '{}' });
    expect(requests).toEqual([[`${API}/api/articles`, { method: 'POST', body: '{}', headers: {} }]]);
  });

  it('reads a draft with the token of the preview, uncached', async () => {
    Object.assign(next, { isDraft: true, token: 'preview_x' });
    await read(`${API}/api/articles?status=draft`, { headers: { authorization: 'Bearer t', accept: 'a' } });
    const headers = { accept: 'a', authorization: 'Bearer preview_x', 'strapi-encode-source-maps': 'true' };
    expect(requests).toEqual([[`${API}/api/articles?status=draft`, { cache: 'no-store', headers }]]);
  });

  it.each([
    ['a published version', true, 'preview_x', '?status=published', 'force-cache'],
    ['a draft outside of draft mode', false, 'preview_x', '?status=draft', 'no-store'],
    ['a draft without a cookie', true, undefined, '?status=draft', 'no-store'],
  ])('reads %s without the token, and caches what is published', async (_, isDraft, token, query, cache) => {
    Object.assign(next, { isDraft, token });
    await read(`${API}/api/articles${query}`);
    expect(requests).toEqual([[expect.anything(), expect.objectContaining({ cache, headers: {} })]]);
  });

  it('reads the published version once the token has expired', async () => {
    Object.assign(next, { isDraft: true, token: 'expired' });
    expect((await read(`${API}/api/articles?status=draft`)).status).toBe(200);
    expect(requests[1]).toEqual([
      `${API}/api/articles?status=published`,
      expect.objectContaining({ cache: 'force-cache', headers: {} }),
    ]);
  });

  it('has tags of the content types alone', () => {
    nextFetch<ContentTypes>({ homepage: ['homepage', 'article', 'file'] });
    // @ts-expect-error there is no such type
    nextFetch<ContentTypes>({ articles: ['artikel'] });
    // @ts-expect-error there is no such path
    nextFetch<ContentTypes>({ article: ['article'] });
  });
});

describe('the route that a webhook calls', () => {
  const secret = `whsec_${btoa('a key of twenty-four byt')}`;
  const entry = {
    model: 'article',
    uid: 'api::article.article',
    entry: { documentId: 'a', publishedAt: '2026-11-25' },
  };
  const draft = { ...entry, entry: { documentId: 'a', publishedAt: null } };
  const MAX = 'max';
  const NOW = { expire: 0 };

  function send(message: object, signedWith = secret): Request {
    const [body, time] = [JSON.stringify({ createdAt: '2026-11-25T14:00:00.000Z', ...message }), new Date()];
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(time.getTime() / 1_000)),
      'webhook-signature': new Webhook(signedWith).sign('msg_1', time, body),
    };
    return new Request(`${SITE}/api/revalidate`, { method: 'POST', headers, body });
  }

  it('refuses a message that is signed with another secret', async () => {
    const forged = send({ event: 'entry.publish', ...entry }, `whsec_${btoa('another')}`);
    const response = await revalidateRoute({ secret })(forged);
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('The signature')]);
    expect(next.revalidated).toEqual([]);
  });

  it('fails without a secret', async () => {
    await expect(revalidateRoute({ secret: undefined })(send({}))).rejects.toThrow('is not set');
  });

  it.each([
    ['a publication', { event: 'entry.publish', ...entry }, ['edgewise', 'article', 'article:a'], MAX],
    [
      'an entry that is too large',
      { event: 'entry.update', ...entry, entry: { documentId: 'a' } },
      ['edgewise', 'article', 'article:a'],
      MAX,
    ],
    ['an unpublication', { event: 'entry.unpublish', ...entry }, ['edgewise', 'article', 'article:a'], NOW],
    ['a deletion', { event: 'entry.delete', ...entry }, ['edgewise', 'article', 'article:a'], NOW],
    ['a file', { event: 'media.update', media: { documentId: 'f' } }, ['edgewise', 'file', 'file:f'], MAX],
    ['a deleted file', { event: 'media.delete', media: { documentId: 'f' } }, ['edgewise', 'file', 'file:f'], NOW],
    ['a saved draft', { event: 'entry.update', ...draft }, [], MAX],
    ['a deleted draft', { event: 'entry.delete', ...draft }, [], NOW],
    ['a discarded draft', { event: 'entry.draft-discard', ...draft, entry: { documentId: 'a' } }, [], MAX],
    ['a test', { event: 'trigger-test' }, [], MAX],
  ])('revalidates the tags of %s', async (_, message, tags, profile) => {
    const response = await revalidateRoute({ secret })(send(message));
    expect([response.status, await response.json()]).toEqual([200, { revalidated: tags }]);
    expect(next.revalidated).toEqual(tags.map((tag) => [tag, profile]));
  });

  it('revalidates with a profile of the site', async () => {
    await revalidateRoute({ secret, profile: 'hours' })(send({ event: 'entry.publish', ...entry }));
    expect(next.revalidated).toEqual(['edgewise', 'article', 'article:a'].map((tag) => [tag, 'hours']));
  });
});
