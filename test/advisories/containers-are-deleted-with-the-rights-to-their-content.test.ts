/**
 * @module Class 6 of the advisories of 2026: deleting what holds other things needs the right to delete each of them. Strapi
 * 5.56 (deleting a folder deleted files without the right). Here, a folder holds files, a document its versions and locales,
 * a list of requests its writes, and a file, a user or a component what links to it.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { type Client, clientOf, documentOf } from '../support/client.ts';
import { interleavedDatabase } from '../support/interleaved-database.ts';
import { localesOf } from '../support/locales.ts';
import { bearer, createToken, sendJson } from '../support/recorded.ts';
import { formOf, TEXT, uploadOne } from '../support/uploads.ts';
import { register, type SignedIn } from '../support/users.ts';
import { openRights } from '../support/worlds/rights.ts';
import { id } from '../support/worlds/rights-model.ts';
import { expectNoChange } from './surfaces.ts';

const OWN = { author: '$user' };
const settings: SettingsInput = {
  server: { url: 'https://api.example.com' },
  upload: { folders: true, private: true },
  i18n: localesOf('en', 'fr', 'de'),
  roles: {
    authenticated: [
      {
        action: ['find', 'findOne'].map((action) => id('story', action)),
        where: { $or: [OWN, { title: { $startsWith: 'open' } }] },
      },
      { action: ['update', 'delete', 'unpublish', 'discardDraft'].map((action) => id('story', action)), where: OWN },
      id('story', 'readDrafts'),
      { action: [id('note', 'find'), id('note', 'delete')], where: OWN },
      ...['find', 'findOne', 'update', 'delete'].map((action) => id('folder', action)),
      'plugin::upload.content-api.upload',
    ],
  },
};
interface OwnDocuments {
  delete(documentId: string, params: object): Promise<void>;
}

const {
  client: full,
  send,
  serve,
} = openRights(
  settings,
  {},
  {
    extensions: {
      routes: (app) => {
        app.delete('/own/:id', async (c) => {
          const documents = c.var.documents as unknown as (uid: string) => OwnDocuments;
          await documents('api::story.story').delete(c.req.param('id'), { locale: '*' });
          return c.body(null, 204);
        });
      },
    },
  },
);
let anna: SignedIn;
let bert: SignedIn;
let asAnna: Client;

beforeAll(async () => {
  [anna, bert] = [await register(send, 'anna'), await register(send, 'bert')];
  asAnna = clientOf(send, anna.jwt);
});

type Owner = 'anna' | 'bert';
const idOf = (owner: Owner) => (owner === 'anna' ? anna : bert).user.id;

/** A published document in English, with other locales or a changed draft that may belong to another author. */
async function story(owner: Owner, others: Readonly<Record<string, Owner>> = {}, draft?: Owner): Promise<string> {
  const data = (of: Owner) => ({ title: 'open', author: idOf(of) });
  const { documentId } = await documentOf(full.create('/api/stories', data(owner)));
  const path = `/api/stories/${documentId}`;
  for (const [locale, other] of Object.entries(others))
    await documentOf(full.update(`${path}?locale=${locale}`, data(other)));
  if (draft) await documentOf(full.update(`${path}?status=draft`, data(draft)));
  return documentId;
}

const versionsOf = async (documentId: string) =>
  (await env.DB.prepare('select 1 from stories where document_id = ?').bind(documentId).all()).results.length;

const batch = (requests: readonly object[], token = anna.jwt) =>
  send('/api/batch', sendJson('POST', token, { requests }));

