/**
 * @module A write that asks what an earlier one of the isolate asked takes the answer for true, and is one round trip;
 * what has changed since is found out all the same.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { renewStamps } from '../../../src/sql/stamps.ts';
import { type ApiDocument, type Client, clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { createTables, createToken, recordedRegistry, serve } from '../../support/recorded.ts';

const other = clientOf(serve(), 'full');

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
  await createToken('revoked', 'full-access');
});

/** A client of an isolate of its own, which tells the round trips of each request. */
function isolate(token = 'full') {
  const counted = countedDatabase(env.DB);
  const client = clientOf(serve({}, { DB: counted.database }), token);
  const trips = async (response: Promise<Response>): Promise<number> => {
    const before = counted.answering().length;
    const { status } = await response;
    expect(status).toBeLessThan(300);
    return counted.answering().length - before;
  };
  return { client, trips };
}

let serial = 0;
const created = (route: string, data: object = {}): Promise<ApiDocument> => {
  serial += 1;
  const name = route === 'articles' ? { title: `Article ${serial}` } : { name: `Name ${serial}` };
  return documentOf(other.create(`/api/${route}`, { ...name, ...data }));
};

/** An isolate that has updated a document until it takes what it knows for true. */
async function primed(path: string, token?: string): Promise<Client> {
  const { client, trips } = isolate(token);
  let last = 0;
  for (const title of ['Title a', 'Title b', 'Title c']) last = await trips(client.update(path, { title }));
  expect(last).toBe(1);
  return client;
}

describe('the same document', () => {
  it('is updated in one round trip from the third time on', async () => {
    const { documentId } = await created('articles');
    const { client, trips } = isolate();
    await client.get('/api/tags');
    const each: number[] = [];
    for (let price = 0; price < 5; price += 1)
      each.push(await trips(client.update(`/api/articles/${documentId}`, { price })));
    expect(each).toEqual([2, 2, 1, 1, 1]);
    expect((await documentOf(other.get(`/api/articles/${documentId}`))).price).toBe(4);
  });

  it('is updated in one round trip where links are added each time', async () => {
    const { documentId } = await created('articles');
    const tag = (await created('tags')).documentId;
    const { client, trips } = isolate();
    await client.get('/api/tags');
    const each: number[] = [];
    for (let time = 0; time < 4; time += 1)
      each.push(await trips(client.update(`/api/articles/${documentId}`, { tags: { connect: [tag] } })));
    expect(each).toEqual([2, 2, 1, 1]);
    expect((await documentOf(other.get(`/api/articles/${documentId}?populate=tags`))).tags).toHaveLength(1);
  });
});

it('several documents that link to the same ones ask for them once', async () => {
  const by = (await created('authors')).documentId;
  const { client, trips } = isolate();
  await client.get('/api/tags');
  const each: number[] = [];
  for (const text of ['a', 'b', 'c']) each.push(await trips(client.create('/api/comments', { text, by })));
  expect(each).toEqual([2, 1, 1]);
});

