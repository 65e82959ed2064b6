/**
 * @module Private files are read by callers who may find files, and with signed addresses, which documents show. Nothing
 * else leads to their bytes, and nobody else learns that they exist.
 */
import { env } from 'cloudflare:workers';
import CachePolicy from 'http-cache-semantics';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { clientOf, documentOf } from '../support/client.ts';
import { bearer, createToken, sendJson, serve } from '../support/recorded.ts';
import { type FileAnswer, formOf, picture, postForm, refusal, TEXT, uploadOne } from '../support/uploads.ts';
import { openMagazine } from '../support/world.ts';

const HOUR = 3_600_000;
const TAG = 'api::tag.tag';
const AUTHOR = 'api::author.author';
const ARTICLE = 'api::article.article';
const SETTINGS: SettingsInput = {
  server: { url: 'https://api.example.com' },
  upload: { private: true },
  preview: {},
  cache: { [ARTICLE]: { maxAge: 60 }, [AUTHOR]: { maxAge: 60 } },
  roles: { public: [`${ARTICLE}.find`, `${ARTICLE}.findOne`, `${AUTHOR}.find`, `${TAG}.find`] },
};
const { send } = openMagazine(SETTINGS);
const PRIVATE = { fileInfo: JSON.stringify({ private: true }) };

let hidden: FileAnswer;
let open: FileAnswer;
const key = (): string => `/uploads/${hidden.hash}${hidden.ext}`;

beforeAll(async () => {
  await createToken(
    'editor',
    'custom',
    ['find', 'findOne', 'create', 'update'].flatMap((action) => [`${AUTHOR}.${action}`, `${ARTICLE}.${action}`]),
  );
  await createToken('uploads', 'custom', ['plugin::upload.content-api.upload', 'plugin::upload.content-api.destroy']);
  hidden = await uploadOne(send, await picture(), PRIVATE);
  open = await uploadOne(send, TEXT);
});
afterEach(() => {
  vi.useRealTimers();
});

