/**
 * @module Which tags a commit purges from the shared cache, and what happens if that fails.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { purgeCache } from '../../../src/http/purge.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';

const CACHED: SettingsInput = { cache: { 'api::tag.tag': { maxAge: 60 } } };
const FILES = 'plugin::upload.file';
type Grants = NonNullable<SettingsInput['roles']>[string];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Result = { success: boolean; errors: unknown } | Error;

/** Purges names from a cache that responds with the results, then with success. */
function purged(input: SettingsInput, names: readonly string[], results: readonly Result[] = []) {
  const tags: string[][] = [];
  const awaited: Promise<unknown>[] = [];
  const report = vi.fn<(error: unknown) => void>();
  const purge = async (sent: { tags: string[] }) => {
    const result = results[tags.push(sent.tags) - 1] ?? { success: true, errors: [] };
    if (result instanceof Error) throw result;
    return result;
  };
  const context = { cache: { purge }, waitUntil: (work: Promise<unknown>) => awaited.push(work) };
  const done = purgeCache(context as never, parseSettings(input), names, report);
  return { tags, awaited, report, done };
}

describe('the tags of a purge', () => {
  it.each<readonly [Grants, readonly string[]]>([
    [['api::tag.tag.find'], ['api::tag.tag published']],
    [['api::tag.tag.findOne'], ['api::tag.tag published']],
    [['api::tag.tag.create'], []],
    [['api::tag.tag.readDrafts'], []],
    [
      ['api::tag.tag.find', 'api::tag.tag.readDrafts'],
      ['api::tag.tag published', 'api::tag.tag draft'],
    ],
    [
      [{ action: 'api::tag.tag.find', where: { name: 'a' } }],
      ['api::tag.tag published', 'api::tag.tag draft', 'api::note.note published'],
    ],
  ])('are those of what the public may read: %j', async (grants, names) => {
    const settings = { ...CACHED, roles: { public: grants } };
    const all = ['api::tag.tag published', 'api::tag.tag draft', 'api::note.note published'];
    const { tags, done } = purged(settings, all);
    expect(await done).toBe(true);
    expect(tags.flat()).toEqual(names.map((name) => name.replace(' ', ':')));
  });

  it('have files, which documents show that the public may read', async () => {
    const { tags, done } = purged(CACHED, [`${FILES} published`, FILES]);
    expect(await done).toBe(true);
    expect(tags).toEqual([[`${FILES}:published`, FILES]]);
  });

  it.each([100, 101])('are sent in parts of 100: %i', async (count) => {
    const { tags, done } = purged(
      CACHED,
      Array.from({ length: count }, () => FILES),
    );
    expect(await done).toBe(true);
    expect(tags.map(({ length }) => length)).toEqual(count === 100 ? [100] : [100, 1]);
  });

  it('are none where nothing is stored, or nothing of it changed', async () => {
    const open: SettingsInput = { roles: { public: ['api::tag.tag.find'] } };
    for (const { tags, done } of [purged(open, ['api::tag.tag published']), purged(CACHED, ['api::tag.tag published'])])
      expect([await done, tags]).toEqual([true, []]);
  });
});

describe('a purge that fails', () => {
  const FAILURE = { success: false, errors: ['busy'] };

  it('is tried again after one second, and after two more', async () => {
    const { tags, done, report } = purged(CACHED, [FILES], [FAILURE, new Error('Network connection lost.')]);
    await vi.advanceTimersByTimeAsync(999);
    expect(tags).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(tags).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2);
    expect(tags).toEqual([[FILES], [FILES], [FILES]]);
    expect([await done, report.mock.calls]).toEqual([true, []]);
  });

  it('three times is logged, and left to purge; the other tags are purged', async () => {
    const names = Array.from({ length: 101 }, () => FILES);
    const OK = { success: true, errors: [] };
    const { tags, done, report } = purged(CACHED, names, [OK, FAILURE, FAILURE, new Error('lost')]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await done).toBe(false);
    expect(tags.map(({ length }) => length)).toEqual([100, 1, 1, 1]);
    expect(report.mock.calls.map(([error]) => String(error))).toEqual([
      `Error: The cache did not drop ${FILES}: "Error: lost"`,
    ]);
  });

  it('is awaited after the response', async () => {
    const { awaited, done } = purged(CACHED, [FILES], [FAILURE]);
    expect(awaited).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(awaited)).toEqual([true]);
    expect(await done).toBe(true);
  });
});

it('a deployment without a cache in front has nothing left to purge', async () => {
  const report = vi.fn<(error: unknown) => void>();
  const done = purgeCache({ waitUntil: () => undefined } as never, parseSettings(CACHED), [FILES], report);
  expect([await done, report.mock.calls]).toEqual([true, []]);
});
