/**
 * @module `GET /uploads/:key?w=…`: pictures on request, made once and stored.
 */
import { env } from 'cloudflare:workers';
import { imageDimensionsFromData } from 'image-dimensions';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
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

const ON: SettingsInput = { upload: { widths: [64, 128, 256, 640, 1280] } };

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
  it('are described by their types and values', async () => {
    const { send, upload } = serveRecorded();
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
});

describe('a picture on request', () => {
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
});

/** The original with its width, since it has no formats here, for some seconds. */
async function expectNearest(response: Promise<Response>): Promise<void> {
  const got = await response;
  expect(got.headers.get('cache-control')).toBe('public, max-age=10');
  const bytes = new Uint8Array(await got.arrayBuffer());
  expect(imageDimensionsFromData(bytes)?.width).toBe(900);
}

describe('the nearest stored format', () => {
  const settings = (more: object): SettingsInput => ({ upload: { ...ON.upload, ...more } });

  it('is cached no longer than a file', async () => {
    const { url } = await serveRecorded().upload();
    for (const more of [{ cacheSeconds: 5 }, { cacheSeconds: 31_536_000 }]) {
      const send = serve(settings(more), { IMAGES: undefined as never });
      const { headers } = await send(`${url}?w=256`);
      expect(headers.get('cache-control')).toBe(`public, max-age=${Math.min(10, more.cacheSeconds)}`);
    }
  });

  it('is served past the transformations of a month, which begin again with the next', async () => {
    vi.setSystemTime('2026-03-31T10:00:00Z');
    try {
      const { send, upload, calls } = serveRecorded(settings({ transformationsPerMonth: 2 }));
      const file = await upload();
      for (const width of [64, 128]) await send(`${file.url}?w=${width}`);
      await expectNearest(send(`${file.url}?w=256`));
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
      for (const _ of [1, 2]) await expectNearest(send(`${file.url}?w=256`));
      expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('9422'));
      isBroken = false;
      vi.setSystemTime(start + 86_000_000);
      await expectNearest(send(`${file.url}?w=256`));
      vi.setSystemTime(start + 87_000_000);
      expect(await textOf(send(`${file.url}?w=256`))).toBe('small');
      expect(calls).toHaveLength(2);
    } finally {
      vi.useRealTimers();
      log.mockRestore();
    }
  });
});

describe('the pictures of a file', () => {
  const keep: SettingsInput = { upload: { ...ON.upload, replace: 'same-url' } };
  const claims = async () => (await env.DB.prepare('select key from edgewise_pictures').all()).results;

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
