import { describe, expect, it } from 'vitest';
import { fileBucket } from '../../../../cli/core/storage/file-bucket.ts';
import { listObjects } from '../../../../cli/core/storage/objects.ts';

const PRIVATE = 'a_0123456789-private.png';

/** A bucket in memory, which lists two objects at once. */
function bucketOf() {
  const keys = new Set<string>();
  const bucket = {
    put: async (key: string) => void keys.add(key),
    head: async (key: string) => (keys.has(key) ? { key } : null),
    delete: async (deleted: readonly string[]) => {
      for (const key of deleted) keys.delete(key);
    },
    list: async ({ cursor = '0' }: { readonly cursor?: string }) => {
      const start = Number(cursor);
      const objects = [...keys].slice(start, start + 2).map((key) => ({ key, size: 1, uploaded: 0, etag: '' }));
      return { objects, truncated: start + 2 < keys.size, cursor: String(start + 2) };
    },
  };
  return { keys, bucket: bucket as unknown as R2Bucket };
}

describe('the bucket of all files', () => {
  it('puts, finds, lists and deletes private files in the second bucket, also in the trash', async () => {
    const [open, secret] = [bucketOf(), bucketOf()];
    const bucket = fileBucket(open.bucket, secret.bucket);
    const [publicKeys, privateKeys] = [
      ['a_0123456789.png', 'b.png', 'c.png'],
      [PRIVATE, `thumbnail_${PRIVATE}`, `trash/2026/${PRIVATE}`],
    ];
    for (const key of [...privateKeys, ...publicKeys]) await bucket.put(key, '');
    expect([[...open.keys], [...secret.keys]]).toEqual([publicKeys, privateKeys]);
    expect((await listObjects(bucket)).map(({ key }) => key)).toEqual([...publicKeys, ...privateKeys]);
    expect(await bucket.head(PRIVATE)).toEqual({ key: PRIVATE });
    await bucket.delete([...publicKeys, PRIVATE]);
    expect([[...open.keys], [...secret.keys]]).toEqual([[], privateKeys.slice(1)]);
  });

  it('takes no private file without a second bucket', async () => {
    const open = bucketOf();
    const bucket = fileBucket(open.bucket, undefined);
    await bucket.put('a.png', '');
    expect(() => bucket.put(PRIVATE, '')).toThrow('PRIVATE_MEDIA');
    expect([await bucket.head(PRIVATE), [...open.keys]]).toEqual([null, ['a.png']]);
    expect((await listObjects(bucket)).map(({ key }) => key)).toEqual(['a.png']);
  });
});
