import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Mode } from '../../../../src/cli/import/marker.ts';
import { readMarkers } from '../../../../src/cli/import/marker.ts';
import { archiveOf } from '../../../support/archive.ts';
import { contentOf, importBytes, openTestStorage, type TestStorage } from './imported.ts';
import { MAGAZINE } from './magazine.ts';

let storage: TestStorage;
let whole: Buffer;

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  storage = await openTestStorage();
  whole = await archiveOf(MAGAZINE);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await storage.close();
});

/** The same database, that does no more after so many batches. */
function failingAfter(batches: number): Pick<TestStorage, 'db' | 'bucket'> {
  let left = batches;
  const db = new Proxy(storage.db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      if (name !== 'batch') return typeof value === 'function' ? value.bind(target) : value;
      return (statements: D1PreparedStatement[]) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('the process was ended')) : target.batch(statements);
      };
    },
  });
  return { db, bucket: storage.bucket };
}

const OLD = 'insert into "tags" ("document_id", "published_at", "updated_at") values (\'old\', 1, 1)';

describe.each<[Mode]>([['fresh'], ['merge'], ['replace']])('an import (%s) that is interrupted', (mode) => {
  it('says so after each batch, and comes to the same end when it goes on', async () => {
    const { registry } = await importBytes(whole);
    await storage.prepare(registry);
    const start = async () => {
      await storage.clear();
      if (mode !== 'fresh') await storage.rows(OLD);
    };
    await start();
    await importBytes(whole, storage, { mode });
    const expected = await contentOf(storage);
    for (let batches = 1; ; batches += 1) {
      await start();
      const failed = await importBytes(whole, failingAfter(batches) as TestStorage, { mode }).then(
        () => false,
        () => true,
      );
      if (!failed) break;
      expect(await readMarkers(storage.db)).toMatchObject([{ finishedAt: null }]);
      await importBytes(whole, storage, { mode, resume: true });
      expect(await contentOf(storage), `after ${batches} batches`).toEqual(expected);
      expect(await readMarkers(storage.db)).toMatchObject([{ stage: 'done' }]);
      expect(batches).toBeLessThan(100);
    }
  }, 240_000);
});
