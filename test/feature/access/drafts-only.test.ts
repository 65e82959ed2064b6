/**
 * @module Grants with `status: 'draft'`, tokens of the type `agent`, and writes that are drafts by default. That such a
 * caller changes nothing public at any route is tested in test/unit/fuzz/drafts-only.test.ts.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnyExtensions } from '../../../src/features/own-code/extension-types.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { type Send, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf, errorOf, valuesOf } from '../../support/client.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { bearer, createToken, recordedRegistry, sendJson } from '../../support/recorded.ts';
import { formOf, postForm, TEXT, uploaded } from '../../support/uploads.ts';
import { register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const ARTICLE = 'api::article.article';
const READS = ['api::*.find', 'api::*.findOne', 'api::*.readDrafts'];
const ONLY_DRAFTS = 'This caller may only write drafts. Add status=draft to the query';

const settings: SettingsInput = {
  history: true,
  roles: {
    public: [{ action: `${ARTICLE}.create`, status: 'draft', fields: ['title'] }],
    authenticated: [
      ...READS,
      { action: 'api::*.*', status: 'draft' },
      'api::tag.tag.create',
      { action: 'plugin::upload.content-api.upload', status: 'draft' },
    ],
  },
};

const hooked: string[] = [];
const extensions: AnyExtensions = {
  beforeWrite: {
    'api::issue.issue': (data, { operation }) => {
      hooked.push(operation);
      return data;
    },
  },
  routes: (app) => {
    app.post('/own/articles', async (c) => {
      const articles = c.var.documents(ARTICLE) as unknown as { create(params: object): Promise<object> };
      return c.json(await articles.create(await c.req.json()));
    });
    app.get('/own/allows/:id', async (c) => c.json((await c.var.caller()).allows(c.req.param('id'))));
  },
};
const serveWith = (more: SettingsInput = {}, bindings: Partial<Env> = {}): Send =>
  serveRegistry(recordedRegistry, { ...settings, ...more }, bindings, undefined, extensions);

const send = serveWith();
const owner = clientOf(send, 'full');
const agent = clientOf(send, 'agent');
let jwt: string;

openMagazine();
beforeAll(async () => {
  await createToken('agent', 'agent');
  ({ jwt } = await register(send, 'anna'));
});

const article = async (title: string, query = '') =>
  `/api/articles/${(await documentOf(owner.create(`/api/articles${query}`, { title }))).documentId}`;
const titlesAt = async (path: string) => {
  const of = async (query: string) => (await documentOf(owner.get(`${path}?${query}`))).title;
  return [await of('status=draft'), await of('status=published')];
};

describe.each([
  ['an agent', () => 'agent'],
  ['a user whose grants are for drafts only', () => jwt],
])('%s', (_, tokenOf) => {
  const callerOf = () => clientOf(send, tokenOf());

  it('writes drafts, and is told which parameter does when it would publish', async () => {
    const path = await article('First');
    for (const query of ['', '?status=published'])
      expect(await errorOf(callerOf().update(path + query, { title: 'Second' }))).toMatchObject({
        status: 403,
        message: ONLY_DRAFTS,
      });
    expect((await callerOf().update(`${path}?status=draft`, { title: 'Second' })).status).toBe(200);
    expect(await titlesAt(path)).toEqual(['Second', 'First']);
    expect((await errorOf(callerOf().create('/api/articles', { title: 'New' }))).message).toBe(ONLY_DRAFTS);
    const created = await documentOf(callerOf().create('/api/articles?status=draft', { title: 'New' }));
    expect(created.publishedAt).toBeNull();
    expect((await owner.get(`/api/articles/${created.documentId}`)).status).toBe(404);
  });

  it('is rejected before the body is validated', async () => {
    expect((await callerOf().create('/api/articles', { nope: 1 })).status).toBe(403);
  });

  it('writes drafts alone in a batch, and none of it else', async () => {
    const path = await article('Alone');
    const requests = [
      { method: 'PUT', path: `${path}?status=draft`, body: { data: { title: 'In a batch' } } },
      { method: 'POST', path: '/api/articles', body: { data: { title: 'Published' } } },
    ];
    const batch = (all: object) => send('/api/batch', sendJson('POST', tokenOf(), { requests: all }));
    expect(await errorOf(batch(requests))).toMatchObject({
      status: 403,
      message: ONLY_DRAFTS,
      details: { request: 1 },
    });
    expect(await titlesAt(path)).toEqual(['Alone', 'Alone']);
    expect((await batch(requests.slice(0, 1))).status).toBe(200);
    expect(await titlesAt(path)).toEqual(['In a batch', 'Alone']);
  });

  it('may neither publish nor unpublish, now or later, but discard a draft', async () => {
    const path = await article('Published');
    await owner.update(`${path}?status=draft`, { title: 'Draft' });
    const act = (action: string, body: object = {}) =>
      send(`${path}/actions/${action}`, sendJson('POST', tokenOf(), body));
    for (const action of ['publish', 'unpublish'])
      for (const body of [{}, { data: { at: '2999-01-01T00:00:00Z' } }])
        expect((await act(action, body)).status).toBe(403);
    expect((await callerOf().get('/api/scheduled')).status).toBe(403);
    expect(await titlesAt(path)).toEqual(['Draft', 'Published']);
    expect((await act('discard-draft')).status).toBe(200);
    expect(await titlesAt(path)).toEqual(['Published', 'Published']);
  });

  it('cannot cancel what is scheduled', async () => {
    const path = await article('Scheduled');
    const at = { data: { at: '2999-01-01T00:00:00Z' } };
    const entry = await documentOf(send(`${path}/actions/unpublish`, sendJson('POST', 'full', at)));
    expect((await callerOf().remove(`/api/scheduled/${entry.id}`)).status).toBe(403);
  });

  it('deletes what has no published version in the locales to delete', async () => {
    const path = await article('Kept');
    expect(await errorOf(callerOf().remove(path))).toMatchObject({
      status: 403,
      message: 'This caller may only delete drafts, and the document has a published version',
    });
    await owner.update(`${path}?locale=fr&status=draft`, { title: 'Français' });
    expect((await callerOf().remove(`${path}?locale=*`)).status).toBe(403);
    expect((await callerOf().remove(`${path}?filters[publishedAt][$null]=true`)).status).toBe(403);
    expect((await callerOf().remove(`${path}?locale=fr`)).status).toBe(204);
    expect((await owner.get(`${path}?locale=fr&status=draft`)).status).toBe(404);
    expect(await titlesAt(path)).toEqual(['Kept', 'Kept']);
    const draft = await article('Draft', '?status=draft');
    expect((await callerOf().remove(draft)).status).toBe(204);
    expect((await owner.get(`${draft}?status=draft`)).status).toBe(404);
  });

  it('restores a former version into the draft', async () => {
    const path = await article('Former');
    await owner.update(path, { title: 'Latter' });
    const history = (await (await owner.get(`${path}/history`)).json()) as { data: { revision: string }[] };
    const { revision } = history.data.at(-1) as { revision: string };
    const restore = sendJson('POST', tokenOf(), { data: { revision } });
    expect((await send(`${path}/actions/restore`, restore)).status).toBe(200);
    expect(await titlesAt(path)).toEqual(['Former', 'Latter']);
  });

  it('does not write types without drafts, single types among them', async () => {
    for (const path of ['/api/authors', '/api/comments?status=draft'])
      expect((await callerOf().create(path, { name: 'New' })).status).toBe(403);
    expect((await callerOf().update('/api/site-setting?status=draft', { siteName: 'New' })).status).toBe(403);
    expect((await callerOf().update('/api/homepage?status=draft', { heading: 'New' })).status).toBe(200);
  });

  it('adds files, but neither changes nor deletes nor attaches one', async () => {
    const [file] = await uploaded(postForm(send, formOf([TEXT]), '', tokenOf()));
    const path = await article('With a file');
    const refId = path.split('/').at(-1) ?? '';
    for (const query of [`?id=${file?.id}`, `?id=${file?.documentId}`])
      for (const method of ['POST', 'PUT'])
        expect(
          (
            await send(`/api/upload${query}`, {
              method,
              ...bearer(tokenOf()),
              body: formOf([{ ...TEXT, bytes: 'new' }]),
            })
          ).status,
        ).toBe(403);
    expect((await callerOf().remove(`/api/upload/files/${file?.id}`)).status).toBe(403);
    const attached = formOf([TEXT], { ref: ARTICLE, refId, field: 'cover' });
    expect((await postForm(send, attached, '', tokenOf())).status).toBe(403);
    expect(await (await send(String(file?.url))).text()).toBe(TEXT.bytes);
  });

  it('runs no hook for a write that would publish', async () => {
    hooked.length = 0;
    await callerOf().create('/api/issues', { title: 'New' });
    const request = { method: 'POST', path: '/api/issues', body: { data: { title: 'New' } } };
    await send('/api/batch', sendJson('POST', tokenOf(), { requests: [request] }));
    expect(hooked).toEqual([]);
    expect((await callerOf().create('/api/issues?status=draft', { title: 'New' })).status).toBe(200);
    expect(hooked).toEqual(['create']);
  });

  it('is as limited in code of a project', async () => {
    const create = (params: object) => send('/own/articles', sendJson('POST', tokenOf(), params));
    expect((await create({ data: { title: 'Own' } })).status).toBe(403);
    expect((await create({ data: { title: 'Own' }, status: 'draft' })).status).toBe(200);
    const allows = async (id: string) => (await send(`/own/allows/${id}`, bearer(tokenOf()))).json();
    expect(await allows('api::article.article.update')).toBe(true);
    expect(await allows('api::author.author.update')).toBe(false);
    expect(await allows('api::article.article.publish')).toBe(false);
  });

  it('is shown its rights in the description', async () => {
    const description = (await (await callerOf().get('/openapi.json')).json()) as {
      paths: Record<string, Record<string, { parameters: { name?: string; required?: boolean; schema: object }[] }>>;
      'x-content-types': { uid: string; actions: string[]; draftsOnly: string[] }[];
    };
    const { post } = description.paths['/api/articles'] ?? {};
    expect(post?.parameters.find(({ name }) => name === 'status')).toMatchObject({
      required: true,
      schema: { enum: ['draft'] },
    });
    const typeOf = (uid: string) => description['x-content-types'].find((type) => type.uid === uid);
    expect(typeOf(ARTICLE)?.actions).not.toContain('publish');
    expect(typeOf(ARTICLE)?.draftsOnly).toEqual(['create', 'update', 'delete', 'restore', 'discardDraft']);
    expect(typeOf('api::author.author')).toMatchObject({ draftsOnly: [] });
    expect(description.paths['/api/authors']?.post).toBeUndefined();
    expect(description.paths['/api/upload']?.put).toBeUndefined();
    expect(description.paths['/api/upload']?.post?.parameters.some(({ name }) => name === 'id')).toBe(false);
  });
});

it('a caller for drafts only needs no status where writes are drafts by default, and code of a project publishes', async () => {
  const byDefault = serveWith({ api: { rest: { defaultStatus: 'draft' } } });
  const path = await article('By default');
  expect((await clientOf(byDefault, 'agent').update(path, { title: 'Draft' })).status).toBe(200);
  expect((await clientOf(byDefault, 'agent').update(`${path}?status=published`, { title: 'No' })).status).toBe(403);
  expect(await titlesAt(path)).toEqual(['Draft', 'By default']);
  const own = (token: string) => byDefault('/own/articles', sendJson('POST', token, { data: { title: 'Own' } }));
  expect((await documentOf(own('full'))).publishedAt).toMatch(/Z$/);
  expect((await own('agent')).status).toBe(403);
});

it('an agent reads drafts and files, and nothing about users', async () => {
  const path = await article('Read', '?status=draft');
  expect((await agent.get(`${path}?status=draft`)).status).toBe(200);
  expect((await agent.get(`${path}/history`)).status).toBe(200);
  expect((await agent.get('/api/upload/files')).status).toBe(200);
  for (const other of ['/api/users', '/api/users-permissions/roles', '/api/content-type-builder/content-types'])
    expect((await agent.get(other)).status).toBe(403);
});

it('a grant that names a type without drafts, and no status, writes it', async () => {
  expect((await clientOf(send, jwt).create('/api/tags', { name: 'Sea' })).status).toBe(200);
  expect(await valuesOf(owner.get('/api/tags'), 'name')).toContain('Sea');
});

it('the public may send drafts where it is granted nothing else', async () => {
  const form = (query: string, data: object) =>
    send(`/api/articles${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data }),
    });
  expect((await form('', { title: 'A wish' })).status).toBe(403);
  expect((await form('?status=draft', { title: 'A wish', summary: 'no' })).status).toBe(400);
  expect((await form('?status=draft', { title: 'A wish' })).status).toBe(200);
});

it('a custom token takes such grants, and loses those of a type that has no drafts any more', async () => {
  const grant = { action: ['api::article.article.update', 'api::author.author.create'], status: 'draft' };
  await createToken('writes', 'custom', ['api::article.article.find', grant]);
  const writer = clientOf(send, 'writes');
  const path = await article('Custom');
  expect((await writer.update(path, { title: 'No' })).status).toBe(403);
  expect((await writer.update(`${path}?status=draft`, { title: 'Yes' })).status).toBe(200);
  expect((await writer.create('/api/authors', { name: 'No' })).status).toBe(403);
});

it('a document that is published before the commit is not deleted', async () => {
  const path = await article('Raced', '?status=draft');
  const publish = () => send(`${path}/actions/publish`, sendJson('POST', 'full', {}));
  await agent.get(path);
  const between = serveWith({}, { DB: interleavedDatabase(env.DB, 1, publish) });
  expect((await between(path, { method: 'DELETE', ...bearer('agent') })).status).toBe(403);
  expect((await owner.get(path)).status).toBe(200);
  expect(await env.DB.prepare('select count(*) as n from articles where title = ?').bind('Raced').first('n')).toBe(2);
});
