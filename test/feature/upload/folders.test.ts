/**
 * @module Folders of files: a tree with names, and what becomes of the files in it.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoized } from '../../../src/common/cache.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { runCron } from '../../support/app.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { describeApi } from '../../support/describe-api.ts';
import { conformity, type Seen, seenOf } from '../../support/described.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { film } from '../../support/pictures.ts';
import { bearer, createToken, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import {
  bytesAt,
  clearMedia,
  expectTidy,
  formOf,
  objectKeys,
  picture,
  postForm,
  refusal,
  type Sent,
  TEXT,
  uploaded,
  uploadOne,
} from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const SETTINGS: SettingsInput = {
  server: { url: 'https://api.example.com' },
  upload: { folders: true, private: true },
};
const { send } = openMagazine(SETTINGS);
const PATH = '/api/upload/folders';
const FILM: Sent = { bytes: film(9_000_000), name: 'film.mp4', type: 'video/mp4' };
/** Of a delete: the credential and the folder, its files, its folders, the write. */
const BATCH_OF_THE_DELETE = 3;
const SECRET_BUCKET = (env as Env & { PRIVATE_MEDIA: R2Bucket }).PRIVATE_MEDIA;
/** Of a move or another name: the credential and the folder, its parent, its name, the write. */
const BATCH_OF_THE_MOVE = 3;
/** Of an upload into a folder: the credential, the folder, the write. */
const BATCH_OF_THE_WRITE = 2;

interface Folder {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly pathId: number;
  readonly private: boolean;
  readonly parent: { readonly id: number; readonly name: string } | null;
}

const clearSecret = async () => SECRET_BUCKET.delete((await SECRET_BUCKET.list()).objects.map(({ key }) => key));

beforeEach(async () => {
  await clearMedia();
  await clearSecret();
  await env.DB.prepare('delete from upload_folders').run();
});

afterEach(() => {
  vi.useRealTimers();
});

const dataOf = async (response: Promise<Response>): Promise<Folder> => {
  const { data, error } = (await (await response).json()) as { data: Folder; error?: unknown };
  if (error) throw new Error(JSON.stringify(error));
  return data;
};
const post = (body: object) => send(PATH, sendJson('POST', 'full', body));
const put = (id: number, body: object) => send(`${PATH}/${id}`, sendJson('PUT', 'full', body));
const remove = (id: number) => send(`${PATH}/${id}`, { method: 'DELETE', ...bearer('full') });
const create = (name: string, parent?: Folder) => dataOf(post({ name, ...(parent && { parent: parent.id }) }));
const listed = async (): Promise<readonly Folder[]> =>
  ((await (await send(PATH, bearer('full'))).json()) as { data: Folder[] }).data;
const uploadTo = (folder: Folder | undefined, info = {}) =>
  uploadOne(send, TEXT, { fileInfo: JSON.stringify({ ...info, folder: folder?.id ?? null }) });
const filesIn = async (folder: Folder | 'root', query = ''): Promise<readonly number[]> => {
  const id = folder === 'root' ? folder : folder.id;
  const { data } = (await (await send(`${PATH}/${id}/files${query}`, bearer('full'))).json()) as {
    data: { id: number }[];
  };
  return data.map((file) => file.id);
};