describe('what was taken for true and is so no longer', () => {
  it('is a value that another isolate has written', async () => {
    const path = `/api/articles/${(await created('articles')).documentId}`;
    const client = await primed(path);
    await other.update(path, { subtitle: 'from elsewhere', seo: { metaTitle: 'New' } });
    await documentOf(client.update(path, { price: 7 }));
    const { subtitle, price, seo } = await documentOf(other.get(`${path}?populate=seo`));
    expect({ subtitle, price, seo }).toMatchObject({ subtitle: 'from elsewhere', price: 7, seo: { metaTitle: 'New' } });
  });

  it('is a component that came into the database without Edgewise, after which all stamps are renewed', async () => {
    const { documentId } = await created('articles', { seo: { metaTitle: 'Old' } });
    const path = `/api/articles/${documentId}`;
    const client = await primed(path);
    const seo = JSON.stringify({ id: 7, metaTitle: 'Brought in' });
    await env.DB.prepare('update articles set seo = ? where document_id = ? and published_at is null')
      .bind(seo, documentId)
      .run();
    const { sql, params } = renewStamps(['every']);
    await env.DB.prepare(sql)
      .bind(...params)
      .run();
    await documentOf(client.update(path, { price: 8 }));
    const { seo: shown } = await documentOf(other.get(`${path}?populate=seo`));
    expect(shown).toMatchObject({ metaTitle: 'Brought in' });
  });

  it('is a document that was deleted', async () => {
    const path = `/api/articles/${(await created('articles')).documentId}`;
    const client = await primed(path);
    await other.remove(path);
    expect(await errorOf(client.update(path, { price: 7 }))).toMatchObject({ status: 404, name: 'NotFoundError' });
    expect((await other.get(path)).status).toBe(404);
  });

  it('is a locale that was deleted and made again, though its time is the one before', async () => {
    const path = `/api/articles/${(await created('articles')).documentId}?locale=fr`;
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const client = await primed(path);
    await client.update(path, { seo: { metaTitle: 'Old' } });
    const { updatedAt } = await documentOf(other.get(path));
    await other.remove(path);
    clock.mockReturnValue(Date.parse(String(updatedAt)));
    await documentOf(other.update(path, { title: 'Made again', seo: { metaTitle: 'New' } }));
    await documentOf(client.update(path, { subtitle: 'added' }));
    clock.mockRestore();
    const shown = await documentOf(other.get(`${path}&populate=seo`));
    expect(shown).toMatchObject({ title: 'Made again', subtitle: 'added', seo: { metaTitle: 'New' } });
  });

  it('is a target that was deleted', async () => {
    const author = (await created('authors')).documentId;
    const { client, trips } = isolate();
    await client.get('/api/tags');
    await trips(client.create('/api/comments', { text: 'a', by: author }));
    await other.remove(`/api/authors/${author}`);
    const refused = await errorOf(client.create('/api/comments', { text: 'b', by: author }));
    expect(refused).toMatchObject({ status: 400, name: 'ValidationError' });
    expect(await errorOf(other.create('/api/comments', { text: 'b', by: author }))).toEqual(refused);
  });

  it('is a link that another isolate has taken away', async () => {
    const tags = [(await created('tags')).documentId, (await created('tags')).documentId];
    const path = `/api/articles/${(await created('articles', { tags })).documentId}`;
    const { client } = isolate();
    for (let time = 0; time < 3; time += 1) await client.update(path, { tags: { connect: [tags[0]] } });
    await other.update(path, { tags: { disconnect: tags } });
    await client.update(path, { tags: { connect: [tags[0]] } });
    const { tags: shown } = await documentOf(other.get(`${path}?populate=tags`));
    expect((shown as ApiDocument[]).map(({ documentId }) => documentId)).toEqual([tags[0]]);
  });

  it('is a caller who may no longer write', async () => {
    const path = `/api/articles/${(await created('articles')).documentId}`;
    const client = await primed(path, 'revoked');
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'revoked'`).run();
    expect((await client.update(path, { title: 'Too late' })).status).toBe(401);
    expect((await documentOf(other.get(path))).title).toBe('Title c');
  });
});

describe('a refusal', () => {
  it('of a document that is known is what it is to everybody else', async () => {
    const path = `/api/articles/${(await created('articles')).documentId}`;
    const client = await primed(path);
    for (const body of [{ title: 5 }, { title: null }, { tags: ['nope'] }, { code: 'x'.repeat(300) }]) {
      const refused = await errorOf(client.update(path, body));
      expect(refused.status).toBe(400);
      expect(refused).toEqual(await errorOf(other.update(path, body)));
    }
  });

  it('for a value that another document has comes where the document is known, too', async () => {
    await created('articles', { code: 'taken' });
    const path = `/api/articles/${(await created('articles')).documentId}`;
    const client = await primed(path);
    const refused = await errorOf(client.update(path, { code: 'taken' }));
    expect(refused).toEqual(await errorOf(other.update(path, { code: 'taken' })));
    expect(refused.message).toContain('must be unique');
  });
});

it('ten writers of three isolates that update one document lose nothing', async () => {
  const path = `/api/articles/${(await created('articles')).documentId}`;
  const clients = [isolate().client, isolate().client, isolate().client];
  const labels = Array.from({ length: 60 }, (_, index) => `tag ${index}`);
  const tags = await Promise.all(labels.map((name) => documentOf(other.create('/api/tags', { name }))));
  const write = async (writer: number): Promise<void> => {
    for (let index = writer; index < tags.length; index += 10) {
      const body = { tags: { connect: [tags[index]?.documentId] } };
      let { status } = await (clients[writer % 3] as Client).update(path, body);
      while (status === 503) ({ status } = await (clients[writer % 3] as Client).update(path, body));
      expect(status).toBe(200);
    }
  };
  await Promise.all(Array.from({ length: 10 }, (_, writer) => write(writer)));
  const { tags: shown } = await documentOf(other.get(`${path}?populate=tags`));
  expect(new Set((shown as ApiDocument[]).map(({ name }) => name))).toEqual(new Set(labels));
  expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
});
