/**
 * @module `GET /uploads/:key?w=…`: pictures on request, made once and stored.
 */
import { env } from 'cloudflare:workers';
import { imageDimensionsFromData } from 'image-dimensions';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ANIMATION_HEADER } from '../../../src/features/files/animation.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { describeApi } from '../../support/describe-api.ts';
import { diceOf } from '../../support/dice.ts';
import { bytesOf, png } from '../../support/pictures.ts';
import { recordedRegistry, serve } from '../../support/recorded.ts';
import { recordedImages } from '../../support/recorded-images.ts';
import { seedOf } from '../../support/seed.ts';
import { samplesOf } from '../../support/tier.ts';
import {
  clearMedia,
  expectTidy,
  formOf,
  objectKeys,
  postForm,
  refusal,
  type Sent,
  uploaded,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const ON: SettingsInput = { upload: { widths: [64, 128, 256, 640, 1280], deniedTypes: [] } };

let photo: Sent;

openMagazine();
beforeAll(async () => {
  photo = { bytes: await noise(900, 600), name: 'photo.png' };
});

beforeEach(async () => {
  await clearMedia();
  await env.DB.batch(
    ['edgewise_pictures', 'edgewise_picture_months'].map((table) => env.DB.prepare(`delete from ${table}`)),
  );
});

/** A PNG that is larger than most pictures of it. */
const noise = (width: number, height: number) => {
  const { below } = diceOf(1);
  return png(width, height, [width, height], () => below(4));
};

/** Serves with a binding that makes pictures of so many bytes. */
function serveRecorded(
  settings: SettingsInput = ON,
  make: Parameters<typeof recordedImages>[0] = () => bytesOf('small'),
) {
  const images = recordedImages(make);
  const send = serve(settings, { IMAGES: images.binding });
  /** Uploads without formats, so that the record has only pictures on request. */
  const upload = (file: Sent = photo, fields = {}) =>
    uploadOne(serve(settings, { IMAGES: undefined as never }), file, fields);
  return { ...images, send, upload };
}

const textOf = async (response: Response | Promise<Response>) =>
  new TextDecoder().decode(await (await response).arrayBuffer());
const pictures = async () => (await objectKeys()).filter((key) => key.startsWith('pictures/'));
const months = async () => (await env.DB.prepare('select * from edgewise_picture_months').all()).results;

interface Described {
  readonly name: string;
  readonly schema: { readonly type: string; readonly enum?: readonly string[] };
}

describe('parameters of a picture', () => {
  const { send } = serveRecorded();

  it.each([
    ['w=0', 'Invalid w. Expected a whole number from 1 to 99999, received: 0'],
    ['w=', 'Invalid w. Expected a whole number from 1 to 99999, received: '],
    ['w=1e3', 'Invalid w. Expected a whole number from 1 to 99999, received: 1e3'],
    ['w=640&w=1', 'Invalid w. Expected one value, received: 640, 1'],
    ['h=100', 'Invalid h. Expected a width (w) with it, received: 100'],
    ['w=640&h=-1', 'Invalid h. Expected a whole number from 1 to 99999, received: -1'],
    ['fit=fill', 'Invalid fit. Expected one of cover, contain, received: fill'],
    ['f=png', 'Invalid f. Expected one of webp, avif, jpeg, received: png'],
    ['q=101', 'Invalid q. Expected a whole number from 1 to 100, received: 101'],
  ])('%s is rejected with 400', async (query, message) => {
    expect(await refusal(send(`/uploads/photo_0123456789.png?${query}`))).toBe(`400 ValidationError: ${message}`);
  });

  it('are described by their types and values', async () => {
    const { upload } = serveRecorded();
    const { url } = await upload();
    const { paths } = describeApi(recordedRegistry, parseSettings(ON));
    const { parameters } = paths['/uploads/{key}'] as { parameters: readonly Described[] };
    for (const { name, schema } of parameters.slice(1)) {
      const others = name === 'h' ? '&w=64' : '';
      expect(schema.type).toBe(schema.enum ? 'string' : 'integer');
      const values = schema.enum ?? [1];
      for (const value of values) expect((await send(`${url}?${name}=${value}${others}`)).status).toBe(200);
      for (const value of schema.enum ? ['x'] : [0, 1.5])
        expect(await refusal(send(`${url}?${name}=${value}${others}`))).toMatch(`400 ValidationError: Invalid ${name}`);
    }
  });

  it('are ignored without widths in the settings, like any other parameter', async () => {
    const plain = serve({});
    const { url } = await uploadOne(plain, photo);
    const asked = await plain(`${url}?w=64&h=x`);
    expect([asked.status, asked.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await pictures()).toEqual([]);
  });

  it('are said to be ignored without widths: in a header, and in the log once', async () => {
    const log = vi.spyOn(console, 'warn').mockReturnValue();
    const plain = serve({});
    const { url } = await uploadOne(plain, photo);
    const hintOf = async (path: string) => (await plain(path)).headers.get('x-edgewise-hint');
    const hint = 'w is ignored: there are no pictures on request without upload: { widths: true }';
    expect([await hintOf(url), await hintOf(`${url}?x=64`), log.mock.calls]).toEqual([null, null, []]);
    expect([await hintOf(`${url}?w=64`), await hintOf(`${url}?w=128`)]).toEqual([hint, hint]);
    expect(log.mock.calls.map(([line]) => JSON.parse(line).message)).toEqual([hint]);
    const own = serve(ON);
    const ownUrl = (await uploadOne(own, photo)).url;
    const ownHint = async (query: string) => (await own(`${ownUrl}?${query}`)).headers.get('x-edgewise-hint');
    expect(await ownHint('w=64')).toBeNull();
    expect(await ownHint('width=64')).toBe('width is ignored: a picture on request takes w, h, fit, f, q');
    expect(await ownHint('w=64&fm=png')).toBe('fm is ignored: a picture on request takes w, h, fit, f, q');
    log.mockRestore();
  });

  it('of a file that does not exist are a 404', async () => {
    for (const name of ['photo_0123456789.png', 'x'.repeat(600), '..%2Fx'])
      expect((await send(`/uploads/${name}?w=64`)).status).toBe(404);
  });
});

describe('a picture on request', () => {
  it('is made by the stand-in of Images in the requested size and type', async () => {
    const send = serve(ON);
    const { url } = await uploadOne(send, photo);
    for (const [query, type, width, height] of [
      ['w=100', 'image/webp', 128, 85],
      ['w=640&f=jpeg', 'image/jpeg', 640, 427],
      ['w=256&h=256&fit=cover', 'image/webp', 256, 256],
      ['w=256&h=256', 'image/webp', 256, 171],
    ] as const) {
      const response = await send(`${url}?${query}`);
      expect(response.headers.get('content-type'), query).toBe(type);
      expect(response.headers.get('cache-control'), query).toBe('public, max-age=86400');
      expect(imageDimensionsFromData(new Uint8Array(await response.arrayBuffer()))).toMatchObject({ width, height });
    }
  });

  it('has the width rounded up, the quality and the ratio rounded, and the focal point', async () => {
    const { send, upload, calls } = serveRecorded();
    const { url } = await upload(photo, { fileInfo: '{"focalPoint":{"x":25,"y":100}}' });
    for (const query of ['w=65&q=1', 'w=99999', 'f=avif&q=100', 'w=128&h=72&fit=cover', 'w=120&h=230&f=jpeg&q=82'])
      await send(`${url}?${query}`);
    expect(calls).toEqual([
      { transform: { width: 128, fit: 'scale-down' }, output: { format: 'image/webp', quality: 40 } },
      { transform: { width: 900, fit: 'scale-down' }, output: { format: 'image/webp', quality: 75 } },
      { transform: { width: 900, fit: 'scale-down' }, output: { format: 'image/avif', quality: 90 } },
      {
        transform: { width: 128, height: 72, fit: 'cover', gravity: { x: 0.25, y: 1, mode: 'box-center' } },
        output: { format: 'image/webp', quality: 75 },
      },
      {
        transform: { width: 128, height: 244, fit: 'scale-down' },
        output: { format: 'image/jpeg', quality: 75, background: '#ffffff' },
      },
    ]);
  });

  it('is made once, and then read from the bucket without the database', async () => {
    const { send, upload, calls, binding } = serveRecorded();
    const { url } = await upload();
    expect(await textOf(send(`${url}?w=128`))).toBe('small');
    const broken = { prepare: () => expect.unreachable(), withSession: () => expect.unreachable() };
    const later = serve(ON, { IMAGES: binding, DB: broken as never });
    const response = await later(`${url}?w=100&unknown=1`);
    expect([await textOf(response), response.headers.get('content-type')]).toEqual(['small', 'image/webp']);
    expect(calls).toHaveLength(1);
  });

  it('is never larger than its original, and one picture for all widths beyond it', async () => {
    const { send, upload, calls } = serveRecorded();
    const { url } = await upload({ bytes: await noise(100, 300), name: 'tall.png' });
    for (const query of ['w=128', 'w=640', 'w=1280', '&q=75', 'w=640&h=640&fit=cover', 'w=1280&h=1280&fit=cover'])
      await textOf(send(`${url}?${query}`));
    expect(calls.map(({ transform }) => transform)).toEqual([
      { width: 100, fit: 'scale-down' },
      { width: 100, height: 100, fit: 'cover' },
    ]);
    expect(await textOf(send(`${url}?w=1280`))).toBe('small');
  });

  it('is not higher than an original of one pixel', async () => {
    const { send, upload, calls } = serveRecorded(ON, () => bytesOf('x'));
    const { url } = await upload({ bytes: await noise(1, 1), name: 'dot.png' });
    await textOf(send(`${url}?w=64&h=192&fit=cover`));
    expect(calls.map(({ transform }) => transform)).toEqual([{ width: 1, height: 1, fit: 'cover' }]);
  });

  it('is the original if it would have more bytes, and is not made again', async () => {
    const { send, upload, calls } = serveRecorded(ON, () => new Uint8Array(10_000_000));
    const { url } = await upload();
    for (const _ of [1, 2]) {
      const response = await send(`${url}?w=128`);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
      expect(response.headers.get('content-length')).toBe(String(photo.bytes.length));
      await response.arrayBuffer();
    }
    expect(calls).toHaveLength(1);
  });

  it('answers HEAD, ranges and conditions as a file does', async () => {
    const { send, upload } = serveRecorded();
    const { url } = await upload();
    const head = await send(`${url}?w=128`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await textOf(head)]).toEqual([200, '5', '']);
    const etag = head.headers.get('etag') ?? '';
    expect((await send(`${url}?w=128`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    const part = await send(`${url}?w=128`, { headers: { range: 'bytes=1-2' } });
    expect([part.status, await textOf(part)]).toEqual([206, 'ma']);
  });
});

const GIF = bytesOf('GIF89a\x01\0\x01\0\0\0\0;');
const SVG = bytesOf('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
const WEBP = bytesOf(`RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0${'\x63\0\0'.repeat(2)}ANIM`);

describe('a picture that passes as it is', () => {
  it.each([
    ['a drawing', { bytes: SVG, name: 'a.svg', type: 'image/svg+xml' }],
    ['a GIF', { bytes: GIF, name: 'a.gif', type: 'image/gif' }],
    ['an animated WebP', { bytes: WEBP, name: 'a.webp', type: 'image/webp' }],
    ['a text', { bytes: 'a text', name: 'a.txt', type: 'text/plain' }],
  ] satisfies [string, Sent][])('is %s, at each width, without a transformation', async (_, file) => {
    const { send, upload, calls } = serveRecorded();
    const { url, mime } = await upload(file);
    for (const query of ['w=64', 'w=64', 'w=640&h=2&f=avif']) {
      const response = await send(`${url}?${query}`);
      expect(response.headers.get('content-type')).toContain(mime);
      expect(response.headers.get('cache-control')).toBe('public, max-age=86400');
      expect(Number(response.headers.get('content-length'))).toBe(file.bytes.length);
    }
    expect([calls, await months()]).toEqual([[], []]);
  });

  it.each([0, 100_000, 2_000_000])('is an animated PNG with %i bytes of metadata', async (length) => {
    const { send, upload, calls } = serveRecorded();
    const still = await noise(300, 200);
    const metadata = new Uint8Array(12 + length);
    new DataView(metadata.buffer).setUint32(0, length);
    metadata.set(bytesOf('iCCP'), 4);
    const control = bytesOf('\0\0\0\x08acTL\0\0\0\x02\0\0\0\0....');
    const bytes = new Uint8Array([...still.subarray(0, 33), ...metadata, ...control, ...still.subarray(33)]);
    const { url } = await upload({ bytes, name: 'a.png' });
    expect((await send(`${url}?w=64`)).headers.get('content-length')).toBe(String(bytes.length));
    expect(calls).toEqual([]);
  });

  it('is an animated PNG, and not one whose pixels begin with the last bytes that are looked at', async () => {
    const { send, upload, calls } = serveRecorded();
    const still = await noise(300, 200);
    const metadata = new Uint8Array(ANIMATION_HEADER - 33 - 8);
    new DataView(metadata.buffer).setUint32(0, metadata.length - 12);
    metadata.set(bytesOf('iCCP'), 4);
    const bytes = new Uint8Array([...still.subarray(0, 33), ...metadata, ...still.subarray(33)]);
    const { url } = await upload({ bytes, name: 'a.png' });
    expect((await send(`${url}?w=64`)).status).toBe(200);
    expect(calls).toHaveLength(1);
  });

  it.each(['width', 'height'])('has no stored %s', async (column) => {
    const { send, upload, calls } = serveRecorded();
    const { url } = await upload();
    await env.DB.prepare(`update files set ${column} = null`).run();
    const { headers } = await send(`${url}?w=64`);
    expect([headers.get('content-length'), calls]).toEqual([String(photo.bytes.length), []]);
  });
});

/** A format of this width, or the original with its 900, for some seconds. */
async function expectNearest(response: Promise<Response>, width: number): Promise<void> {
  const got = await response;
  expect(got.headers.get('cache-control')).toBe('public, max-age=10');
  const bytes = new Uint8Array(await got.arrayBuffer());
  expect(imageDimensionsFromData(bytes)?.width).toBe(width);
}

describe('the nearest stored format', () => {
  const settings = (more: object): SettingsInput => ({ upload: { ...ON.upload, ...more } });

  it('is served without the binding of Images', async () => {
    const file = await uploadOne(serve(ON), photo);
    const send = serve(ON, { IMAGES: undefined as never });
    for (const [width, stored] of [
      [256, 500],
      [640, 750],
      [1280, 900],
    ] as const)
      await expectNearest(send(`${file.url}?w=${width}`), stored);
    expect([await pictures(), await months()]).toEqual([[], []]);
  });

  it('is cached no longer than a file', async () => {
    const { url } = await serveRecorded().upload();
    for (const more of [{ cacheSeconds: 5 }, { cacheSeconds: 31_536_000 }]) {
      const send = serve(settings(more), { IMAGES: undefined as never });
      const { headers } = await send(`${url}?w=256`);
      expect(headers.get('cache-control')).toBe(`public, max-age=${Math.min(10, more.cacheSeconds)}`);
    }
  });

  it('has fewer bytes than the original', async () => {
    const large = recordedImages(({ transform: { width = 0, height = 0 } }) => noise(width, height));
    const file = { bytes: await png(900, 600), name: 'plain.png' };
    const { url, formats } = await uploadOne(serve(ON, { IMAGES: large.binding }), file);
    expect(Object.keys(formats ?? {})).toContain('medium');
    const response = await serve(ON, { IMAGES: undefined as never })(`${url}?w=640`);
    expect(Number(response.headers.get('content-length'))).toBe(file.bytes.length);
  });

  it('is served past the transformations of a month, which begin again with the next', async () => {
    vi.setSystemTime('2026-03-31T10:00:00Z');
    try {
      const { send, upload, calls } = serveRecorded(settings({ transformationsPerMonth: 2 }));
      const file = await upload();
      for (const width of [64, 128]) await send(`${file.url}?w=${width}`);
      await expectNearest(send(`${file.url}?w=256`), 900);
      expect(await textOf(send(`${file.url}?w=64`))).toBe('small');
      vi.setSystemTime('2026-04-01T00:00:00Z');
      expect(await textOf(send(`${file.url}?w=256`))).toBe('small');
      expect(calls).toHaveLength(3);
      expect(await months()).toEqual([
        { month: '2026-03', transformations: 2 },
        { month: '2026-04', transformations: 1 },
      ]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is served while another request makes the picture', async () => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    const { send, upload } = serveRecorded(ON, () => promise);
    const file = await upload();
    const first = send(`${file.url}?w=256`);
    await expect.poll(months).toHaveLength(1);
    await expectNearest(send(`${file.url}?w=256`), 900);
    resolve(bytesOf('small'));
    expect(await textOf(first)).toBe('small');
  });

  it('is served for a day after a failure, which is logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    let isBroken = true;
    const { send, upload, calls } = serveRecorded(ON, () => {
      if (isBroken) throw new Error('IMAGES_TRANSFORM_ERROR 9422');
      return bytesOf('small');
    });
    const file = await upload();
    const start = Date.now();
    try {
      for (const _ of [1, 2]) await expectNearest(send(`${file.url}?w=256`), 900);
      expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('9422'));
      isBroken = false;
      vi.setSystemTime(start + 86_000_000);
      await expectNearest(send(`${file.url}?w=256`), 900);
      vi.setSystemTime(start + 87_000_000);
      expect(await textOf(send(`${file.url}?w=256`))).toBe('small');
      expect(calls).toHaveLength(2);
    } finally {
      vi.useRealTimers();
      log.mockRestore();
    }
  });
});

it('is stored as a whole or not at all if the Worker is killed before, and made again a day later', async () => {
  const { promise: killed, reject } = Promise.withResolvers<never>();
  const dying = new Proxy(env.MEDIA, {
    get: (bucket, name: keyof R2Bucket) => (name === 'put' ? () => killed : bucket[name].bind(bucket)),
  });
  const { binding, calls, send, upload } = serveRecorded();
  const file = await upload();
  const first = serve(ON, { IMAGES: binding, MEDIA: dying })(`${file.url}?w=256`);
  await expect.poll(() => calls).toHaveLength(1);
  await expectNearest(send(`${file.url}?w=256`), 900);
  expect(await pictures()).toEqual([]);
  vi.setSystemTime(Date.now() + 87_000_000);
  try {
    expect(await textOf(send(`${file.url}?w=256`))).toBe('small');
    expect([calls.length, await pictures()]).toEqual([2, [`pictures/${file.hash}.png/256-75.webp`]]);
  } finally {
    vi.useRealTimers();
    reject(new Error('killed'));
    await first;
  }
});

describe('the pictures of a file', () => {
  const keep: SettingsInput = { upload: { ...ON.upload, replace: 'same-url' } };
  const claims = async () => (await env.DB.prepare('select key from edgewise_pictures').all()).results;

  it('are those of its new bytes, also at a width that stood for another', async () => {
    const { send, upload } = serveRecorded(keep);
    const { url, id, hash } = await upload({ bytes: await noise(200, 100), name: 'a.png' });
    for (const width of [256, 1280]) await send(`${url}?w=${width}`);
    const wide = formOf([{ bytes: await noise(1400, 100), name: 'a.png' }]);
    await uploaded(postForm(serve(keep, { IMAGES: undefined as never }), wide, `?id=${id}`));
    expect(await pictures()).toEqual([]);
    expect(await textOf(send(`${url}?w=1280`))).toBe('small');
    expect(await pictures()).toEqual([`pictures/${hash}.png/1280-75.webp`]);
  });

  it('belong to it for npx edgewise media, and go with it', async () => {
    const { send, upload } = serveRecorded();
    const { url, id } = await upload();
    const other = await upload();
    for (const query of ['w=64', 'w=640&h=640']) await send(`${url}?${query}`);
    await send(`${other.url}?w=64`);
    expect(await pictures()).toHaveLength(3);
    await expectTidy(2);
    await send(`/api/upload/files/${id}`, { method: 'DELETE', headers: { authorization: 'Bearer full' } });
    const key = `pictures/${other.hash}.png/64-75.webp`;
    expect([await pictures(), await claims()]).toEqual([[key], [{ key }]]);
    expect((await send(`${url}?w=64`)).status).toBe(404);
  });

  it.each([
    ['new bytes under a new URL', ON],
    ['new bytes under the same URL', keep],
  ])('go with %s', async (_, settings) => {
    const { send, upload, calls } = serveRecorded(settings);
    const { url, id } = await upload();
    await send(`${url}?w=64`);
    const second = { ...photo, bytes: await noise(800, 600) };
    const [changed] = await uploaded(postForm(serve(settings), formOf([second]), `?id=${id}`));
    expect([await pictures(), await claims()]).toEqual([[], []]);
    await send(`${changed?.url}?w=64`);
    expect(calls).toHaveLength(2);
    await expectTidy(1);
  });

  it('are made again for another focal point, and stay with other texts and the same point', async () => {
    const { send, upload, calls } = serveRecorded();
    const { url, id } = await upload();
    const change = (info: object) =>
      uploaded(postForm(send, formOf([], { fileInfo: JSON.stringify(info) }), `?id=${id}`));
    await send(`${url}?w=64&h=64&fit=cover`);
    await change({ caption: 'A cap' });
    await send(`${url}?w=64&h=64&fit=cover`);
    expect(calls).toHaveLength(1);
    await change({ focalPoint: { x: 0, y: 50 } });
    await send(`${url}?w=64&h=64&fit=cover`);
    expect(calls.at(-1)?.transform.gravity).toEqual({ x: 0, y: 0.5, mode: 'box-center' });
    await change({ caption: 'A hat', focalPoint: { x: 0, y: 50 } });
    await send(`${url}?w=64&h=64&fit=cover`);
    expect(calls).toHaveLength(2);
  });

  it('are none if the file was deleted while one was made', async () => {
    const { promise, resolve } = Promise.withResolvers<Uint8Array>();
    const { send, upload } = serveRecorded(ON, () => promise);
    const { url, id } = await upload();
    const asked = send(`${url}?w=64`);
    await expect.poll(months).toHaveLength(1);
    await send(`/api/upload/files/${id}`, { method: 'DELETE', headers: { authorization: 'Bearer full' } });
    resolve(bytesOf('small'));
    expect((await asked).status).toBe(404);
    expect([await objectKeys(), await claims()]).toEqual([[], []]);
  });
});

/** The number of requests of random sizes, 50 at a time. */
const REQUESTS = samplesOf(10_000, 0.01);

it(`is made at most once for each width and ratio by ${REQUESTS} requests, 50 at a time`, async () => {
  const { send, upload, calls } = serveRecorded();
  const { url } = await upload();
  const seen = new Set<string>();
  let next = 0;
  const dice = diceOf(seedOf('sizes of pictures'));
  const size = (max: number) => 1 + dice.below(max);
  const client = async () => {
    while (next++ < REQUESTS) {
      const response = await send(`${url}?w=${size(2000)}${next % 2 ? '' : `&fit=cover&h=${size(2000)}`}`);
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: 50 }, client));
  for (const { transform } of calls) {
    const text = JSON.stringify(transform);
    expect(seen.has(text), text).toBe(false);
    seen.add(text);
  }
  // 5 widths, each as it is and in 17 ratios.
  expect(calls.length).toBeLessThanOrEqual(5 * 18);
  expect((await pictures()).length).toBeLessThanOrEqual(5 * 18);
  expect(await months()).toMatchObject([{ transformations: calls.length }]);
});

it('the database is not asked for a picture of another type, nor for a name of no file', async () => {
  const { upload } = serveRecorded();
  const note = await upload({ bytes: 'a text', name: 'note.txt', type: 'text/plain' });
  const counted = countedDatabase(env.DB);
  const send = serve(ON, { DB: counted.database });
  for (const [path, status, batches] of [
    [`${note.url}?w=64`, 200, 0],
    ['/uploads/..%2Fx.png?w=64', 404, 0],
    [`/uploads/${'x'.repeat(600)}?w=64`, 404, 0],
    ['/uploads/none.png?w=64', 404, 1],
  ] as const) {
    counted.batches.length = 0;
    expect([(await send(path)).status, counted.batches.length]).toEqual([status, batches]);
  }
});

it('nothing is stored for a file of another type, whatever is requested', async () => {
  const { send, upload } = serveRecorded();
  const file = await upload({ bytes: 'a text', name: 'note.txt', type: 'text/plain' });
  for (const query of ['w=64', 'w=640&h=10', 'f=avif&q=40'])
    expect(await textOf(send(`${file.url}?${query}`))).toBe('a text');
  expect([await pictures(), await months()]).toEqual([[], []]);
});
