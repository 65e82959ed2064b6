/**
 * @module The objects of a request: what is deleted when it fails, and how often a delete is tried.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deleteAll, deleteObjects, httpMetadataOf, openTransaction } from '../../../src/features/files/storage.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { memoryBucket } from '../../support/memory-bucket.ts';

const { upload } = parseSettings({});
const bytes = Uint8Array.of(1, 2);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the objects of a request that fails', () => {
  it('are deleted, except those that a file has', async () => {
    const { bucket, keys } = memoryBucket({ other: 'x' });
    const transaction = openTransaction(bucket, upload);
    for (const key of ['a', 'b']) await transaction.put(key, bytes, 'text/plain');
    expect(keys()).toEqual(['a', 'b', 'other']);
    await transaction.undo(new Set(['b']));
    expect(keys()).toEqual(['b', 'other']);
  });

  it('are deleted if the response of the bucket was lost', async () => {
    const { bucket, keys } = memoryBucket();
    const lost = async (work: Promise<unknown>) => {
      await work;
      throw new Error('lost');
    };
    const losing = {
      ...bucket,
      put: (key: string, value: string) => lost(bucket.put(key, value)),
      async createMultipartUpload(key: string) {
        const real = await bucket.createMultipartUpload(key);
        return { ...real, complete: (parts: R2UploadedPart[]) => lost(real.complete(parts)) };
      },
    };
    const transaction = openTransaction(losing as never, upload);
    await expect(transaction.put('a', bytes, 'text/plain')).rejects.toThrow('lost');
    const parts = await transaction.begin('b', 'text/plain');
    await parts.add(bytes);
    await expect(parts.complete()).rejects.toThrow('lost');
    expect(keys()).toEqual(['a', 'b']);
    await transaction.undo();
    expect(keys()).toEqual([]);
  });

  it('in parts are aborted before they are complete, and are complete once', async () => {
    const { bucket, objects, textOf, calls } = memoryBucket();
    const transaction = openTransaction(bucket, upload);
    const [whole, open] = [await transaction.begin('whole', 'text/html'), await transaction.begin('open', 'text/html')];
    for (const _ of [1, 2]) await whole.add(bytes);
    await open.add(bytes);
    for (const _ of [1, 2]) await whole.complete();
    expect(textOf('whole')).toBe('\x01\x02\x01\x02');
    expect(objects.get('whole')?.httpMetadata).toMatchObject({ contentType: 'text/html' });
    await transaction.undo(new Set(['whole']));
    expect(calls).toEqual([
      ...[
        'begin whole',
        'begin open',
        'part 1 of 2',
        'part 2 of 2',
        'part 1 of 2',
        'complete whole of 2',
        'abort open',
      ],
    ]);
  });

  it('are deleted though an upload in parts cannot be aborted', async () => {
    const { bucket, keys } = memoryBucket();
    const aborted: string[] = [];
    const failing = {
      ...bucket,
      createMultipartUpload: async () => ({
        async abort() {
          await new Promise((resolve) => setImmediate(resolve));
          aborted.push(keys().join());
          throw new Error('no such upload');
        },
      }),
    };
    const transaction = openTransaction(failing as never, upload);
    await transaction.begin('b', 'text/plain');
    await transaction.put('a', bytes, 'text/plain');
    await transaction.undo();
    expect([aborted, keys()]).toEqual([['a'], []]);
  });
});

describe('a delete', () => {
  /** A bucket that fails so many times. */
  function failing(times: number) {
    const tried: string[] = [];
    const bucket = {
      async delete(keys: string[]) {
        tried.push(keys.join());
        if (tried.length <= times) throw new Error('R2 is away');
      },
    };
    return { bucket: bucket as unknown as R2Bucket, tried };
  }

  it('is tried three times, after 100 and 200 milliseconds', async () => {
    vi.useFakeTimers();
    const { bucket, tried } = failing(2);
    const done = deleteAll(bucket, ['a', 'b']);
    for (const [wait, count] of [
      [0, 1],
      [99, 1],
      [1, 2],
      [199, 2],
      [1, 3],
    ] as const) {
      await vi.advanceTimersByTimeAsync(wait);
      expect(tried).toHaveLength(count);
    }
    await done;
    expect(tried).toEqual(['a,b', 'a,b', 'a,b']);
  });

  it('that fails three times is an error, or is logged', async () => {
    vi.useFakeTimers();
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const [first, second] = [failing(9), failing(9)];
    const outcome = expect(deleteAll(first.bucket, ['a'])).rejects.toThrow('R2 is away');
    await vi.advanceTimersByTimeAsync(300);
    await outcome;
    const logged = deleteObjects(second.bucket, ['a']);
    await vi.advanceTimersByTimeAsync(300);
    await logged;
    expect([first.tried.length, second.tried.length]).toEqual([3, 3]);
    const [line] = log.mock.calls[0] ?? [];
    expect(JSON.parse(String(line))).toEqual({
      ...{ message: 'objects without a file were left', keys: ['a'], cause: 'R2 is away' },
    });
  });

  it('names a thousand keys at most', async () => {
    const { bucket, tried } = failing(0);
    await deleteAll(
      bucket,
      Array.from({ length: 1_001 }, (_, index) => `${index}`),
    );
    expect(tried.map((keys) => keys.split(',').length)).toEqual([1_000, 1]);
  });
});

it.each([
  ['image/png', {}],
  ['text/html', { contentDisposition: 'attachment' }],
])('an object of the type %s says how a public bucket serves it', (contentType, more) => {
  expect(httpMetadataOf(contentType, upload)).toEqual({ contentType, cacheControl: 'public, max-age=86400', ...more });
});
