/**
 * @module `POST /api/batch`: one commit, all or nothing, in order.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { type ApiDocument, type ErrorAnswer, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const registry = registryOf(
  [
    contentType('author', {
      name: { type: 'string', unique: true },
      books: relation('oneToMany', 'book', { mappedBy: 'author' }),
    }),
    contentType(
      'book',
      {
        title: { type: 'string', required: true, minLength: 2 },
        slug: { type: 'uid' },
        author: relation('manyToOne', 'author', { inversedBy: 'books' }),
        sequels: relation('manyToMany', 'book'),
        credit: { type: 'component', component: 'shared.credit' },
      },
      { drafts: true, localized: true },
    ),
    contentType('imprint', { name: { type: 'string' } }, { single: true }),
    contentType('note', { text: { type: 'text' }, secret: { type: 'password' } }),
  ],
  [
    component('shared.credit', {
      role: { type: 'string' },
      code: { type: 'string', unique: true },
      people: relation('oneToMany', 'author'),
    }),
  ],
);
const counted = countedDatabase(env.DB);
const RIGHTS = ['api::note.note.create', 'api::note.note.find'];
const { send } = openWorld(registry, {}, { DB: counted.database });

interface Entry {
  readonly status: number;
  readonly body: { readonly data: ApiDocument } | null;
}

const ask = (requests: unknown, token = 'full') => send('/api/batch', sendJson('POST', token, { requests }));
async function done(requests: unknown, token?: string): Promise<readonly Entry[]> {
  const response = await ask(requests, token);
  const { data, error } = (await response.json()) as { data: readonly Entry[]; error?: unknown };
  if (error) throw new Error(JSON.stringify(error));
  return data;
}
const refused = (requests: unknown, token?: string): Promise<ErrorAnswer> => errorOf(ask(requests, token));
const post = (path: string, data: unknown) => ({ method: 'POST', path, body: { data } });
const put = (path: string, data: unknown) => ({ method: 'PUT', path, body: { data } });
const remove = (path: string) => ({ method: 'DELETE', path });
const note = (text: string) => post('/api/notes', { text });
const idOf = (entry: Entry | undefined): string => entry?.body?.data.documentId ?? '';
const count = async (table: string) =>
  (await env.DB.prepare(`select count(*) as "count" from "${table}"`).first('count')) as number;

beforeAll(async () => {
  await createToken('narrow', 'custom', RIGHTS);
});
beforeEach(async () => {
  const tables = [
    'authors',
    'books',
    'notes',
    'imprints',
    'books_author_lnk',
    'books_sequels_lnk',
    'edgewise_counters',
  ];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`delete from "${table}"`)));
  counted.batches.splice(0);
});

describe('a batch', () => {
  it('responds in the format of Strapi 4', async () => {
    const init = sendJson('POST', 'full', { requests: [note('a')] });
    const headers = { ...(init.headers as Record<string, string>), 'strapi-response-format': 'v4' };
    const response = await send('/api/batch', { ...init, headers });
    expect(await response.json()).toMatchObject({ data: [{ body: { data: { attributes: { text: 'a' } } } }] });
  });

  it('links to what earlier requests create, also in components, locales and positions', async () => {
    const data = await done([
      post('/api/authors', { name: 'A' }),
      post('/api/books?locale=fr&populate=*', { title: 'Un', author: '$ref:0' }),
      post('/api/books?locale=fr&populate[sequels]=true', {
        title: 'Deux',
        sequels: { connect: [{ documentId: '$ref:1' }] },
      }),
      post('/api/books?populate[credit][populate]=*', {
        title: '$ref:0',
        credit: { role: 'r', people: { set: ['$ref:0'] } },
      }),
      post('/api/books?locale=fr&populate[sequels]=true', {
        title: 'Trois',
        sequels: { connect: ['$ref:2', { documentId: '$ref:1', position: { before: '$ref:2' } }] },
      }),
    ]);
    expect(data).toMatchObject([
      {},
      { body: { data: { author: { name: 'A' } } } },
      { body: { data: { sequels: [{ title: 'Un' }] } } },
      { body: { data: { title: '$ref:0', credit: { people: [{ name: 'A' }] } } } },
      { body: { data: { sequels: [{ title: 'Un' }, { title: 'Deux' }] } } },
    ]);
    expect(counted.answering().length).toBeLessThanOrEqual(2);
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  });

  it('looks up no document that it creates', async () => {
    await done([note('a'), post('/api/books', { title: 'None' })]);
    counted.batches.splice(0);
    await done([post('/api/authors', { name: 'A' }), post('/api/books', { title: 'One', author: '$ref:0' })]);
    // The write alone: the credential is known.
    expect(counted.answering()).toHaveLength(1);
  });

  it('takes at most three round trips, whatever the number', async () => {
    const authors = await done(Array.from({ length: 100 }, (_, index) => post('/api/authors', { name: `a${index}` })));
    const isolate = serveRegistry(registry, {}, { DB: counted.database });
    counted.batches.splice(0);
    const requests = authors
      .slice(0, 60)
      .map((author, index) => put(`/api/authors/${idOf(author)}`, { name: `b${index}` }));
    const response = await isolate('/api/batch', sendJson('POST', 'full', { requests }));
    expect(response.status).toBe(200);
    expect(counted.answering()).toHaveLength(2);
    counted.batches.splice(0);
    const linked = authors.slice(0, 20).map((author) => post('/api/books', { title: 'Linked', author: idOf(author) }));
    await done([...linked, ...authors.slice(20, 40).map((author) => remove(`/api/authors/${idOf(author)}`))]);
    expect(counted.answering()).toHaveLength(2);
    counted.batches.splice(0);
    await done([note('a'), note('b')]);
    expect(counted.answering()).toHaveLength(1);
  });

  it('counts passwords of all requests', async () => {
    const secrets = Array.from({ length: 11 }, (_, index) => post('/api/notes', { secret: `s${index}` }));
    expect(await refused(secrets)).toMatchObject({ details: { limit: 'passwords', request: 10 } });
    expect(await count('notes')).toBe(0);
  });
});

describe('a failure', () => {
  it('is a value that is still taken, before what planning finds in a later request', async () => {
    const [one] = await done([post('/api/authors', { name: 'one' }), post('/api/authors', { name: 'two' })]);
    const change = put(`/api/authors/${idOf(one)}`, { name: 'three' });
    const wrong = post('/api/books', { title: 'x' });
    const taken = post('/api/authors', { name: 'two' });
    expect(await refused([change, taken, wrong])).toMatchObject({
      details: { request: 1, errors: [{ path: ['name'] }] },
    });
    expect(await refused([change, post('/api/authors', { name: 'one' }), wrong])).toMatchObject({
      details: { request: 2 },
    });
    expect(await count('authors')).toBe(2);
  });

  it('is looked for in the database once, and only where planning may not find it', async () => {
    const [one] = await done([post('/api/authors', { name: 'one' })]);
    const wrong = post('/api/books', { title: 'x' });
    const freed = [put(`/api/authors/${idOf(one)}`, { name: 'three' }), post('/api/authors', { name: 'one' }), wrong];
    for (const [requests, request, written] of [
      [[note('a'), wrong], 1, 0],
      [freed, 2, 1],
    ] as const) {
      counted.batches.splice(0);
      expect(await refused(requests)).toMatchObject({ status: 400, details: { request } });
      const writes = counted.batches.filter((batch) => batch.some((sql) => sql.startsWith('insert into')));
      expect(writes.length).toBe(written);
    }
  });

  it('is such a value of a component, too', async () => {
    const book = (code: string) => ({ title: 'Book', credit: { code } });
    const [one] = await done([post('/api/books', book('one')), post('/api/books', book('two'))]);
    const requests = [put(`/api/books/${idOf(one)}`, book('three')), post('/api/books', book('two'))];
    expect(await refused(requests)).toMatchObject({
      message: 'This attribute must be unique',
      details: { request: 1 },
    });
    expect(await refused([...requests, post('/api/notes', { text: 1 })])).toMatchObject({ details: { request: 1 } });
  });

  it('is 403 for a request that the caller may not send, and 401 without a caller', async () => {
    expect((await done([note('a')], 'narrow')).length).toBe(1);
    const failed = await refused([note('a'), post('/api/authors', { name: 'a' })], 'narrow');
    expect(failed).toEqual({ status: 403, name: 'ForbiddenError', message: 'Forbidden', details: { request: 1 } });
    expect(await refused([note('a')], 'nobody')).toMatchObject({ status: 401 });
    expect(await refused('nothing', 'nobody')).toMatchObject({ status: 401 });
    expect(
      await errorOf(
        send('/api/batch', {
          method: 'POST',
          body: '{',
          headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
        }),
      ),
    ).toMatchObject({ status: 401 });
  });
});

describe('a malformed batch is a 400:', () => {
  it.each([
    ['no object', [], /^Invalid body/],
    ['no requests', {}, /Expected a list of 1 to 100 requests/],
    ['none', { requests: [] }, /Expected a list of 1 to 100 requests/],
    [
      '101 requests',
      { requests: Array.from({ length: 101 }, () => note('a')) },
      /Expected a list of 1 to 100 requests/,
    ],
    ['a request that is none', { requests: [note('a'), null] }, /requests.1'. Expected an object/],
    ['GET', { requests: [{ method: 'GET', path: '/api/notes' }] }, /requests.0.method'. Expected POST, PUT or DELETE/],
    ['PATCH', { requests: [{ method: 'PATCH', path: '/api/notes/a' }] }, /Expected POST, PUT or DELETE/],
    ['a path beside /api', { requests: [post('/notes', {})] }, /Expected a path of \/api/],
    ['a batch', { requests: [post('/api/batch', {})] }, /no path of a content type: a batch writes documents only/],
    ['an upload', { requests: [post('/api/upload', {})] }, /no path of a content type/],
    ['the history of a document', { requests: [remove('/api/books/b/history')] }, /no path of a content type/],
    ['a former version', { requests: [put('/api/books/b/history/r', {})] }, /no path of a content type/],
    ['the history of a single type', { requests: [put('/api/imprint/history', {})] }, /no path of a content type/],
    ['an action', { requests: [remove('/api/books/b/actions/publish')] }, /no path of a content type/],
    ['users', { requests: [put('/api/users/1', {})] }, /no path of a content type/],
    ['a POST to a document', { requests: [post('/api/notes/a', {})] }, /does not take POST/],
    ['a PUT to a list', { requests: [put('/api/notes', {})] }, /does not take PUT. Expected POST/],
    ['a path of no text', { requests: [{ method: 'POST', path: 5 }] }, /requests.0.path'. Expected a path/],
    [
      'a deep one',
      { requests: [post('/api/notes', JSON.parse('[['.repeat(60) + ']]'.repeat(60)))] },
      /nested too deeply/,
    ],
  ])('%s', async (_, body, message) => {
    const failed = await errorOf(send('/api/batch', sendJson('POST', 'full', body)));
    expect(failed).toMatchObject({ status: 400, name: 'ValidationError' });
    expect(failed.message).toMatch(message);
  });

  it('whose details name the request', async () => {
    const malformed = sendJson('POST', 'full', { requests: [note('a'), null] });
    expect((await errorOf(send('/api/batch', malformed))).details).toEqual({ source: 'body', request: 1 });
  });

  it.each([
    ['nowhere, in a component', [note('a'), post('/api/books', { title: 'One', credit: { people: '$ref:' } })], 1],
    ['at a PUT', [put('/api/imprint', { name: 'I' }), post('/api/books', { title: 'One', author: '$ref:0' })], 1],
  ])('a reference that points %s', async (_, requests, request) => {
    const failed = await refused(requests);
    expect(failed).toMatchObject({ status: 400, details: { request } });
    expect(failed.message).toMatch(/names no earlier POST of the batch/);
  });

  it('a document that two requests write', async () => {
    const failed = await refused([note('a'), put('/api/notes/abc', {}), remove('/api/notes/%61bc?locale=fr')]);
    expect(failed).toMatchObject({ status: 400, details: { requests: [1, 2] } });
    expect(await refused([put('/api/imprint', {}), remove('/api/Imprint')])).toMatchObject({
      details: { requests: [0, 1] },
    });
  });

  it('a DELETE with filters', async () => {
    const failed = await refused([remove('/api/notes/a?filters[text]=b')]);
    expect(failed).toMatchObject({
      message: 'A DELETE with filters cannot be part of a batch',
      details: { request: 0 },
    });
  });

  it('more statements than the database runs for one request', async () => {
    const books = await done(Array.from({ length: 100 }, (_, index) => post('/api/books', { title: `Book ${index}` })));
    const requests = books.map((book, index) => put(`/api/books/${idOf(book)}`, { title: `Other ${index}` }));
    const failed = await refused([...requests.slice(0, 99), note('a')]);
    expect(failed).toMatchObject({ status: 400, details: { limit: 'statements' } });
    expect(failed.message).toMatch(/Expected at most 900: send fewer requests/);
    const statements = async (own: readonly object[], key?: string) => {
      const { headers, ...init } = sendJson('POST', 'full', { requests: own });
      const response = send('/api/batch', {
        ...init,
        headers: { ...(headers as object), ...(key && { 'idempotency-key': key }) },
      });
      return (await errorOf(response)).details?.statements as number;
    };
    const plain = await statements(requests);
    // A read and a guard each; a deletion of old keys and the new one.
    expect(await statements(requests.map((request) => ({ ...request, ifMatch: '*' })))).toBe(plain + 200);
    expect(await statements(requests, 'a-key')).toBe(plain + 2);
    expect(await count('notes')).toBe(0);
    expect(await done(requests.slice(0, 40))).toHaveLength(40);
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  });

  it('a response that is larger than its part of the limits', async () => {
    const small = serveRegistry(registry, { api: { rest: { limits: { answerBytes: 4_000 } } } });
    const large = note('x'.repeat(1_500));
    const all = (requests: unknown) => small('/api/batch', sendJson('POST', 'full', { requests }));
    expect(await errorOf(all([large, large, large]))).toMatchObject({ status: 400, details: { limit: 'answerBytes' } });
    expect(await count('notes')).toBe(0);
    expect((await all([large, large])).status).toBe(200);
  });

  it('more entries than a body may have, in all requests together', async () => {
    const small = serveRegistry(registry, { api: { rest: { limits: { bodyEntries: 3 } } } });
    const book = post('/api/books', { title: 'One', author: ['a', 'b'] });
    const failed = await errorOf(small('/api/batch', sendJson('POST', 'full', { requests: [book, book] })));
    expect(failed).toMatchObject({ status: 400, details: { limit: 'bodyEntries' } });
    const enough = serveRegistry(registry, { api: { rest: { limits: { bodyEntries: 4 } } } });
    const missing = await errorOf(enough('/api/batch', sendJson('POST', 'full', { requests: [book, book] })));
    expect(missing.details).not.toHaveProperty('limit');
  });
});

describe('concurrent batches', () => {
  it('of 8 writers are each done or not done', async () => {
    const authors = (await done(['a', 'b', 'c'].map((name) => post('/api/authors', { name })))).map(idOf);
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const statuses: number[] = [];
      for (let round = 0; round < 6; round += 1) {
        const author = authors[(writer + round) % 3] ?? '';
        const response = await ask([
          note(`${writer} ${round}`),
          post('/api/books', { title: 'Book', author }),
          post('/api/books', { title: 'Next', author, sequels: ['$ref:1'] }),
          post('/api/authors', { name: `shared ${round}` }),
          put(`/api/authors/${author}`, { name: `${'abc'[(writer + round) % 3]} ${writer} ${round}` }),
        ]);
        statuses.push(response.status);
        await response.text();
      }
      return statuses;
    });
    const statuses = (await Promise.all(writers)).flat();
    const succeeded = statuses.filter((status) => status === 200).length;
    expect(new Set(statuses)).toEqual(new Set([200, 400].slice(0, new Set(statuses).size)));
    expect(await count('notes')).toBe(succeeded);
    expect(await count('authors')).toBe(succeeded + 3);
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  });
});

describe('ifMatch', () => {
  const tagOf = async (path: string) => (await send(path, bearer('full'))).headers.get('etag') ?? '';

  it('writes what nobody has changed since, in two round trips', async () => {
    const [made] = await done([post('/api/books', { title: 'Matched' })]);
    const path = `/api/books/${made?.body?.data.documentId}`;
    const tag = await tagOf(path);
    const changed = { ...put(path, { title: 'Once' }), ifMatch: tag };
    counted.batches.length = 0;
    expect((await done([changed, note('beside')])).map(({ status }) => status)).toEqual([200, 200]);
    expect(counted.answering().length).toBe(2);
    expect(await refused([note('nothing'), changed])).toMatchObject({
      status: 412,
      name: 'PreconditionFailedError',
      details: { request: 1 },
    });
    expect(await refused([{ ...remove(path), ifMatch: tag }])).toMatchObject({ status: 412 });
    expect((await done([{ ...remove(path), ifMatch: '*' }])).map(({ status }) => status)).toEqual([204]);
    expect(await refused([{ ...put(path, { title: 'Gone' }), ifMatch: '*' }])).toMatchObject({ status: 404 });
  });

  it('has a counterpart that writes only what does not exist', async () => {
    const imprint = { ...put('/api/imprint', {}), ifNoneMatch: '*' };
    await send('/api/imprint', { method: 'DELETE', ...bearer('full') });
    const raced = await Promise.all(
      [1, 2, 3].map(() => send('/api/batch', sendJson('POST', 'full', { requests: [imprint] }))),
    );
    expect(raced.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    expect(await refused([note('nothing'), imprint])).toMatchObject({ status: 412, details: { request: 1 } });
    for (const wrong of [
      { ...imprint, ifNoneMatch: 'bare' },
      { ...note('new'), ifNoneMatch: '*' },
    ])
      expect(await refused([wrong])).toMatchObject({ status: 400, details: { request: 0 } });
  });

  it('is compared when a delete is committed', async () => {
    const path = `/api/notes/${idOf((await done([note('first')]))[0])}`;
    const meanwhile = () => done([put(path, { text: 'meanwhile' })]);
    const other = serveRegistry(registry, {}, { DB: interleavedDatabase(env.DB, 1, meanwhile) });
    const requests = [{ ...remove(path), ifMatch: await tagOf(path) }];
    expect(await errorOf(other('/api/batch', sendJson('POST', 'full', { requests })))).toMatchObject({ status: 412 });
    expect(await (await send(path, bearer('full'))).json()).toMatchObject({ data: { text: 'meanwhile' } });
  });

  it('is rejected where it means nothing', async () => {
    expect(await refused([{ ...note('new'), ifMatch: '*' }])).toMatchObject({
      status: 400,
      message: 'A POST takes no ifMatch or ifNoneMatch',
    });
    expect(await refused([{ ...put('/api/imprint', {}), ifMatch: 'bare' }])).toMatchObject({
      status: 400,
      details: { request: 0 },
    });
    const init = sendJson('POST', 'full', { requests: [note('a')] });
    const headed = send('/api/batch', { ...init, headers: { ...(init.headers as object), 'if-match': '*' } });
    expect(await errorOf(headed)).toMatchObject({ status: 400, details: { source: 'header', header: 'If-Match' } });
  });
});
