/**
 * @module Private files: their pictures on request, their signed addresses, and a file that becomes private meanwhile.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { bearer, createToken, sendJson, serve } from '../../support/recorded.ts';
import {
  clearMedia,
  type FileAnswer,
  formOf,
  objectKeys,
  picture,
  refusal,
  TEXT,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const SETTINGS: SettingsInput = { server: { url: 'https://api.example.com' }, upload: { private: true } };
const SECRET_BUCKET = (env as Env & { PRIVATE_MEDIA: R2Bucket }).PRIVATE_MEDIA;
const { send } = openMagazine(SETTINGS);
const PRIVATE = { fileInfo: '{"private":true}' };

beforeEach(async () => {
  await clearMedia();
  await SECRET_BUCKET.delete(await secretKeys());
});

const secretKeys = async (): Promise<string[]> => (await SECRET_BUCKET.list()).objects.map(({ key }) => key).toSorted();
const keyOf = ({ hash, ext }: FileAnswer): string => `${hash}${ext}`;
const statusOf = async (path: string): Promise<number> => (await send(path)).status;

describe('a private file', () => {
  it('has pictures on request in the second bucket, by addresses whose signature covers the size', async () => {
    const own = serve({ ...SETTINGS, upload: { private: true, widths: true } });
    const file = await uploadOne(own, await picture(1200), PRIVATE);
    const body = { expiresIn: 60, size: { w: 640, f: 'webp' } };
    const response = await own(`/api/upload/files/${file.id}/actions/sign`, sendJson('POST', 'full', body));
    const { url } = ((await response.json()) as { data: { url: string } }).data;
    const made = await own(url);
    expect([made.status, made.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(made.headers.get('cache-control')).toMatch(/^private, /);
    for (const path of [
      `/uploads/${keyOf(file)}?w=640&f=webp`,
      file.url.replace('?', '?w=640&f=webp&'),
      `${file.url}&w=640`,
    ])
      expect((await own(path)).status).toBe(404);
    const without = serve({ ...SETTINGS, upload: { private: true, widths: true } }, { IMAGES: undefined as never });
    const nearest = await without(`/uploads/${keyOf(file)}?w=64`, bearer('full'));
    expect([nearest.status, nearest.headers.get('cache-control')]).toEqual([200, 'private, no-cache']);
    expect(await objectKeys()).toEqual([]);
    await own(`/api/upload/files/${file.id}`, { method: 'DELETE', ...bearer('full') });
    expect(await secretKeys()).toEqual([]);
  });

  it('has an address that is still valid in a repeat with the same Idempotency-Key', async () => {
    const upload = async () => {
      const headers = { authorization: 'Bearer full', 'idempotency-key': 'private' };
      const response = await send('/api/upload', { method: 'POST', headers, body: formOf([TEXT], PRIVATE) });
      const [file] = (await response.json()) as FileAnswer[];
      return { replayed: response.headers.get('idempotency-replayed'), id: file?.id, url: String(file?.url) };
    };
    const first = await upload();
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + 7_200_000);
      const repeat = await upload();
      expect([repeat.replayed, repeat.id]).toEqual(['true', first.id]);
      expect([await statusOf(first.url), await statusOf(repeat.url)]).toEqual([404, 200]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('POST /api/upload/files/:id/actions/sign', () => {
  const sign = (id: number | string, body: unknown, token = 'full') =>
    send(`/api/upload/files/${id}/actions/sign`, sendJson('POST', token, body));

  it('rejects other callers, files and bodies', async () => {
    await createToken('uploads', 'custom', ['plugin::upload.content-api.upload']);
    const file = await uploadOne(send, TEXT, PRIVATE);
    expect(await refusal(sign(file.id, { expiresIn: 60 }, 'uploads'))).toMatch(/^403/);
    expect(await refusal(sign(9_999_999, { expiresIn: 60 }))).toMatch(/^404/);
    expect(await refusal(sign((await uploadOne(send, TEXT)).id, { expiresIn: 60 }))).toMatch(/^400.*public/);
    for (const expiresIn of [1, 604_800]) expect((await sign(file.id, { expiresIn })).status).toBe(200);
    expect((await sign(file.id, { expiresIn: 1, size: { w: 'any' } })).status).toBe(200);
    for (const body of [{}, { expiresIn: 0 }, { expiresIn: 604_801 }, { expiresIn: '60' }, { expiresIn: 1.5 }])
      expect(await refusal(sign(file.id, body)), JSON.stringify(body)).toMatch(/^400.*expiresIn/);
    for (const size of [{}, { x: 1 }, { w: '1&x' }, 'w'])
      expect(await refusal(sign(file.id, { expiresIn: 60, size })), JSON.stringify(size)).toMatch(/^400.*size/);
  });
});

describe('the size of a signed address', () => {
  it.each([
    [{ w: 'abc' }, 'Invalid w. Expected a whole number from 1 to 99999, received: abc'],
    [{ w: 0 }, 'Invalid w. Expected a whole number from 1 to 99999, received: 0'],
    [{ h: 100 }, 'Invalid h. Expected a width (w) with it, received: 100'],
    [{ w: 64, f: 'gif' }, 'Invalid f. Expected one of webp, avif, jpeg, received: gif'],
  ])('%j is rejected, as its picture would be', async (size, message) => {
    const own = serve({ ...SETTINGS, upload: { private: true, widths: true } });
    const file = await uploadOne(own, TEXT, PRIVATE);
    const path = `/api/upload/files/${file.id}/actions/sign`;
    expect(await refusal(own(path, sendJson('POST', 'full', { expiresIn: 60, size })))).toBe(
      `400 ValidationError: ${message}`,
    );
  });

  it.each([
    [{ w: [1, 2] }],
    [{ w: null, h: {} }],
    [{ w: 1, 'f=webp&q': 1 }],
    [['w']],
    [null],
    [''],
    [{ w: '' }],
    [{ w: '12345678901' }],
    [{ 'w&w': 1 }],
    [{ expires: 1 }],
    [{ w: 1, signature: 'x' }],
  ])('%j is rejected without pictures on request, too', async (size) => {
    const file = await uploadOne(send, TEXT, PRIVATE);
    const path = `/api/upload/files/${file.id}/actions/sign`;
    expect(await refusal(send(path, sendJson('POST', 'full', { expiresIn: 60, size })))).toMatch(/^400.*size/);
  });
});

describe('a file that becomes private while its bytes are replaced', () => {
  it.each(['new-url', 'same-url'] as const)(
    'keeps neither old nor new bytes in the open bucket: %s',
    async (replace) => {
      const own = serve({ ...SETTINGS, upload: { private: true, replace } });
      const file = await uploadOne(own, TEXT);
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const write = (text: string) => writer.write(new TextEncoder().encode(text));
      const headers = { authorization: 'Bearer full', 'content-type': 'multipart/form-data; boundary=part' };
      const replacing = own(`/api/upload?id=${file.id}`, { method: 'POST', headers, body: readable });
      const disposition = 'content-disposition: form-data; name="files"; filename="other.txt"';
      await write(`--part\r\n${disposition}\r\ncontent-type: text/plain\r\n\r\nother `);
      const body = { fileInfo: { private: true } };
      expect((await own(`/api/upload?id=${file.id}`, sendJson('POST', 'full', body))).status).toBe(200);
      await write('text\r\n--part--\r\n');
      await writer.close();
      expect((await replacing).status).toBe(503);
      expect(await objectKeys()).toEqual([]);
      expect((await secretKeys()).length).toBe(1);
    },
  );
});