describe('folders', () => {
  it('are a tree of names and paths', async () => {
    const a = await create('A');
    const b = await create('B', a);
    expect(await listed()).toEqual([
      { ...a, parent: null, private: false },
      { ...b, path: `${a.path}/${b.pathId}`, parent: { id: a.id, documentId: expect.any(String), name: 'A' } },
    ]);
    expect(await dataOf(send(`${PATH}/${b.id}`, bearer('full')))).toEqual(b);
    expect(await refusal(send(`${PATH}/999`, bearer('full')))).toMatch(/^404/);
  });

  it('get ids that no file names at any level of its path', async () => {
    const first = await create('First');
    const path = `/${first.pathId}/${first.pathId + 700}`;
    await env.DB.prepare(
      `insert into files (document_id, locale, published_at, name, folder_path) values ('deep', '', 1, 'deep', ?)`,
    )
      .bind(path)
      .run();
    expect((await create('Second')).pathId).toBe(first.pathId + 701);
    await env.DB.prepare(`delete from files where document_id = 'deep'`).run();
  });

  it('have names that no folder beside them has', async () => {
    const [a, b] = [await create('A'), await create('B')];
    expect(await refusal(post({ name: 'A' }))).toMatch(/^400.*name/);
    expect(await refusal(post({ name: ' A ' }))).toMatch(/^400.*name/);
    const inner = await create('A', b);
    expect(await refusal(put(inner.id, { parent: null }))).toMatch(/^400.*name/);
    expect(await refusal(put(b.id, { name: 'A' }))).toMatch(/^400.*name/);
    expect((await dataOf(put(b.id, { name: 'B' }))).name).toBe('B');
    const made = await Promise.all(['C', 'C', 'C', 'D', 'D'].map((name) => post({ name })));
    expect(made.map(({ status }) => status).toSorted()).toEqual([201, 201, 400, 400, 400]);
    expect(new Set((await listed()).map(({ pathId }) => pathId)).size).toBe(5);
    expect((await put(a.id, { parent: inner.id })).status).toBe(200);
  });

  it.each([
    {},
    { name: '' },
    { name: 'a/b' },
    { name: 1 },
    { name: 'x', parent: 999 },
    { name: 'x', parent: 'y' },
    { name: 'x', private: 'yes' },
    { name: 'x', path: '/1' },
  ])('reject the body %j', async (body) => {
    expect(await refusal(post(body))).toMatch(/^400/);
    expect(await listed()).toEqual([]);
  });

  it('name the one that they are in by its id alone, and are private only where files may be', async () => {
    const { id } = await create('A');
    for (const parent of [String(id), [id], true, id + 0.5])
      expect(await refusal(post({ name: 'B', parent })), JSON.stringify(parent)).toMatch(/^400.*parent/);
    expect(await refusal(post({ name: 'B', private: 'yes' }))).toMatch(/^400.*Invalid private/);
    const open = serve({ upload: { folders: true } });
    const body = (isPrivate: boolean) =>
      sendJson('POST', 'full', { name: `Private: ${isPrivate}`, private: isPrivate });
    expect(await refusal(open(PATH, body(true)))).toMatch(/^400.*Private files are off/);
    expect((await open(PATH, body(false))).status).toBe(201);
  });

  it('are listed up to the limit of a list', async () => {
    for (const name of ['A', 'B']) await create(name);
    const statusAt = async (plainList: number) =>
      (await serve({ ...SETTINGS, api: { rest: { limits: { plainList } } } })(PATH, bearer('full'))).status;
    expect([await statusAt(2), await statusAt(1)]).toEqual([200, 400]);
  });

  it('are written with another name, and those in them stay as they are', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const a = await create('A');
    const inner = await create('Inner', a);
    vi.setSystemTime(Date.now() + 60_000);
    const renamed = await dataOf(put(a.id, { name: 'B' }));
    expect(renamed).toMatchObject({ name: 'B', path: a.path });
    expect(await listed()).toEqual([renamed, { ...inner, parent: { ...inner.parent, name: 'B' } }]);
  });

  it('are read of a replica, and of the primary before they are written', async () => {
    const sources: unknown[] = [];
    const watched = new Proxy(env.DB, {
      get: (database, name: keyof D1Database) => {
        if (name !== 'withSession') return database[name];
        return (source: string) => {
          sources.push(source);
          return database.withSession(source);
        };
      },
    });
    const own = serve(SETTINGS, { DB: watched });
    const { id } = await create('A');
    const sourcesOf = async (path: string, init: RequestInit) => {
      sources.length = 0;
      expect((await own(path, init)).ok).toBe(true);
      return new Set(sources);
    };
    for (const path of [PATH, `${PATH}/${id}`])
      expect(await sourcesOf(path, bearer('full'))).toEqual(new Set(['first-unconstrained']));
    for (const [path, init] of [
      [PATH, sendJson('POST', 'full', { name: 'B' })],
      [`${PATH}/${id}`, sendJson('PUT', 'full', { name: 'C' })],
      [`${PATH}/${id}`, { method: 'DELETE', ...bearer('full') }],
    ] as const)
      expect(await sourcesOf(path, init)).toEqual(new Set(['first-primary']));
  });

  it('take no round trip for a folder that is not named, nor for the top', async () => {
    const { database, answering, batches } = countedDatabase(env.DB);
    const own = serve(SETTINGS, { DB: database });
    const { id } = await create('A');
    const count = async (work: () => Promise<Response>) => {
      batches.length = 0;
      expect((await work()).ok).toBe(true);
      return answering().length;
    };
    const upload = (info: object) => postForm(own, formOf([TEXT], { fileInfo: JSON.stringify(info) }));
    expect(await count(() => upload({}))).toBe(2);
    expect(await count(() => upload({ folder: null }))).toBe(2);
    expect(await count(() => upload({ folder: id }))).toBe(3);
    expect(await count(() => own(`${PATH}/${id}`, bearer('full')))).toBe(1);
    const empty = await create('Empty');
    await count(() => own(`${PATH}/${empty.id}`, { method: 'DELETE', ...bearer('full') }));
    expect(batches.flat().filter((text) => text.startsWith('delete from "files"'))).toEqual([]);
  });

  it('are moved with what is below them, and into no folder below themselves', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const [inner, beside] = [await create('Inner', a), await create('Beside')];
    const [file, deep, other] = [await uploadTo(a), await uploadTo(inner), await uploadTo(beside)];
    for (const parent of [a.id, inner.id]) expect(await refusal(put(a.id, { parent }))).toMatch(/^400.*below itself/);
    const moved = await dataOf(put(a.id, { parent: b.id, name: 'A2' }));
    expect(moved).toMatchObject({ name: 'A2', path: `${b.path}/${a.pathId}`, parent: { id: b.id } });
    expect((await listed()).find(({ id }) => id === inner.id)?.path).toBe(`${b.path}/${a.pathId}/${inner.pathId}`);
    expect(await Promise.all([a, inner, beside].map((folder) => filesIn(folder)))).toEqual([
      [file.id],
      [deep.id],
      [other.id],
    ]);
    expect((await dataOf(put(a.id, { parent: null }))).path).toBe(a.path);
    expect(await filesIn(inner)).toEqual([deep.id]);
  });

  it('are moved into a folder whose path begins with theirs and is not below them', async () => {
    const first = await create('First');
    let last = first;
    while (last === first || !last.path.startsWith(first.path)) last = await create(`After ${last.pathId}`);
    expect((await dataOf(put(first.id, { parent: last.id }))).path).toBe(`${last.path}/${first.pathId}`);
  });

  it('are in no circle after two moves in one millisecond, one of them below the other', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [a, b] = [await create('A'), await create('B')];
    const inner = await create('Inner', b);
    const batches = interleavedDatabase(env.DB, BATCH_OF_THE_MOVE, () => put(b.id, { parent: a.id }));
    const body = sendJson('PUT', 'full', { parent: inner.id });
    expect(await refusal(serve(SETTINGS, { DB: batches })(`${PATH}/${a.id}`, body))).toMatch(/^400.*below itself/);
    expect((await listed()).map(({ path }) => path)).toEqual([
      a.path,
      `${a.path}/${b.pathId}`,
      `${a.path}/${b.pathId}/${inner.pathId}`,
    ]);
  });

  it('are where a folder above them was moved in the millisecond in which they got another name', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const [a, b] = [await create('A'), await create('B')];
    const inner = await create('Inner', await create('Middle', b));
    const batches = interleavedDatabase(env.DB, BATCH_OF_THE_MOVE, () => put(b.id, { parent: a.id }));
    const body = sendJson('PUT', 'full', { name: 'Innermost' });
    const { path } = await dataOf(serve(SETTINGS, { DB: batches })(`${PATH}/${inner.id}`, body));
    expect(path).toBe(`${a.path}${inner.path}`);
  });

  it('are at the top if the folder above them has no row', async () => {
    const a = await create('A');
    const b = await create('B', a);
    const inner = await create('Inner', b);
    await env.DB.prepare('delete from upload_folders where id = ?').bind(a.id).run();
    expect((await dataOf(send(`${PATH}/${b.id}`, bearer('full')))).parent).toBeNull();
    expect(await dataOf(put(b.id, { name: 'B2' }))).toMatchObject({ name: 'B2', path: `/${b.pathId}`, parent: null });
    expect((await listed()).find(({ id }) => id === inner.id)?.path).toBe(`/${b.pathId}/${inner.pathId}`);
  });

  it('have files at any depth', async () => {
    let folder = await create('0');
    while (folder.path.length < 300) folder = await create('1', folder);
    const { id } = await uploadTo(folder);
    expect(await filesIn(folder)).toEqual([id]);
  });

  it('are described as they are, with the files in them', async () => {
    const document = describeApi(recordedRegistry, parseSettings(SETTINGS));
    const seen: Seen[] = [];
    const note = async (path: string, init: RequestInit = bearer('full')): Promise<unknown> => {
      const response = await send(path, init);
      seen.push(await seenOf(`http://edgewise.test${path}`, init.method ?? 'GET', response));
      return response.json().catch(() => undefined);
    };
    const { data: outer } = (await note(PATH, sendJson('POST', 'full', { name: 'Described', private: true }))) as {
      data: Folder;
    };
    const inner = await create('Inner', outer);
    const { id } = await uploadTo(inner, { private: true });
    for (const path of [PATH, `${PATH}/${inner.id}`, `${PATH}/${inner.id}/files`, `${PATH}/root/files`, `${PATH}/9999`])
      await note(path);
    await note(`${PATH}/${inner.id}`, sendJson('PUT', 'full', { parent: null }));
    await note(`/api/upload/files/${id}/actions/sign`, sendJson('POST', 'full', { expiresIn: 60 }));
    for (const folder of [inner, outer]) await note(`${PATH}/${folder.id}`, { method: 'DELETE', ...bearer('full') });
    const { complaints, succeeded } = await conformity(document, seen);
    expect(complaints).toEqual([]);
    expect(new Set(succeeded)).toEqual(
      new Set([
        'createFolder',
        'listFolders',
        'getFolder',
        'pageFolderFiles',
        'updateFolder',
        'signFile',
        'deleteFolder',
      ]),
    );
    expect(document.components.schemas?.FileInfo).toMatchObject({ properties: { folder: {}, private: {} } });
  });

  it('do not exist without the setting', async () => {
    const off = serve();
    expect((await off(PATH, bearer('full'))).status).toBe(404);
  });
});

