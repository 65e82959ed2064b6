/**
 * @module What is stored of a file that was received, and who knows of it.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING, only } from '../../../src/access/grants.ts';
import { isKnown, keysOf, type UploadCall, urlOf } from '../../../src/features/files/call.ts';
import { storedFile } from '../../../src/features/files/sql/files.ts';
import { openTransaction } from '../../../src/features/files/storage.ts';
import { storeReceived } from '../../../src/features/files/store-file.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { memoryBucket } from '../../support/memory-bucket.ts';
import { png } from '../../support/pictures.ts';
import { recordedImages } from '../../support/recorded-images.ts';

const PICTURE = {
  name: 'a.png',
  extension: '.png',
  mime: 'image/png',
  size: 1_234,
  dimensions: { width: 300, height: 9 },
};
const TEXT = { name: 'a.txt', extension: '.txt', mime: 'text/plain', size: 6, bytes: Uint8Array.of(1) };

async function stored(received: Parameters<typeof storeReceived>[0], upload: SettingsInput['upload'], info = {}) {
  const memory = memoryBucket({ 'in-parts.png': 'whole' });
  const small = await png(4, 1);
  const images = recordedImages(() => small);
  const settings = parseSettings({ upload: { ...upload } });
  const call = { settings, bucket: memory.bucket, images: images.binding } as unknown as UploadCall;
  const values = await storeReceived(received, info, call, openTransaction(memory.bucket, settings.upload));
  return { ...memory, values, images: images.calls };
}

describe('a file that is stored', () => {
  it('has its values, and its formats of the bytes in memory', async () => {
    const { values, calls } = await stored({ ...PICTURE, bytes: Uint8Array.of(1, 2) }, {}, { caption: 'c', folder: 1 });
    const key = `${values.hash}.png`;
    expect(calls).toEqual([`put ${key}`, `put thumbnail_${key}`]);
    expect(values).toEqual({
      ...{
        caption: 'c',
        name: 'a.png',
        hash: expect.stringMatching(/^a_[0-9a-f]{10}$/),
        ext: '.png',
        mime: 'image/png',
      },
      ...{ size: 1.23, width: 300, height: 9, url: `/uploads/${key}`, provider: 'r2' },
      formats: { thumbnail: expect.objectContaining({ width: 4, height: 1, url: `/uploads/thumbnail_${key}` }) },
    });
  });

  it('has its formats of the bucket if it came in parts, once these are complete', async () => {
    const done: string[] = [];
    const complete = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push('complete');
    };
    const { values, calls } = await stored({ ...PICTURE, hash: 'in-parts', complete }, {});
    expect([values.hash, calls, done]).toEqual([
      'in-parts',
      ['get in-parts.png', 'put thumbnail_in-parts.png'],
      ['complete'],
    ]);
    const missing = stored({ ...PICTURE, hash: 'missing', complete }, {});
    expect((await missing).values.formats).toEqual({});
  });

  it.each([
    ['a text', TEXT, 0],
    ['a picture', { ...PICTURE, bytes: Uint8Array.of(1) }, 2],
    ['a picture that Images does not take', { ...PICTURE, mime: 'image/avif', bytes: Uint8Array.of(1) }, 0],
  ])('asks Images for placeholders and formats of what it takes: %s', async (_, received, calls) => {
    const { values, images } = await stored(received, { placeholders: true });
    expect(images).toHaveLength(calls);
    expect(values.dominantColor).toBe(calls > 0 ? '#c8c8c8' : null);
  });

  it.each([
    [{ name: 'b.txt' }, 'b.txt', /^b_/],
    [{ name: '' }, 'a.txt', /^a_/],
    [{}, 'a.txt', /^a_/],
  ])('has the name of its info %j, or else its own', async (info, name, hash) => {
    const { values } = await stored(TEXT, {}, info);
    expect([values.name, values.width, values.height]).toEqual([name, null, null]);
    expect(values.hash).toMatch(hash);
    expect(values).not.toHaveProperty('thumbHash');
  });
});

describe('a stored file', () => {
  const file = (hash: string) => storedFile({ id: 1, hash, ext: null, formats: '{"s":{"hash":"s","ext":".x"}}' });
  const [OPEN, SECRET] = [file('a_0123456789'), file('a_0123456789-private')];
  const callOf = (upload: object) =>
    ({ settings: parseSettings({ server: { url: 'https://api.example.com' }, upload }) }) as UploadCall;

  it.each([
    [OPEN, { private: true }, only([]), true],
    [SECRET, { private: true }, only([]), false],
    [SECRET, { private: true }, only(['plugin::upload.content-api.find']), true],
    [SECRET, { private: 'all' }, EVERYTHING, true],
    [SECRET, {}, only([]), true],
  ] as const)('$hash is known with %j: %#', (stored, upload, grants, expected) => {
    expect(isKnown(stored, callOf(upload), { grants })).toBe(expected);
  });

  it('has keys and addresses', () => {
    expect(keysOf(OPEN)).toEqual(['a_0123456789', 's.x']);
    const { upload } = callOf({ publicUrl: 'https://cdn.example.com' }).settings;
    expect([OPEN, SECRET].map(({ hash }) => urlOf(hash, upload))).toEqual([
      'https://cdn.example.com/a_0123456789',
      '/uploads/a_0123456789-private',
    ]);
    expect(urlOf('a', callOf({}).settings.upload)).toBe('/uploads/a');
    expect([
      file('a').formats,
      storedFile({ formats: 'null', ext: '.x' }).formats,
      storedFile({ ext: '.x' }).ext,
    ]).toEqual([...[{ s: { hash: 's', ext: '.x' } }, {}, '.x']]);
  });
});
