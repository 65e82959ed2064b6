/**
 * @module `beforeWrite`: the project's own code between a body and its validation.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApplicationError } from '../../../src/common/errors.ts';
import type { AnyTypes } from '../../../src/features/own-code/document-types.ts';
import type { AnyExtensions, Extensions } from '../../../src/features/own-code/extension-types.ts';
import type { BeforeWrite, HookContext } from '../../../src/features/own-code/hooks.ts';
import { serveRegistry } from '../../support/app.ts';
import { documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { createToken, sendJson } from '../../support/recorded.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';
import type { CollectionType } from './generated-types.ts';

const registry = registryOf([
  contentType('article', {
    title: { type: 'string', required: true },
    slug: { type: 'string', unique: true },
    words: { type: 'integer' },
  }),
  contentType('note', { text: { type: 'string' } }),
  contentType('imprint', { name: { type: 'string' } }, { single: true }),
]);

interface Document {
  id: number;
  documentId: string;
}

/** As `generate` would write them, with less. */
interface Types {
  articles: CollectionType<'api::article.article', Document, { title: string }>;
  notes: CollectionType<'api::note.note', Document, { text: string }>;
}

type Hook = NonNullable<BeforeWrite<AnyTypes>[string]>;
type Data = Record<string, unknown>;

const calls: { data: Data; operation: string; documentId: string | undefined; kind: string }[] = [];
let hook: (data: Data, context: HookContext<Types>) => unknown;

const beforeWrite: BeforeWrite<AnyTypes> = {
  'api::article.article': ((data, context) => {
    const { operation, documentId, caller } = context;
    calls.push({ data, operation, documentId, kind: caller.kind });
    return hook(data, context as HookContext<unknown> as HookContext<Types>);
  }) as Hook,
  'api::imprint.imprint': ((data) => ({ ...data, name: 'set' })) as Hook,
};

const counted = countedDatabase(env.DB);
const extensions = {
  beforeWrite: beforeWrite as BeforeWrite<Types>,
  routes: (app) => {
    app.post('/own', async (c) =>
      c.json(await c.var.documents('api::article.article').create({ data: await c.req.json() })),
    );
  },
} satisfies Extensions<Types> as AnyExtensions;
const { send, serve } = openWorld(registry, {}, { DB: counted.database }, { extensions });
const create = (data: unknown, token = 'full') => send('/api/articles', sendJson('POST', token, { data }));
const stored = async () => (await env.DB.prepare('select title, slug, words from articles order by id').all()).results;

const slugged: typeof hook = (data) => ({ ...data, slug: String(data.title).toLowerCase() });

const log = vi.spyOn(console, 'error');

beforeAll(async () => {
  await createToken('reader', 'read-only');
  hook = slugged;
  await create({ title: 'Warm' });
});

beforeEach(async () => {
  log.mockReturnValue();
  hook = slugged;
  calls.length = 0;
  await env.DB.exec('delete from articles');
  counted.batches.length = 0;
});

afterEach(() => {
  vi.useRealTimers();
  log.mockReset();
});

