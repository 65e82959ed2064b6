/**
 * @module Which objects remain when the bytes of a file are replaced, and when that fails.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { notFound } from '../../../src/common/errors.ts';
import type { UploadCall } from '../../../src/features/files/call.ts';
import {
  dropReplaced,
  noteReplaced,
  type Replacing,
  replaceFile,
  undoReplacing,
} from '../../../src/features/files/replace-file.ts';
import { type StoredFile, storedFile } from '../../../src/features/files/sql/files.ts';
import { openTransaction } from '../../../src/features/files/storage.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { memoryBucket } from '../../support/memory-bucket.ts';

type Replace = 'new-url' | 'same-url';

const fileOf = (hash: string): StoredFile =>
  storedFile({
    ...{ id: 1, document_id: 'd', updated_at: 5, hash, ext: '.png', name: 'a.png', mime: 'image/png' },
    formats: JSON.stringify({ small: { hash: `small_${hash}`, ext: '.png' } }),
  });
const OLD = fileOf('old');
const NEW = fileOf('new');
const FORMER_KEYS = ['old.png', 'small_old.png'];
const NEW_KEYS = ['new.png', 'small_new.png'];

/**
 * A request that has put some objects beside those of the old file.
 * @param row of the file in the database; an error: it cannot be read
 */
async function replacing(replace: Replace, put: readonly string[], row: StoredFile | Error | undefined) {
  const { bucket, keys, calls } = memoryBucket({
    ...{ 'old.png': 'old', 'small_old.png': 'old', 'pictures/old.png/64-75.webp': 'made' },
  });
  const settings = parseSettings({ upload: { replace, widths: [64] } });
  const sources: string[] = [];
  const database = {
    async read(_: unknown, source: string) {
      sources.push(source);
      if (row instanceof Error) throw row;
      return [row ? [row.row] : []];
    },
    write: async () => [],
  };
  const call = { settings, bucket, database } as unknown as UploadCall;
  const transaction = openTransaction(bucket, settings.upload);
  for (const key of put) await transaction.put(key, Uint8Array.of(1), 'image/png');
  const files = () => keys().filter((key) => !key.startsWith('pictures/'));
  return { call, transaction, files, keys, calls, sources };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a request that fails', () => {
  const ERROR = new Error('D1_ERROR');
  const replacement = { hash: 'new', ext: '.png', formats: NEW.formats } as never;

  it.each<
    readonly [
      string,
      Replace,
      readonly string[],
      StoredFile | Error | undefined,
      Partial<Replacing>,
      Error,
      readonly string[],
    ]
  >([
    ['of a new file', 'new-url', NEW_KEYS, undefined, {}, ERROR, FORMER_KEYS],
    ['before it has stored anything', 'new-url', ['x.png'], OLD, { replaced: OLD }, ERROR, FORMER_KEYS],
    ['before its commit', 'new-url', NEW_KEYS, OLD, { replaced: OLD, replacement }, ERROR, FORMER_KEYS],
    ['after its commit', 'new-url', NEW_KEYS, NEW, { replaced: OLD, replacement }, ERROR, NEW_KEYS],
    ['for a file that is deleted', 'new-url', NEW_KEYS, undefined, { replaced: OLD, replacement }, notFound(), []],
    [
      'without knowing the row',
      ...(['new-url', NEW_KEYS, ERROR, { replaced: OLD, replacement }, ERROR, [...NEW_KEYS, ...FORMER_KEYS]] as const),
    ],
    ['with the old keys', 'same-url', ['old.png', 'x.png'], OLD, { replaced: OLD }, ERROR, FORMER_KEYS],
    [
      'with the old keys, for a file that is deleted',
      ...(['same-url', FORMER_KEYS, undefined, { replaced: OLD }, notFound(), []] as const),
    ],
    [
      'with the old keys, for a file that is in the other bucket',
      ...(['same-url', FORMER_KEYS, OLD, { replaced: OLD, hasMoved: true }, ERROR, []] as const),
    ],
    [
      'with copies in the other bucket, for a file that is deleted',
      ...(['same-url', NEW_KEYS, undefined, { replaced: OLD, replacement }, notFound(), []] as const),
    ],
    [
      'with copies in the other bucket, before its commit',
      ...(['same-url', NEW_KEYS, OLD, { replaced: OLD, replacement }, ERROR, FORMER_KEYS] as const),
    ],
  ])('%s (%s) leaves the objects of the row', async (_, replace, put, row, progress, error, remaining) => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const { call, transaction, files, sources } = await replacing(replace, put, row);
    await undoReplacing(call, { transaction, ...progress }, error);
    expect(files()).toEqual(remaining.toSorted());
    const isRead = progress.replacement !== undefined;
    expect(sources).toEqual(isRead ? ['primary'] : []);
    const message = 'objects of a file were left';
    const expected = row === ERROR ? [[JSON.stringify({ message, file: 'd', cause: 'D1_ERROR' })]] : [];
    expect(log.mock.calls).toEqual(expected);
  });

  it.each([
    ['same-url', ERROR, 0],
    ['same-url', notFound(), 1],
    ['new-url', ERROR, 1],
  ] as const)('deletes the pictures on request of bytes that may be replaced (%s)', async (replace, error, count) => {
    const { call, transaction, keys } = await replacing(replace, [], OLD);
    await undoReplacing(call, { transaction, replaced: OLD }, error);
    expect(keys().filter((key) => key.startsWith('pictures/'))).toHaveLength(count);
  });
});

