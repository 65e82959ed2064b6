/**
 * @module The lists of former versions: of a document, and the last changes of everything.
 */
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRegistryTables, runCron, serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createToken, recordedRegistry, sendJson } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { formOf, postForm, TEXT, uploaded } from '../../support/uploads.ts';
import { register } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const registry = recordedRegistry;
const settings = {
  history: true,
  roles: {
    authenticated: ['publish', 'update', 'findOne', 'readDrafts'].map((name) => `api::article.article.${name}`),
  },
} as const;
const { client, send } = openWorld(registry, settings);

interface Change {
  readonly type: string;
  readonly revision: string;
  readonly documentId: string;
  readonly operation: string;
  readonly version: string;
  readonly by: { readonly name: string | null };
}

interface ChangeList {
  readonly data: readonly Change[];
  readonly meta: { readonly pagination: { readonly limit: number; readonly next: string | null } };
}

async function listOf(search = '', token = 'full'): Promise<ChangeList> {
  const response = await send(`/api/history${search}`, bearer(token));
  expect(response.status).toBe(200);
  return (await response.json()) as ChangeList;
}

const changes = async (search = '', token = 'full') =>
  (await listOf(search, token)).data.map(({ type, operation }) => `${operation} ${type.split('.')[1]}`);

beforeEach(async () => {
  await env.DB.prepare('delete from edgewise_history').run();
});