describe('a document with a locale of another author', () => {
  it.each(['locale=*', 'locale[]=en&locale[]=fr', 'locale=*&filters[title]=open', 'locale=fr', 'locale=*&_q=open'])(
    'is not deleted with %s, and no version of it is',
    async (search) => {
      const documentId = await story('anna', { fr: 'bert' });
      await expectNoChange(async () => {
        expect((await asAnna.remove(`/api/stories/${documentId}?${search}`)).status).toBe(403);
        if (search.includes('filters') || search.includes('_q')) return;
        const path = `/api/stories/${documentId}?${search}`;
        expect((await batch([{ method: 'DELETE', path }])).status).toBe(403);
      });
    },
  );

  it('is not deleted by own code with the grants of the caller', async () => {
    const documentId = await story('anna', { fr: 'bert' });
    await expectNoChange(async () => {
      expect((await send(`/own/${documentId}`, { method: 'DELETE', ...bearer(anna.jwt) })).status).toBe(403);
    });
  });

  it('is not deleted when the locale is added while the request is checked', async () => {
    const documentId = await story('anna');
    const add = () => full.update(`/api/stories/${documentId}?locale=fr`, { title: 'open', author: bert.user.id });
    const slow = serve({}, { DB: interleavedDatabase(env.DB, 1, add) });
    const response = await clientOf(slow, anna.jwt).remove(`/api/stories/${documentId}?locale=*`);
    expect([response.status, await versionsOf(documentId)]).toEqual([403, 4]);
  });

  it('is deleted in the locale of its author, and as a whole by a caller with the right to both', async () => {
    const documentId = await story('anna', { fr: 'bert' });
    expect((await asAnna.remove(`/api/stories/${documentId}`)).status).toBe(204);
    expect(await versionsOf(documentId)).toBe(2);
    const other = await story('anna', { fr: 'anna', de: 'anna' });
    expect((await asAnna.remove(`/api/stories/${other}?locale=*`)).status).toBe(204);
    expect(await versionsOf(other)).toBe(0);
  });
});

describe('a published document with a draft of another author', () => {
  it.each(['delete', 'unpublish', 'discard-draft'])('keeps both versions in a %s', async (action) => {
    for (const documentId of [await story('anna', {}, 'bert'), await story('bert', {}, 'anna')]) {
      const path = `/api/stories/${documentId}`;
      const request =
        action === 'delete'
          ? () => asAnna.remove(path)
          : () => send(`${path}/actions/${action}`, { method: 'POST', ...bearer(anna.jwt) });
      await expectNoChange(async () => expect((await request()).status).toBe(403));
    }
    const path = `/api/stories/${await story('anna', {}, 'anna')}`;
    const own =
      action === 'delete'
        ? asAnna.remove(path)
        : send(`${path}/actions/${action}`, { method: 'POST', ...bearer(anna.jwt) });
    expect((await own).ok).toBe(true);
  });
});

describe('a batch of deletions', () => {
  it('deletes nothing if one of the documents belongs to another author', async () => {
    const [mine, other] = [await story('anna'), await story('bert')];
    await expectNoChange(async () => {
      const response = await batch([mine, other].map((each) => ({ method: 'DELETE', path: `/api/stories/${each}` })));
      expect(response.status).toBe(403);
    });
  });
});

