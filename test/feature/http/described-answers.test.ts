/**
 * @module Live answers of every operation, held against their schemas.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentType } from '../../../src/schema/model.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { describeApi } from '../../support/describe-api.ts';
import { conformity, type Seen, seenOf } from '../../support/described.ts';
import { bearer, recordedRegistry, type Send, sendJson, serve } from '../../support/recorded.ts';
import { formOf, picture, postForm, TEXT } from '../../support/uploads.ts';
import { outbox, PASSWORD, post } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';
import { createPopulatedWorld, type Names } from '../reads/populated-world.ts';

const INPUT: SettingsInput = {
  users: { jwtManagement: 'refresh' },
  server: { url: 'http://edgewise.test' },
  roles: { authenticated: ['plugin::users-permissions.user.updateMe'] },
};
const description = describeApi(recordedRegistry, parseSettings(INPUT));
const box = outbox();
const served = serve(INPUT, {}, box);
const seen: Seen[] = [];

/** Writes down what is answered. */
const send: Send = async (path, init) => {
  const response = await served(path, init);
  seen.push(await seenOf(`http://edgewise.test${path}`, init?.method ?? 'GET', response));
  return response;
};

const owner = clientOf(send, 'full');
const types = [...recordedRegistry.routes];
let world: Names;

openMagazine();
beforeAll(async () => {
  world = await createPopulatedWorld(owner);
});

const json = async <T>(response: Response | Promise<Response>): Promise<T> => (await response).json();
const codeOf = (index: number): string =>
  /(?:code|confirmation)=(\w+)/.exec(box.messages.at(index)?.text ?? '')?.[1] ?? '';

/** What types need to be published. */
const DATA: Readonly<Record<string, (world: Names) => object>> = {
  articles: () => ({ title: 'Third', publishDate: '2026-01-02', airTime: '10:20:30', extra: [1], views: '12' }),
  authors: () => ({ name: 'Another', birthday: '1999-12-31', email: 'a@example.com' }),
  bookmarks: ({ first, tag }) => ({
    article: first,
    tags: [tag],
    image: 'file',
    box: [
      { label: 'a', href: '/' },
      { label: 'b', href: '/' },
    ],
  }),
  categories: () => ({ name: 'Other' }),
  comments: () => ({ text: 'Other' }),
  issues: () => ({ title: 'Other', number: 99 }),
  tags: () => ({ name: 'Other' }),
  homepage: () => ({ heading: 'Other' }),
  'site-setting': () => ({ siteName: 'Other' }),
};

const DRAFTS = new Set(['/api/articles', '/api/issues', '/api/bookmarks']);

/** With a body that is none, and again without a document that is published. */
async function callActions(path: string): Promise<void> {
  for (const action of ['publish', 'discard-draft', 'unpublish', 'discard-draft']) {
    await send(`${path}/actions/${action}?populate=*`, { method: 'POST', ...bearer('full') });
    await send(`${path}/actions/${action}`, sendJson('POST', 'full', { nothing: 1 }));
  }
}

async function callSingle(path: string, data: object): Promise<void> {
  await owner.update(path, data);
  await owner.get(`${path}?populate=*`);
  if (path === '/api/homepage') await callActions(path);
  await owner.remove(path);
  await owner.get(path);
}

async function callCollection(path: string, data: object): Promise<void> {
  const { data: created } = await json<{ data: { documentId: string } }>(owner.create(path, data));
  const one = `${path}/${created.documentId}`;
  await owner.update(`${one}?populate=*`, data);
  await owner.get(`${one}?populate=*`);
  await owner.get(`${path}?populate=*`);
  await owner.get(`${path}?pagination[after]=&pagination[limit]=1`);
  await owner.get(`${path}?pagination[start]=0&pagination[withCount]=false&sort=id:desc`);
  await owner.create(path, { nothing: 1 });
  if (DRAFTS.has(path)) await callActions(one);
  await owner.remove(one);
  await owner.get(one);
  await send(path);
}

