/**
 * @module The former versions of documents: what is kept, who may see it, and what a restoration writes.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { clientOf, documentOf, errorOf } from '../../support/client.ts';
import { historyOf, type ListedVersion } from '../../support/former-versions.ts';
import { bearer, createToken, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine({ history: { 'api::article.article': { versions: 5 }, 'api::tag.tag': true } });

const shownAs = async (path: string, search = '') =>
  (await (await client.get(path + search)).json()) as {
    readonly data: Record<string, unknown>;
    readonly meta: { readonly missing: readonly unknown[] };
  };

const restore = (path: string, revision: string, token = 'full') =>
  send(`${path}/actions/restore`, sendJson('POST', token, { data: { revision } }));

const operationsOf = (list: readonly ListedVersion[]) =>
  list.map(({ operation, version }) => `${operation} ${version}`);

beforeAll(async () => {
  await createToken('colleague', 'full-access');
  await createToken('reader', 'custom', ['api::tag.tag.find', 'api::tag.tag.findOne', 'api::tag.tag.history']);
});

describe('each write keeps the version that it makes', () => {
  it('drafts and published versions are apart, and saves of a draft in one sitting replace one another', async () => {
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'First' }));
    const path = `/api/articles/${documentId}`;
    for (const title of ['Second', 'Third', 'Fourth'])
      await documentOf(client.update(`${path}?status=draft`, { title }));
    expect(operationsOf(await historyOf(client, path)).sort()).toEqual([
      'create draft',
      'publish published',
      'update draft',
    ]);
  });

  it('saves of a draft by several callers in one sitting are all kept', async () => {
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'First' }));
    const path = `/api/articles/${documentId}`;
    const colleague = clientOf(send, 'colleague');
    for (const [by, title] of [
      [client, 'Second'],
      [colleague, 'Third'],
      [client, 'Fourth'],
      [client, 'Fifth'],
    ] as const)
      await documentOf(by.update(`${path}?status=draft`, { title }));
    const names = (await historyOf(client, path))
      .filter(({ operation }) => operation === 'update')
      .map(({ by }) => by.name);
    expect(names).toEqual(['full', 'colleague', 'full']);
  });

  it('each write of a batch keeps what the batch has made of its document', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'alone' }));
    const path = `/api/tags/${documentId}`;
    const requests = [
      { method: 'POST', path: '/api/tags', body: { data: { name: 'born in a batch' } } },
      { method: 'PUT', path, body: { data: { name: 'in a batch' } } },
    ];
    const response = await send('/api/batch', sendJson('POST', 'full', { requests }));
    const [created] = ((await response.json()) as { data: readonly { body: { data: { documentId: string } } }[] }).data;
    const made = await historyOf(client, `/api/tags/${created?.body.data.documentId}`);
    expect(operationsOf(made)).toEqual(['create published']);
    const [updated] = await historyOf(client, path);
    expect((await shownAs(`${path}/history/${updated?.revision}`)).data).toMatchObject({ name: 'in a batch' });
  });

  it('at most as many are kept as the setting says', async () => {
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'Version 0' }));
    const path = `/api/articles/${documentId}`;
    for (let count = 1; count < 9; count += 1) await documentOf(client.update(path, { title: `Version ${count}` }));
    const list = await historyOf(client, path);
    expect(list.filter(({ version }) => version === 'published')).toHaveLength(5);
  });
});

describe('a former version is read like a document', () => {
  it('with its relations, components and zone as they were, in their order', async () => {
    const tags = await Promise.all(
      ['red', 'green', 'blue'].map(async (name) => (await documentOf(client.create('/api/tags', { name }))).documentId),
    );
    const author = (await documentOf(client.create('/api/authors', { name: 'Ann' }))).documentId;
    const values = {
      title: 'Whole',
      views: '9007199254740993',
      price: 0.1,
      tags: [tags[2], tags[0]],
      author,
      links: [{ label: 'a', href: '/a' }],
      sections: [{ __component: 'blocks.callout', title: 'Box', card: { title: 'Card', person: author } }],
    };
    const { documentId } = await documentOf(client.create('/api/articles', values));
    const path = `/api/articles/${documentId}`;
    const all =
      '?populate[tags]=true&populate[author]=true&populate[links]=true&populate[sections][on][blocks.callout][populate][card][populate]=person';
    const was = await documentOf(client.get(path + all));
    const [published] = (await historyOf(client, path)).filter(({ version }) => version === 'published');
    await documentOf(
      client.update(path, { title: 'Other', price: 2, tags: [tags[1]], author: null, links: [], sections: [] }),
    );
    const shown = await shownAs(`${path}/history/${published?.revision}`, all);
    expect(shown.data).toEqual(was);
    expect(shown.meta.missing).toEqual([]);
    expect((await client.get(`/api/tags/${tags[0]}`)).status).toBe(200);
  });
});

it('what own code writes while a version is restored is an update of its own', async () => {
  const kept = { history: true } as const;
  const tag = `/api/tags/${(await documentOf(client.create('/api/tags', { name: 'of own code' }))).documentId}`;
  const own = serveRegistry(recordedRegistry, kept, {}, undefined, {
    afterCommit: async ([change], { documents }) => {
      if (change?.uid !== 'api::article.article') return;
      const tags = documents('api::tag.tag') as unknown as { update(id: string, params: object): Promise<object> };
      await tags.update(tag.slice('/api/tags/'.length), { data: { name: 'by own code' } });
    },
  });
  const { documentId } = await documentOf(client.create('/api/articles', { title: 'Restored' }));
  const path = `/api/articles/${documentId}`;
  const [draft] = (await historyOf(client, path)).filter(({ version }) => version === 'draft');
  const body = sendJson('POST', 'full', { data: { revision: draft?.revision } });
  expect((await own(`${path}/actions/restore`, body)).status).toBe(200);
  expect(operationsOf(await historyOf(client, path))[0]).toBe('restore draft');
  expect(operationsOf(await historyOf(client, tag))).toEqual(['update published', 'create published']);
});

describe('rights', () => {
  it('without the grant of its own there is no history and no restoration', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'mine' }));
    const path = `/api/tags/${documentId}`;
    const [first] = await historyOf(clientOf(send, 'reader'), path);
    expect((await errorOf(restore(path, first?.revision ?? '', 'reader'))).status).toBe(403);
    expect((await send(`${path}/history`)).status).toBe(403);
  });

  it('a type without a history has no such path', async () => {
    const { documentId } = await documentOf(client.create('/api/authors', { name: 'Bo' }));
    expect((await client.get(`/api/authors/${documentId}/history`)).status).toBe(404);
  });

  it.each([
    ['reads', 0, 2],
    ['history', 2, 5],
  ])('a caller whose grants for %s have conditions sees only what meets them, then and now', async (name, from, to) => {
    const where = { name: { $startsWith: 'open' } };
    const actions = ['find', 'findOne', 'history', 'restore', 'update'].map((name) => `api::tag.tag.${name}`);
    const isLimited = (_: string, index: number) => index >= from && index < to;
    await createToken(`limited-${name}`, 'custom', [
      ...actions.map((action, index) => (isLimited(action, index) ? { action, where } : action)),
    ]);
    const limited = bearer(`limited-${name}`);
    const { documentId } = await documentOf(client.create('/api/tags', { name: `open once, ${name}` }));
    const path = `/api/tags/${documentId}`;
    await documentOf(client.update(path, { name: `secret ${name}` }));
    expect((await send(`${path}/history`, limited)).status).toBe(404);
    await documentOf(client.update(path, { name: `open again, ${name}` }));
    const all = await historyOf(client, path);
    expect(all).toHaveLength(3);
    const seen = await historyOf(clientOf(send, `limited-${name}`), path);
    expect(seen.map(({ revision }) => revision)).toEqual([all[0]?.revision, all[2]?.revision]);
    const hidden = `${path}/history/${all[1]?.revision}`;
    expect((await send(hidden, limited)).status).toBe(404);
    expect((await restore(path, all[1]?.revision ?? '', `limited-${name}`)).status).toBe(404);
    await client.remove(path);
    expect((await send(`${path}/history`, limited)).status).toBe(404);
  });

  it('another locale or version that meets the conditions opens none that does not', async () => {
    const where = { title: { $startsWith: 'open' } };
    const actions = ['find', 'findOne', 'readDrafts', 'history'].map((name) => `api::article.article.${name}`);
    await createToken('open-titles', 'custom', [{ action: actions.slice(0, 2), where }, ...actions.slice(2)]);
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'open' }));
    const path = `/api/articles/${documentId}`;
    for (const [search, title] of [
      ['?locale=fr', 'secret locale'],
      ['?locale=fr', 'open now'],
      ['?status=draft', 'secret draft'],
    ])
      await documentOf(client.update(`${path}${search}`, { title }));
    const seen = await historyOf(clientOf(send, 'open-titles'), path);
    const titles = seen.map(async ({ revision }) => (await shownAs(`${path}/history/${revision}`)).data.title);
    expect((await Promise.all(titles)).sort()).toEqual(['open', 'open now', 'open now']);
  });

  it('a restoration leaves out a target that the caller may not see', async () => {
    const [hidden, open] = await Promise.all(
      ['unseen', 'seen'].map(async (name) => (await documentOf(client.create('/api/tags', { name }))).documentId),
    );
    const then = { title: 'Then', tags: [hidden, open] };
    const path = `/api/articles/${(await documentOf(client.create('/api/articles', then))).documentId}`;
    await documentOf(client.update(path, { title: 'Now', tags: [] }));
    const draft = (await historyOf(client, path)).findLast(({ version }) => version === 'draft');
    await createToken('open-tags', 'custom', [
      ...['find', 'findOne', 'history', 'restore', 'update'].map((name) => `api::article.article.${name}`),
      { action: ['api::tag.tag.find', 'api::tag.tag.findOne'], where: { name: 'seen' } },
    ]);
    const response = await restore(path, draft?.revision ?? '', 'open-tags');
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain(hidden);
    expect(await documentOf(client.get(`${path}?status=draft&populate=tags`))).toMatchObject({
      title: 'Then',
      tags: [{ name: 'seen' }],
    });
  });

  it('a caller without readDrafts sees no draft of the history', async () => {
    const actions = ['find', 'findOne', 'history'].map((name) => `api::article.article.${name}`);
    const open = serve({ history: true, roles: { public: actions } });
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'Published' }));
    const path = `/api/articles/${documentId}`;
    await documentOf(client.update(`${path}?status=draft`, { title: 'Hidden draft' }));
    const draft = (await historyOf(client, path)).find(({ version }) => version === 'draft');
    const listed = (await (await open(`${path}/history`)).json()) as { data: ListedVersion[] };
    expect(listed.data.map(({ version }) => version)).toEqual(['published']);
    expect((await open(`${path}/history/${draft?.revision}`)).status).toBe(404);
  });
});

it.each(['status', 'locale'])(
  'a former version is neither shown nor restored with a %s of the request',
  async (param) => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: `of its ${param}` }));
    const path = `/api/tags/${documentId}`;
    const [{ revision } = { revision: '' }] = await historyOf(client, path);
    const init = sendJson('POST', 'full', { data: { revision } });
    for (const request of [
      client.get(`${path}/history/${revision}?${param}=en`),
      send(`${path}/actions/restore?${param}=en`, init),
    ]) {
      const { status, message } = await errorOf(request);
      expect([status, message]).toEqual([400, `Invalid parameter at '${param}'. A former version has its own`]);
    }
  },
);
