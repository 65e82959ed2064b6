import { beforeAll, describe, expect, it } from 'vitest';
import { type Mode, readMarkers } from '../../../../cli/import/marker.ts';
import { archiveOf } from '../../../support/archive.ts';
import { contentOf, failingAfter, importBytes, useTestStorage } from './imported.ts';
import { MAGAZINE } from './magazine.ts';

const storage = await useTestStorage();
let whole: Buffer;

beforeAll(async () => {
  whole = await archiveOf(MAGAZINE);
});

const OLD = 'insert into "tags" ("document_id", "published_at", "updated_at") values (\'old\', 1, 1)';

describe.each<[Mode]>([['fresh'], ['replace']])('an import (%s) that is interrupted', (mode) => {
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
    let batches = 1;
    for (; ; batches += 1) {
      await start();
      const failed = await importBytes(whole, failingAfter(storage, batches), { mode }).then(
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
    expect(batches).toBeGreaterThan(3);
  });
});
