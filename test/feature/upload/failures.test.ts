/**
 * @module Uploads and deletes of which one step fails: nothing is left behind, and a retry comes through.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FailingStorage, failingStorage, type Moment } from '../../support/failing-storage.ts';
import { film, png } from '../../support/pictures.ts';
import { bearer, createTables, createToken, serve } from '../../support/recorded.ts';
import { clearMedia, formOf, mismatches, objectKeys, postForm, type Sent, uploadOne } from '../../support/uploads.ts';

const REAL = { database: env.DB, bucket: env.MEDIA };
const send = serve();

const broken = (storage: FailingStorage) => serve({}, { DB: storage.database, MEDIA: storage.bucket });

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
  await send('/api/upload/files', bearer('full'));
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
beforeEach(clearMedia);

async function expectTidy(files: number): Promise<void> {
  const found = await mismatches();
  expect(found.orphans).toEqual([]);
  expect(found.incomplete).toEqual([]);
  expect(found.files).toBe(files);
}

/** What one healthy run of an operation calls. */
async function callsOf(operation: (storage: FailingStorage) => Promise<Response>): Promise<readonly string[]> {
  const storage = failingStorage(REAL, -1, 'before');
  expect((await operation(storage)).ok).toBe(true);
  return storage.calls;
}

const picture = async (): Promise<Sent> => ({ bytes: await png(600, 400), name: 'photo.png', type: 'image/png' });
const large: Sent = { bytes: film(17_000_000), name: 'film.mp4', type: 'video/mp4' };

const uploads: readonly (readonly [string, () => Promise<Sent>])[] = [
  ['a picture with formats', picture],
  ['a film in parts', async () => large],
];
const moments: readonly Moment[] = ['before', 'after'];

describe.each(uploads)('an upload of %s', (_, file) => {
  const upload = async (storage: FailingStorage) => postForm(broken(storage), formOf([await file()]));

  it.each(moments)('that fails %s any one of its steps leaves nothing, and a retry stores it once', async (moment) => {
    const calls = await callsOf(upload);
    expect(calls.length).toBeGreaterThan(3);
    for (const [step, name] of calls.entries()) {
      await clearMedia();
      const response = await upload(failingStorage(REAL, step, moment));
      const files = response.ok ? 1 : 0;
      expect(response.status, `${name} (${step})`).toBe(response.ok ? 201 : 500);
      await expectTidy(files);
      expect((await postForm(send, formOf([await file()]))).status).toBe(201);
      await expectTidy(files + 1);
    }
  });

  it('whose write was done though its answer was lost is answered as done', async () => {
    const calls = await callsOf(upload);
    await clearMedia();
    const response = await upload(failingStorage(REAL, calls.lastIndexOf('d1.batch'), 'after'));
    expect(response.status).toBe(201);
    await expectTidy(1);
  });

  it('leaves nothing when the database stays away', async () => {
    const calls = await callsOf(upload);
    await clearMedia();
    const response = await upload(failingStorage(REAL, calls.lastIndexOf('d1.batch'), 'before', true));
    expect(response.status).toBe(500);
    await expectTidy(0);
  });
});

describe('a delete', () => {
  const remove = (storage: FailingStorage, id: number) =>
    broken(storage)(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('full') });

  it.each(moments)('that fails %s any one of its steps can be repeated until nothing is left', async (moment) => {
    const first = await uploadOne(send, await picture());
    const calls = await callsOf((storage) => remove(storage, first.id));
    expect(calls).toEqual(['d1.batch', 'r2.delete', 'd1.batch']);
    for (const [step, name] of calls.entries()) {
      const { id } = await uploadOne(send, await picture());
      const failed = await remove(failingStorage(REAL, step, moment), id);
      // A read that loses its connection is repeated at once, so the first step fails unnoticed.
      expect(failed.status, `${name} (${step})`).toBe(step === 0 ? 200 : 500);
      const again = await send(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('full') });
      const done = step === 0 || (step === 2 && moment === 'after');
      expect(again.status, `${name} (${step})`).toBe(done ? 404 : 200);
      await expectTidy(0);
      expect(await objectKeys()).toEqual([]);
    }
  });
});

describe('new bytes for a file', () => {
  const replace = async (storage: FailingStorage, id: number) =>
    postForm(broken(storage), formOf([{ bytes: await png(300, 200), name: 'small.png' }]), `?id=${id}`);

  it.each(moments)('that fail %s any one of their steps are there after a retry, and nothing else', async (moment) => {
    const first = await uploadOne(send, await picture());
    const calls = await callsOf((storage) => replace(storage, first.id));
    expect(calls).toContain('r2.delete');
    for (const step of calls.keys()) {
      await clearMedia();
      const { id, url } = await uploadOne(send, await picture());
      await replace(failingStorage(REAL, step, moment), id);
      const [file] = await (
        await postForm(send, formOf([{ bytes: await png(300, 200), name: 'small.png' }]), `?id=${id}`)
      )
        .json()
        .then((body) => [body as { width: number; url: string; formats: object }]);
      expect(file).toMatchObject({ width: 300, url });
      expect(Object.keys(file?.formats ?? {})).toEqual(['thumbnail']);
      await expectTidy(1);
    }
  });
});
