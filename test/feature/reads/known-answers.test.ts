/**
 * @module Answers that an isolate remembers: given again while they are true, for what it takes to ask, and never after.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, createToken, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';
import { createPopulatedWorld, type Names } from './populated-world.ts';

const PUBLIC: SettingsInput = {
  roles: { public: ['article', 'author', 'tag', 'category', 'issue'].map((name) => `api::${name}.${name}.find`) },
};
const POPULATED =
  '/api/articles?populate[author]=true&populate[tags]=true&populate[cover]=true&populate[seo][populate]=shareImage';

const { client: writer } = openMagazine(PUBLIC);
let world: Names;

beforeAll(async () => {
  await createToken('reader', 'read-only');
  world = await createPopulatedWorld(writer);
});

/** An isolate of its own, and what its requests read. */
function isolate() {
  const { database, rowsRead, batches } = countedDatabase(env.DB);
  const send = serve(PUBLIC, { DB: database });
  const costOf = async (path: string, init?: RequestInit) => {
    rowsRead.clear();
    batches.length = 0;
    const response = await send(path, init);
    const body = await response.text();
    const rows = [...rowsRead.values()].reduce((sum, each) => sum + each, 0);
    return { response, body, rows, trips: batches.length };
  };
  return { send, costOf };
}

const tagOf = (response: Response): string => response.headers.get('etag') ?? '';
const holding = (tag: string): RequestInit => ({ headers: { 'if-none-match': tag } });

describe('an answer that is known', () => {
  it.each([
    ['a list with four populates', POPULATED, undefined],
    ['the same with a token', POPULATED, bearer('reader')],
    ['one document', () => `/api/articles/${world.first}?populate=*`, bearer('reader')],
    ['a list with a filter and its total', '/api/articles?filters[author][name]=Author&sort=title', undefined],
  ] as const)('costs one round trip that reads next to nothing: %s', async (_, path, init) => {
    const { costOf } = isolate();
    const target = typeof path === 'string' ? path : path();
    const first = await costOf(target, init);
    await costOf(target, init);
    const again = await costOf(target, init);
    expect([again.response.status, again.body]).toEqual([200, first.body]);
    expect(again.trips).toBe(1);
    expect(again.rows).toBeLessThanOrEqual(8);
    expect(again.rows).toBeLessThan(first.rows);
  });

  it('is told by any isolate to whoever holds it, without its content being read', async () => {
    const [one, other] = [isolate(), isolate()];
    const { response } = await one.costOf(POPULATED);
    const again = await other.costOf(POPULATED, holding(tagOf(response)));
    expect([again.response.status, again.body, tagOf(again.response)]).toEqual([304, '', tagOf(response)]);
    expect(again.trips).toBe(1);
    expect(again.rows).toBeLessThanOrEqual(8);
  });
});

describe('an answer that the caller holds, and the isolate in an older form', () => {
  it.each(['GET', 'HEAD'])('is not recomputed: %s', async (method) => {
    const [one, other] = [isolate(), isolate()];
    await one.costOf(POPULATED);
    await writer.update(`/api/tags/${world.tag}`, { name: crypto.randomUUID() });
    const tag = tagOf((await other.costOf(POPULATED)).response);
    const again = await one.costOf(POPULATED, { ...holding(tag), method });
    expect([again.response.status, again.body, tagOf(again.response)]).toEqual([304, '', tag]);
    expect(again.rows).toBeLessThanOrEqual(8);
  });
});

describe('an answer is not given again', () => {
  it.each([
    [
      'a document of the list is written',
      () => writer.update(`/api/articles/${world.first}`, { price: Math.random() }),
    ],
    ['what it populates is written', () => writer.update(`/api/tags/${world.tag}`, { name: crypto.randomUUID() })],
    ['a link is taken away from the other end', () => writer.update(`/api/tags/${world.tag}`, { articles: [] })],
    ['a document is added', () => writer.create('/api/articles', { title: 'New', facts: [{ label: 'f' }] })],
    ['a document is deleted', () => writer.remove(`/api/articles/${world.second}?locale=*`)],
  ])('after %s', async (_, write) => {
    const [one, other] = [isolate(), isolate()];
    const before = await one.costOf(POPULATED);
    const written = await write();
    expect(written.status).toBeLessThan(300);
    const fresh = await isolate().costOf(POPULATED);
    const after = await one.costOf(POPULATED);
    const held = await other.costOf(POPULATED, holding(tagOf(before.response)));
    expect(after.body).not.toBe(before.body);
    expect([after.body, held.body]).toEqual([fresh.body, fresh.body]);
    expect(held.response.status).toBe(200);
    expect(tagOf(after.response)).toBe(tagOf(fresh.response));
  });

  it('to somebody with other rights', async () => {
    const { send } = isolate();
    const path = '/api/articles?populate=*&status=draft';
    expect((await send(path, bearer('full'))).status).toBe(200);
    expect((await send(path)).status).toBe(403);
    expect((await send(path, bearer('made-up'))).status).toBe(401);
    const tag = tagOf(await send(path, bearer('full')));
    expect((await send(path, holding(tag))).status).toBe(403);
  });

  it('to a token that was revoked', async () => {
    const { send } = isolate();
    await createToken('revoked', 'read-only');
    expect((await send(POPULATED, bearer('revoked'))).status).toBe(200);
    await env.DB.prepare('delete from strapi_api_tokens where name = ?').bind('revoked').run();
    expect((await send(POPULATED, bearer('revoked'))).status).toBe(401);
  });

  it('by a deployment with other settings', async () => {
    const tag = tagOf(await serve(PUBLIC)(POPULATED));
    const other = serve({ ...PUBLIC, api: { rest: { defaultLimit: 1 } } });
    const answer = await other(POPULATED, holding(tag));
    expect(answer.status).toBe(200);
  });
});

