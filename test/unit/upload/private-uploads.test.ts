/**
 * @module In which bucket the bytes of a file lie, when it comes and when it changes.
 */
import { describe, expect, it } from 'vitest';
import type { UploadCall } from '../../../src/features/files/call.ts';
import { moveBetweenBuckets, placeReceived, suffixOf } from '../../../src/features/files/private/uploads.ts';
import type { Received, Replacement } from '../../../src/features/files/received.ts';
import { type StoredFile, storedFile } from '../../../src/features/files/sql/files.ts';
import { openTransaction } from '../../../src/features/files/storage.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { memoryBucket } from '../../support/memory-bucket.ts';

const server = { url: 'https://api.example.com' };
const OPEN_HASH = 'a_0123456789';
const SECRET_HASH = `${OPEN_HASH}-private`;
const PRIVATE = /^a_[0-9a-f]{10}-private$/;
const PUBLIC = /^a_[0-9a-f]{10}$/;

const fileOf = (hash: string, updatedAt = 5): StoredFile =>
  storedFile({
    ...{ id: 1, document_id: 'd', updated_at: updatedAt, hash, ext: '.txt', name: 'a.txt', mime: 'text/plain' },
    formats: JSON.stringify({ small: { hash: `small_${hash}`, ext: '.txt', url: '/uploads/x', width: 9 } }),
  });

function callOf(upload: SettingsInput['upload'], stored: readonly string[] = [], isPrivateBound = true) {
  const memory = memoryBucket(Object.fromEntries(stored.map((key) => [key, `bytes of ${key}`])));
  const settings = parseSettings({ server, upload: { ...upload } });
  const call = { settings, isPrivateBound, bucket: memory.bucket } as unknown as UploadCall;
  return { ...memory, call, transaction: openTransaction(memory.bucket, settings.upload) };
}

describe('what a hash ends in before the info of a file is known', () => {
  const OFF = { private: false } as const;
  const ON = { private: true } as const;
  const ALL = { private: 'all' } as const;
  const OPEN = fileOf(OPEN_HASH);
  const SECRET = fileOf(SECRET_HASH);
  it.each<readonly [SettingsInput['upload'], readonly unknown[] | undefined, number, StoredFile | undefined, string]>([
    [OFF, undefined, 1, undefined, ''],
    [OFF, ['{"private":true}'], 1, SECRET, ''],
    [ALL, ['{"caption":"x"}'], 1, undefined, '-private'],
    [ON, undefined, 1, undefined, '-private'],
    [ON, [], 1, undefined, '-private'],
    [ON, ['{"caption":"x"}'], 1, undefined, ''],
    [ON, ['{"caption":"x"}'], 1, OPEN, ''],
    [ON, ['{"caption":"x"}'], 1, SECRET, '-private'],
    [ON, ['{"caption":"x"}'], 2, undefined, '-private'],
    [ON, ['{}', '{}'], 2, undefined, ''],
    [ON, ['{}', '{}', '{}'], 2, undefined, ''],
    [ON, [' [{}]'], 2, undefined, ''],
    [ON, ['{}', '[]'], 3, undefined, '-private'],
    [ON, [{ caption: 'x' }], 1, undefined, '-private'],
    [ON, ['{"private":true}'], 1, undefined, '-private'],
    [ON, ['{"folder":1}'], 1, undefined, '-private'],
    [ON, ['{"priv\\u0061te":true}'], 1, undefined, '-private'],
  ])('with %j, the infos %j, %i files: "%s"', (upload, infos, count, target, suffix) => {
    const fields = new Map(infos ? [['fileInfo', infos]] : []);
    expect(suffixOf(fields, count, callOf(upload).call, target)).toBe(suffix);
  });

  it('is nothing without the second bucket', () => {
    expect(suffixOf(new Map(), 1, callOf(ALL, [], false).call, undefined)).toBe('');
  });
});

const RECEIVED: Received = {
  name: 'a.txt',
  extension: '.txt',
  mime: 'text/plain',
  size: 2,
  bytes: Uint8Array.of(1, 2),
};

