/**
 * @module Pictures on request: what is read, made, stored and deleted for one.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deletePictures, respondPicture } from '../../../src/features/files/pictures/made-pictures.ts';
import { pictureKey, type Variant } from '../../../src/features/files/pictures/picture-params.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { memoryBucket } from '../../support/memory-bucket.ts';
import { recordedImages } from '../../support/recorded-images.ts';

const { upload: settings } = parseSettings({ upload: { widths: [64, 128] } });
const NAME = 'a.jpg';
const ORIGINAL = 'the original';
const VARIANT: Variant = { width: 64, format: 'webp', quality: 75 };
const KEY = pictureKey(NAME, VARIANT);
const ROW = {
  ...{ id: 1, document_id: 'd', updated_at: 5, hash: 'a', ext: '.jpg', name: 'a.jpg', mime: 'image/jpeg' },
  ...{ size: 9, width: 300, height: 200, formats: null },
};

interface World {
  readonly rows?: readonly (object | undefined)[];
  readonly stored?: Readonly<Record<string, string>>;
  readonly make?: (() => string) | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isClaimed?: boolean;
  readonly change?: (bucket: R2Bucket) => R2Bucket;
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

async function respond(world: World = {}, variant = VARIANT) {
  const { rows = [ROW], stored = { [NAME]: ORIGINAL }, headers = {}, isClaimed = false } = world;
  const memory = memoryBucket(stored);
  const bucket = world.change?.(memory.bucket) ?? memory.bucket;
  const make = 'make' in world ? world.make : () => 'small';
  const images = make && recordedImages(() => new TextEncoder().encode(make()));
  const reads: string[] = [];
  const writes: number[] = [];
  const database = {
    async read(_: unknown, source: string) {
      await tick();
      const row = rows[Math.min(reads.length, rows.length - 1)];
      reads.push(source);
      return [row ? [row] : []];
    },
    async write(statements: readonly unknown[]) {
      await tick();
      writes.push(statements.length);
      return [[], [], isClaimed ? [] : [{ own: 1 }]];
    },
  };
  const request = new Request(`https://api.example.com/uploads/${NAME}?w=64`, { headers });
  const call = {
    ...{ database: database as never, bucket, cacheControl: 'public, max-age=86400' },
    ...{ images: images?.binding, request, settings, now: 1_800_000_000_000 },
  };
  const response = await respondPicture(call, NAME, variant);
  return {
    ...memory,
    ...{ reads, writes, made: images?.calls.length ?? 0, status: response?.status },
    cached: response?.headers.get('cache-control') ?? undefined,
    text: await response?.text(),
  };
}

const CACHED = 'public, max-age=86400';
const BRIEFLY = 'public, max-age=10';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a picture', () => {
  it('is made once and served from then on', async () => {
    const { text, cached, calls, reads, writes, objects } = await respond();
    expect([text, cached]).toEqual(['small', CACHED]);
    expect(calls).toEqual([`get ${KEY}`, `get ${NAME}`, `get ${NAME}`, `put ${KEY}`, `get ${KEY}`]);
    expect([reads, writes]).toEqual([['primary', 'primary'], [3]]);
    expect(objects.get(KEY)?.httpMetadata).toMatchObject({ contentType: 'image/webp' });
    const again = await respond({ stored: { [NAME]: ORIGINAL, [KEY]: 'stored' } });
    expect([again.text, again.calls, again.reads]).toEqual(['stored', [`get ${KEY}`], []]);
  });

  it('is that of the largest width which shows more than its original', async () => {
    const asked = { ...VARIANT, width: 128 };
    const small = { rows: [{ ...ROW, width: 60 }] };
    const made = await respond(small, asked);
    expect(made.calls).toEqual([
      ...[`get ${pictureKey(NAME, asked)}`, `get ${NAME}`, `get ${KEY}`],
      ...[`get ${NAME}`, `put ${KEY}`, `get ${KEY}`],
    ]);
    const stored = await respond({ ...small, stored: { [NAME]: ORIGINAL, [KEY]: 'stored' } }, asked);
    expect([stored.text, stored.writes, stored.made]).toEqual(['stored', [], 0]);
  });

  it.each([
    [ORIGINAL.length - 1, 'x'.repeat(ORIGINAL.length - 1)],
    [ORIGINAL.length, ORIGINAL],
    [ORIGINAL.length + 1, ORIGINAL],
  ])('of %i bytes is stored only if that is less than its original has', async (length, expected) => {
    const { text, cached, textOf } = await respond({ make: () => 'x'.repeat(length) });
    expect([text, cached]).toEqual([expected, CACHED]);
    expect(textOf(KEY)).toBe(expected === ORIGINAL ? '' : expected);
  });

  it.each([
    ['up to 20 MB', { size: 20_000 }, 1],
    ['above 20 MB', { size: 20_000.01 }, 0],
    ['an animated type, under the name of another', { mime: 'image/gif' }, 0],
    ['a type that cannot be made', { mime: 'image/avif' }, 0],
    ['no width', { width: null }, 0],
    ['no height', { height: null }, 0],
  ])('is made of a file or is the file as it is: %s', async (_, row, made) => {
    const found = await respond({ rows: [{ ...ROW, ...row }] });
    expect([found.made, found.text, found.cached]).toEqual([made, made ? 'small' : ORIGINAL, CACHED]);
    expect(found.writes).toEqual(made ? [3] : []);
  });

  it('is none without its file, and without its bytes', async () => {
    const formats = JSON.stringify({ small: { hash: 'small_a', ext: '.jpg', width: 90, size: 1 } });
    const rows = [{ ...ROW, formats }];
    for (const world of [{ rows: [undefined] }, { rows, stored: { 'small_a.jpg': 'format' } }]) {
      const { text, writes } = await respond(world);
      expect([text, writes]).toEqual([undefined, []]);
    }
  });

  it('is deleted if its file has changed while it was made', async () => {
    for (const later of [{ ...ROW, updated_at: 6 }, undefined]) {
      const { text, cached, keys, writes } = await respond({ rows: [ROW, later] });
      expect([text, cached, keys(), writes]).toEqual([ORIGINAL, BRIEFLY, [NAME], [3, 1]]);
    }
  });

  it('that cannot be stored is logged', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const change = (bucket: R2Bucket) => ({ ...bucket, put: () => tick().then(() => Promise.reject(new Error('no'))) });
    const { text, cached } = await respond({ change: change as never });
    expect([text, cached]).toEqual([ORIGINAL, BRIEFLY]);
    const line = { message: 'a picture could not be made', of: KEY, cause: 'no' };
    expect(log.mock.calls.map(([text]) => JSON.parse(String(text)))).toEqual([line]);
  });

  it('that is claimed, or for which there is no binding, is not made', async () => {
    const claimed = await respond({ isClaimed: true });
    const unbound = await respond({ make: undefined });
    expect([claimed.made, claimed.writes, unbound.writes]).toEqual([0, [3], []]);
    for (const { text, cached } of [claimed, unbound]) expect([text, cached]).toEqual([ORIGINAL, BRIEFLY]);
  });
});

describe('the nearest format', () => {
  const formatsOf = (...list: readonly (readonly [width: number, size: number])[]) =>
    JSON.stringify(
      Object.fromEntries(list.map(([width, size]) => [`f${width}`, { hash: `f${width}`, ext: '.jpg', width, size }])),
    );
  const stored = { [NAME]: ORIGINAL, 'f63.jpg': '63', 'f64.jpg': '64', 'f90.jpg': '90', 'f128.jpg': '128' };
  const near = (formats: string, more: Partial<World> = {}) =>
    respond({ rows: [{ ...ROW, formats }], stored, make: undefined, ...more });

  it.each([
    ['the smallest that is wide enough', formatsOf([128, 4], [90, 3], [64, 2], [63, 1]), '64'],
    ['wider if none has the width', formatsOf([128, 4], [90, 3], [63, 1]), '90'],
    ['of fewer bytes than the original', formatsOf([64, 9], [90, 8.9]), '90'],
    ['the original if none has fewer bytes', formatsOf([64, 9]), ORIGINAL],
    ['the original if none is wide enough', formatsOf([63, 1]), ORIGINAL],
    ['the original if its object is missing', formatsOf([65, 1], [90, 2]), ORIGINAL],
  ])('is %s', async (_, formats, expected) => {
    const { text, cached } = await near(formats);
    expect([text, cached]).toEqual([expected, BRIEFLY]);
  });

  it('may have no size', async () => {
    const formats = JSON.stringify({ f64: { hash: 'f64', ext: '.jpg', width: 64 } });
    expect((await near(formats)).text).toBe('64');
  });

  it('is cached by nobody where a condition fails', async () => {
    const { status, cached } = await near('{}', { headers: { 'if-match': '"x"' } });
    expect([status, cached]).toEqual([412, 'no-store']);
  });
});

describe('the pictures of files', () => {
  it('are deleted page by page, with their claims, and no others', async () => {
    const keys = ['a.jpg', 'b.jpg', 'a.jpg2'].flatMap((name) =>
      [1, 2, 3].map((width) => `pictures/${name}/${width}.webp`),
    );
    const memory = memoryBucket(Object.fromEntries(['a.jpg', ...keys].map((key) => [key, 'x'])), 2);
    const writes: string[] = [];
    const database = {
      async write(statements: readonly { readonly params: readonly unknown[] }[]) {
        await tick();
        writes.push(...statements.map(({ params }) => JSON.stringify(params)));
      },
    };
    const store = { bucket: memory.bucket, database: database as never };
    await deletePictures(store, ['a.jpg', 'b.jpg']);
    expect(memory.keys()).toEqual(['a.jpg', ...keys.filter((key) => key.startsWith('pictures/a.jpg2/'))]);
    expect(memory.calls).toEqual(
      ['a.jpg', 'b.jpg'].flatMap((name) => {
        const [prefix, second] = [`pictures/${name}/`, `pictures/${name}/2.webp`];
        return [
          ...[`list ${prefix}`, `delete ${prefix}1.webp,${second}`],
          ...[`list ${prefix} after ${second}`, `delete ${prefix}3.webp`],
        ];
      }),
    );
    expect(writes).toHaveLength(1);
    for (const name of ['a.jpg', 'b.jpg']) expect(writes[0]).toContain(`pictures/${name}/`);
    await deletePictures(store, []);
    expect(writes).toHaveLength(1);
  });
});