describe('the last changes of everything', () => {
  it('can be limited to types, operations, people and times', async () => {
    const tag = await documentOf(client.create('/api/tags', { name: 'one' }));
    await documentOf(client.create('/api/authors', { name: 'Ann' }));
    await client.remove(`/api/tags/${tag.documentId}`);
    expect(await changes('?type=api::tag.tag')).toEqual(['delete tag', 'create tag']);
    expect(await changes('?operation=delete,update')).toEqual(['delete tag']);
    expect(await changes('?operation=create&operation=delete&type=api::tag.tag')).toHaveLength(2);
    expect(await changes('?by=user,public')).toEqual([]);
    expect(await changes('?by=token')).toHaveLength(3);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await changes(`?from=${soon}`)).toEqual([]);
    expect(await changes(`?to=${soon}`)).toHaveLength(3);
    expect(await changes('?to=2026-01-01T00:00:00Z')).toEqual([]);
  });

  it('are no drafts of a type that has none any more', async () => {
    await documentOf(client.create('/api/tags', { name: 'had drafts once' }));
    const names = 'document_id, locale, at, operation, actor, entry, size';
    await env.DB.prepare(
      `insert into edgewise_history (type, version, id, ${names}) select type, 'draft', 'rev_draft', ${names} from edgewise_history`,
    ).run();
    expect(await changes()).toEqual(['create tag']);
  });

  it('come in pages, each version once', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) await documentOf(client.create('/api/tags', { name }));
    const pages: (readonly string[])[] = [];
    for (let next: string | null = ''; next !== null; ) {
      const page = await listOf(`?pagination[limit]=2&pagination[after]=${next}`);
      pages.push(page.data.map(({ revision }) => revision));
      next = page.meta.pagination.next;
    }
    expect(pages.flat()).toEqual((await listOf()).data.map(({ revision }) => revision));
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
    expect((await listOf('?pagination[limit]=5')).meta.pagination.next).toBeNull();
  });

  it('are stored by no cache, nor is the history of a document', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'not cached' }));
    for (const path of ['/api/history', `/api/tags/${documentId}/history`])
      expect((await client.get(path)).headers.get('cache-control')).toBe('private, no-store');
  });

  it('are not those of a type that keeps no history any more', async () => {
    await documentOf(client.create('/api/tags', { name: 'no longer kept' }));
    await documentOf(client.create('/api/authors', { name: 'Ann' }));
    const fewer = clientOf(serveRegistry(registry, { history: { 'api::author.author': true } }), 'full');
    const { data } = (await (await fewer.get('/api/history')).json()) as ChangeList;
    expect(data.map(({ type }) => type)).toEqual(['api::author.author']);
  });

  it('a caller sees those of the types whose history it may see', async () => {
    await createToken(
      'tags',
      'custom',
      ['find', 'findOne', 'history'].map((name) => `api::tag.tag.${name}`),
    );
    await createToken('finds', 'custom', ['api::tag.tag.find', 'api::author.author.history']);
    await documentOf(client.create('/api/tags', { name: 'one' }));
    await documentOf(client.create('/api/authors', { name: 'Ann' }));
    expect(await changes('', 'tags')).toEqual(['create tag']);
    for (const [search, token] of [
      ['?type=api::author.author', 'tags'],
      ['?type=api::none.none', 'tags'],
      ['', 'finds'],
      // Whatever is wrong with its parameters.
      ['?sort=at', 'finds'],
    ] as const)
      expect((await send(`/api/history${search}`, bearer(token))).status).toBe(403);
    expect((await send('/api/history')).status).toBe(403);
  });

  it('what a caller with conditions may not see takes no place of a page, and what is hidden today costs no statement', async () => {
    const own = ['find', 'findOne', 'history'].map((name) => `api::tag.tag.${name}`);
    await createToken('open', 'custom', [
      { action: own, where: { name: { $startsWith: 'open' } } },
      'api::author.author.find',
      'api::author.author.history',
    ]);
    for (let count = 0; count < 30; count += 1)
      await documentOf(client.create('/api/tags', { name: `closed ${count}` }));
    const gone = await documentOf(client.create('/api/tags', { name: 'open, then gone' }));
    await client.remove(`/api/tags/${gone.documentId}`);
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'open' }));
    for (const name of ['closed', 'open again']) await documentOf(client.update(`/api/tags/${documentId}`, { name }));
    for (let count = 0; count < 30; count += 1)
      await documentOf(client.create('/api/tags', { name: `closed once more ${count}` }));
    await documentOf(client.create('/api/authors', { name: 'Ann' }));
    const { batches, database } = countedDatabase(env.DB);
    const counted = serveRegistry(registry, settings, { DB: database });
    // From the second request on, the grants of the token are known.
    await counted('/api/history', bearer('open'));
    batches.length = 0;
    const response = await counted('/api/history?pagination[limit]=2', bearer('open'));
    const { data, meta } = (await response.json()) as ChangeList;
    expect(data.map(({ type, operation }) => `${operation} ${type.split('.')[1]}`)).toEqual([
      'create author',
      'update tag',
    ]);
    const sent = batches.flat().filter((sql) => sql.includes('edgewise_history'));
    // The list, the end of what it examines, and the three versions of a tag that is seen today.
    expect(sent).toHaveLength(2 + 3);
    const rest = await listOf(`?pagination[after]=${meta.pagination.next}`, 'open');
    expect(rest.data.map(({ operation }) => operation)).toEqual(['create']);
    expect(rest.data[0]?.documentId).toBe(documentId);
    expect(rest.meta.pagination.next).toBeNull();
    const all = await listOf('?pagination[limit]=3', 'open');
    expect([all.data.length, all.meta.pagination.next]).toEqual([3, null]);
    expect(await changes('?operation=create', 'open')).toEqual(['create author', 'create tag']);
    expect(await changes('?by=user', 'open')).toEqual([]);
  });

  it('of more types with long conditions than a statement takes come in pages, each version once', async () => {
    const names = Array.from({ length: 45 }, (_, index) => `kind-${index}`);
    const next = { type: 'relation', relation: 'manyToOne' };
    const model = registryOf(
      names.map((name) =>
        contentType(name, { title: { type: 'string' }, next: { ...next, target: `api::${name}.${name}` } }),
      ),
    );
    await createRegistryTables(model);
    const actions = names.flatMap((name) =>
      ['find', 'findOne', 'history'].map((each) => `api::${name}.${name}.${each}`),
    );
    const titles = Array.from({ length: 8 }, (_, index) => ({ next: { next: { title: `other ${index}` } } }));
    await createToken('some', 'custom', [
      { action: actions, where: { $or: [{ title: { $contains: 'open' } }, ...titles] } },
    ]);
    const served = serveRegistry(model, { history: true });
    for (const [index, name] of names.entries()) {
      const { create } = clientOf(served, 'full');
      await documentOf(create(`/api/${name}s`, { title: 'closed' }));
      if (index % 2 === 0) await documentOf(create(`/api/${name}s`, { title: 'open' }));
    }
    const typesOfPages = async () => {
      const found: string[] = [];
      for (let next: string | null = ''; next !== null; ) {
        const response = await served(`/api/history?pagination[limit]=7&pagination[after]=${next}`, bearer('some'));
        const { data, meta } = (await response.json()) as ChangeList;
        found.push(...data.map(({ type }) => type));
        next = meta.pagination.next;
      }
      return found;
    };
    const open = names.filter((_, index) => index % 2 === 0).map((name) => `api::${name}.${name}`);
    expect(await typesOfPages()).toEqual(open.toReversed());
    // All at once.
    await env.DB.prepare('update edgewise_history set at = 5').run();
    expect((await typesOfPages()).toSorted()).toEqual(open.toSorted());
  });

  it('without a history there is no such path', async () => {
    expect((await serveRegistry(registry, {})('/api/history', bearer('full'))).status).toBe(404);
  });
});