describe('a file that is received', () => {
  const place = async (upload: SettingsInput['upload'], info: object, target?: StoredFile, isBound = true) => {
    const { call, transaction } = callOf(upload, [], isBound);
    return (await placeReceived(RECEIVED, info, call, transaction, target)).hash;
  };

  it.each<readonly [SettingsInput['upload'], object, StoredFile | undefined, RegExp]>([
    [{ private: true }, {}, undefined, PUBLIC],
    [{ private: true }, { private: null }, undefined, PUBLIC],
    [{ private: true }, { private: false }, undefined, PUBLIC],
    [{ private: true }, { private: 'false' }, undefined, PUBLIC],
    [{ private: true }, { private: true }, undefined, PRIVATE],
    [{ private: true }, { private: 'true' }, undefined, PRIVATE],
    [{ private: 'all' }, {}, undefined, PRIVATE],
    [{ private: 'all' }, { private: true }, undefined, PRIVATE],
    [{ private: 'all' }, {}, fileOf(OPEN_HASH), PUBLIC],
    [{ private: true }, {}, fileOf(SECRET_HASH), PRIVATE],
    [{ private: true }, { private: false }, fileOf(SECRET_HASH), PUBLIC],
    [{ private: true }, { private: true }, fileOf(OPEN_HASH), PRIVATE],
    [{ private: true }, { private: true, name: 'other.txt' }, undefined, /^other_.*-private$/],
    [{ private: true }, { private: true, name: '' }, undefined, PRIVATE],
  ])('with %j and %j has a hash that says whether it is private', async (upload, info, target, hash) => {
    expect(await place(upload, info, target)).toMatch(hash);
  });

  it.each<readonly [SettingsInput['upload'], object, StoredFile | undefined]>([
    [{ private: false }, {}, undefined],
    [{ private: false }, { private: false }, fileOf(OPEN_HASH)],
    [{ private: true, replace: 'same-url' }, {}, fileOf(SECRET_HASH)],
    [{ private: true, replace: 'same-url' }, { private: false }, fileOf(OPEN_HASH)],
  ])('with %j and %j has the hash that others decide', async (upload, info, target) => {
    expect(await place(upload, info, target)).toBeUndefined();
  });

  it.each<readonly [SettingsInput['upload'], object, StoredFile | undefined, string]>([
    [{ private: false }, { private: true }, undefined, 'Private files are off'],
    [{ private: false }, {}, fileOf(SECRET_HASH), 'Private files are off'],
    [{ private: 'all' }, { private: false }, undefined, 'Every file is private'],
    [{ private: true }, { private: 1 }, undefined, 'Expected true or false'],
    [{ private: true }, { private: '' }, undefined, 'Expected true or false'],
    [{ private: true, replace: 'same-url' }, { private: true }, fileOf(OPEN_HASH), 'Send `private` without bytes'],
    [{ private: true, replace: 'same-url' }, { private: false }, fileOf(SECRET_HASH), 'Send `private` without bytes'],
  ])('with %j and %j is rejected', async (upload, info, target, message) => {
    await expect(place(upload, info, target)).rejects.toThrow(message);
  });

  it('is not private without the second bucket', async () => {
    await expect(place({ private: true }, { private: true }, undefined, false)).rejects.toThrow('PRIVATE_MEDIA');
    expect(await place({ private: true }, {}, undefined, false)).toMatch(PUBLIC);
  });

  it.each([
    [true, SECRET_HASH, false],
    [false, OPEN_HASH, false],
    [true, OPEN_HASH, true],
    [false, SECRET_HASH, true],
  ])('whose parts came before it was known (private: %s, hash %s) is moved: %s', async (isPrivate, hash, isMoved) => {
    const { call, transaction, textOf, keys } = callOf({ private: true });
    const complete = async () => {
      await call.bucket.put(`${hash}.txt`, 'the bytes');
    };
    const { bytes: _, ...parts } = RECEIVED;
    const placed = await placeReceived(
      { ...parts, hash, complete },
      { private: isPrivate },
      call,
      transaction,
      undefined,
    );
    expect(placed.hash).toMatch(isPrivate ? PRIVATE : PUBLIC);
    expect([placed.hash !== hash, placed.complete === undefined]).toEqual([isMoved, isMoved]);
    await placed.complete?.();
    expect(keys()).toEqual([`${placed.hash}.txt`]);
    expect(textOf(`${placed.hash}.txt`)).toBe('the bytes');
  });
});