describe('documents that are asked for alike', () => {
  const filters = Array.from(
    { length: 100 },
    (_, place) => `populate[tags][filters][$or][${place}][name][$ne]=${place}`,
  );
  let first: string;
  let second: string;
  beforeAll(async () => {
    const add = (title: string) => documentOf(writer.create('/api/articles', { title, facts: [{ label: title }] }));
    first = String((await add('First')).documentId);
    second = String((await add('Second')).documentId);
  });

  it.each([
    ['plainly', ''],
    ['with all that they link to', '?populate=*'],
    ['with more values than are bound one by one', `?${filters.join('&')}`],
  ])('have answers and tags of their own: %s', async (_, query) => {
    const { send } = isolate();
    const read = (documentId: string, init = bearer('reader')) => send(`/api/articles/${documentId}${query}`, init);
    for (const documentId of [first, second, first]) {
      const fresh = await serve(PUBLIC)(`/api/articles/${documentId}${query}`, bearer('reader'));
      const answer = await read(documentId);
      expect([answer.status, tagOf(answer)]).toEqual([200, tagOf(fresh)]);
      expect(await answer.text()).toBe(await fresh.text());
    }
    const holder = { headers: { ...bearer('reader').headers, 'if-none-match': tagOf(await read(first)) } };
    expect([(await read(first, holder)).status, (await read(second, holder)).status]).toEqual([304, 200]);
    expect((await read('there-is-none')).status).toBe(404);
  });

  it('have values, though HEAD was asked first', async () => {
    const { send } = isolate();
    expect((await send(`/api/articles/${first}`, { ...bearer('reader'), method: 'HEAD' })).status).toBe(200);
    expect(await documentOf(clientOf(send, 'reader').get(`/api/articles/${second}`))).toMatchObject({
      title: 'Second',
    });
  });

  it('are refused to whoever may not read them', async () => {
    const { send } = isolate();
    expect((await send(`/api/articles/${first}?status=draft`, bearer('full'))).status).toBe(200);
    const other = `/api/articles/${second}?status=draft`;
    expect((await send(other, bearer('made-up'))).status).toBe(401);
    expect((await send(other)).status).toBe(403);
  });
});

it('a draft that is saved leaves what is published known', async () => {
  const { costOf } = isolate();
  await costOf(POPULATED);
  const draft = await documentOf(
    writer.update(`/api/articles/${world.first}?status=draft`, { title: 'Draft', tags: [] }),
  );
  expect(draft.title).toBe('Draft');
  const { rows, response } = await costOf(POPULATED);
  expect([response.status, rows <= 8]).toEqual([200, true]);
});

describe('If-None-Match', () => {
  const { send } = isolate();
  let tag: string;
  beforeEach(async () => {
    tag = tagOf(await send(POPULATED));
  });

  it.each([
    ['the tag', () => tag, 304],
    ['the tag, weak', () => `W/${tag}`, 304],
    ['a list with the tag', () => `"a", W/${tag} ,"b"`, 304],
    ['a star', () => '*', 304],
    ['another tag', () => '"other"', 200],
    ['the digest with other stamps', () => `${tag.split('.')[0]}.0000"`, 200],
    ['SQL', () => `${tag.split('.')[0]}.' or 1=1 --"`, 200],
    ['rubbish', () => `"""${'x'.repeat(5_000)}`, 200],
    ['nothing', () => '', 200],
  ])('as %s', async (_, value, status) => {
    const response = await send(POPULATED, holding(value()));
    expect(response.status).toBe(status);
    expect(tagOf(response)).toBe(tag);
    expect((await response.text()).length > 0).toBe(status === 200);
  });
});
