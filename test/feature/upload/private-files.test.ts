/**
 * @module Private files: their bytes lie in a second bucket, and are served to callers who may find files, and by signed
 * addresses.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { bearer, createToken, sendJson, serve } from '../../support/recorded.ts';
import {
  bytesAt,
  clearMedia,
  type FileAnswer,
  formOf,
  objectKeys,
  picture,
  postForm,
  refusal,
  TEXT,
  uploaded,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const SETTINGS: SettingsInput = { server: { url: 'https://api.example.com' }, upload: { private: true } };
const SECRET_BUCKET = (env as Env & { PRIVATE_MEDIA: R2Bucket }).PRIVATE_MEDIA;
const { send } = openMagazine(SETTINGS);
const SECRET = JSON.stringify({ private: true });
const PRIVATE = { fileInfo: SECRET };
const LARGE = { bytes: new Uint8Array(9 * 1024 * 1024).fill(97), name: 'large.txt' };

beforeAll(async () => {
  await createToken('uploads', 'custom', ['plugin::upload.content-api.upload', 'plugin::upload.content-api.destroy']);
  await createToken('finds', 'custom', ['plugin::upload.content-api.findOne']);
});
beforeEach(async () => {
  await clearMedia();
  await SECRET_BUCKET.delete(await secretKeys());
});

const secretKeys = async (): Promise<string[]> => (await SECRET_BUCKET.list()).objects.map(({ key }) => key).toSorted();
const keyOf = ({ hash, ext }: FileAnswer): string => `${hash}${ext}`;
const statusOf = async (path: string, init?: RequestInit): Promise<number> => (await send(path, init)).status;
const textAt = async (path: string, init?: RequestInit): Promise<string> =>
  new TextDecoder().decode(await (await send(path, init)).arrayBuffer());

describe('a private file', () => {
  it('lies in the second bucket with its formats, under keys that say so', async () => {
    const file = await uploadOne(send, await picture(), PRIVATE);
    expect(file).toMatchObject({ isUrlSigned: true, provider: 'r2' });
    expect(file).not.toHaveProperty('private');
    expect(file.hash).toMatch(/^photo_[0-9a-f]{10}-private$/);
    expect(await objectKeys()).toEqual([]);
    expect(await secretKeys()).toEqual(
      [keyOf(file), ...['small', 'thumbnail'].map((name) => `${name}_${keyOf(file)}`)].toSorted(),
    );
    for (const { url } of [file, ...Object.values(file.formats ?? {})])
      expect((await bytesAt(send, url)).length).toBeGreaterThan(50);
  });

  it('is read by its address on a server without server.url, and by none that was made for a deployment', async () => {
    const local = serve({ upload: { private: true } });
    const { url } = await uploadOne(local, TEXT, PRIVATE);
    expect((await local(url)).status).toBe(200);
    expect((await send(url)).status).toBe(404);
    const { url: other } = await uploadOne(send, TEXT, PRIVATE);
    expect([await statusOf(other), (await local(other)).status]).toEqual([200, 404]);
  });

  it('is told from a public one by the path of its address, whatever the bucket of public files is called', async () => {
    const elsewhere = serve({ ...SETTINGS, upload: { private: true, publicUrl: 'https://cdn.example.com' } });
    expect((await uploadOne(elsewhere, TEXT)).url).toMatch(/^https:\/\/cdn.example.com\/note_/);
    expect((await uploadOne(elsewhere, TEXT, PRIVATE)).url).toMatch(
      /^\/uploads\/note_[0-9a-f]{10}-private.txt\?expires=/,
    );
  });

  it('is served without a signature to callers who may find files, and is a 404 for others', async () => {
    const key = keyOf(await uploadOne(send, TEXT, PRIVATE));
    for (const token of ['full', 'finds']) expect(await textAt(`/uploads/${key}`, bearer(token))).toBe('a text');
    const missing = `/uploads/note_0123456789-private.txt`;
    for (const init of [undefined, bearer('uploads')]) {
      const [of, none] = await Promise.all([send(`/uploads/${key}`, init), send(missing, init)]);
      expect([of.status, await of.text()]).toEqual([none.status, await none.text()]);
      expect(of.status).toBe(404);
      expect(of.headers.get('cache-control')).toBe('no-store');
    }
    expect(await statusOf(`/uploads/${key}`, bearer('unknown'))).toBe(401);
    expect(await statusOf(missing, bearer('unknown'))).toBe(401);
  });

  it('takes ranges, HEAD and conditions, and no shared cache may store it', async () => {
    const { url, hash, ext } = await uploadOne(send, TEXT, PRIVATE);
    const part = await send(url, { headers: { range: 'bytes=2-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'te']);
    const head = await send(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '6']);
    const held = await send(url, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } });
    expect(held.status).toBe(304);
    for (const response of [part, head, held]) {
      expect(response.headers.get('cache-control')).toMatch(/^private, max-age=\d+$/);
      expect(response.headers.get('vary')).toContain('Authorization');
    }
    const authorized = await send(`/uploads/${hash}${ext}`, bearer('full'));
    expect(authorized.headers.get('cache-control')).toBe('private, no-cache');
  });

  it.each([
    ['all files are', { upload: { private: 'all' } }, {}],
    ['parts of it came before it was known', {}, PRIVATE],
  ] as const)('has its bytes in the second bucket alone when %s', async (_, settings, fields) => {
    const own = serve({ ...SETTINGS, ...settings });
    const bytes = new Uint8Array(9 * 1024 * 1024).fill(97);
    const file = await uploadOne(own, { bytes, name: 'large.txt', type: 'text/plain' }, fields);
    expect([await objectKeys(), await secretKeys()]).toEqual([[], [keyOf(file)]]);
    expect((await bytesAt(own, file.url)).length).toBe(bytes.length);
  });

  it.each([
    ['a key of its info that follows its bytes', [['fileInfo[caption]', 'x'], LARGE, ['fileInfo[private]', 'true']], 1],
    ['the info of the second file that follows its bytes', [['fileInfo', '{}'], TEXT, LARGE, ['fileInfo', SECRET]], 2],
  ] as const)('has no bytes in the open bucket before it is known to be private: %s', async (_, sent, count) => {
    const begun: string[] = [];
    const bucket = {
      put: (...args: Parameters<R2Bucket['put']>) => env.MEDIA.put(...args),
      delete: (keys: string[]) => env.MEDIA.delete(keys),
      get: (key: string) => env.MEDIA.get(key),
      async createMultipartUpload(key: string, options: R2MultipartOptions) {
        begun.push(key);
        return env.MEDIA.createMultipartUpload(key, options);
      },
    };
    const form = new FormData();
    for (const part of sent)
      if ('name' in part) form.append('files', new Blob([part.bytes], { type: 'text/plain' }), part.name);
      else form.append(part[0], part[1]);
    const files = await uploaded(postForm(serve(SETTINGS, { MEDIA: bucket as never }), form));
    expect([files.length, files.at(-1)?.isUrlSigned, begun]).toEqual([count, true, []]);
  });

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

  it('leaves the second bucket when parts came before it was known that it is public', async () => {
    const bytes = new Uint8Array(9 * 1024 * 1024).fill(97);
    const file = await uploadOne(send, { bytes, name: 'large.txt', type: 'text/plain' });
    expect(file.url).toBe(`/uploads/${keyOf(file)}`);
    expect([await objectKeys(), await secretKeys()]).toEqual([[keyOf(file)], []]);
    expect((await bytesAt(send, file.url)).length).toBe(bytes.length);
  });
});

describe('a change of who may read a file', () => {
  it.each([
    [
      'JSON',
      (id: number, isPrivate: boolean) =>
        send(`/api/upload?id=${id}`, sendJson('POST', 'full', { fileInfo: { private: isPrivate } })),
    ],
    [
      'a form',
      (id: number, isPrivate: boolean) =>
        postForm(send, formOf([], { fileInfo: JSON.stringify({ private: isPrivate }) }), `?id=${id}`),
    ],
  ])('by %s gives it new keys in the other bucket, and deletes the old objects', async (_, change) => {
    const open = await uploadOne(send, await picture());
    const [hidden] = await uploaded(change(open.id, true));
    expect(hidden).toMatchObject({ id: open.id, documentId: open.documentId, name: open.name, isUrlSigned: true });
    expect(await objectKeys()).toEqual([]);
    expect((await secretKeys()).length).toBe(3);
    expect(await statusOf(open.url)).toBe(404);
    expect(await bytesAt(send, hidden?.url ?? '')).toEqual((await picture()).bytes);
    const [again] = await uploaded(change(open.id, false));
    expect(again).toMatchObject({ isUrlSigned: false, formats: { thumbnail: { hash: `thumbnail_${again?.hash}` } } });
    expect([again?.hash === open.hash, (await objectKeys()).length, await secretKeys()]).toEqual([false, 3, []]);
    for (const { url } of Object.values(again?.formats ?? {})) expect(await statusOf(url)).toBe(200);
  });

  it('leaves the keys alone where nothing changes', async () => {
    const file = await uploadOne(send, TEXT, PRIVATE);
    for (const fileInfo of [{ caption: 'x' }, { private: true }]) {
      const [changed] = await uploaded(send(`/api/upload?id=${file.id}`, sendJson('POST', 'full', { fileInfo })));
      expect(changed?.hash).toBe(file.hash);
    }
    expect(await secretKeys()).toEqual([keyOf(file)]);
  });

  it('deletes its pictures on request, which lie in the former bucket', async () => {
    const own = serve({ ...SETTINGS, upload: { private: true, widths: true } });
    const { id, url } = await uploadOne(own, await picture());
    expect((await own(`${url}?w=64`)).status).toBe(200);
    expect((await objectKeys()).some((key) => key.startsWith('pictures/'))).toBe(true);
    await uploaded(own(`/api/upload?id=${id}`, sendJson('POST', 'full', { fileInfo: { private: true } })));
    expect(await objectKeys()).toEqual([]);
  });

  it('keeps new bytes private, and takes both at once unless the address stays', async () => {
    const file = await uploadOne(send, TEXT, PRIVATE);
    const bytes = { ...TEXT, bytes: 'other bytes' };
    for (const replace of ['same-url', 'new-url'] as const) {
      const own = serve({ ...SETTINGS, upload: { private: true, replace } });
      const [replaced] = await uploaded(postForm(own, formOf([bytes]), `?id=${file.id}`));
      expect(await secretKeys()).toEqual([keyOf(replaced as FileAnswer)]);
      expect(await textAt(replaced?.url ?? '')).toBe('other bytes');
      const both = postForm(own, formOf([bytes], { fileInfo: '{"private":false}' }), `?id=${file.id}`);
      if (replace === 'same-url')
        expect(await refusal(both)).toMatch(/^400 ValidationError: Send `private` without bytes/);
      else expect((await uploaded(both))[0]?.isUrlSigned).toBe(false);
    }
    expect([(await objectKeys()).length, await secretKeys()]).toEqual([1, []]);
  });
});

describe('private', () => {
  const refused = (settings: SettingsInput, bindings = {}, fileInfo = '{"private":true}') =>
    refusal(postForm(serve(settings, bindings), formOf([TEXT], { fileInfo })));

  it('is rejected where it cannot be', async () => {
    expect(await refused({})).toBe('400 ValidationError: Private files are off. Set upload.private');
    expect(await refused(SETTINGS, { PRIVATE_MEDIA: undefined })).toMatch(/^400 ValidationError: .*PRIVATE_MEDIA/);
    const all = { ...SETTINGS, upload: { private: 'all' as const } };
    expect(await refused(all, {}, '{"private":false}')).toMatch(/^400 ValidationError: Every file is private/);
    expect(await refused(SETTINGS, {}, '{"private":"maybe"}')).toMatch(
      /^400 ValidationError: Invalid fileInfo.private. Expected true or false/,
    );
    expect([await objectKeys(), await secretKeys()]).toEqual([[], []]);
  });

  it('stays without the part: no bytes are served, and none replaced', async () => {
    const file = await uploadOne(send, TEXT, PRIVATE);
    const off = serve();
    expect((await off(file.url)).status).toBe(404);
    expect((await off(`/uploads/${keyOf(file)}`, bearer('full'))).status).toBe(404);
    expect(await refusal(postForm(off, formOf([TEXT]), `?id=${file.id}`))).toMatch(/Private files are off/);
  });
});

describe('POST /api/upload/files/:id/actions/sign', () => {
  const sign = (id: number | string, body: unknown, token = 'full') =>
    send(`/api/upload/files/${id}/actions/sign`, sendJson('POST', token, body));

  it('responds with an address that is valid as long as requested', async () => {
    const file = await uploadOne(send, TEXT, PRIVATE);
    const before = Date.now();
    const { data } = (await (await sign(file.id, { expiresIn: 60 })).json()) as {
      data: { url: string; expiresAt: string };
    };
    expect(Date.parse(data.expiresAt) - before).toBeGreaterThanOrEqual(60_000);
    expect(Date.parse(data.expiresAt) - Date.now()).toBeLessThanOrEqual(61_000);
    expect(await textAt(data.url)).toBe('a text');
    const sized = (await (await sign(file.id, { expiresIn: 60, size: { w: 640, f: 'webp' } })).json()) as {
      data: { url: string };
    };
    expect(sized.data.url).toMatch(/\?w=640&f=webp&expires=\d+&signature=/);
    expect(await statusOf(sized.data.url)).toBe(200);
    expect(await statusOf(sized.data.url.replace('w=640', 'w=6400'))).toBe(404);
  });

  it('rejects other callers, files and bodies', async () => {
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
