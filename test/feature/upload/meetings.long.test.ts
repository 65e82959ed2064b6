/**
 * @module Requests about one file that meet: row and objects end up as one of them left them.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { film } from '../../support/pictures.ts';
import { bearer, serve } from '../../support/recorded.ts';
import {
  clearMedia,
  expectTidy,
  type FileAnswer,
  formOf,
  picture,
  postForm,
  type Sent,
  TEXT,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

type Replace = 'new-url' | 'same-url';

const { send } = openMagazine();
const FILM: Sent = { bytes: film(9_000_000), name: 'film.mp4', type: 'video/mp4' };

beforeEach(clearMedia);

const remove = (of: typeof send, id: number) => of(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('full') });
const replace = (of: typeof send, id: number, file: Sent) => postForm(of, formOf([file]), `?id=${id}`);

/** A deployment to which something happens right after the first object that it stores. */
function interrupted(meanwhile: () => Promise<Response>, replace: Replace = 'new-url') {
  let waiting: (() => Promise<Response>) | undefined = meanwhile;
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    const event = waiting;
    waiting = undefined;
    if (event) expect((await event()).ok).toBe(true);
    return result;
  };
  const bucket = {
    put: (...args: Parameters<R2Bucket['put']>) => after(env.MEDIA.put(...args) as Promise<unknown>),
    delete: (...args: Parameters<R2Bucket['delete']>) => env.MEDIA.delete(...args),
    createMultipartUpload: (...args: Parameters<R2Bucket['createMultipartUpload']>) =>
      after(env.MEDIA.createMultipartUpload(...args)),
    get: (key: string) => env.MEDIA.get(key),
  };
  return serve({ upload: { replace } }, { MEDIA: bucket as never });
}

const BATCH_OF_THE_DELETE = 1;

/** Deletes a file, while something happens between its batch that reads and its batch that writes. */
const removeLate = (id: number, meanwhile: () => Promise<Response>) => {
  const batches = interleavedDatabase(env.DB, BATCH_OF_THE_DELETE, async () =>
    expect((await meanwhile()).ok).toBe(true),
  );
  return remove(serve({}, { DB: batches }), id);
};

describe('a delete', () => {
  it('takes bytes with it that came meanwhile, and their formats', async () => {
    const { id } = await uploadOne(send, TEXT);
    const late = await picture(1200);
    expect((await removeLate(id, () => replace(send, id, late))).status).toBe(200);
    await expectTidy(0);
  });

  it('that another one was faster than finds nothing', async () => {
    const { id } = await uploadOne(send, TEXT);
    expect((await removeLate(id, () => remove(send, id))).status).toBe(404);
    await expectTidy(0);
  });
});

describe.each<Replace>(['new-url', 'same-url'])('new bytes for a file, %s', (way) => {
  const other = serve({ upload: { replace: way } });

  it.each([
    ['small', async () => TEXT],
    ['in parts', async () => FILM],
    ['with formats', () => picture(1200)],
  ])('that is deleted meanwhile leave nothing: %s', async (_, file) => {
    const { id } = await uploadOne(send, await picture(600));
    const late = await replace(
      interrupted(() => remove(send, id), way),
      id,
      await file(),
    );
    expect(late.status).toBe(404);
    await expectTidy(0);
  });

  it.each([
    ['a picture', 'a text', () => picture(1200), async () => TEXT],
    ['a text', 'a picture', async () => TEXT, () => picture(1200)],
    ['a large picture', 'a small one', () => picture(1200), () => picture(300)],
  ])('are those of the last request where %s meets %s', async (_, __, first, second) => {
    const { id } = await uploadOne(send, await picture(600));
    const last = await first();
    const meeting = await second();
    const response = await replace(
      interrupted(() => replace(other, id, meeting), way),
      id,
      last,
    );
    const file = (await response.json()) as FileAnswer;
    expect(response.status).toBe(200);
    const bytes = await (await send(file.url)).arrayBuffer();
    expect(bytes.byteLength).toBe(new Blob([last.bytes]).size);
    expect(file.size).toBe(Math.round(bytes.byteLength / 10) / 100);
    await expectTidy(1);
  });
});

describe('new bytes for a file, under a URL of their own', () => {
  it('from ten at once end with those of one of them, row and bytes, and nothing else', async () => {
    const { id, url } = await uploadOne(send, await picture(600));
    const sent: readonly Sent[] = Array.from({ length: 10 }, (_, index) => ({
      ...TEXT,
      bytes: 'x'.repeat(1000 * index + 10),
    }));
    const responses = await Promise.all(sent.map((file) => replace(send, id, file)));
    for (const { status } of responses) expect([200, 503]).toContain(status);
    expect(responses.some(({ ok }) => ok)).toBe(true);
    const file = (await (await send(`/api/upload/files/${id}`, bearer('full'))).json()) as FileAnswer;
    expect((await (await send(file.url)).text()).length).toBe(Math.round(Number(file.size) * 1000));
    expect((await send(url)).status).toBe(404);
    await expectTidy(1);
  });

  it('whose answer was lost, and that others took the place of, leave nothing', async () => {
    const { id } = await uploadOne(send, await picture(600));
    let batches = 0;
    const losing = {
      withSession: (constraint?: string) => {
        const session = env.DB.withSession(constraint);
        return {
          prepare: (sql: string) => session.prepare(sql),
          getBookmark: () => session.getBookmark(),
          batch: async (statements: D1PreparedStatement[]) => {
            const results = await session.batch(statements);
            batches += 1;
            if (batches !== 2) return results;
            expect((await replace(send, id, TEXT)).status).toBe(200);
            throw new Error('D1_ERROR: Network connection lost.');
          },
        };
      },
    };
    const response = await replace(serve({}, { DB: losing as never }), id, await picture(1200));
    expect(response.status).toBe(500);
    const file = (await (await send(`/api/upload/files/${id}`, bearer('full'))).json()) as FileAnswer;
    expect(await (await send(file.url)).text()).toBe(TEXT.bytes);
    await expectTidy(1);
  });
});
