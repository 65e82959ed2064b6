/**
 * @module Other bytes for a file, under a URL of their own or under the one that it has.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { failingStorage, type Moment } from '../../support/failing-storage.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { film, png } from '../../support/pictures.ts';
import { bearer, serve } from '../../support/recorded.ts';
import {
  bytesAt,
  clearMedia,
  expectBytesAt,
  expectTidy,
  formOf,
  listedFiles,
  objectKeys,
  postForm,
  refusal,
  TEXT,
  uploaded,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();

beforeEach(clearMedia);

describe('new bytes for a file whose write fails', () => {
  const CASES: readonly (readonly [replace: 'new-url' | 'same-url', Moment, status: number, text: string])[] = [
    ['new-url', 'before', 500, 'a text'],
    ['new-url', 'after', 200, 'new bytes'],
    ['same-url', 'before', 500, 'new bytes'],
  ];
  const BATCH_OF_THE_WRITE = 2;

  it.each(CASES)('(%s, %s its commit) are a %i, and leave "%s"', async (replace, moment, status, text) => {
    vi.spyOn(console, 'error').mockReturnValue();
    const file = await uploadOne(send, TEXT);
    const storage = failingStorage({ database: env.DB, bucket: env.MEDIA }, BATCH_OF_THE_WRITE, moment);
    const own = serve({ upload: { replace } }, { DB: storage.database, MEDIA: storage.bucket });
    const response = await postForm(own, formOf([{ ...TEXT, bytes: 'new bytes' }]), `?id=${file.id}`);
    expect(storage.calls[BATCH_OF_THE_WRITE]).toBe('d1.batch');
    expect(response.status).toBe(status);
    const [listed] = await listedFiles(send, '');
    expect(new TextDecoder().decode(await bytesAt(send, listed?.url ?? ''))).toBe(text);
    expect(listed?.hash === file.hash).toBe(status === 500);
    await expectTidy(1);
    vi.restoreAllMocks();
  });
});

describe('the delete of a file', () => {
  it('takes bytes with it that came meanwhile', async () => {
    const { id } = await uploadOne(send, TEXT);
    const replaced = () => uploaded(postForm(send, formOf([{ ...TEXT, bytes: 'late' }]), `?id=${id}`));
    const own = serve({}, { DB: interleavedDatabase(env.DB, 1, replaced) });
    expect((await own(`/api/upload/files/${id}`, { method: 'DELETE', ...bearer('full') })).status).toBe(200);
    expect(await objectKeys()).toEqual([]);
    await expectTidy(0);
  });
});

describe('new bytes for a file', () => {
  const keeping = serve({ upload: { replace: 'same-url' } });

  it('have a URL of their own, and the old one is gone with its formats', async () => {
    const before = await uploadOne(send, { bytes: await png(1200, 800), name: 'a.png' });
    const [after] = await uploaded(postForm(send, formOf([TEXT]), `?id=${before.id}`));
    expect(after).toMatchObject({ id: before.id, ext: '.txt', mime: 'text/plain', name: 'note.txt', formats: {} });
    expect(after).toMatchObject({ documentId: before.documentId, width: null, url: `/uploads/${after?.hash}.txt` });
    expect(new TextDecoder().decode(await bytesAt(send, after?.url ?? ''))).toBe('a text');
    for (const url of [before.url, before.formats?.thumbnail?.url ?? '']) expect((await send(url)).status).toBe(404);
    expect(await objectKeys()).toEqual([`${after?.hash}.txt`]);
  });

  it('have formats of their own, and the words of fileInfo that come with them', async () => {
    const { id } = await uploadOne(send, TEXT, { fileInfo: '{"alternativeText":"Old","caption":"Stays"}' });
    const form = formOf([{ bytes: await png(600, 400), name: 'b.png' }], {
      fileInfo: '{"name":"cover.png","alternativeText":"New"}',
    });
    const [after] = await uploaded(postForm(send, form, `?id=${id}`));
    expect(after).toMatchObject({
      name: 'cover.png',
      alternativeText: 'New',
      caption: 'Stays',
      ext: '.png',
      width: 600,
    });
    expect(after?.hash).toMatch(/^cover_/);
    const urls = Object.values(after?.formats ?? {}).map(({ url }) => url);
    expect(urls).toHaveLength(2);
    expect(await objectKeys()).toEqual(
      [...urls, after?.url ?? ''].map((url) => url.slice('/uploads/'.length)).toSorted(),
    );
  });

  it('keep the URL where the settings say so, and its old formats are gone', async () => {
    const before = await uploadOne(send, { bytes: await png(1200, 800), name: 'a.png' });
    const [after] = await uploaded(postForm(keeping, formOf([TEXT]), `?id=${before.id}`));
    expect(after).toMatchObject({ id: before.id, url: before.url, ext: '.png', mime: 'text/plain', name: 'note.txt' });
    expect(after).toMatchObject({ width: null, height: null, formats: {}, size: 0.01 });
    expect(new TextDecoder().decode(await bytesAt(send, before.url))).toBe('a text');
    expect(await objectKeys()).toEqual([`${before.hash}.png`]);
  });

  it('that are refused leave the old ones, however many of them came', async () => {
    const { id, url } = await uploadOne(send, TEXT);
    const two = formOf([{ bytes: film(9_000_000), name: 'a.mp4' }, TEXT]);
    expect(await refusal(postForm(send, two, `?id=${id}`))).toBe(
      '400 ValidationError: Cannot replace a file with multiple ones',
    );
    const bad = formOf([{ bytes: film(9_000_000), name: 'a.mp4' }], { fileInfo: 'x' });
    expect(await refusal(postForm(send, bad, `?id=${id}`))).toContain('fileInfo is no JSON');
    const other = new FormData();
    other.append('file', new Blob(['new bytes'], { type: 'text/plain' }), 'new.txt');
    other.append('fileInfo', '{"caption":"New"}');
    expect(await refusal(postForm(send, other, `?id=${id}`))).toBe(
      "400 ValidationError: Unknown file 'file'. Send the bytes as 'files'",
    );
    other.append('files', new Blob(['new bytes'], { type: 'text/plain' }), 'new.txt');
    expect(await refusal(postForm(send, other, `?id=${id}`))).toContain("Unknown file 'file'");
    expect(await listedFiles(send, '')).toMatchObject([{ id, caption: null }]);
    expect(await objectKeys()).toEqual([url.slice('/uploads/'.length)]);
    expect(new TextDecoder().decode(await bytesAt(send, url))).toBe('a text');
  });

  it('may come in parts', async () => {
    const bytes = film(9_000_000);
    for (const of of [send, keeping]) {
      const { id, url } = await uploadOne(send, TEXT);
      const [after] = await uploaded(postForm(of, formOf([{ bytes, name: 'a.mp4' }]), `?id=${id}`));
      expect(after?.url === url).toBe(of === keeping);
      await expectBytesAt(send, after?.url ?? '', bytes);
    }
    expect(await objectKeys()).toHaveLength(2);
  });

  it('from many at once end with those of one of them', async () => {
    const { id, url } = await uploadOne(send, TEXT);
    const texts = ['one', 'two', 'three', 'four'];
    const change = (text: string) =>
      postForm(send, formOf([], { fileInfo: JSON.stringify({ caption: text }) }), `?id=${id}`);
    const statuses = (await Promise.all(texts.map(change))).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    const [file] = await listedFiles(send, '?fields=caption');
    expect(texts).toContain(file?.caption);
    expect((await send(url)).status).toBe(200);
  });
});
