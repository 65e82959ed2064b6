/**
 * @module Files of other callers and other objects of the bucket: no upload changes them, and no key leads to them.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bearer, createToken, sendJson, serve } from '../support/recorded.ts';
import {
  clearMedia,
  type FileAnswer,
  formOf,
  objectKeys,
  postForm,
  refusal,
  TEXT,
  uploaded,
  uploadOne,
} from '../support/uploads.ts';
import { openMagazine } from '../support/world.ts';

const { send } = openMagazine();
const SECRET = 'kept apart';

beforeAll(async () => {
  await createToken('uploads', 'custom', ['plugin::upload.content-api.upload']);
});
beforeEach(clearMedia);

const textOf = async (response: Response) => new TextDecoder().decode(await response.arrayBuffer());
const textAt = async (path: string) => textOf(await send(path));

/** Directus CVE-2025-55746, CVE-2026-39942 */
describe('a file of another caller', () => {
  const theirs = (file: FileAnswer) => ({
    id: file.id,
    documentId: file.documentId,
    hash: file.hash,
    ext: file.ext,
    url: file.url,
    filename_disk: `${file.hash}${file.ext}`,
    filename_download: `${file.hash}${file.ext}`,
    path: `${file.hash}${file.ext}`,
    key: `${file.hash}${file.ext}`,
    storage: 'r2',
    provider: 'local',
    provider_metadata: { key: `${file.hash}${file.ext}` },
    formats: { thumbnail: { hash: file.hash, ext: file.ext, url: file.url } },
    mime: 'text/html',
    folderPath: '/1',
    createdAt: '2020-01-01',
  });
  const withBytes = { bytes: 'other bytes', name: 'other.txt', type: 'text/plain' };

  it('stays as it is, whatever fileInfo, fields and names of a new file say of it', async () => {
    const victim = await uploadOne(send, TEXT);
    const claims = theirs(victim);
    const fields = Object.fromEntries(
      Object.entries(claims).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : `${value}`,
      ]),
    );
    const [mine] = await uploaded(
      postForm(send, formOf([withBytes], { ...fields, fileInfo: JSON.stringify(claims) }), '', 'uploads'),
    );
    const named = formOf([{ ...withBytes, name: claims.key }], { fileInfo: JSON.stringify({ name: claims.key }) });
    const [namesake] = await uploaded(postForm(send, named, '', 'uploads'));
    for (const file of [mine, namesake]) {
      expect(file).toMatchObject({ ext: '.txt', mime: 'text/plain', provider: 'r2', formats: null });
      for (const name of ['id', 'documentId', 'hash', 'url']) expect(file?.[name], name).not.toBe(victim[name]);
    }
    expect(await textAt(victim.url)).toBe('a text');
    expect(await (await send(`/api/upload/files/${victim.id}`, bearer('full'))).json()).toEqual(victim);
  });

  it('stays when a file that claims its values is changed, replaced and deleted', async () => {
    const [victim, mine] = [await uploadOne(send, TEXT), await uploadOne(send, TEXT)];
    const body = { ...theirs(victim), fileInfo: theirs(victim) };
    const [changed] = await uploaded(send(`/api/upload?id=${mine.id}`, sendJson('POST', 'full', body)));
    expect(changed).toEqual({ ...mine, updatedAt: changed?.updatedAt });
    for (const replace of ['same-url', 'new-url'] as const) {
      const form = formOf([withBytes], { fileInfo: JSON.stringify(theirs(victim)) });
      const [replaced] = await uploaded(postForm(serve({ upload: { replace } }), form, `?id=${mine.id}`));
      expect(replaced).toMatchObject({ id: mine.id, documentId: mine.documentId, formats: {} });
      expect(replaced?.hash === mine.hash).toBe(replace === 'same-url');
      for (const name of ['hash', 'url']) expect(replaced?.[name], name).not.toBe(victim[name]);
    }
    expect((await send(`/api/upload/files/${mine.id}`, { method: 'DELETE', ...bearer('full') })).status).toBe(200);
    expect(await textAt(victim.url)).toBe('a text');
  });

  it('stays with the requests of other systems', async () => {
    const { id, url, documentId } = await uploadOne(send, TEXT);
    for (const [method, path, refused] of [
      ['PUT', `/api/upload/files/${id}`, 405],
      ['PATCH', `/api/upload/files/${id}`, 405],
      ['POST', `/api/upload/files/${id}`, 405],
      ['PATCH', `/files/${documentId}`, 405],
      ['PUT', url, 405],
      ['POST', url, 405],
      ['DELETE', url, 405],
      ['PUT', `/api/files/${documentId}`, 405],
      ['DELETE', `/api/files/${documentId}`, 405],
    ] as const) {
      const { status } = await send(path, { ...sendJson(method, 'full', { data: { name: 'mine' } }) });
      expect([method, path, status]).toEqual([method, path, refused]);
    }
    expect(await textAt(url)).toBe('a text');
  });

  it.each([
    ['plugin::upload.file', 'ref'],
    ['plugin::users-permissions.role', 'ref'],
    ['admin::session', 'ref'],
    ['__proto__', 'ref'],
    ['plugin::users-permissions.user', 'field'],
  ])('is not attached to rows of the system, or to what is no media attribute: %s', async (ref, parameter) => {
    const form = formOf([withBytes], { ref, refId: '1', field: 'formats' });
    expect(await refusal(postForm(send, form))).toContain(`400 ValidationError: Invalid ${parameter}`);
    expect(await objectKeys()).toEqual([]);
  });
});

