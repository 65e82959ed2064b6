/**
 * @module The versions of batches and of schedules: one for each document, with who made them.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { runCron } from '../../support/app.ts';
import { documentOf } from '../../support/client.ts';
import { historyOf } from '../../support/former-versions.ts';
import { createToken, sendJson } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf([
  contentType('author', { name: { type: 'string', unique: true } }),
  contentType('tag', { name: { type: 'string' } }),
  contentType(
    'article',
    {
      title: { type: 'string' },
      author: relation('manyToOne', 'author'),
    },
    { drafts: true },
  ),
]);
const settings = {
  history: true,
  roles: { authenticated: ['author', 'tag', 'article'].map((name) => `api::${name}.${name}.*`) },
} as const;
const { client, send } = openWorld(registry, settings);

const linesOf = async (path: string) =>
  (await historyOf(client, path)).map(({ operation, version, by }) => `${operation} ${version} by ${by.name}`).sort();

const countOf = async () =>
  (await env.DB.prepare('select count(*) as "count" from edgewise_history').first('count')) ?? 0;

it('a batch keeps one version of each document that it writes, with its references, and once for each key', async () => {
  const { jwt } = await register(send, 'batch-ann');
  const tags = ['kept', 'gone'].map(
    async (name) => (await documentOf(client.create('/api/tags', { name }))).documentId,
  );
  const [kept, gone] = await Promise.all(tags);
  const requests = [
    { method: 'POST', path: '/api/authors', body: { data: { name: 'Ann' } } },
    { method: 'POST', path: '/api/articles', body: { data: { title: 'Both', author: '$ref:0' } } },
    { method: 'PUT', path: `/api/tags/${kept}`, body: { data: { name: 'changed' } } },
    { method: 'DELETE', path: `/api/tags/${gone}` },
  ];
  const init = sendJson('POST', jwt, { requests });
  const sent = { ...init, headers: { ...init.headers, 'idempotency-key': 'once' } };
  const response = await send('/api/batch', sent);
  const { data } = (await response.json()) as { data: readonly { body: { data: { documentId: string } } | null }[] };
  const [author, article] = data.map(({ body }) => body?.data.documentId);
  const count = await countOf();
  expect((await send('/api/batch', sent)).status).toBe(200);
  expect(await countOf()).toBe(count);
  expect(await linesOf(`/api/authors/${author}`)).toEqual(['create published by batch-ann']);
  const path = `/api/articles/${article}`;
  expect(await linesOf(path)).toEqual(['create draft by batch-ann', 'publish published by batch-ann']);
  expect(await linesOf(`/api/tags/${kept}`)).toEqual(['create published by full', 'update published by batch-ann']);
  expect(await linesOf(`/api/tags/${gone}`)).toEqual(['create published by full', 'delete published by batch-ann']);
  for (const { revision } of await historyOf(client, path))
    expect(await documentOf(client.get(`${path}/history/${revision}?populate=author`))).toMatchObject({
      author: { documentId: author },
    });
  const taken = [requests[2], { method: 'POST', path: '/api/authors', body: { data: { name: 'Ann' } } }];
  for (const failing of [taken, [requests[2], requests[2]], [requests[2], { ...requests[3], path: requests[2]?.path }]])
    expect((await send('/api/batch', sendJson('POST', jwt, { requests: failing }))).status).toBe(400);
  expect(await countOf()).toBe(count);
});

it('a schedule names its maker as it is called when the publication comes, and no deleted one', async () => {
  const at = new Date(Date.now() + 86_400_000).toISOString();
  const users = await Promise.all(['deleted', 'renamed'].map((name) => register(send, `plans-${name}`)));
  for (const token of ['token-renamed', 'token-removed']) await createToken(token, 'full-access');
  const makers = [...users.map(({ jwt }) => jwt), 'token-renamed', 'token-removed', 'full'];
  const paths = await Promise.all(
    makers.map(async (token) => {
      const { documentId } = await documentOf(client.create('/api/articles?status=draft', { title: 'Planned' }));
      const path = `/api/articles/${documentId}`;
      expect((await send(`${path}/actions/publish`, sendJson('POST', token, { data: { at } }))).status).toBe(200);
      return path;
    }),
  );
  const [deleted, renamed] = users.map(({ user }) => `/api/users/${user.id}`);
  await client.remove(String(deleted));
  expect((await send(String(renamed), sendJson('PUT', 'full', { username: 'plans-later' }))).status).toBe(200);
  await env.DB.batch([
    env.DB.prepare("update strapi_api_tokens set name = 'token-later' where name = 'token-renamed'"),
    env.DB.prepare("delete from strapi_api_tokens where name = 'token-removed'"),
    env.DB.prepare('update edgewise_scheduled set "at" = 1'),
  ]);
  await client.remove(String(paths.at(-1)));
  await runCron(registry, settings);
  const names = async () =>
    (await historyOf(client, '/api', '?by=schedule')).map(({ operation, by }) => `${operation} by ${by.name}`).sort();
  const others = ['publish by null', 'publish by null', 'publish by token-later'];
  expect(await names()).toEqual([...others.slice(0, 2), 'publish by plans-later', ...others.slice(2)]);
  await client.remove(String(renamed));
  expect(await names()).toEqual(['publish by null', ...others]);
});
