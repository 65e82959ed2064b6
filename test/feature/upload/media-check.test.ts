/**
 * @module The comparison of bucket and database that `npm run media` makes, on a real bucket and database.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixMismatches } from '../../../src/cli/media/media-check.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, createTables, createToken, recordedRegistry, serve } from '../../support/recorded.ts';
import {
  clearMedia,
  expectTidy,
  type FileAnswer,
  mismatches,
  objectKeys,
  picture,
  uploadOne,
} from '../../support/uploads.ts';

const send = serve();
const storage = { db: env.DB, bucket: env.MEDIA };
let file: FileAnswer;

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
});
beforeEach(async () => {
  await clearMedia();
  file = await uploadOne(send, await picture());
});

const fix = async () => fixMismatches(storage, await mismatches(), recordedRegistry, () => {});

describe('the comparison', () => {
  it('finds nothing where everything fits', async () => {
    const found = await mismatches();
    expect(found).toMatchObject({ files: 1, objects: 3, orphans: [], incomplete: [] });
  });

  it('finds and removes objects without a file', async () => {
    await env.MEDIA.put('stray_0123456789.txt', 'x');
    expect((await mismatches()).orphans).toMatchObject([{ key: 'stray_0123456789.txt', size: 1 }]);
    await fix();
    await expectTidy(1);
    expect(await objectKeys()).toHaveLength(3);
  });

  it('finds more objects than one page of the bucket has', async () => {
    for (let start = 0; start < 1_050; start += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => env.MEDIA.put(`stray_${start + index}`, '')));
    expect((await mismatches()).orphans).toHaveLength(1_050);
    await fix();
    await expectTidy(1);
  });

  it('finds a file without its bytes, and removes it with its links and formats', async () => {
    const client = clientOf(send, 'full');
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'Paper', cover: file.id }));
    await env.MEDIA.delete(`${file.hash}.png`);
    expect((await mismatches()).incomplete).toMatchObject([{ name: 'photo.png', main: true }]);
    await fix();
    await expectTidy(0);
    expect(await objectKeys()).toEqual([]);
    expect(await documentOf(client.get(`/api/articles/${documentId}?populate=cover`))).toMatchObject({ cover: null });
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it('finds formats without their bytes, and takes them out of the file', async () => {
    await env.MEDIA.delete(`small_${file.hash}.png`);
    expect((await mismatches()).incomplete).toMatchObject([{ main: false, formats: ['small'] }]);
    await fix();
    await expectTidy(1);
    const left = await (await send(`/api/upload/files/${file.id}`, bearer('full'))).json();
    expect(Object.keys((left as FileAnswer).formats ?? {})).toEqual(['thumbnail']);
  });

  it('leaves a file whose bytes have come since', async () => {
    const bytes = await (await send(file.url)).arrayBuffer();
    await env.MEDIA.delete(`${file.hash}.png`);
    const found = await mismatches();
    await env.MEDIA.put(`${file.hash}.png`, bytes);
    await fixMismatches(storage, found, recordedRegistry, () => {});
    await expectTidy(1);
  });
});