const textOf = async (path: string, init?: RequestInit): Promise<string> => (await send(path, init)).text();
const statusOf = async (path: string, init?: RequestInit): Promise<number> => (await send(path, init)).status;
const signedIn = (text: string): readonly string[] =>
  [...text.matchAll(/\/uploads\/[^"\\]*signature=[\w-]+/g)].map(([url]) => url);

describe('a document that shows a private file', () => {
  const author = clientOf(send, 'full');
  beforeAll(async () => {
    const { documentId } = await documentOf(author.create('/api/authors', { name: 'Ann', avatar: hidden.id }));
    await documentOf(
      author.create('/api/articles', {
        title: key(),
        slug: 'private',
        cover: hidden.id,
        gallery: [hidden.id, open.id],
        author: documentId,
        seo: { metaTitle: 'x', shareImage: hidden.id, card: { title: 'x', image: hidden.id } },
        sections: [{ __component: 'blocks.gallery', title: 'x', images: [open.id, hidden.id] }],
      }),
    );
  });
  const EVERYWHERE =
    '/api/articles?populate[cover]=true&populate[gallery]=true&populate[author][populate]=avatar&populate[seo][populate][card][populate]=image&populate[seo][populate][shareImage]=true&populate[sections][populate]=*';

  it.each([
    ['anybody', {}],
    ['an API token', bearer('editor')],
    ['the format of Strapi 4', { headers: { 'strapi-response-format': 'v4' } }],
    ['source maps', { headers: { 'strapi-encode-source-maps': 'true', authorization: 'Bearer full' } }],
  ] satisfies [string, RequestInit][])(
    'has an address that is signed wherever it shows the file: %s',
    async (_, init) => {
      const text = await textOf(EVERYWHERE, init);
      const signed = signedIn(text);
      // url, thumbnail and small in: cover, gallery, avatar, card, share image, zone.
      expect(signed.length).toBe(18);
      expect(new Set(signed).size).toBe(3);
      for (const url of new Set(signed)) expect(await statusOf(url)).toBe(200);
      expect(text).toContain(open.url);
    },
  );

  it('signs no address that a text has: whoever writes one could read the file', async () => {
    const text = await textOf('/api/articles?fields=title&filters[slug]=private');
    expect(text).toContain(`"${key()}"`);
    expect(signedIn(text)).toEqual([]);
  });

  it('is stored by no shared cache, whatever the settings say, and others are', async () => {
    const judged = async (path: string, method = 'GET') => {
      const response = await send(path, { method });
      const headers = Object.fromEntries(response.headers);
      return [
        headers['cache-control'],
        new CachePolicy({ url: path, method, headers: {} }, { status: 200, headers }, { shared: true }).storable(),
      ];
    };
    for (const path of [EVERYWHERE, '/api/authors?populate=avatar', '/api/articles?populate[author][populate]=avatar'])
      for (const method of ['GET', 'HEAD', 'GET'])
        expect(await judged(path, method)).toEqual(['private, no-cache', false]);
    for (const path of ['/api/articles', '/api/authors?fields=name'])
      for (const method of ['GET', 'GET']) expect(await judged(path, method)).toEqual(['public, max-age=60', true]);
    expect(await judged(signedIn(await textOf(EVERYWHERE))[0] ?? '')).toEqual([
      expect.stringMatching(/^private/),
      false,
    ]);
  });

  it('has the same addresses and tag within half an hour, and new ones after', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const start = Math.ceil(Date.now() / HOUR) * HOUR;
    const at = async (time: number, held?: string) => {
      vi.setSystemTime(time);
      const response = await send('/api/authors?populate=avatar', held ? { headers: { 'if-none-match': held } } : {});
      return { status: response.status, tag: response.headers.get('etag') ?? '', text: await response.text() };
    };
    const first = await at(start);
    const later = await at(start + HOUR / 2 - 1_000);
    expect(later).toEqual(first);
    expect((await at(start + HOUR / 2 - 1_000, first.tag)).status).toBe(304);
    const next = await at(start + HOUR / 2, first.tag);
    expect([next.status, next.tag === first.tag, next.text === first.text]).toEqual([200, false, false]);
    const [url = ''] = signedIn(first.text);
    const statusAt = async (time: number) => {
      vi.setSystemTime(time);
      return statusOf(url);
    };
    expect(await statusAt(start + HOUR - 1_000)).toBe(200);
    expect(await statusAt(start + HOUR)).toBe(404);
  });

  it('keeps its tag where it shows none', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const path = '/api/articles?fields=slug&populate[gallery][fields]=name';
    const tag = (await send(path)).headers.get('etag') ?? '';
    vi.setSystemTime(Date.now() + 2 * HOUR);
    expect(await statusOf(path, { headers: { 'if-none-match': tag } })).toBe(304);
  });

  it('has signed addresses after a write, alone and in a batch', async () => {
    const body = { data: { name: 'Another', avatar: hidden.id } };
    const written = await textOf('/api/authors?populate=avatar', sendJson('POST', 'full', body));
    const requests = [{ method: 'POST', path: '/api/authors?populate=avatar', body }];
    const batch = await textOf('/api/batch', sendJson('POST', 'full', { requests }));
    for (const text of [written, batch]) {
      expect(signedIn(text).length).toBe(3);
      for (const url of signedIn(text)) expect(await statusOf(url)).toBe(200);
    }
  });
});

describe('a repeat with the same Idempotency-Key', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const path = '/api/authors?populate=avatar';
  const written = () => ({ data: { name: 'Repeated', avatar: hidden.id } });
  it.each([
    ['of a write', path, written],
    [
      'of a batch',
      '/api/batch',
      () => ({
        requests: [
          { method: 'POST', path, body: written() },
          { method: 'DELETE', path: '/api/authors/nobody' },
        ],
      }),
    ],
  ])('has addresses that are still valid, %s', async (_, path, bodyOf) => {
    const { headers, ...init } = sendJson('POST', 'full', bodyOf());
    const keyed = {
      ...init,
      headers: { ...headers, 'idempotency-key': `private-file ${path}`.replaceAll(/\W/g, '-') },
    };
    const response = await send(path, keyed);
    const first = await response.text();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 2 * HOUR);
    const repeat = await send(path, keyed);
    const text = await repeat.text();
    expect([repeat.status, repeat.headers.get('idempotency-replayed')]).toEqual([response.status, 'true']);
    const unsigned = (body: string) => body.replaceAll(/\?expires=[^"]*/g, '');
    expect(unsigned(text)).toBe(unsigned(first));
    expect(signedIn(text)).toHaveLength(3);
    for (const url of signedIn(text)) expect(await statusOf(url)).toBe(200);
  });
});

describe('an address', () => {
  const signed = async (of: FileAnswer, size?: object): Promise<string> => {
    const body = { expiresIn: 60, ...(size && { size }) };
    const response = await send(`/api/upload/files/${of.id}/actions/sign`, sendJson('POST', 'full', body));
    return ((await response.json()) as { data: { url: string } }).data.url;
  };

  it('is rejected when any part of it was changed', async () => {
    const other = await uploadOne(send, TEXT, PRIVATE);
    const url = await signed(hidden, { w: 640 });
    const of = await signed(other);
    expect([await statusOf(url), await statusOf(of)]).toEqual([200, 200]);
    const [path = '', query = ''] = url.split('?');
    const signature = url.split('signature=')[1] ?? '';
    const [otherPath, otherQuery] = of.split('?');
    const forged = [
      path,
      `${otherPath}?${query}`,
      `${path}?${otherQuery}`,
      url.replace('/uploads/', '/uploads/thumbnail_'),
      url.replace('w=640', 'w=641'),
      url.replace('w=640&', ''),
      url.replace('?', '?h=1&'),
      `${url}&w=641`,
      url.replace('&signature', '&w=641&signature'),
      url.replace(/expires=\d+/, (text) => `${text}0`),
      url.replace(/expires=\d+/, 'expires=9999999999'),
      url.replace(/&expires=\d+/, ''),
      url.replace(signature, ''),
      url.replace(signature, `${signature}=`),
      url.replace(signature, `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`),
      url.replace(signature, `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`),
      url.replace(signature, 'x'.repeat(43)),
      `${url}${signature}`,
    ];
    for (const each of forged) expect([each, await statusOf(each)]).toEqual([each, 404]);
  });

  it('is rejected after its time, at another deployment with the same secret, and with another secret', async () => {
    const url = await signed(hidden);
    const elsewhere = { ...SETTINGS, server: { url: 'https://staging.example.com' } };
    expect((await serve(elsewhere)(url)).status).toBe(404);
    expect((await serve(SETTINGS, { JWT_SECRET: 'another secret' } as Partial<Env>)(url)).status).toBe(404);
    // The host is that of the deployment: behind another name it is the same.
    expect((await send(`https://another.example.com${url}`)).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 61_000);
    expect(await statusOf(url)).toBe(404);
  });
});

describe('a caller who may not find files', () => {
  it('links no private file to a document that it may read', async () => {
    const none = 9_999_999;
    const client = clientOf(send, 'editor');
    for (const value of [hidden.id, { connect: [hidden.id] }, [hidden.documentId]]) {
      const [of, missing] = await Promise.all(
        [
          value,
          JSON.parse(
            JSON.stringify(value)
              .replaceAll(hidden.documentId, 'n'.repeat(24))
              .replaceAll(String(hidden.id), String(none)),
          ),
        ].map(async (avatar) => {
          const response = await send(
            '/api/authors?populate=avatar',
            sendJson('POST', 'editor', { data: { name: 'Eve', avatar } }),
          );
          return [
            response.status,
            (await response.text())
              .replaceAll(String(none), String(hidden.id))
              .replaceAll('n'.repeat(24), hidden.documentId)
              .replaceAll(/"(documentId|createdAt|updatedAt|publishedAt)":"[^"]*"/g, ''),
          ];
        }),
      );
      expect(of, JSON.stringify(value)).toEqual(missing);
      expect(String(of?.[1])).not.toContain(hidden.hash);
    }
    const { avatar } = await documentOf(
      client.create('/api/authors?populate=avatar', { name: 'Bob', avatar: open.id }),
    );
    expect(avatar).toMatchObject({ id: open.id });
  });

  it('neither changes nor deletes one, and cannot tell it from one that does not exist', async () => {
    const asked = async (id: number | string) => [
      await refusal(postForm(send, formOf([TEXT]), `?id=${id}`, 'uploads')),
      await refusal(send(`/api/upload?id=${id}`, sendJson('POST', 'uploads', { fileInfo: { private: false } }))),
      await refusal(send(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('uploads') })),
      await refusal(send(`/api/upload/files/${id}/actions/sign`, sendJson('POST', 'uploads', { expiresIn: 9 }))),
      await refusal(send(`/api/upload/files/${id}`, bearer('uploads'))),
    ];
    const rejected = await asked(hidden.id);
    expect(rejected).toEqual(await asked(9_999_999));
    // A change and a deletion, which the token may do to other files.
    for (const each of rejected.slice(0, 3)) expect(each).toMatch(/^404 /);
    const bucket = (env as Env & { PRIVATE_MEDIA: R2Bucket }).PRIVATE_MEDIA;
    expect(await bucket.head(`${hidden.hash}${hidden.ext}`)).not.toBeNull();
    expect(await statusOf(key(), bearer('full'))).toBe(200);
  });
});
