/**
 * @module How many left objects one step deletes, and how many steps there are.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deleteFilesJustLeft, deleteLeftFiles } from '../../../src/features/files/left-files.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { memoryBucket } from '../../support/memory-bucket.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** So many files that are left, of which those with even numbers have rows again. */
function leftFiles(count: number, fails = false) {
  const memory = memoryBucket(Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}.png`, 'x'])));
  let left = Array.from({ length: count }, (_, at) => at);
  const steps: number[] = [];
  const database = {
    async read(_: unknown, source: string) {
      if (fails) throw new Error('D1 is away');
      expect(source).toBe('primary');
      return [
        left.slice(0, 100).map((id) => ({
          id,
          argument: JSON.stringify({
            hash: `f${id}`,
            ext: '.png',
            formats: { small: { hash: `s${id}`, ext: '.png' } },
          }),
          isThere: id % 2 === 0 ? 1 : 0,
        })),
      ];
    },
    async write() {
      steps.push(left.slice(0, 100).length);
      left = left.slice(100);
    },
  };
  const settings = parseSettings({});
  return { ...memory, steps, call: { settings, bucket: memory.bucket, database: database as never } };
}

describe('left files', () => {
  it.each([
    [0, []],
    [99, [99]],
    [100, [100]],
    [101, [100, 1]],
    [501, [100, 100, 100, 100, 100]],
  ])('are deleted by the cron trigger, %i in steps of %j', async (count, steps) => {
    const { call, ...done } = leftFiles(count);
    await deleteLeftFiles(call);
    expect(done.steps).toEqual(steps);
    const seen = Math.min(count, 500);
    expect(done.keys()).toHaveLength(count - Math.floor(seen / 2));
    if (count > 0) expect(done.calls[0]).toMatch(/^delete f1\.png,s1\.png,f3\.png,s3\.png/);
  });

  it('are deleted by the request that has left them, in one step', async () => {
    const { call, steps } = leftFiles(101);
    await deleteFilesJustLeft(call, 'all');
    expect(steps).toEqual([100]);
  });

  it('stay after a failure, which a request logs and the cron trigger throws', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const { call, calls } = leftFiles(1, true);
    await deleteFilesJustLeft(call, { hash: 'f1' });
    const line = { message: 'objects of deleted files were left to the cron trigger', cause: 'D1 is away' };
    expect(log.mock.calls.map(([text]) => JSON.parse(String(text)))).toEqual([line]);
    await expect(deleteLeftFiles(call)).rejects.toThrow('D1 is away');
    expect(calls).toEqual([]);
  });
});
