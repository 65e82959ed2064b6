/**
 * @module Requests about one file that meet: row and objects end up as one of them left them.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { film, png } from '../../support/pictures.ts';
import { bearer, createTables, createToken, serve } from '../../support/recorded.ts';
import {
  clearMedia,
  type FileAnswer,
  formOf,
  mismatches,
  postForm,
  type Sent,
  uploadOne,
} from '../../support/uploads.ts';

const send = serve();
const TEXT: Sent = { bytes: 'a text', name: 'note.txt', type: 'text/plain' };
const FILM: Sent = { bytes: film(9_000_000), name: 'film.mp4', type: 'video/mp4' };
const picture = async (width: number): Promise<Sent> => ({ bytes: await png(width, 400), name: 'photo.png' });

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
});
beforeEach(clearMedia);

const remove = (of: typeof send, id: number) => of(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('full') });
const replace = (of: typeof send, id: number, file: Sent) => postForm(of, formOf([file]), `?id=${id}`);

/** A deployment to which something happens right after its first call of the bucket. */
function interrupted(meanwhile: () => Promise<Response>) {
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
    delete: (...args: Parameters<R2Bucket['delete']>) => after(env.MEDIA.delete(...args)),
    createMultipartUpload: (...args: Parameters<R2Bucket['createMultipartUpload']>) =>
      after(env.MEDIA.createMultipartUpload(...args)),
    get: (key: string) => env.MEDIA.get(key),
  };
  return serve({}, { MEDIA: bucket as never });
}

async function expectTidy(files: number): Promise<void> {
  const { orphans, incomplete, ...found } = await mismatches();
  expect({ orphans, incomplete, files: found.files }).toEqual({ orphans: [], incomplete: [], files });
}

describe('a delete', () => {
  it('takes bytes with it that came meanwhile, and their formats', async () => {
    const { id } = await uploadOne(send, TEXT);
    const late = await picture(1200);
    expect(
      (
        await remove(
          interrupted(() => replace(send, id, late)),
          id,
        )
      ).status,
    ).toBe(200);
    await expectTidy(0);
  });

  it('that another one was faster than finds nothing', async () => {
    const { id } = await uploadOne(send, TEXT);
    expect(
      (
        await remove(
          interrupted(() => remove(send, id)),
          id,
        )
      ).status,
    ).toBe(404);
    await expectTidy(0);
  });
});

describe('new bytes for a file', () => {
  it.each([
    ['small', async () => TEXT],
    ['in parts', async () => FILM],
    ['with formats', () => picture(1200)],
  ])('that is deleted meanwhile leave nothing: %s', async (_, file) => {
    const { id } = await uploadOne(send, await picture(600));
    const late = await replace(
      interrupted(() => remove(send, id)),
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
      interrupted(() => replace(send, id, meeting)),
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
