/**
 * @module Source maps: who gets them, what they cost, and where they never are. What they say is recorded
 * (`conformance/`).
 */
import { env } from 'cloudflare:workers';
import { VERCEL_STEGA_REGEX, vercelStegaDecode } from '@vercel/stega';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { receivers } from '../../support/receivers.ts';
import { bearer, createToken, type Send, sendJson, serve } from '../../support/recorded.ts';
import { register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const PREVIEW: SettingsInput = { preview: {} };
const READS = ['api::article.article.find', 'api::article.article.findOne', 'api::tag.tag.find'];
/** The public and users read what shared caches may store. */
const OPEN: SettingsInput = {
  ...PREVIEW,
  roles: { public: READS, authenticated: READS, editor: [...READS, 'api::article.article.readDrafts'] },
  cache: { 'api::tag.tag': { maxAge: 60 }, 'api::article.article': { maxAge: 60 } },
};
/** Every payload begins with it. */
const INVISIBLE = '\u200b'.repeat(4);

const withMaps = ({ headers, ...init }: RequestInit = {}): RequestInit => {
  const all = new Headers(headers);
  all.set('strapi-encode-source-maps', 'true');
  return { ...init, headers: all };
};

let article: string;
let jwt: string;

openMagazine();
beforeAll(async () => {
  await createToken('reader', 'read-only');
  await createToken('finds', 'custom', READS);
  await createToken('updates', 'custom', [...READS, 'api::tag.tag.update']);
  ({ jwt } = await register(serve(), 'reader'));
  const owner = clientOf(serve(), 'full');
  const tag = await documentOf(owner.create('/api/tags', { name: 'One' }));
  const data = { title: 'Mapped', tone: 'serious', body: 'text', tags: [tag.documentId] };
  article = (await documentOf(owner.create('/api/articles', data))).documentId;
});

/** Status, headers without those of one request, and body. */
async function seen(response: Response) {
  const {
    'x-request-id': _,
    'server-timing': __,
    'x-d1-bookmark': ___,
    ...headers
  } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}

const isMapped = async (response: Promise<Response>): Promise<boolean> =>
  (await (await response).text()).includes(INVISIBLE);

describe('a caller', () => {
  it.each([
    ['full', true, true],
    ['reader', true, false],
    ['updates', true, true],
    ['finds', true, false],
  ])('with the token "%s" gets source maps of articles: %s, of tags: %s', async (token, articles, tags) => {
    const send = serve(PREVIEW);
    expect(await isMapped(send('/api/articles', withMaps(bearer(token))))).toBe(articles);
    expect(await isMapped(send(`/api/articles/${article}`, withMaps(bearer(token))))).toBe(articles);
    expect(await isMapped(send('/api/tags', withMaps(bearer(token))))).toBe(tags);
    expect(await isMapped(send('/api/tags', bearer(token)))).toBe(false);
  });

  it.each(['/api/articles?populate=*', '/api/articles/:id', '/api/articles?status=draft', '/api/tags'])(
    'without the right gets the same response to %s with the header as without',
    async (path) => {
      const url = path.replace(':id', article);
      for (const own of [{}, bearer(jwt)]) {
        const plain = await seen(await serve(OPEN)(url, own));
        expect(await seen(await serve(OPEN)(url, withMaps(own)))).toEqual(plain);
        const send = serve(OPEN);
        expect(await seen(await send(url, withMaps(own)))).toEqual(plain);
        expect(await seen(await send(url, own))).toEqual(plain);
      }
    },
  );

  it('whose role has readDrafts gets source maps until it is blocked', async () => {
    const editor = serve({ ...OPEN, users: { defaultRole: 'editor' } });
    const { jwt: own } = await register(editor, 'editor');
    expect(await isMapped(editor('/api/articles', withMaps(bearer(own))))).toBe(true);
    expect(await isMapped(editor('/api/tags', withMaps(bearer(own))))).toBe(false);
    await env.DB.prepare("update up_users set blocked = 1 where username = 'editor'").run();
    expect((await editor('/api/articles', withMaps(bearer(own)))).status).toBe(401);
  });

  it('who has lost the right gets none by repeating a request with its key, alone or in a batch', async () => {
    const send = serve(PREVIEW);
    const rights = [...READS, 'api::tag.tag.create', 'api::tag.tag.findOne'];
    await createToken('keeper', 'custom', [...rights, 'api::tag.tag.update']);
    const repeat = async (path: string, body: object) => {
      const { headers, ...init } = sendJson('POST', 'keeper', body);
      const keyed = { ...init, headers: { ...(headers as Record<string, string>), 'idempotency-key': path } };
      const response = await send(path, withMaps(keyed));
      return { isReplayed: response.headers.has('idempotency-replayed'), text: await response.text() };
    };
    const alone = () => repeat('/api/tags', { data: { name: 'Alone' } });
    const request = { method: 'POST', path: '/api/tags', body: { data: { name: 'Beside' } } };
    const inBatch = () => repeat('/api/batch', { requests: [request] });
    const before = [await alone(), await inBatch(), await alone(), await inBatch()];
    expect(before.map(({ isReplayed }) => isReplayed)).toEqual([false, false, true, true]);
    for (const { text } of before) expect(text).toContain(INVISIBLE);
    await env.DB.prepare("update strapi_api_tokens set permissions = ? where name = 'keeper'")
      .bind(JSON.stringify(rights))
      .run();
    for (const [index, { isReplayed, text }] of [await alone(), await inBatch()].entries()) {
      expect([isReplayed, text.includes(INVISIBLE)]).toEqual([true, false]);
      expect(JSON.parse(text)).toEqual(JSON.parse(before[index]?.text.replace(VERCEL_STEGA_REGEX, '') ?? ''));
    }
  });

  it('with the right gets no source maps without the setting', async () => {
    const plain = await seen(await serve()('/api/articles', bearer('full')));
    expect(await seen(await serve()('/api/articles', withMaps(bearer('full'))))).toEqual(plain);
  });

  it('gets the texts of a plain read once the payloads are removed', async () => {
    const send = serve(PREVIEW);
    const path = `/api/articles/${article}?populate=*`;
    const mapped: unknown = await (await send(path, withMaps(bearer('full')))).json();
    const clean: unknown = JSON.parse(JSON.stringify(mapped).replace(VERCEL_STEGA_REGEX, ''));
    expect(clean).not.toEqual(mapped);
    expect(clean).toEqual(await (await send(path, bearer('full'))).json());
  });
});

describe('the setting preview.sourceMaps.exclude', () => {
  const read = async (exclude: NonNullable<NonNullable<SettingsInput['preview']>['sourceMaps']>['exclude']) =>
    documentOf(serve({ preview: { sourceMaps: { exclude } } })(`/api/articles/${article}`, withMaps(bearer('full'))));

  it('exempts types of attributes', async () => {
    const { tone, createdAt, title } = await read(['enumeration', 'datetime']);
    expect([tone, String(createdAt).includes(INVISIBLE), String(title).includes(INVISIBLE)]).toEqual([
      'serious',
      false,
      true,
    ]);
  });
});

describe('a cache', () => {
  it('beside that of the isolate stores no response with source maps', async () => {
    const open = { ...OPEN, api: { rest: { publicDrafts: true } } };
    const response = await serve(open)('/api/articles', withMaps());
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.has('cache-tag')).toBe(false);
    expect(response.headers.get('vary')?.toLowerCase()).toContain('strapi-encode-source-maps');
    expect((await response.text()).includes(INVISIBLE)).toBe(true);
  });

  it('of the isolate gives each caller its own form', async () => {
    const send = serve(PREVIEW);
    const path = '/api/tags?fields=name';
    const forms = [];
    for (const init of [withMaps(bearer('full')), bearer('full'), withMaps(bearer('finds')), withMaps(bearer('full'))])
      forms.push(await isMapped(send(path, init)));
    expect(forms).toEqual([true, false, false, true]);
  });

  it('that holds the one form is not told that it is the other', async () => {
    const send = serve(PREVIEW);
    const held = (await send('/api/articles', bearer('full'))).headers.get('etag') ?? '';
    const init = { headers: { authorization: 'Bearer full', 'if-none-match': held } };
    expect((await send('/api/articles', init)).status).toBe(304);
    expect((await send('/api/articles', withMaps(init))).status).toBe(200);
  });
});

