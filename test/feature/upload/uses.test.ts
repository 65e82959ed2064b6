/**
 * @module What uses a file: attaching at upload, `related`, and what a delete of either side leaves.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ApiDocument, documentOf, documentsOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, createToken, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import {
  bytesAt,
  clearMedia,
  type FileAnswer,
  formOf,
  objectKeys,
  postForm,
  refusal,
  TEXT,
  uploaded,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine({ api: { rest: { createResponse: 'strapi' } } });

let file: FileAnswer;

beforeAll(async () => {
  await createToken('articles', 'custom', [
    'plugin::upload.content-api.findOne',
    'api::article.article.find',
    'api::article.article.findOne',
  ]);
});
beforeEach(async () => {
  await clearMedia();
  for (const table of ['articles', 'authors', 'edgewise_counters']) await env.DB.prepare(`delete from ${table}`).run();
  for (const table of ['articles_cover', 'articles_gallery', 'authors_avatar'])
    await env.DB.prepare(`delete from ${table}_lnk`).run();
  file = await uploadOne(send, TEXT);
});

const article = (data: object, query = '') =>
  documentOf(client.create(`/api/articles${query}`, { title: 'Paper', ...data }));
const read = (id: string, query: string) => documentOf(client.get(`/api/articles/${id}?${query}`));
const namesOf = (value: unknown) => (value as FileAnswer[]).map(({ name }) => name);
const attachTo = (fields: Record<string, string>, ...names: string[]) =>
  postForm(
    send,
    formOf(
      names.map((name) => ({ ...TEXT, name })),
      fields,
    ),
  );

describe('a file attached as it is uploaded', () => {
  const ref = { ref: 'api::article.article' };

  it('goes to the version whose row is named, behind the others', async () => {
    const other = await uploadOne(send, { ...TEXT, name: 'other.txt' });
    const { documentId, id } = await article({ gallery: [file.id, other.id] }, '?status=draft');
    await uploaded(attachTo({ ...ref, refId: String(id), field: 'gallery' }, 'a.txt', 'b.txt'));
    const draft = await read(documentId, 'status=draft&populate[gallery][fields]=name');
    expect(namesOf(draft.gallery)).toEqual(['note.txt', 'other.txt', 'a.txt', 'b.txt']);
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it('to an attribute of one file takes the place of the one that is there, in that version alone', async () => {
    const { documentId } = await article({ cover: file.id });
    const shown = async (query: string) => await read(documentId, `${query}&populate[cover][fields]=name`);
    const { id } = await shown('status=draft');
    await uploaded(attachTo({ ...ref, refId: String(id), field: 'cover' }, 'first.txt', 'second.txt'));
    const nameOf = async (query: string) => ((await shown(query)).cover as FileAnswer).name;
    expect(await nameOf('status=draft')).toBe('second.txt');
    expect(await nameOf('')).toBe('note.txt');
    await client.update(`/api/articles/${documentId}`, {});
    expect(await nameOf('')).toBe('second.txt');
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it('is linked to nothing by an id of no row, as in Strapi, where a publication gives rows other ids', async () => {
    await uploaded(attachTo({ ...ref, refId: '987654', field: 'cover' }, 'a.txt'));
    expect(await objectKeys()).toHaveLength(2);
  });

  it('goes by documentId to the draft in the default locale, and is published with it', async () => {
    const { documentId } = await article({ gallery: [file.id], cover: file.id });
    await client.update(`/api/articles/${documentId}?locale=fr`, { title: 'Papier', cover: file.id });
    await uploaded(attachTo({ ...ref, refId: documentId, field: 'gallery' }, 'a.txt', 'b.txt'));
    await uploaded(attachTo({ ...ref, refId: documentId, field: 'cover' }, 'c.txt'));
    const shown = async (query: string) => {
      const { gallery, cover } = await read(documentId, `${query}&populate=cover,gallery`);
      return [namesOf(gallery), namesOf([cover])];
    };
    const ATTACHED = [['note.txt', 'a.txt', 'b.txt'], ['c.txt']];
    expect(await shown('status=draft')).toEqual(ATTACHED);
    expect(await shown('status=published')).toEqual([['note.txt'], ['note.txt']]);
    for (const status of ['draft', 'published'])
      expect(await shown(`status=${status}&locale=fr`)).toEqual([[], ['note.txt']]);
    await client.update(`/api/articles/${documentId}`, {});
    expect(await shown('status=published')).toEqual(ATTACHED);
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it('goes by documentId to a document that is no draft and has no locale', async () => {
    const author = await documentOf(client.create('/api/authors', { name: 'Ada' }));
    await uploaded(attachTo({ ref: 'api::author.author', refId: author.documentId, field: 'avatar' }, 'a.txt'));
    const { avatar } = await documentOf(client.get(`/api/authors/${author.documentId}?populate=avatar`));
    expect(namesOf([avatar])).toEqual(['a.txt']);
  });

  it.each([
    [{ ref: 'api::nope.nope', refId: '1', field: 'cover' }, 'Invalid ref. Expected the uid of a content type'],
    [{ ref: 'plugin::upload.file', refId: '1', field: 'related' }, 'Invalid ref. Expected the uid of a content type'],
    [{ ref: 'admin::api-token', refId: '1', field: 'name' }, 'Invalid ref. Expected the uid of a content type'],
    [{ ...ref, refId: 'abc', field: 'cover' }, 'Invalid refId. Expected the id or documentId of a document'],
    [{ ...ref, refId: '-1', field: 'gallery' }, 'Invalid refId. Expected the id or documentId of a document'],
    [{ ...ref, refId: '9'.repeat(30), field: 'gallery' }, 'Invalid refId. Expected the id or documentId of a document'],
    [{ ...ref, refId: '1', field: 'title' }, 'Invalid field. Expected a media attribute of api::article.article'],
  ])('by %j is refused, and nothing is stored', async (fields, message) => {
    expect(await refusal(attachTo(fields, 'a.txt'))).toContain(`400 ValidationError: ${message}`);
    expect(await objectKeys()).toHaveLength(1);
  });
});

describe('a file attached as it is changed', () => {
  const gallery = async (documentId: string) =>
    (await read(documentId, 'status=draft&populate[gallery][fields]=name,caption')).gallery;

  const REPLACE = ['new-url', 'same-url'] as const;

  it.each(REPLACE)('is linked with its new bytes (%s)', async (replace) => {
    const { documentId } = await article({}, '?status=draft');
    const fields = { ref: 'api::article.article', refId: documentId, field: 'gallery' };
    const replacing = serve({ upload: { replace } });
    await uploaded(postForm(replacing, formOf([{ ...TEXT, name: 'new.txt' }], fields), `?id=${file.id}`));
    expect(await gallery(documentId)).toMatchObject([{ id: file.id, name: 'new.txt' }]);
  });

  it('is linked without new bytes, by a form and by JSON, once', async () => {
    const { documentId, id } = await article({}, '?status=draft');
    const other = await uploadOne(send, { ...TEXT, name: 'other.txt' });
    const fields = { ref: 'api::article.article', refId: documentId, field: 'gallery' };
    const info = '{"caption":"Seen"}';
    await uploaded(postForm(send, formOf([], { ...fields, fileInfo: info }), `?id=${file.id}`));
    await uploaded(postForm(send, formOf([], { ...fields, refId: String(id) }), `?id=${other.documentId}`));
    const json = sendJson('PUT', 'full', { ...fields, refId: id, fileInfo: {} });
    expect((await send(`/api/upload?id=${file.id}`, json)).status).toBe(200);
    expect(await gallery(documentId)).toMatchObject([{ id: file.id, caption: 'Seen' }, { id: other.id }]);
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it('takes the place of the file of an attribute of one', async () => {
    const { documentId } = await article({ cover: file.id }, '?status=draft');
    const other = await uploadOne(send, TEXT);
    const fields = { ref: 'api::article.article', refId: documentId, field: 'cover' };
    for (const { id } of [other, other, file]) {
      await uploaded(postForm(send, formOf([TEXT], fields), `?id=${id}`));
      expect((await read(documentId, 'status=draft&populate=cover')).cover).toMatchObject({ id });
    }
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it.each(REPLACE)('keeps its bytes if the document does not exist (%s)', async (replace) => {
    const fields = { ref: 'api::article.article', refId: 'a'.repeat(24), field: 'cover' };
    const form = formOf([{ ...TEXT, bytes: 'another text', name: 'new.txt' }], fields);
    expect(await refusal(postForm(serve({ upload: { replace } }), form, `?id=${file.id}`))).toContain('Invalid refId');
    expect(new TextDecoder().decode(await bytesAt(send, file.url))).toBe('a text');
  });

  it('needs the grant to update the document', async () => {
    const { documentId } = await article({}, '?status=draft');
    await createToken('uploader', 'custom', ['plugin::upload.content-api.upload']);
    const form = formOf([TEXT], { ref: 'api::article.article', refId: documentId, field: 'cover' });
    const response = await send(`/api/upload?id=${file.id}`, { method: 'POST', body: form, ...bearer('uploader') });
    expect(response.status).toBe(403);
  });
});

describe('related', () => {
  type Use = ApiDocument & { readonly __type: string; readonly publishedAt: string | null };
  const related = async (token = 'full', query = 'populate=related') => {
    const response = await send(`/api/upload/files/${file.id}?${query}`, bearer(token));
    return ((await response.json()) as { related: Use[] }).related;
  };

  it('is empty for a file that nothing uses', async () => {
    expect(await related()).toEqual([]);
  });

  it('shows every version by every attribute, the oldest use first', async () => {
    const author = await documentOf(client.create('/api/authors', { name: 'Zed', avatar: file.id }));
    const both = await article({ cover: file.id, gallery: [file.id] });
    const uses = (await related()).map(({ __type, documentId, publishedAt }) => [
      __type,
      documentId,
      publishedAt !== null,
    ]);
    const own = (published: boolean) => ['api::article.article', both.documentId, published];
    expect(uses).toEqual([
      ['api::author.author', author.documentId, true],
      own(false),
      own(false),
      own(true),
      own(true),
    ]);
  });

  it('leaves out types that the caller may not find, and private attributes', async () => {
    await documentOf(client.create('/api/authors', { name: 'Zed', avatar: file.id, secretNote: 'hush' }));
    await article({ cover: file.id, seo: { metaTitle: 'M', shareImage: file.id } }, '?status=draft');
    expect((await related('articles')).map(({ __type }) => __type)).toEqual(['api::article.article']);
    const all = await related();
    expect(all.map(({ __type }) => __type)).toContain('api::author.author');
    expect(JSON.stringify(all)).not.toContain('hush');
  });

  it('has no drafts for the public, unless the settings open them', async () => {
    const roles = {
      public: ['plugin::upload.content-api.findOne', 'api::article.article.find', 'api::article.article.findOne'],
    };
    await article({ cover: file.id }, '?status=draft');
    const { documentId } = await article({ cover: file.id });
    const uses = async (publicDrafts: boolean) => {
      const open = serve({ roles, api: { rest: { publicDrafts } } });
      const of = async (path: string) =>
        (await (await open(path)).json()) as { related: Use[] } & { data: { cover: { related: Use[] } } };
      const direct = (await of(`/api/upload/files/${file.id}?populate=related`)).related;
      const below = (await of(`/api/articles/${documentId}?populate[cover][populate]=related`)).data.cover.related;
      return [direct, below].map((list) => list.map(({ publishedAt }) => publishedAt !== null));
    };
    expect(await uses(false)).toEqual([[true], [true]]);
    expect(await uses(true)).toEqual([
      [false, false, true],
      [false, false, true],
    ]);
  });

  it.each(['=*', '=cover', '[]=*', '[fields]=title', '[nope]=1', '[on]=x', '[populate]=*'])(
    'is left out where its value is no switch, as in Strapi: populate[related]%s',
    async (query) => {
      await documentOf(client.create('/api/authors', { name: 'Zed', avatar: file.id }));
      expect(await related('full', `populate[related]${query}`)).toBeUndefined();
    },
  );

  it('is neither counted nor chosen by content type', async () => {
    const of = (query: string) => refusal(send(`/api/upload/files/${file.id}?${query}`, bearer('full')));
    for (const query of ['[count]=true', '[on][api::article.article]=true', ''])
      expect(await of(`populate[related]${query}`)).toMatch(
        /^400 ValidationError: Invalid nested populate for file\.rel/,
      );
    expect(await of('populate[related][populate]=cover')).toBe('400 ValidationError: Invalid key populate at related');
    const path = send(`/api/upload/files/${file.id}?populate=related.cover`, bearer('full'));
    expect(await refusal(path)).toBe('400 ValidationError: Invalid key related');
  });

  it('stands below media of a document, flat where the older format is asked for', async () => {
    const { documentId } = await article({ cover: file.id }, '?status=draft');
    const path = `/api/articles/${documentId}?status=draft&fields=title&populate[cover][populate]=related`;
    const init = { headers: { authorization: 'Bearer full', 'strapi-response-format': 'v4' } };
    const { data } = (await (await send(path, init)).json()) as { data: unknown };
    expect(data).toMatchObject({
      attributes: { cover: { data: { attributes: { related: [{ documentId, title: 'Paper' }] } } } },
    });
  });
});

describe('an attribute of one file', () => {
  const coverOf = async (answer: Promise<ApiDocument>) => ((await answer).cover as FileAnswer | null)?.name;
  const shown = '?populate[cover][fields]=name';

  it('keeps the first of several', async () => {
    const other = await uploadOne(send, { ...TEXT, name: 'other.txt' });
    const both = [other.id, file.id];
    for (const cover of [both, { set: both }, { connect: both }])
      expect(await coverOf(article({ cover }, shown))).toBe('other.txt');
    const { documentId } = await article({ cover: file.id });
    const changed = documentOf(client.update(`/api/articles/${documentId}${shown}`, { cover: both }));
    expect(await coverOf(changed)).toBe('other.txt');
  });

  it('looks all of them up', async () => {
    for (const cover of [[file.id, 999_999], { set: [file.id, 999_999] }, { connect: [file.id, 999_999] }])
      expect(await refusal(client.create('/api/articles', { title: 'Paper', cover }))).toContain('do not exist');
    const author = { connect: [999_998, 999_999] };
    expect(await refusal(client.create('/api/articles', { title: 'Paper', author }))).toContain('2 relation(s)');
  });

  it('is emptied by a set of nothing', async () => {
    const { documentId } = await article({ cover: file.id });
    const changed = documentOf(client.update(`/api/articles/${documentId}${shown}`, { cover: { set: null } }));
    expect((await changed).cover).toBe(null);
  });
});

describe('a deleted file', () => {
  it('is used by nothing any more, in relations, components and zones', async () => {
    const images = { __component: 'blocks.gallery', images: [file.id] };
    const seo = { metaTitle: 'M', shareImage: file.id };
    const { documentId } = await article({ cover: file.id, gallery: [file.id], seo, sections: [images] });
    const query =
      'populate[cover]=true&populate[gallery]=true&populate[seo][populate]=*&populate[sections][populate]=*';
    const before = await read(documentId, query);
    expect(before).toMatchObject({ cover: { id: file.id }, seo: { shareImage: { id: file.id } } });

    const response = await send(`/api/upload/files/${file.id}`, { method: 'DELETE', ...bearer('full') });
    expect(await response.json()).toMatchObject({ id: file.id, name: 'note.txt', isUrlSigned: false });

    const after = await read(documentId, query);
    expect(after).toMatchObject({ cover: null, gallery: [], seo: { shareImage: null }, sections: [{ images: [] }] });
    expect((await send(file.url)).status).toBe(404);
    const filtered = client.get(`/api/articles?filters[cover][name]=note.txt`);
    expect(await documentsOf(filtered)).toEqual([]);
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it('does not stand in the way of later writes of what used it', async () => {
    const { documentId } = await article({ seo: { metaTitle: 'M', shareImage: file.id } }, '?status=draft');
    await send(`/api/upload/files/${file.id}`, { method: 'DELETE', ...bearer('full') });
    const { seo } = await read(documentId, 'status=draft&populate=seo');
    const { id } = seo as { id: number };
    const path = `/api/articles/${documentId}?status=draft&populate[seo][populate]=*`;
    const updated = await documentOf(client.update(path, { seo: { id, metaTitle: 'N' } }));
    expect(updated.seo).toMatchObject({ metaTitle: 'N', shareImage: null });
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

describe('a deleted document', () => {
  it('leaves its files', async () => {
    const { documentId } = await article({ cover: file.id });
    await client.remove(`/api/articles/${documentId}`);
    expect((await send(file.url)).status).toBe(200);
    expect((await send(`/api/upload/files/${file.id}`, bearer('full'))).status).toBe(200);
  });
});