async function callType(route: string, { kind }: ContentType): Promise<void> {
  const data = DATA[route]?.(world) ?? {};
  await (kind === 'singleType' ? callSingle : callCollection)(`/api/${route}`, data);
}

async function callUploads(): Promise<void> {
  const [file] = await json<{ id: number; url: string }[]>(postForm(send, formOf([await picture(), TEXT])));
  const path = `/api/upload/files/${file?.id}`;
  const fileInfo = { caption: 'Other' };
  await post(send, `/api/upload?id=${file?.id}`, { fileInfo }, 'full');
  await send(`/api/upload?id=${file?.id}`, sendJson('PUT', 'full', { fileInfo }));
  await owner.get('/api/upload/files');
  await owner.get('/api/upload/files/page?populate=related');
  await owner.get(path);
  await send(file?.url ?? '');
  await send(file?.url ?? '', { headers: { range: 'bytes=0-3' } });
  await owner.remove(path);
  await owner.get(path);
  await send(file?.url ?? '');
}

/** From the first password to the third. */
async function callPasswords(email: string): Promise<void> {
  await post(send, '/api/auth/forgot-password', { email });
  const chosen = { password: 'Passw0rd2', passwordConfirmation: 'Passw0rd2' };
  const { jwt } = await json<{ jwt: string }>(post(send, '/api/auth/reset-password', { code: codeOf(-1), ...chosen }));
  const next = { currentPassword: 'Passw0rd2', password: PASSWORD, passwordConfirmation: PASSWORD };
  await post(send, '/api/auth/change-password', next, jwt);
}

async function callSessions(identifier: string): Promise<void> {
  const body = { identifier, password: PASSWORD, deviceId: 'laptop' };
  const { refreshToken } = await json<{ refreshToken: string }>(post(send, '/api/auth/local', body));
  const { jwt } = await json<{ jwt: string }>(post(send, '/api/auth/refresh', { refreshToken }));
  await send('/api/users/me?populate=*', bearer(jwt));
  await post(send, '/api/auth/local', body);
  const { data } = await json<{ data: { id: string; current: boolean }[] }>(send('/api/auth/sessions', bearer(jwt)));
  const other = data.find(({ current }) => !current)?.id;
  await send(`/api/auth/sessions/${other}`, { method: 'DELETE', ...bearer(jwt) });
  await send(`/api/auth/sessions/${other}`, { method: 'DELETE', ...bearer(jwt) });
  await post(send, '/api/auth/logout', {}, jwt);
}

async function callPeople(): Promise<void> {
  const invited = { email: 'lena@example.com', username: 'lena' };
  const { user } = await json<{ user: { id: number } }>(post(send, '/api/users/invite', invited, 'full'));
  await post(send, '/api/users/invite', invited, 'full');
  const chosen = { password: PASSWORD, passwordConfirmation: PASSWORD };
  const { jwt } = await json<{ jwt: string }>(post(send, '/api/auth/reset-password', { code: codeOf(-1), ...chosen }));
  await send('/api/users/me', sendJson('PUT', jwt, { username: 'lenka' }));
  await send('/api/users/me', sendJson('PUT', jwt, { email: 'other@example.com' }));
  const path = `/api/users/${user.id}/sessions`;
  const { data } = await json<{ data: { id: string }[] }>(owner.get(path));
  await owner.remove(`${path}/${data[0]?.id}`);
  await owner.remove(`${path}/${data[0]?.id}`);
}