describe('a payload', () => {
  const limited: SettingsInput = { ...PREVIEW, api: { rest: { limits: { answerBytes: 8_000 } } } };

  it('counts towards answerBytes', async () => {
    const path = '/api/articles?populate=tags';
    expect((await serve(limited)(path, bearer('full'))).status).toBe(200);
    const error = await errorOf(serve(limited)(path, withMaps(bearer('full'))));
    expect(error).toMatchObject({ status: 400, details: { limit: 'answerBytes' } });
  });

  it('is left out of the response to a write that would be too large, since the write was committed', async () => {
    const send = serve(limited);
    const body = { data: { title: 'Long', facts: Array.from({ length: 4 }, () => ({ label: 'x' })) } };
    const path = '/api/articles?populate=*';
    const response = await send(path, withMaps(sendJson('POST', 'full', body)));
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text.includes(INVISIBLE)).toBe(false);
    expect(await isMapped(send('/api/articles?fields=title', withMaps(sendJson('POST', 'full', body))))).toBe(true);
  });

  it('is in no revision: the tag of a read with source maps is one for If-Match', async () => {
    const send = serve(PREVIEW);
    const mapped = await send(`/api/articles/${article}`, withMaps(bearer('full')));
    const plain = await send(`/api/articles/${article}`, bearer('full'));
    const revision = (response: Response) => response.headers.get('etag')?.split('.').at(-1);
    expect(revision(mapped)).toBe(revision(plain));
    const init = sendJson('PUT', 'full', { data: { summary: 'changed' } });
    const headers = new Headers(init.headers);
    headers.set('if-match', mapped.headers.get('etag') ?? '');
    const written = await send(`/api/articles/${article}?fields=summary`, withMaps({ ...init, headers }));
    expect(written.status).toBe(200);
    const { summary } = await documentOf(Promise.resolve(written));
    expect(vercelStegaDecode(String(summary))).toEqual({
      strapiSource: `documentId=${article}&type=text&path=summary&model=api%3A%3Aarticle.article&kind=collectionType`,
    });
  });

  it('is in no message to a webhook', async () => {
    receivers();
    const webhooks = [{ url: 'https://hooks.example/x', events: ['entry.create' as const] }];
    const send: Send = serve({ ...PREVIEW, webhooks });
    const init = sendJson('POST', 'full', { data: { name: 'Told' } });
    expect(await isMapped(send('/api/tags', withMaps(init)))).toBe(true);
    const { results } = await env.DB.prepare('select * from edgewise_outbox').all();
    expect(results.length).toBeGreaterThan(0);
    expect(JSON.stringify(results)).not.toContain(INVISIBLE);
  });

  it('is in the responses of a batch', async () => {
    const requests = [{ method: 'POST', path: '/api/tags?fields=name', body: { data: { name: 'Batched' } } }];
    const send = serve(PREVIEW);
    expect(await isMapped(send('/api/batch', withMaps(sendJson('POST', 'full', { requests }))))).toBe(true);
    const others = [{ method: 'POST', path: '/api/tags?fields=name', body: { data: { name: 'Plain' } } }];
    expect(await isMapped(send('/api/batch', sendJson('POST', 'full', { requests: others })))).toBe(false);
  });
});