describe('a request that succeeds', () => {
  it('deletes the old objects if new ones have their place', async () => {
    const { call, transaction, files } = await replacing('new-url', NEW_KEYS, NEW);
    await dropReplaced(call, { transaction, replaced: OLD });
    expect(files()).toEqual([...NEW_KEYS, ...FORMER_KEYS].toSorted());
    await dropReplaced(call, { transaction, replaced: OLD, replacement: { hash: 'new' } });
    expect(files()).toEqual(NEW_KEYS);
  });

  const received = { name: 'b.png', extension: '.png', mime: 'image/png', size: 1, bytes: Uint8Array.of(2) };

  it('stores new bytes once, however often it is planned', async () => {
    const { call, transaction, files, calls } = await replacing('new-url', [], OLD);
    const progress: Replacing = { transaction };
    const first = await replaceFile(call, OLD, received, {}, progress);
    expect(await replaceFile(call, OLD, received, {}, progress)).toBe(first);
    expect(files()).toEqual([`${first.hash}.png`, ...FORMER_KEYS].toSorted());
    expect(calls).toEqual([`put ${first.hash}.png`]);
  });

  it('stores them each time under the old keys, and deletes formats that the file has no more', async () => {
    const { call, transaction, files, calls } = await replacing('same-url', [], OLD);
    const progress: Replacing = { transaction };
    const values = await replaceFile(call, OLD, received, {}, progress);
    expect(values).toMatchObject({ hash: 'old', ext: '.png', formats: {} });
    expect(values).not.toHaveProperty('url');
    expect(files()).toEqual(['old.png']);
    await replaceFile(call, { ...OLD, formats: {} }, received, {}, progress);
    expect([files(), calls]).toEqual([['old.png'], ['put old.png', 'delete small_old.png', 'put old.png']]);
  });
});

describe('the file of an attempt', () => {
  const SECRET = fileOf('photo_0123456789-private');
  const open = () => ({ transaction: openTransaction(memoryBucket().bucket, parseSettings({}).upload) }) as Replacing;

  it('is that of the last one, and none for a new file', () => {
    const progress = open();
    noteReplaced(progress, undefined);
    expect(progress.replaced).toBeUndefined();
    for (const file of [OLD, NEW]) {
      noteReplaced(progress, file);
      expect(progress.replaced).toBe(file);
    }
    expect(progress.hasMoved).toBeUndefined();
  });

  it.each([
    [OLD, SECRET],
    [SECRET, OLD],
  ])('is in the bucket of the first one, or the request is to be repeated', (before, after) => {
    const progress = open();
    noteReplaced(progress, before);
    expect(() => noteReplaced(progress, after)).toThrow(
      expect.objectContaining({ problem: { kind: 'overloaded', retryAfter: 1 } }),
    );
    expect([progress.hasMoved, progress.replaced]).toEqual([true, before]);
  });
});
