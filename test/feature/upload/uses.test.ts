/**
 * @module What uses a file: attaching it as it is changed, and attributes of one file.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import {
  bytesAt,
  clearMedia,
  type FileAnswer,
  formOf,
  postForm,
  refusal,
  TEXT,
  uploaded,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine({ api: { rest: { createResponse: 'strapi' } } });

let file: FileAnswer;

beforeEach(async () => {
  await clearMedia();
  for (const table of ['articles', 'edgewise_counters']) await env.DB.prepare(`delete from ${table}`).run();
  for (const table of ['articles_cover', 'articles_gallery']) await env.DB.prepare(`delete from ${table}_lnk`).run();
  file = await uploadOne(send, TEXT);
});

const article = (data: object, query = '') =>
  documentOf(client.create(`/api/articles${query}`, { title: 'Paper', ...data }));

describe('a file attached as it is changed', () => {
  it('is linked without new bytes, by a form and by JSON, once', async () => {
    const { documentId, id } = await article({}, '?status=draft');
    const other = await uploadOne(send, { ...TEXT, name: 'other.txt' });
    const fields = { ref: 'api::article.article', refId: documentId, field: 'gallery' };
    const info = '{"caption":"Seen"}';
    await uploaded(postForm(send, formOf([], { ...fields, fileInfo: info }), `?id=${file.id}`));
    await uploaded(postForm(send, formOf([], { ...fields, refId: String(id) }), `?id=${other.documentId}`));
    const json = sendJson('PUT', 'full', { ...fields, refId: id, fileInfo: {} });
    expect((await send(`/api/upload?id=${file.id}`, json)).status).toBe(200);
    const path = `/api/articles/${documentId}?status=draft&populate[gallery][fields]=name,caption`;
    expect((await documentOf(client.get(path))).gallery).toMatchObject([
      { id: file.id, caption: 'Seen' },
      { id: other.id },
    ]);
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it.each(['new-url', 'same-url'] as const)('keeps its bytes if the document does not exist (%s)', async (replace) => {
    const fields = { ref: 'api::article.article', refId: 'a'.repeat(24), field: 'cover' };
    const form = formOf([{ ...TEXT, bytes: 'another text', name: 'new.txt' }], fields);
    expect(await refusal(postForm(serve({ upload: { replace } }), form, `?id=${file.id}`))).toContain('Invalid refId');
    expect(new TextDecoder().decode(await bytesAt(send, file.url))).toBe('a text');
  });
});

describe('an attribute of one file', () => {
  it('looks all of them up', async () => {
    for (const cover of [[file.id, 999_999], { set: [file.id, 999_999] }, { connect: [file.id, 999_999] }])
      expect(await refusal(client.create('/api/articles', { title: 'Paper', cover }))).toContain('do not exist');
    const author = { connect: [999_998, 999_999] };
    expect(await refusal(client.create('/api/articles', { title: 'Paper', author }))).toContain('2 relation(s)');
  });
});

describe('a file that is connected to an attribute of one', () => {
  it('is shown once the first one is disconnected or deleted, also in components', async () => {
    const second = await uploadOne(send, { ...TEXT, name: 'second.txt' });
    const third = await uploadOne(send, { ...TEXT, name: 'third.txt' });
    const { documentId, seo } = await article(
      { cover: file.id, seo: { metaTitle: 'M', shareImage: file.id } },
      '?status=draft&populate=seo',
    );
    const query = 'status=draft&populate[cover]=true&populate[seo][populate]=*';
    const change = (value: object) =>
      documentOf(
        client.update(`/api/articles/${documentId}?${query}`, {
          cover: value,
          seo: { id: (seo as { id: number }).id, shareImage: value },
        }),
      );
    const shows = (name: string) => ({ cover: { name }, seo: { shareImage: { name } } });
    expect(await change({ connect: [second.id] })).toMatchObject(shows('note.txt'));
    expect(await change({ disconnect: [file.id] })).toMatchObject(shows('second.txt'));
    await send(`/api/upload/files/${second.id}`, { method: 'DELETE', ...bearer('full') });
    expect(await change({ connect: [third.id] })).toMatchObject(shows('third.txt'));
    expect(await change({ set: [file.id] })).toMatchObject(shows('note.txt'));
    expect(await change({ disconnect: [file.id] })).toMatchObject({ cover: null, seo: { shareImage: null } });
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });
});
