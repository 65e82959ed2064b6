/**
 * @module Tokens of the type `agent`, which write drafts only, and writes that are drafts by default. That such a caller
 * changes nothing public at any route is tested in test/unit/fuzz/drafts-only.test.ts.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { AnyExtensions } from '../../../src/features/own-code/extension-types.ts';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { type Send, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { bearer, createToken, recordedRegistry, sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const ARTICLE = 'api::article.article';

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
  },
};
const serveWith = (more: SettingsInput = {}, bindings: Partial<Env> = {}): Send =>
  serveRegistry(recordedRegistry, { history: true, ...more }, bindings, undefined, extensions);

const send = serveWith();
const owner = clientOf(send, 'full');
const agent = clientOf(send, 'agent');

openMagazine();
beforeAll(() => createToken('agent', 'agent'));

const article = async (title: string, query = '') =>
  `/api/articles/${(await documentOf(owner.create(`/api/articles${query}`, { title }))).documentId}`;
const titlesAt = async (path: string) => {
  const of = async (query: string) => (await documentOf(owner.get(`${path}?${query}`))).title;
  return [await of('status=draft'), await of('status=published')];
};

it('no hook runs for a write that would publish', async () => {
  await agent.create('/api/issues', { title: 'New' });
  const request = { method: 'POST', path: '/api/issues', body: { data: { title: 'New' } } };
  await send('/api/batch', sendJson('POST', 'agent', { requests: [request] }));
  expect(hooked).toEqual([]);
  expect((await agent.create('/api/issues?status=draft', { title: 'New' })).status).toBe(200);
  expect(hooked).toEqual(['create']);
});

it('an agent is shown its rights in the description', async () => {
  const description = (await (await agent.get('/openapi.json')).json()) as {
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

it('a document that is published before the commit is not deleted', async () => {
  const path = await article('Raced', '?status=draft');
  const publish = () => send(`${path}/actions/publish`, sendJson('POST', 'full', {}));
  await agent.get(path);
  const between = serveWith({}, { DB: interleavedDatabase(env.DB, 1, publish) });
  expect((await between(path, { method: 'DELETE', ...bearer('agent') })).status).toBe(403);
  expect((await owner.get(path)).status).toBe(200);
  expect(await env.DB.prepare('select count(*) as n from articles where title = ?').bind('Raced').first('n')).toBe(2);
});