describe('a file', () => {
  it('is put into a folder by its info, and out of it', async () => {
    const folder = await create('A');
    const file = await uploadTo(folder);
    expect([await filesIn(folder), await filesIn('root')]).toEqual([[file.id], []]);
    expect(file).not.toHaveProperty('folderPath');
    await uploaded(send(`/api/upload?id=${file.id}`, sendJson('POST', 'full', { fileInfo: { folder: null } })));
    expect([await filesIn(folder), await filesIn('root')]).toEqual([[], [file.id]]);
    await uploaded(send(`/api/upload?id=${file.id}`, sendJson('POST', 'full', { fileInfo: { folder: folder.id } })));
    expect(await filesIn(folder, '?filters[name]=note.txt&pagination[pageSize]=1')).toEqual([file.id]);
    const page = await (await send(`${PATH}/root/files`, bearer('full'))).json();
    expect(page).toMatchObject({ data: [], meta: { pagination: { total: 0 } } });
    expect(await refusal(postForm(send, formOf([TEXT], { fileInfo: '{"folder":999}' })))).toMatch(/^400.*folder/);
    await expectTidy(1);
  });

  it('is in no folder if nothing is said of one, or without the setting', async () => {
    const plain = await uploadOne(send, TEXT);
    const folder = await create('A');
    const ignoring = await uploadOne(serve(), TEXT, { fileInfo: JSON.stringify({ folder: folder.id }) });
    expect([await filesIn('root'), await filesIn(folder)]).toEqual([[plain.id, ignoring.id], []]);
  });

  it('names its folder by a number or by digits', async () => {
    const folder = await create('A');
    const upload = (named: unknown) => postForm(send, formOf([TEXT], { fileInfo: JSON.stringify({ folder: named }) }));
    for (const named of [[folder.id], ` ${folder.id} `, `${folder.id}e0`, true, {}, '', 0])
      expect(await refusal(upload(named)), JSON.stringify(named)).toMatch(/^400.*fileInfo\.folder/);
    await uploaded(upload(String(folder.id)));
    expect(await filesIn(folder)).toHaveLength(1);
  });

  it('is private if its folder was when it came', async () => {
    const folder = await dataOf(post({ name: 'Secret', private: true }));
    expect((await uploadTo(folder)).isUrlSigned).toBe(true);
    expect((await uploadTo(folder, { private: false })).isUrlSigned).toBe(false);
    const open = await uploadTo(undefined);
    const [moved] = await uploaded(
      send(`/api/upload?id=${open.id}`, sendJson('POST', 'full', { fileInfo: { folder: folder.id } })),
    );
    expect(moved?.isUrlSigned).toBe(false);
  });
});

