/**
 * @module Addresses of files with a source map behind them, as a preview shows them (docs/previews.md), also with parameters
 * of a picture (docs/media.md).
 */
import { vercelStegaSplit } from '@vercel/stega';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { type FileAnswer, picture, uploadOne } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({
  server: { url: 'https://api.example.com' },
  preview: {},
  upload: { widths: [64], private: true },
});
const ENCODED_MAPS = { headers: { authorization: 'Bearer full', 'strapi-encode-source-maps': 'true' } };

/** Of a public and of a private file. */
let mapped: readonly string[];

beforeAll(async () => {
  const cover = await uploadOne(send, await picture());
  const hidden = await uploadOne(send, await picture(), { fileInfo: '{"private":true}' });
  const data = { title: 'Mapped', cover: cover.id, gallery: [hidden.id] };
  await documentOf(clientOf(send, 'full').create('/api/articles', data));
  const response = await send('/api/articles?status=draft&populate=cover,gallery', ENCODED_MAPS);
  const [article] = ((await response.json()) as { data: { cover: FileAnswer; gallery: FileAnswer[] }[] }).data;
  mapped = [article?.cover.url ?? '', article?.gallery[0]?.url ?? ''];
  for (const url of mapped) expect(vercelStegaSplit(url).encoded).not.toBe('');
});

/** Returns the response, and where redirects led. */
async function follow(url: string, init?: RequestInit) {
  const first = await send(url, { ...init, redirect: 'manual' });
  const location = first.headers.get('location');
  return { first, location, last: location === null ? first : await send(location, init) };
}

describe('an address with a source map', () => {
  it.each(['GET', 'HEAD'])('is redirected to the file without it, public or private, by %s', async (method) => {
    for (const url of mapped) {
      const { first, location, last } = await follow(url, { method });
      expect([first.status, first.headers.get('cache-control')]).toEqual([302, 'no-store']);
      expect(location).toBe(vercelStegaSplit(url).cleaned);
      expect([last.status, last.headers.get('content-type')]).toEqual([200, 'image/png']);
    }
  });

  it('is redirected once, however often it has one, and to no other origin', async () => {
    const [url = ''] = mapped;
    const { cleaned, encoded } = vercelStegaSplit(url);
    expect((await follow(`${url}${encoded}?w=64${encoded}`)).location).toBe(`${cleaned}?w=64`);
    for (const path of [`//uploads/${encoded}x`, `/${encoded}/uploads/x`])
      expect((await follow(path)).location, path).toBeNull();
  });

  it('does not exist without its file, and opens no private one without its signature', async () => {
    const [, url = ''] = mapped;
    const { encoded } = vercelStegaSplit(url);
    for (const path of ['/uploads/photo_0123456789.png', url.slice(0, url.indexOf('?'))])
      expect((await follow(path + encoded)).last.status).toBe(404);
  });
});
