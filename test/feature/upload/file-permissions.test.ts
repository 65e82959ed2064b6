/**
 * @module What each permission of files and folders allows alone, and with each other one.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { clearMedia, type FileAnswer, formOf, type Sent, TEXT, uploadOne } from '../../support/uploads.ts';
import { openMagazine } from '../../support/world.ts';

const SETTINGS: SettingsInput = {
  server: { url: 'https://api.example.com' },
  upload: { folders: true, private: true },
};
const { send } = openMagazine(SETTINGS);
const SECRET_BUCKET = (env as Env & { PRIVATE_MEDIA: R2Bucket }).PRIVATE_MEDIA;
const FOLDERS = '/api/upload/folders';
/** Id of no file and no folder. */
const NONE = 999_999;
const SECRET: Sent = { ...TEXT, name: 'secret.txt' };

const ACTIONS = [
  'content-api.find',
  'content-api.findOne',
  'content-api.upload',
  'content-api.destroy',
  'folder.find',
  'folder.create',
  'folder.update',
  'folder.delete',
] as const;
type Action = (typeof ACTIONS)[number];
type Can = (...actions: readonly Action[]) => boolean;

/** Each action, and each two. */
const CALLERS: readonly (readonly Action[])[] = ACTIONS.flatMap((one, index) => [
  [one],
  ...ACTIONS.slice(index + 1).map((other) => [one, other] as const),
]);
const tokenOf = (actions: readonly Action[]): string => actions.map((action) => ACTIONS.indexOf(action)).join('+');

interface World {
  /** Has the two files. */
  readonly full: { readonly id: number };
  readonly empty: { readonly id: number };
  readonly open: FileAnswer;
  readonly secret: FileAnswer;
}

async function makeFolder(name: string): Promise<{ readonly id: number }> {
  const response = await send(FOLDERS, sendJson('POST', 'full', { name }));
  return ((await response.json()) as { data: { id: number } }).data;
}

async function makeWorld(): Promise<World> {
  await clearMedia();
  await SECRET_BUCKET.delete((await SECRET_BUCKET.list()).objects.map(({ key }) => key));
  await env.DB.prepare('delete from upload_folders').run();
  const [full, empty] = [await makeFolder('full-folder'), await makeFolder('empty-folder')];
  const info = (more: object) => ({ fileInfo: JSON.stringify({ folder: full.id, ...more }) });
  const open = await uploadOne(send, TEXT, info({}));
  return { full, empty, open, secret: await uploadOne(send, SECRET, info({ private: true })) };
}

interface Request {
  readonly method: string;
  readonly path: string;
  readonly json?: object;
  readonly form?: object;
}
const get = (path: string): Request => ({ method: 'GET', path });
const remove = (path: string): Request => ({ method: 'DELETE', path });
const post = (path: string, json: object): Request => ({ method: 'POST', path, json });
const put = (path: string, json: object): Request => ({ method: 'PUT', path, json });
/** Sends bytes. @param fileInfo of them */
const upload = (query: string, fileInfo: object): Request => ({
  method: 'POST',
  path: `/api/upload${query}`,
  form: fileInfo,
});
const sign = (id: number): Request => post(`/api/upload/files/${id}/actions/sign`, { expiresIn: 60 });
const change = (id: number | string, fileInfo: object): Request => post(`/api/upload?id=${id}`, { fileInfo });

const mayFind = (can: Can): boolean => can('content-api.find') || can('content-api.findOne');
/** The status of a request that takes an action, and what it has with it. */
const takes =
  (action: Action, status: number | ((can: Can) => number)) =>
  (can: Can): number => {
    if (!can(action)) return 403;
    return typeof status === 'number' ? status : status(can);
  };
const ifFolders =
  (status: number, otherwise: number) =>
  (can: Can): number =>
    can('folder.find') ? status : otherwise;
const ifFiles =
  (status: number, otherwise: number) =>
  (can: Can): number =>
    mayFind(can) ? status : otherwise;