/** CVE-2024-31217, GHSA-pm9q-xj9p-96pm; Payload CVE-2026-34750 */
describe('the key of a file', () => {
  it.each([
    '.htaccess',
    '...txt',
    'a.txt.',
    'a%00.txt',
    '%2e%2e%2fa.txt',
    'a.txt#y',
    "a.'; drop table files; --",
    'a.t\u00a0xt',
    '__proto__',
    'CON.txt',
    'n'.repeat(255),
    `a.${'e'.repeat(200)}`,
  ])('has letters, digits, `_`, `-` and the extension alone for the name %j', async (name) => {
    const { url, ext } = await uploadOne(send, { bytes: 'a text', name, type: 'text/plain' });
    const [key = ''] = await objectKeys();
    expect(key).toMatch(/^[A-Za-z0-9_-]+\.[a-z]{3}$/);
    expect([url, ext]).toEqual([`/uploads/${key}`, '.txt']);
    expect(await textAt(url)).toBe('a text');
  });

  it.each(['..', 'a.txt?x=1#y', 'a.<script>'])('has the same for the name %j in fileInfo', async (name) => {
    const { url } = await uploadOne(send, { bytes: 'a text', name: 'a.txt' }, { fileInfo: JSON.stringify({ name }) });
    const [key = ''] = await objectKeys();
    expect(key).toMatch(/^[A-Za-z0-9_-]+\.txt$/);
    expect(url).toBe(`/uploads/${key}`);
  });

  it.each([
    'private/secret.txt',
    'private%2fsecret.txt',
    'private%2Fsecret.txt',
    'private%252fsecret.txt',
    'private%5csecret.txt',
    '..%2fuploads%2fprivate%2fsecret.txt',
    '%2e%2e%2fprivate%2fsecret.txt',
    './private/secret.txt',
    '/private/secret.txt',
    'x%2f..%2fprivate%2fsecret.txt',
    'private%ef%bc%8fsecret.txt',
    'private%c0%afsecret.txt',
    'private%2fsecret.txt%00',
    '?key=private/secret.txt',
    'a secret',
    'a%20secret',
    'a+secret',
  ])('leads to no other object of the bucket: %s', async (key) => {
    const keys = ['private/secret.txt', '../uploads/private/secret.txt', 'private\\secret.txt', 'a secret'];
    for (const hidden of keys) await env.MEDIA.put(hidden, SECRET);
    for (const prefix of ['/uploads/', '/UPLOADS/', '//uploads/', '/api/../uploads/']) {
      const response = await send(`${prefix}${key}`);
      const isRefused = prefix.startsWith('//') || /%(00|c0)/.test(key);
      expect([prefix, response.status]).toEqual([prefix, isRefused ? 400 : 404]);
      expect(await response.text()).not.toContain(SECRET);
    }
  });
});