describe('a file whose folder changes before its row is written', () => {
  /** Uploads while something happens between the read of the folder and the write. */
  async function uploadDuring(meanwhile: () => Promise<Response>, folder: Folder, file = TEXT) {
    const batches = interleavedDatabase(env.DB, BATCH_OF_THE_WRITE, async () =>
      expect((await meanwhile()).ok).toBe(true),
    );
    const own = serve(SETTINGS, { DB: batches });
    return postForm(own, formOf([file], { fileInfo: JSON.stringify({ folder: folder.id }) }));
  }

  it('is in the folder where that is now', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const [file] = await uploaded(uploadDuring(() => put(a.id, { parent: b.id }), a));
    expect(await filesIn(a)).toEqual([file?.id]);
  });

  it('is rejected with 400 if the folder is deleted, and leaves nothing', async () => {
    const folder = await create('A');
    expect(await refusal(uploadDuring(() => remove(folder.id), folder))).toMatch(/^400.*folder/);
    await expectTidy(0);
    expect(await objectKeys()).toEqual([]);
  });

  it.each([
    ['small', [true, false], async () => TEXT],
    ['with formats', [true, false], () => picture(1200)],
    ['in parts', [true], async () => FILM],
  ])('is as private as the folder is now: %s', async (_, changes, sent) => {
    const folder = await create('A');
    const file = await sent();
    for (const isPrivate of changes) {
      await clearMedia();
      await clearSecret();
      const [stored] = await uploaded(uploadDuring(() => put(folder.id, { private: isPrivate }), folder, file));
      expect(stored?.isUrlSigned).toBe(isPrivate);
      expect((await bytesAt(send, String(stored?.url))).length).toBe(new Blob([file.bytes]).size);
      const objects = 1 + Object.keys(stored?.formats ?? {}).length;
      const others = (await SECRET_BUCKET.list()).objects.length;
      expect([others, (await objectKeys()).length]).toEqual(isPrivate ? [objects, 0] : [0, objects]);
    }
  });

  it('is stored once where that changes nothing of its privacy', async () => {
    const folder = await create('A');
    let puts = 0;
    const bucket = new Proxy(SECRET_BUCKET, {
      get: (real, name: keyof R2Bucket) => {
        if (name === 'put') puts += 1;
        return real[name].bind(real);
      },
    });
    const own: SettingsInput = { ...SETTINGS, upload: { folders: true, private: 'all' } };
    const meanwhile = () => put(folder.id, { private: true });
    const batches = interleavedDatabase(env.DB, BATCH_OF_THE_WRITE, meanwhile);
    const fields = { fileInfo: JSON.stringify({ folder: folder.id }) };
    const file = await uploadOne(serve(own, { DB: batches, PRIVATE_MEDIA: bucket } as never), TEXT, fields);
    expect((await bytesAt(send, file.url)).length).toBe(6);
    const moving = interleavedDatabase(env.DB, BATCH_OF_THE_WRITE, () => put(folder.id, { parent: null, name: 'B' }));
    puts = 0;
    await uploadOne(serve(own, { DB: moving, PRIVATE_MEDIA: bucket } as never), TEXT, fields);
    expect([puts, (await SECRET_BUCKET.list()).objects.length]).toEqual([1, 2]);
  });

  it('is where new bytes put it', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const { id } = await uploadTo(undefined);
    const batches = interleavedDatabase(env.DB, BATCH_OF_THE_WRITE, () => put(a.id, { parent: b.id }));
    const own = serve(SETTINGS, { DB: batches });
    const fields = { fileInfo: JSON.stringify({ folder: a.id }) };
    await uploaded(postForm(own, formOf([TEXT], fields), `?id=${id}`));
    expect(await filesIn(a)).toEqual([id]);
    await expectTidy(1);
  });

  it('is where the folder is now with nine others', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const moved = memoized(() => put(a.id, { parent: b.id }));
    const files = await Promise.all(Array.from({ length: 10 }, () => uploaded(uploadDuring(moved, a))));
    const ids = files.flat().map(({ id }) => id);
    expect(await filesIn(a)).toEqual(ids.toSorted((one, other) => one - other));
    await expectTidy(10);
  });
});