const CASES: readonly (readonly [name: string, request: (world: World) => Request, status: (can: Can) => number])[] = [
  ['lists files', () => get('/api/upload/files'), takes('content-api.find', 200)],
  ['pages files', () => get('/api/upload/files/page'), takes('content-api.find', 200)],
  [
    'pages unused files',
    () => get('/api/upload/files/page?unused=true'),
    (can) => (can('content-api.find', 'content-api.destroy') ? 200 : 403),
  ],
  ['reads a file', ({ open }) => get(`/api/upload/files/${open.id}`), takes('content-api.findOne', 200)],
  ['reads a private file', ({ secret }) => get(`/api/upload/files/${secret.id}`), takes('content-api.findOne', 200)],
  ['reads no file', () => get(`/api/upload/files/${NONE}`), takes('content-api.findOne', 404)],
  ['reads private bytes', ({ secret }) => get(`/uploads/${secret.hash}${secret.ext}`), ifFiles(200, 404)],
  ['signs a private file', ({ secret }) => sign(secret.id), ifFiles(200, 403)],
  ['signs a file', ({ open }) => sign(open.id), ifFiles(400, 403)],
  ['signs no file', () => sign(NONE), ifFiles(404, 403)],
  ['adds a file', () => upload('', {}), takes('content-api.upload', 201)],
  ['adds a private file', () => upload('', { private: true }), takes('content-api.upload', 201)],
  ['adds to no folder', () => upload('', { folder: NONE }), takes('content-api.upload', 400)],
  ['adds to the top', () => upload('', { folder: null }), takes('content-api.upload', 201)],
  ['adds to a folder', ({ full }) => upload('', { folder: full.id }), takes('content-api.upload', ifFolders(201, 400))],
  ['changes a file', ({ open }) => change(open.id, { caption: 'x' }), takes('content-api.upload', 200)],
  ['changes no file', () => change(NONE, { caption: 'x' }), takes('content-api.upload', 404)],
  [
    'moves a file',
    ({ open, full }) => change(open.documentId, { folder: full.id }),
    takes('content-api.upload', ifFolders(200, 400)),
  ],
  [
    'changes a private file',
    ({ secret }) => change(secret.id, { caption: 'x' }),
    takes('content-api.upload', ifFiles(200, 404)),
  ],
  [
    'makes a private file public',
    ({ secret }) => change(secret.documentId, { private: false }),
    takes('content-api.upload', ifFiles(200, 404)),
  ],
  [
    'replaces a private file',
    ({ secret }) => upload(`?id=${secret.documentId}`, {}),
    takes('content-api.upload', ifFiles(200, 404)),
  ],
  ['deletes a file', ({ open }) => remove(`/api/upload/files/${open.id}`), takes('content-api.destroy', 200)],
  ['deletes no file', () => remove(`/api/upload/files/${NONE}`), takes('content-api.destroy', 404)],
  [
    'deletes a private file',
    ({ secret }) => remove(`/api/upload/files/${secret.id}`),
    takes('content-api.destroy', ifFiles(200, 404)),
  ],
  ['lists folders', () => get(FOLDERS), takes('folder.find', 200)],
  ['reads a folder', ({ full }) => get(`${FOLDERS}/${full.id}`), takes('folder.find', 200)],
  ['reads no folder', () => get(`${FOLDERS}/${NONE}`), takes('folder.find', 404)],
  [
    'pages the files of a folder',
    ({ full }) => get(`${FOLDERS}/${full.id}/files`),
    takes('content-api.find', ifFolders(200, 404)),
  ],
  ['pages the files of no folder', () => get(`${FOLDERS}/${NONE}/files`), takes('content-api.find', 404)],
  ['pages the files at the top', () => get(`${FOLDERS}/root/files`), takes('content-api.find', 200)],
  ['creates a folder', () => post(FOLDERS, { name: 'new' }), takes('folder.create', 201)],
  ['creates a folder in none', () => post(FOLDERS, { name: 'new', parent: NONE }), takes('folder.create', 400)],
  [
    'creates a folder in another',
    ({ full }) => post(FOLDERS, { name: 'new', parent: full.id }),
    takes('folder.create', ifFolders(201, 400)),
  ],
  ['changes a folder', ({ full }) => put(`${FOLDERS}/${full.id}`, { name: 'new' }), takes('folder.update', 200)],
  ['changes no folder', () => put(`${FOLDERS}/${NONE}`, { name: 'new' }), takes('folder.update', 404)],
  [
    'moves a folder',
    ({ full, empty }) => put(`${FOLDERS}/${empty.id}`, { parent: full.id }),
    takes('folder.update', ifFolders(200, 400)),
  ],
  ['deletes an empty folder', ({ empty }) => remove(`${FOLDERS}/${empty.id}`), takes('folder.delete', 200)],
  ['deletes no folder', () => remove(`${FOLDERS}/${NONE}`), takes('folder.delete', 404)],
  // Takes three actions.
  ['deletes a folder with files', ({ full }) => remove(`${FOLDERS}/${full.id}`), () => 403],
];

function initOf({ method, json, form }: Request, token: string): RequestInit {
  if (json) return sendJson(method, token, json);
  return { method, ...bearer(token), ...(form && { body: formOf([TEXT], { fileInfo: JSON.stringify(form) }) }) };
}

beforeAll(async () => {
  for (const actions of CALLERS) {
    const permissions = actions.map((action) => `plugin::upload.${action}`);
    await createToken(tokenOf(actions), 'custom', permissions);
  }
});

describe('a caller with one permission of files or folders, or two', () => {
  it.each(CASES)('%s only with the permissions for it', async (_, requestOf, statusOf) => {
    let world = await makeWorld();
    for (const actions of CALLERS) {
      const can: Can = (...all) => all.every((action) => actions.includes(action));
      const request = requestOf(world);
      const response = await send(request.path, initOf(request, tokenOf(actions)));
      const text = await response.text();
      expect([response.status, actions]).toEqual([statusOf(can), actions]);
      const isKnown = {
        secret: mayFind(can),
        folders: can('folder.find') || can('folder.update') || can('folder.delete'),
      };
      if (!isKnown.secret) expect([text, actions]).not.toEqual([expect.stringContaining(SECRET.name), actions]);
      if (!isKnown.folders)
        expect([text, actions]).not.toEqual([expect.stringMatching(/(full|empty)-folder/), actions]);
      if (response.ok && request.method !== 'GET') world = await makeWorld();
    }
  });
});
