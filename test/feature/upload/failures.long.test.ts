/**
 * @module Uploads and deletes of which one step fails: nothing is left behind, and a retry comes through.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron } from '../../support/app.ts';
import { type FailingStorage, failingStorage, type Moment } from '../../support/failing-storage.ts';
import { film, png } from '../../support/pictures.ts';
import { bearer, recordedRegistry, serve } from '../../support/recorded.ts';
import { isLongTier, oneIn } from '../../support/tier.ts';
import {
  clearMedia,
  expectTidy,
  type FileAnswer,
  formOf,
  mismatches,
  objectKeys,
  picture,
  postForm,
  type Sent,
  uploaded,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const REAL = { database: env.DB, bucket: env.MEDIA };
const { send } = openMagazine();

const broken = (storage: FailingStorage, settings: SettingsInput = {}) =>
  serve(settings, { DB: storage.database, MEDIA: storage.bucket });

beforeAll(async () => {
  await send('/api/upload/files', bearer('full'));
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
beforeEach(clearMedia);

/** What one healthy run of an operation calls. */
async function callsOf(operation: (storage: FailingStorage) => Promise<Response>): Promise<readonly string[]> {
  const storage = failingStorage(REAL, -1, 'before');
  expect((await operation(storage)).ok).toBe(true);
  return storage.calls;
}

const large: Sent = { bytes: film(9_000_000), name: 'film.mp4', type: 'video/mp4' };

type Case = readonly [string, () => Promise<Sent>];
/** Nine megabytes a step, so the long tier alone takes it. */
const films: readonly Case[] = isLongTier ? [['a film in parts', async () => large]] : [];
const uploads: readonly Case[] = [['a picture with formats', picture], ...films];
const moments = oneIn<Moment>(2, ['before', 'after']);

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

  it.each(moments)(
    'that fails %s any one of its steps keeps row and bytes, or the cron trigger ends it',
    async (moment) => {
      const first = await uploadOne(send, await picture());
      const calls = await callsOf((storage) => remove(storage, first.id));
      expect(calls).toEqual(['d1.batch', 'd1.batch', 'd1.batch', 'r2.delete', 'd1.batch']);
      for (const [step, name] of calls.entries()) {
        const { id } = await uploadOne(send, await picture());
        const before = (await objectKeys()).length;
        const failed = await remove(failingStorage(REAL, step, moment), id);
        // Only the write fails: a read that loses its connection is repeated at once, and what comes later is left.
        expect(failed.status, `${name} (${step})`).toBe(step === 1 ? 500 : 200);
        const isKept = step === 1 && moment === 'before';
        if (isKept) expect(await objectKeys()).toHaveLength(before);
        const again = await send(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('full') });
        expect(again.status, `${name} (${step})`).toBe(isKept ? 200 : 404);
        await runCron(recordedRegistry);
        await expectTidy(0);
        expect(await objectKeys()).toEqual([]);
      }
    },
  );
});

const small = async (): Promise<Sent> => ({ bytes: await png(300, 200), name: 'small.png' });
const fileOf = async (id: number) =>
  (await (await send(`/api/upload/files/${id}`, bearer('full'))).json()) as FileAnswer;

describe('new bytes for a file, under its old URL', () => {
  const kept = { upload: { replace: 'same-url' } } as const;
  const replace = async (storage: FailingStorage, id: number) =>
    postForm(broken(storage, kept), formOf([await small()]), `?id=${id}`);

  it.each(moments)('that fail %s any one of their steps are there after a retry, and nothing else', async (moment) => {
    const first = await uploadOne(send, await picture());
    const calls = await callsOf((storage) => replace(storage, first.id));
    expect(calls).toContain('r2.delete');
    for (const step of calls.keys()) {
      await clearMedia();
      const { id, url } = await uploadOne(send, await picture());
      await replace(failingStorage(REAL, step, moment), id);
      const [file] = await uploaded(postForm(serve(kept), formOf([await small()]), `?id=${id}`));
      expect(file).toMatchObject({ width: 300, url });
      expect(Object.keys(file?.formats ?? {})).toEqual(['thumbnail']);
      await expectTidy(1);
    }
  });
});

describe.each<Case>([['a small picture', small], ...films])(
  'new bytes for a file, under a URL of their own: %s',
  (_, file) => {
    const replace = async (storage: FailingStorage, id: number) =>
      postForm(broken(storage), formOf([await file()]), `?id=${id}`);
    const stored = async () => {
      await clearMedia();
      return uploadOne(send, await picture());
    };
    const callsOfOne = async () => {
      const { id } = await stored();
      return callsOf((storage) => replace(storage, id));
    };
    /** The row names bytes that are there, of the size that it tells. */
    const expectWhole = async (id: number) => {
      const { url, size } = await fileOf(id);
      const bytes = await (await send(url)).arrayBuffer();
      expect(Math.round(bytes.byteLength / 10) / 100).toBe(size);
    };

    it.each(moments)('failing %s any one step leaves one whole file, and so does a retry', async (moment) => {
      const calls = await callsOfOne();
      expect(calls.at(-1)).toBe('r2.delete');
      for (const [step, name] of calls.entries()) {
        const { id, hash } = await stored();
        const { ok } = await replace(failingStorage(REAL, step, moment), id);
        expect((await fileOf(id)).hash === hash, `${name} (${step})`).toBe(!ok);
        await expectTidy(1);
        await expectWhole(id);
        expect((await postForm(send, formOf([await file()]), `?id=${id}`)).status).toBe(200);
        await expectTidy(1);
        await expectWhole(id);
      }
    });

    it('whose write was done though its answer was lost are answered as done', async () => {
      const calls = await callsOfOne();
      const { id, url } = await stored();
      const response = await replace(failingStorage(REAL, calls.lastIndexOf('d1.batch'), 'after'), id);
      expect(response.status).toBe(200);
      expect((await send(url)).status).toBe(404);
      await expectTidy(1);
    });

    it.each(moments)('of which nobody can tell whether their write was done keep their bytes: %s', async (moment) => {
      const calls = await callsOfOne();
      const { id } = await stored();
      const response = await replace(failingStorage(REAL, calls.lastIndexOf('d1.batch'), moment, true), id);
      expect(response.status).toBe(500);
      expect((await mismatches()).incomplete).toEqual([]);
      await expectWhole(id);
    });
  },
);