describe('DELETE /api/upload/folders/:id', () => {
  it('deletes the folders and files in it, and no others', async () => {
    const [a, b] = [await create('A'), await create('B')];
    const inner = await create('Inner', a);
    for (const folder of [a, inner, inner]) await uploadTo(folder);
    const kept = await uploadTo(b);
    expect((await dataOf(remove(a.id))).id).toBe(a.id);
    expect((await listed()).map(({ id }) => id)).toEqual([b.id]);
    expect(await objectKeys()).toEqual([`${kept.hash}.txt`]);
    await expectTidy(1);
  });

  it('deletes the pictures on request of its files', async () => {
    const own = serve({ ...SETTINGS, upload: { ...SETTINGS.upload, widths: [64] } });
    const folder = await create('A');
    const file = await uploadOne(own, await picture(600), { fileInfo: JSON.stringify({ folder: folder.id }) });
    expect((await own(`${file.url}?w=64`)).status).toBe(200);
    expect((await own(`${PATH}/${folder.id}`, { method: 'DELETE', ...bearer('full') })).status).toBe(200);
    expect((await own(`${file.url}?w=64`)).status).toBe(404);
    expect(await objectKeys()).toEqual([]);
  });

  /** Deletes the folder while something happens between its reads and its write. */
  async function removeDuring(meanwhile: () => Promise<unknown>, { id }: Folder) {
    const own = serve(SETTINGS, { DB: interleavedDatabase(env.DB, BATCH_OF_THE_DELETE, meanwhile) });
    return own(`${PATH}/${id}`, { method: 'DELETE', ...bearer('full') });
  }

  it('deletes more files than one read returns, with their links, and counts the others', async () => {
    const [folder, inner] = [await create('A'), await create('B')];
    await put(inner.id, { parent: folder.id });
    const [file, kept] = [await uploadTo(folder), await uploadTo(undefined)];
    const data = { name: 'Ada', avatar: file.id };
    expect((await send('/api/authors', sendJson('POST', 'full', { data }))).ok).toBe(true);
    const columns =
      'document_id, locale, published_at, created_at, updated_at, name, hash, ext, mime, url, folder_path';
    await env.DB.prepare(
      `insert into files (${columns})
       with recursive counter (n) as (select 1 union all select n + 1 from counter where n < 2100)
       select 'file' || n, '', 1, 1, n, 'f', 'f_' || printf('%010x', n), '.txt', 'text/plain', '/', ? from counter`,
    )
      .bind(`${folder.path}/${inner.pathId}`)
      .run();
    await env.DB.prepare("update edgewise_counters set total = total + 2100 where type = 'plugin::upload.file'").run();
    expect((await remove(folder.id)).status).toBe(200);
    for (let runs = 0; runs < 5; runs += 1) await runCron(recordedRegistry, SETTINGS);
    await expectTidy(1);
    expect((await send(`/api/upload/files/${kept.id}`, bearer('full'))).status).toBe(200);
    expect(await listed()).toEqual([]);
    expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
  });

  it('deletes files that come meanwhile, and none that leave', async () => {
    const folder = await create('A');
    const leaving = await uploadTo(folder);
    const change = async () => {
      await uploadTo(folder);
      const body = { fileInfo: { folder: null, caption: 'kept' } };
      await uploaded(send(`/api/upload?id=${leaving.id}`, sendJson('POST', 'full', body)));
    };
    expect((await removeDuring(change, folder)).status).toBe(200);
    expect(await objectKeys()).toEqual([`${leaving.hash}.txt`]);
    await expectTidy(1);
  });

  it('deletes folders that come meanwhile', async () => {
    const folder = await create('A');
    expect((await removeDuring(() => create('B', folder), folder)).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  it('deletes a folder in it that took the place of another one meanwhile', async () => {
    const folder = await create('A');
    const inner = await create('Inner', folder);
    let path: string | undefined;
    const meanwhile = async () => {
      await remove(inner.id);
      ({ path } = await create('Inner', folder));
    };
    expect((await removeDuring(meanwhile, folder)).status).toBe(200);
    expect(path).toBe(inner.path);
    expect(await listed()).toEqual([]);
    await expectTidy(0);
  });

  it('deletes nothing if a file becomes private meanwhile of which the caller may not know', async () => {
    await createToken('deletes', 'custom', ['plugin::upload.folder.delete', 'plugin::upload.content-api.destroy']);
    const folder = await create('A');
    const { id } = await uploadTo(folder);
    const change = sendJson('POST', 'full', { fileInfo: { private: true } });
    const meanwhile = () => uploaded(send(`/api/upload?id=${id}`, change));
    const own = serve(SETTINGS, { DB: interleavedDatabase(env.DB, BATCH_OF_THE_DELETE, meanwhile) });
    const init = { method: 'DELETE', ...bearer('deletes') };
    expect(await refusal(own(`${PATH}/${folder.id}`, init))).toMatch(/^403/);
    expect(await filesIn(folder)).toEqual([id]);
    expect(await refusal(send(`${PATH}/${folder.id}`, init))).toMatch(/^403/);
  });
});
