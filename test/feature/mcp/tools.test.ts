/**
 * @module Tools for agents: what they read and write, what they leave to a person, and what they say about mistakes.
 */
import { describe, expect, it } from 'vitest';
import { documentOf, totalOf } from '../../support/client.ts';
import { createToken, recordedRegistry, sendJson } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const FOUND_BY_ALL = ['article', 'issue', 'tag'];
const { client, send } = openMagazine({
  ...{ mcp: true, history: true },
  roles: {
    public: [...FOUND_BY_ALL.map((name) => `api::${name}.${name}.find`), 'api::article.article.readDrafts'],
  },
});

interface Result {
  readonly isError?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
  readonly structuredContent: any;
}

let count = 0;
async function rpc(method: string, params: object, token = 'full') {
  count += 1;
  const response = await send('/mcp', sendJson('POST', token, { jsonrpc: '2.0', id: count, method, params }));
  return { status: response.status, body: (await response.json()) as { result: Result; error?: { code: number } } };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
async function use(name: string, args: object, token = 'full'): Promise<any> {
  const { body } = await rpc('tools/call', { name, arguments: args }, token);
  expect(body.result, JSON.stringify(body)).toBeDefined();
  expect(body.result.isError, JSON.stringify(body.result)).toBeUndefined();
  return body.result.structuredContent;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
async function failure(name: string, args: object, token = 'full'): Promise<any> {
  const { body } = await rpc('tools/call', { name, arguments: args }, token);
  expect(body.result.isError, JSON.stringify(body)).toBe(true);
  return body.result.structuredContent.error;
}

describe('what an agent may not decide', () => {
  const next = expect.stringContaining('Ask a person');

  it('is left to a person, and nothing is changed', async () => {
    await createToken('drafter', 'agent');
    const { documentId } = await documentOf(client.create('/api/articles', { title: 'Live' }));
    const document = { type: 'articles', documentId };
    for (const action of ['publish', 'unpublish'])
      expect(await failure('change_publication', { ...document, action }, 'drafter')).toMatchObject({
        ...{ status: 403, message: `Forbidden: ${action} of articles`, next },
      });
    const { revision } = await use('delete', document, 'drafter');
    expect(await failure('delete', { ...document, dryRun: false, revision }, 'drafter')).toMatchObject({
      ...{ status: 403, next },
    });
    expect((await client.get(`/api/articles/${documentId}`)).status).toBe(200);
    const discarded = await use('change_publication', { ...document, action: 'discardDraft' }, 'drafter');
    expect(discarded.done).toBe(false);
  });
});

describe('reading', () => {
  it('describe names no private attribute, and no type that a relation may not be followed to', async () => {
    await createToken('agent', 'agent');
    await createToken('narrow', 'custom', ['api::article.article.find', 'api::article.article.update']);
    const [agent, narrow] = await Promise.all(
      ['agent', 'narrow'].map((token) => use('describe', { type: 'articles' }, token)),
    );
    expect([agent.attributes, agent.components['shared.seo']]).toEqual([
      expect.objectContaining({ author: expect.any(String) }),
      expect.objectContaining({ metaTitle: expect.any(String) }),
    ]);
    const names = recordedRegistry.contentTypes.get('api::article.article')?.attributes ?? new Map();
    const hidden = [...names.values()].filter((each) => each.private && each.writable).map(({ name }) => name);
    expect(hidden).toEqual(expect.arrayContaining(['internalNotes', 'editorRank']));
    for (const name of hidden) expect(Object.keys(agent.attributes)).not.toContain(name);
    expect(narrow.attributes).not.toHaveProperty('author');
  });
});

describe('search', () => {
  const searching = { text: 'Searched', status: 'draft' };

  it('of drafts leaves out the types whose drafts the caller may not read, and says so', async () => {
    for (const type of ['articles', 'issues', 'tags'])
      await client.create(`/api/${type}?status=draft`, {
        [type === 'tags' ? 'name' : 'title']: `Searched ${type}`,
      });
    const found = async (args: object) => {
      const { results, leftOut } = await use('search', { ...searching, ...args }, '');
      return [results.map(({ title }: { title: string }) => title).sort(), leftOut];
    };
    const hasDrafts = FOUND_BY_ALL.map((name) => {
      return recordedRegistry.contentTypes.get(`api::${name}.${name}`)?.draftAndPublish;
    });
    expect(hasDrafts).toEqual([true, true, false]);
    expect(await found({})).toEqual([['Searched articles', 'Searched tags'], ['issues']]);
    expect(await found({ types: ['articles', 'issues'] })).toEqual([['Searched articles'], ['issues']]);
    expect(await found({ status: 'published' })).toEqual([['Searched tags'], undefined]);
    expect(await failure('search', { ...searching, types: ['issues'] }, '')).toMatchObject({
      ...{ status: 403, path: 'status', message: 'Forbidden: readDrafts of issues' },
    });
  });
});

describe('writing', () => {
  it('makes drafts, says what differs, and publishes what was confirmed', async () => {
    const made = await use('create', { type: 'articles', data: { title: 'Draft' } });
    const { documentId } = made.data;
    expect(made.data.publishedAt).toBeNull();
    expect((await client.get(`/api/articles/${documentId}`)).status).toBe(404);
    const dry = await use('change_publication', { type: 'articles', documentId, action: 'publish' });
    expect(dry).toMatchObject({ done: false, would: 'publish "Draft" of articles in en' });
    const { revision } = dry;
    const done = await use('change_publication', {
      type: 'articles',
      documentId,
      action: 'publish',
      dryRun: false,
      revision,
    });
    expect(done.done).toBe(true);
    expect((await client.get(`/api/articles/${documentId}`)).status).toBe(200);
    const { revision: read } = await use('get', { type: 'articles', documentId, status: 'draft' });
    const changed = await use('update', { type: 'articles', documentId, data: { title: 'Changed' }, revision: read });
    expect(changed.difference).toEqual({ title: { published: 'Draft', draft: 'Changed' } });
    const again = await failure('update', { type: 'articles', documentId, data: { title: 'Again' }, revision: read });
    expect(again).toMatchObject({ status: 412, path: 'revision' });
    const { data } = await use('history', { type: 'articles', documentId });
    const first = data.find(({ version }: { version: string }) => version === 'published');
    const restored = await use('restore', { type: 'articles', documentId, version: first.revision });
    expect(restored.data.title).toBe('Draft');
    const gone = await use('delete', { type: 'articles', documentId, revision: restored.revision });
    expect(gone.done).toBe(false);
    await use('delete', { type: 'articles', documentId, dryRun: false, revision: gone.revision });
    expect((await client.get(`/api/articles/${documentId}?status=draft`)).status).toBe(404);
  });

  it('an update without a revision overwrites nothing, even for who may not read it', async () => {
    const { documentId } = await documentOf(client.create('/api/tags', { name: 'there' }));
    await createToken('blind', 'custom', ['api::tag.tag.find', 'api::tag.tag.update']);
    const args = { type: 'tags', documentId, data: { name: 'blind' } };
    for (const token of ['full', 'blind'])
      expect(await failure('update', args, token)).toMatchObject({
        ...{ status: 412, path: 'revision' },
        next: expect.stringMatching(/^get returns the document/),
      });
    const step = { action: 'update', ...args };
    expect(await failure('batch', { requests: [step] })).toMatchObject({ status: 412, path: 'requests.0.revision' });
    expect((await documentOf(client.get(`/api/tags/${documentId}`))).name).toBe('there');
  });

  it('of two updates that write a single type for the first time, one is done', async () => {
    await client.remove('/api/site-setting');
    const first = async (siteName: string) => {
      const { body } = await rpc('tools/call', {
        name: 'update',
        arguments: { type: 'site-setting', data: { siteName } },
      });
      return body.result.isError ?? false;
    };
    expect((await Promise.all(['One', 'Two'].map(first))).toSorted()).toEqual([false, true]);
  });

  it('a batch writes all or nothing', async () => {
    const step = { action: 'create', type: 'tags', data: { name: 'a' } };
    const { data, written } = await use('batch', { requests: [step, { ...step, data: { name: 'b' } }] });
    expect(data).toHaveLength(2);
    const read = await Promise.all(
      data.map(({ documentId }: { documentId: string }) => use('get', { type: 'tags', documentId })),
    );
    expect(written).toMatchObject(read.map(({ data: { documentId }, revision }) => ({ documentId, revision })));
    const error = await failure('batch', {
      requests: [
        { ...step, data: { name: 'c' } },
        { ...step, data: { naem: 'd' } },
      ],
    });
    expect(error).toMatchObject({ status: 400, path: 'requests.1.data.naem', nearest: 'name' });
    expect(await totalOf(client.get('/api/tags?filters[name]=c'))).toBe(0);
  });

  it('a small file is uploaded in the call, another to an address that works once', async () => {
    const { data } = await use('upload', { name: 'note.txt', mimeType: 'text/plain', base64: btoa('a text') });
    expect(data).toMatchObject({ name: 'note.txt' });
    const info = { name: 'note.txt', caption: "Ann's; type=x" };
    const { address, send: command } = await use('upload', info);
    expect(command).toBe(
      `curl --form-string 'fileInfo={"name":"note.txt","caption":"Ann'\\''s; type=x"}' -F 'files=@FILE' '${address}'`,
    );
    const form = () => {
      const body = new FormData();
      body.append('fileInfo', JSON.stringify(info));
      body.append('files', new File(['other'], 'other.txt', { type: 'text/plain' }));
      return body;
    };
    const path = new URL(address).pathname;
    const sent = await send(path, { method: 'POST', body: form() });
    expect(await sent.json()).toMatchObject([info]);
    expect(sent.status).toBe(201);
    expect((await send(`${path}x`, { method: 'POST', body: form() })).status).toBe(404);
  });
});

describe('mistakes', () => {
  it.each([
    ['delete', { type: 'articles', documentId: 'x', locale: '*' }, { path: 'locale' }],
    ['change_publication', { type: 'articles', documentId: 'x', action: 'publish', at: 'now' }, { path: 'at' }],
  ])('%s %j says where it is', async (name, args, expected) => {
    expect(await failure(name, args)).toMatchObject(expected);
  });
});