describe('a folder with files', () => {
  const DELETES = ['plugin::upload.folder.delete', 'plugin::upload.folder.find'];
  const DESTROYS = [...DELETES, 'plugin::upload.content-api.destroy'];
  const folderWith = async (info: object) => {
    const name = JSON.stringify(info);
    const outer = await send('/api/upload/folders', sendJson('POST', 'full', { name }));
    const { id: parent } = ((await outer.json()) as { data: { id: number } }).data;
    const inner = await send('/api/upload/folders', sendJson('POST', 'full', { name: 'inner', parent }));
    const { id: folder } = ((await inner.json()) as { data: { id: number } }).data;
    const file = await uploadOne(send, TEXT, { fileInfo: JSON.stringify({ ...info, folder }) });
    return { parent, file };
  };
  const remove = async (folder: number, token: string) =>
    (await send(`/api/upload/folders/${folder}`, { method: 'DELETE', ...bearer(token) })).status;
  const isThere = async (file: { readonly id: number; readonly url: string }) => [
    (await send(`/api/upload/files/${file.id}`, bearer('full'))).status,
    (await send(file.url)).status,
  ];

  beforeAll(async () => {
    await createToken('deletes-folders', 'custom', DELETES);
    await createToken('deletes-files', 'custom', DESTROYS);
    await createToken('finds-files', 'custom', [...DESTROYS, 'plugin::upload.content-api.find']);
  });

  it.each([
    ['a public file', {}, 'deletes-folders', 'deletes-files'],
    ['a private file', { private: true, caption: 'x' }, 'deletes-files', 'finds-files'],
  ] as const)(
    'is deleted with the right to delete each of them, in the folders below it, too: %s',
    async (_, info, without, granted) => {
      const { parent, file } = await folderWith(info);
      expect(await remove(parent, without)).toBe(403);
      expect(await isThere(file)).toEqual([200, 200]);
      expect(await remove(parent, granted)).toBe(200);
      expect(await isThere(file)).toEqual([404, 404]);
    },
  );

  it('is deleted with the file that came while the request was checked, or not at all', async () => {
    const { parent, file } = await folderWith({ caption: 'late' });
    await env.DB.prepare("update files set folder_path = '/' where id = ?").bind(file.id).run();
    const { results } = await env.DB.prepare('select path from upload_folders where id = ?').bind(parent).all();
    const arrive = env.DB.prepare('update files set folder_path = ? where id = ?').bind(results[0]?.path, file.id);
    const late = serve({}, { DB: interleavedDatabase(env.DB, 3, () => arrive.run()) });
    const { status } = await late(`/api/upload/folders/${parent}`, { method: 'DELETE', ...bearer('deletes-folders') });
    expect(status).toBe(403);
    expect(await isThere(file)).toEqual([200, 200]);
  });
});

describe('what links to other documents', () => {
  it('is deleted with its links alone: documents, files and users that the caller may not delete stay', async () => {
    const file = await uploadOne(send, TEXT);
    const note = await documentOf(full.create('/api/notes', { text: 'his', author: bert.user.id, cover: file.id }));
    const links = [{ label: 'x', note: note.documentId }];
    const any = [{ __type: 'api::note.note', documentId: note.documentId }];
    const data = { name: 'Folder', notes: [note.documentId], first: note.documentId, links, any };
    const folder = await documentOf(full.create('/api/folders', data));
    expect((await asAnna.update(`/api/folders/${folder.documentId}`, { links: [] })).status).toBe(200);
    expect((await asAnna.remove(`/api/folders/${folder.documentId}`)).status).toBe(204);
    const kept = await documentOf(full.get(`/api/notes/${note.documentId}?populate=author,cover`));
    expect(kept).toMatchObject({ text: 'his', author: { username: 'bert' }, cover: { url: file.url } });
    expect((await send(file.url)).status).toBe(200);
  });

  it('is not deleted by an upload that replaces it, nor a file by a caller who may only upload', async () => {
    const file = await uploadOne(send, TEXT);
    await expectNoChange(async () => {
      const path = `/api/upload/files/${file.id}`;
      expect((await send(path, { method: 'DELETE', ...bearer(anna.jwt) })).status).toBe(403);
      const form = { method: 'POST', ...bearer(anna.jwt), body: formOf([TEXT, TEXT]) };
      expect((await send(`/api/upload?id=${file.id}`, form)).status).toBe(400);
    });
  });

  it('is no user whom a caller without the right deletes, with or without content', async () => {
    await expectNoChange(async () => {
      const path = `/api/users/${bert.user.id}`;
      expect((await send(path, { method: 'DELETE', ...bearer(anna.jwt) })).status).toBe(403);
    });
    const mine = await story('bert');
    const { user } = await register(send, 'leaving');
    await documentOf(full.update(`/api/stories/${mine}`, { author: user.id }));
    expect((await send(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') })).status).toBe(200);
    expect(await versionsOf(mine)).toBe(2);
  });
});