describe('beforeWrite', () => {
  it('gets the body before it is validated, and returns the input', async () => {
    await expect(documentOf(create({ title: 'News' }))).resolves.toMatchObject({ slug: 'news' });
    // One that writes; the round trips are those of a write without a hook.
    expect(counted.answering().length).toBe(1);
    expect(calls).toEqual([
      { data: { title: 'News' }, operation: 'create', documentId: expect.any(String), kind: 'token' },
    ]);
    hook = async (data) => ({ ...data, words: 'many' });
    await expect(errorOf(create({ titel: 'x' }))).resolves.toMatchObject({ status: 400, message: 'Invalid key titel' });
    await expect(errorOf(create({ title: 'x' }))).resolves.toMatchObject({ status: 400, name: 'ValidationError' });
    expect(await stored()).toEqual([{ title: 'News', slug: 'news', words: null }]);
  });

  it('runs for updates, single types, batches and own routes', async () => {
    const { documentId } = await documentOf(create({ title: 'One' }));
    await documentOf(send(`/api/articles/${documentId}`, sendJson('PUT', 'full', { data: { title: 'Two' } })));
    await expect(
      documentOf(send('/api/imprint', sendJson('PUT', 'full', { data: { name: 'sent' } }))),
    ).resolves.toMatchObject({ name: 'set' });
    const requests = [
      { method: 'POST', path: '/api/articles', body: { data: { title: 'Three' } } },
      { method: 'POST', path: '/api/notes', body: { data: { text: 'no hook' } } },
      { method: 'DELETE', path: `/api/articles/${documentId}` },
    ];
    expect((await send('/api/batch', sendJson('POST', 'full', { requests }))).status).toBe(200);
    expect((await send('/own', sendJson('POST', 'full', { title: 'Four' }))).status).toBe(200);
    expect(calls.map(({ operation, data }) => [operation, data.title])).toEqual([
      ['create', 'One'],
      ['update', 'Two'],
      ['create', 'Three'],
      ['create', 'Four'],
    ]);
    expect(calls[1]?.documentId).toBe(documentId);
    expect((await stored()).map(({ slug }) => slug)).toEqual(['three', 'four']);
  });

  it('runs once for a write that is retried', async () => {
    await create({ title: 'Same' });
    await expect(errorOf(create({ title: 'Same' }))).resolves.toMatchObject({
      message: 'This attribute must be unique',
    });
    const requests = [{ method: 'POST', path: '/api/articles', body: { data: { title: 'Same' } } }];
    const failed = errorOf(send('/api/batch', sendJson('POST', 'full', { requests })));
    await expect(failed).resolves.toMatchObject({ message: 'This attribute must be unique', details: { request: 0 } });
    expect(calls.length).toBe(3);
    const { documentId } = await documentOf(create({ title: 'Other' }));
    const put = (title: string) => send(`/api/articles/${documentId}`, sendJson('PUT', 'full', { data: { title } }));
    const all = await Promise.all(['a', 'b', 'c', 'd'].map(put));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(calls.length).toBe(8);
  });

  it('does not run for a repeated request', async () => {
    let count = 0;
    hook = (data) => {
      count += 1;
      return Object.assign(data, { slug: `s${count}` });
    };
    const init = sendJson('POST', 'full', { data: { title: 'Keyed' } });
    const keyed = { ...init, headers: { ...init.headers, 'idempotency-key': 'k' } };
    const first = await documentOf(send('/api/articles', keyed));
    await expect(documentOf(send('/api/articles', keyed))).resolves.toEqual(first);
    const batch = sendJson('POST', 'full', {
      requests: [{ method: 'POST', path: '/api/articles', body: { data: { title: 'Twice' } } }],
    });
    const keyedBatch = { ...batch, headers: { ...batch.headers, 'idempotency-key': 'b' } };
    const firstBatch = await (await send('/api/batch', keyedBatch)).json();
    expect(await (await send('/api/batch', keyedBatch)).json()).toEqual(firstBatch);
    expect(count).toBe(2);
    expect((await stored()).map(({ slug }) => slug)).toEqual(['s1', 's2']);
  });

  it('does not run for callers who may not write', async () => {
    await expect(errorOf(create({ title: 'x' }, 'reader'))).resolves.toMatchObject({ status: 403 });
    await expect(errorOf(create({ title: 'x' }, 'made-up'))).resolves.toMatchObject({ status: 401 });
    const requests = [{ method: 'POST', path: '/api/articles', body: { data: { title: 'x' } } }];
    for (const token of ['reader', 'made-up'])
      expect((await send('/api/batch', sendJson('POST', token, { requests }))).ok).toBe(false);
    expect(calls).toEqual([]);
  });

  it('does not run for callers whose grant does not cover the document', async () => {
    const { documentId } = await documentOf(create({ title: 'Short', words: 1 }));
    calls.length = 0;
    const where = { words: { $gte: 5 } };
    await createToken('hidden', 'custom', [
      { action: ['api::article.article.find', 'api::article.article.update'], where },
    ]);
    await createToken('seen', 'custom', [
      'api::article.article.find',
      { action: 'api::article.article.update', where },
    ]);
    const path = `/api/articles/${documentId}`;
    const batch = { requests: [{ method: 'PUT', path, body: { data: { title: 'Batch' } } }] };
    for (const [token, status] of [
      ['hidden', 404],
      ['seen', 403],
    ] as const) {
      expect((await send(path, sendJson('PUT', token, { data: { title: 'Put' } }))).status).toBe(status);
      expect((await send('/api/batch', sendJson('POST', token, batch))).status).toBe(status);
    }
    expect(calls).toEqual([]);
    await env.DB.exec('update articles set words = 9');
    expect((await send(path, sendJson('PUT', 'seen', { data: { title: 'Put' } }))).status).toBe(200);
    expect(calls.length).toBe(1);
  });

  it('gets the documentId that a batch stores, also after a conflict', async () => {
    const { documentId } = await documentOf(create({ title: 'Old' }));
    calls.length = 0;
    const retried: boolean[] = [];
    for (const at of [0, 1, 2]) {
      const meanwhile = async () => {
        retried.push(true);
        await env.DB.exec('update articles set updated_at = updated_at + 1');
      };
      const from = serve({}, { DB: interleavedDatabase(env.DB, at, meanwhile) });
      const requests = [
        { method: 'POST', path: '/api/articles', body: { data: { title: `New ${at}` } } },
        { method: 'PUT', path: `/api/articles/${documentId}`, body: { data: { words: at } } },
      ];
      expect((await from('/api/batch', sendJson('POST', 'full', { requests }))).status).toBe(200);
    }
    expect(retried.length).toBeGreaterThan(1);
    const created = calls.filter(({ operation }) => operation === 'create').map((each) => each.documentId);
    const rows = await env.DB.prepare(
      `select document_id as id from articles where title like 'New %' order by id`,
    ).all();
    expect(created.toSorted()).toEqual(rows.results.map(({ id }) => id));
  });

  it('rejects a write with its error, and nothing is written', async () => {
    hook = () => {
      throw new ApplicationError('No news today', { day: 'Sunday' });
    };
    await expect(errorOf(create({ title: 'x' }))).resolves.toEqual({
      status: 400,
      name: 'ApplicationError',
      message: 'No news today',
      details: { day: 'Sunday' },
    });
    const requests = [
      { method: 'POST', path: '/api/notes', body: { data: { text: 'before' } } },
      { method: 'POST', path: '/api/articles', body: { data: { title: 'x' } } },
    ];
    await expect(errorOf(send('/api/batch', sendJson('POST', 'full', { requests })))).resolves.toMatchObject({
      name: 'ApplicationError',
      details: { day: 'Sunday', request: 1 },
    });
    expect(await stored()).toEqual([]);
  });

  it.each([
    [
      'an error',
      () => {
        throw new TypeError('a secret');
      },
    ],
    [
      'a text',
      async () => {
        throw 'a secret';
      },
    ],
    ['nothing', () => undefined],
    ['a list', () => []],
    ['a circle', (data: Data) => Object.assign(data, { data })],
    ['a large integer', () => ({ title: 1n })],
  ])('is a 500 for a hook that throws or returns %s', async (_, broken) => {
    hook = broken;
    await expect(errorOf(create({ title: 'x' }))).resolves.toEqual({
      status: 500,
      name: 'InternalServerError',
      message: 'Internal Server Error',
    });
    expect(await stored()).toEqual([]);
  });

  it('is a 500 after 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    hook = () => {
      vi.advanceTimersByTimeAsync(30_000);
      return new Promise(() => {});
    };
    await expect(errorOf(create({ title: 'x' }))).resolves.toMatchObject({ status: 500 });
    expect(await stored()).toEqual([]);
  });

  it('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await documentOf(create({ title: 'x' }));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('returns a body that has the limits of one', async () => {
    hook = () => JSON.parse(`${'{"a":'.repeat(150)}1${'}'.repeat(150)}`);
    const message = 'Body nested too deeply. Expected at most 100 levels';
    await expect(errorOf(create({ title: 'x' }))).resolves.toMatchObject({ status: 400, message });
  });

  it('may write its own type, but not without end', async () => {
    const copy = async (data: Data, { documents }: HookContext<Types>) => {
      await documents('api::article.article').create({ data: { title: `${data.title}+` } });
      return data;
    };
    hook = (data, context) => (String(data.title).length < 4 ? copy(data, context) : data);
    await documentOf(create({ title: 'x' }));
    expect((await stored()).map(({ title }) => title)).toEqual(['x+++', 'x++', 'x+', 'x']);
    hook = copy;
    await expect(errorOf(create({ title: 'y' }))).resolves.toMatchObject({ status: 500 });
    expect(log.mock.calls.join()).toContain('hooks write documents whose hooks write, 8 levels deep');
    expect((await stored()).length).toBe(4);
  });

  it('writes documents apart from that of the request', async () => {
    hook = async (data, { documents }) => {
      const notes = documents('api::note.note');
      await notes.create({ data: { text: `about ${data.title}` } });
      expect((await notes.find({ sort: 'id:desc' })).data[0]).toMatchObject({ text: `about ${data.title}` });
      return data;
    };
    const noted = async () =>
      (await env.DB.prepare(`select document_id as id from notes where text like 'about %'`).all()).results;
    const init = sendJson('POST', 'full', { data: { title: 'a' } });
    const keyed = { ...init, headers: { ...init.headers, 'idempotency-key': 'apart' } };
    const { documentId } = await documentOf(send('/api/articles', keyed));
    const path = `/api/articles/${documentId}`;
    const tag = (await send(path, { headers: { authorization: 'Bearer full' } })).headers.get('etag') ?? '';
    const put = sendJson('PUT', 'full', { data: { title: 'b' } });
    await documentOf(send(path, { ...put, headers: { ...put.headers, 'if-match': tag } }));
    const ids = await noted();
    expect(ids.length).toBe(2);
    expect(ids).not.toContainEqual({ id: documentId });
  });

  it('has the grants of its caller', async () => {
    await createToken('writer', 'custom', ['api::article.article.create']);
    hook = async (data, { documents, caller }) => {
      expect(caller.allows('api::note.note.create')).toBe(false);
      await documents('api::note.note').create({ data: { text: 'x' } });
      return data;
    };
    await expect(errorOf(create({ title: 'x' }, 'writer'))).resolves.toMatchObject({ status: 403 });
    hook = async (data, { documents }) => {
      await documents.asSystem('api::note.note').create({ data: { text: 'system' } });
      return data;
    };
    await documentOf(create({ title: 'x' }, 'writer'));
    const notes = await env.DB.prepare(`select count(*) as count from notes where text = 'system'`).first();
    expect(notes).toEqual({ count: 1 });
  });

  it.each(['api::articel.article', 'plugin::users-permissions.user', 'constructor'])('is refused for %s', (uid) => {
    expect(() => serveRegistry(registry, {}, {}, undefined, { beforeWrite: { [uid]: hook as Hook } })).toThrow(
      `beforeWrite names "${uid}", which is no content type of content-types/`,
    );
  });
});