describe('a change of who may read a file', () => {
  it.each([
    [OPEN_HASH, true, PRIVATE],
    [SECRET_HASH, 'false', PUBLIC],
  ])('copies the objects of %s', async (hash, isPrivate, expected) => {
    const { call, transaction, objects, textOf, keys } = callOf({ private: true }, [
      `${hash}.txt`,
      `small_${hash}.txt`,
    ]);
    const progress: Replacement = { transaction };
    const values = (await moveBetweenBuckets(
      fileOf(hash),
      { private: isPrivate },
      call,
      progress,
    )) as unknown as StoredFile;
    expect(values.hash).toMatch(expected);
    const own = `small_${values.hash}`;
    expect(values).toEqual({
      ...{ hash: values.hash, ext: '.txt', url: `/uploads/${values.hash}.txt` },
      formats: { small: { hash: own, ext: '.txt', url: `/uploads/${own}.txt`, width: 9 } },
    });
    expect(keys()).toEqual([hash, values.hash].flatMap((each) => [`${each}.txt`, `small_${each}.txt`]).toSorted());
    expect(textOf(`${own}.txt`)).toBe(`bytes of small_${hash}.txt`);
    expect(objects.get(`${own}.txt`)?.httpMetadata).toMatchObject({ contentType: 'text/plain' });
    expect(progress).toMatchObject({ copied: 5, replacement: values });
  });

  it.each<readonly [SettingsInput['upload'], object, string]>([
    [{ private: false }, { private: false }, SECRET_HASH],
    [{ private: true }, {}, OPEN_HASH],
    [{ private: true }, { private: null }, SECRET_HASH],
    [{ private: true }, { private: true }, SECRET_HASH],
    [{ private: true }, { private: false }, OPEN_HASH],
  ])('with %j and %j copies nothing of %s', async (upload, info, hash) => {
    const { call, transaction, calls } = callOf(upload);
    expect(await moveBetweenBuckets(fileOf(hash), info, call, { transaction })).toBeUndefined();
    expect(calls).toEqual([]);
  });

  it('is rejected without the setting, without the second bucket, and while the bytes are replaced', async () => {
    const move = (upload: SettingsInput['upload'], isBound = true) => {
      const { call, transaction } = callOf(upload, [], isBound);
      return moveBetweenBuckets(fileOf(OPEN_HASH), { private: true }, call, { transaction });
    };
    await expect(move({ private: false })).rejects.toThrow('Private files are off');
    await expect(move({ private: true }, false)).rejects.toThrow('PRIVATE_MEDIA');
    await expect(move({ private: true })).rejects.toMatchObject({ problem: { kind: 'overloaded', retryAfter: 1 } });
  });

  it('copies them once, and again if other bytes came meanwhile', async () => {
    const { call, transaction, keys } = callOf({ private: true }, [`${OPEN_HASH}.txt`, `small_${OPEN_HASH}.txt`]);
    const progress: Replacement = { transaction };
    const move = (updatedAt: number) =>
      moveBetweenBuckets(fileOf(OPEN_HASH, updatedAt), { private: true }, call, progress);
    const first = await move(5);
    expect(await move(5)).toBe(first);
    const second = await move(6);
    expect(second?.hash).not.toBe(first?.hash);
    const hashes = [OPEN_HASH, String(second?.hash)];
    expect(keys()).toEqual(hashes.flatMap((hash) => [`${hash}.txt`, `small_${hash}.txt`]).toSorted());
  });
});