async function callAccounts(): Promise<void> {
  const email = 'mira@example.com';
  await post(send, '/api/auth/local/register', { username: 'mira', email, password: PASSWORD });
  await post(send, '/api/auth/local', { identifier: 'mira', password: 'wrong' });
  await callPasswords(email);
  await callSessions('mira');
  const unconfirmed = { username: 'noor', email: 'noor@example.com', password: PASSWORD, role: 1, confirmed: false };
  const { id } = await json<{ id: number }>(post(send, '/api/users', unconfirmed, 'full'));
  await post(send, '/api/auth/send-email-confirmation', { email: unconfirmed.email });
  await send(`/api/auth/email-confirmation?confirmation=${codeOf(-1)}`);
  await owner.get('/api/users?populate=*');
  await owner.get('/api/users/count');
  await owner.get(`/api/users/${id}?populate=role`);
  await send(`/api/users/${id}`, { method: 'PUT', headers: bearer('full').headers ?? {}, body: '{"username":"nour"}' });
  await owner.remove(`/api/users/${id}`);
  await owner.get(`/api/users/${id}`);
}

async function callRoles(): Promise<void> {
  const path = '/api/users-permissions/roles';
  await owner.get(path);
  await owner.get(`${path}/1`);
  await owner.get(`${path}/9999`);
  await owner.create(path, {});
  await owner.update(`${path}/1`, {});
  await owner.remove(`${path}/1`);
  await owner.get('/api/users-permissions/permissions');
}

async function callSchedule(): Promise<void> {
  const { documentId } = await documentOf(owner.create('/api/articles?status=draft', { title: 'Later' }));
  const body = { data: { at: '2099-01-01T00:00:00.000Z' } };
  const { data } = (await (await post(send, `/api/articles/${documentId}/actions/publish`, body, 'full')).json()) as {
    data: { id: string };
  };
  await owner.get('/api/scheduled');
  await owner.remove(`/api/scheduled/${data.id}`);
  await owner.remove(`/api/scheduled/${data.id}`);
}

async function callSchemas(): Promise<void> {
  const path = '/api/content-type-builder';
  for (const kind of ['content-types', 'components']) await owner.get(`${path}/${kind}`);
  await owner.get(`${path}/content-types?kind=neither`);
  await owner.get(`${path}/content-types/api::tag.tag`);
  await owner.get(`${path}/components/shared.seo`);
  await owner.get(`${path}/components/shared.nothing`);
}

/** Answered with 400 to everybody. */
const REFUSED = ['roleCreateRole', 'roleUpdateRole', 'roleDeleteRole'];

describe('every operation', () => {
  it('is answered as its schemas say, refusals included', async () => {
    for (const [route, type] of types) await callType(route, type);
    await callUploads();
    await callAccounts();
    await callPeople();
    await callRoles();
    await owner.get('/api/i18n/locales');
    await callSchemas();
    const requests = [{ method: 'POST', path: '/api/tags', body: { data: { name: 'in a batch' } } }];
    await post(send, '/api/batch', { requests }, 'full');
    await callSchedule();
    const { complaints, succeeded } = await conformity(description, seen);
    expect(complaints).toEqual([]);
    const operations = Object.values(description.paths).flatMap((item) =>
      Object.values(item).flatMap((one) => (one as { operationId?: string }).operationId ?? []),
    );
    expect(operations.filter((id) => !succeeded.includes(id)).toSorted()).toEqual(REFUSED.toSorted());
  });

  it('would be noticed if it were answered otherwise', async () => {
    const wrong = async (path: string, status: number, body: unknown) => {
      const type = 'application/json';
      const answer = { method: 'GET', path, status, type, body: JSON.stringify(body) };
      return (await conformity(description, [answer])).complaints;
    };
    expect(await wrong('/api/tags', 200, { data: [{ id: 1 }], meta: {} })).not.toEqual([]);
    expect(await wrong('/api/tags', 200, { data: [{ id: 1, documentId: 'a', name: 2 }], meta: {} })).not.toEqual([]);
    expect(await wrong('/api/tags', 202, { data: [], meta: {} })).not.toEqual([]);
    expect(await wrong('/api/tags', 400, { data: null })).not.toEqual([]);
    expect(await wrong('/api/nowhere', 200, {})).not.toEqual([]);
  });
});