it('a draft alone that has not been written since has an empty list, for callers who may read drafts', async () => {
  const before = clientOf(serveRegistry(registry, {}), 'full');
  const { documentId } = await documentOf(before.create('/api/articles?status=draft', { title: 'x' }));
  const path = `/api/articles/${documentId}/history`;
  expect(await (await client.get(path)).json()).toMatchObject({ data: [] });
  const actions = ['find', 'findOne', 'history'].map((name) => `api::article.article.${name}`);
  const open = serveRegistry(registry, { history: true, roles: { public: actions } });
  expect((await open(path)).status).toBe(404);
});

it('a page after the last version of a deleted document is empty', async () => {
  const { documentId } = await documentOf(client.create('/api/tags', { name: 'deleted' }));
  await client.remove(`/api/tags/${documentId}`);
  const after = `9-rev_${'0'.repeat(24)}`;
  const response = await client.get(`/api/tags/${documentId}/history?pagination[after]=${after}`);
  expect([response.status, await response.json()]).toMatchObject([200, { data: [] }]);
});

it('an upload that attaches a file keeps what was there, and the version with the file', async () => {
  const before = clientOf(serveRegistry(registry, {}), 'full');
  const { documentId } = await documentOf(before.create('/api/articles?status=draft', { title: 'Paper' }));
  const { id } = await documentOf(client.get(`/api/articles/${documentId}?status=draft`));
  for (const refId of [documentId, String(id)])
    await uploaded(postForm(send, formOf([TEXT], { ref: 'api::article.article', refId, field: 'cover' })));
  const { data } = (await (await client.get(`/api/articles/${documentId}/history`)).json()) as ChangeList;
  expect(data.map(({ operation, version }) => `${operation} ${version}`)).toEqual(['update draft', 'before draft']);
  const shown = await documentOf(client.get(`/api/articles/${documentId}/history/${data[0]?.revision}?populate=cover`));
  expect(shown.cover).toMatchObject({ name: TEXT.name });
  const former = await documentOf(
    client.get(`/api/articles/${documentId}/history/${data[1]?.revision}?populate=cover`),
  );
  expect(former.cover).toBeNull();
});

it('uploads that attach files keep at most as many versions as the setting says', async () => {
  const few = serveRegistry(registry, { history: { 'api::author.author': { versions: 3 } } });
  const { documentId } = await documentOf(clientOf(few, 'full').create('/api/authors', { name: 'Ann' }));
  for (let count = 0; count < 4; count += 1)
    await uploaded(postForm(few, formOf([TEXT], { ref: 'api::author.author', refId: documentId, field: 'avatar' })));
  expect((await listOf()).data.map(({ operation }) => operation)).toEqual(['update', 'update', 'update']);
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
    (await listOf('?by=schedule')).data.map(({ operation, by }) => `${operation} by ${by.name}`).sort();
  const others = ['publish by null', 'publish by null', 'publish by token-later'];
  expect(await names()).toEqual([...others.slice(0, 2), 'publish by plans-later', ...others.slice(2)]);
  await client.remove(String(renamed));
  expect(await names()).toEqual(['publish by null', ...others]);
});
