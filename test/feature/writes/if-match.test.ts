/**
 * @module `If-Match`: a write of a document only if nobody has changed it since the caller read it.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type ApiDocument, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { TWO_LOCALES } from '../../support/locales.ts';
import { createToken, sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine(TWO_LOCALES);

const matching = (ifMatch: string, init: RequestInit): RequestInit => ({
  ...init,
  headers: { ...(init.headers as Record<string, string>), 'if-match': ifMatch },
});

const put = (path: string, ifMatch: string, data: object, from = send): Promise<Response> =>
  from(path, matching(ifMatch, sendJson('PUT', 'full', { data })));

const remove = (path: string, ifMatch: string, from = send): Promise<Response> =>
  from(path, matching(ifMatch, { method: 'DELETE', headers: { authorization: 'Bearer full' } }));

async function tagOf(response: Response | Promise<Response>): Promise<string> {
  const tag = (await response).headers.get('etag');
  if (tag === null) throw new Error('no ETag');
  return tag;
}

const tagAt = (path: string): Promise<string> => tagOf(client.get(path));

let serial = 0;
async function create(route: 'tags' | 'articles', status = ''): Promise<string> {
  serial += 1;
  const data = route === 'tags' ? { name: `Tag ${serial}` } : { title: `Article ${serial}`, code: `a${serial}` };
  const { documentId } = await documentOf(client.create(`/api/${route}${status}`, data));
  return `/api/${route}/${documentId}`;
}

const sendPublish = (path: string): Promise<Response> => send(`${path}/actions/publish`, sendJson('POST', 'full', {}));

const statusOf = async (response: Promise<Response>): Promise<number> => (await response).status;

beforeAll(async () => {
  await createToken('reads', 'read-only');
});

describe('a write with If-Match', () => {
  it('changes the document that the caller has read, and returns the tag for the next write', async () => {
    const path = await create('tags');
    const changed = await put(path, await tagAt(path), { weight: 1 });
    expect(changed.status).toBe(200);
    const next = await put(path, await tagOf(changed), { weight: 2 });
    expect(await next.json()).toMatchObject({ data: { weight: 2 } });
    expect(await statusOf(remove(path, await tagOf(next)))).toBe(204);
  });

  it('is rejected with 412 and the current tag after another write', async () => {
    const path = await create('tags');
    const stale = await tagAt(path);
    await client.update(path, { weight: 1 });
    const rejected = await put(path, stale, { weight: 2 });
    expect(await errorOf(Promise.resolve(rejected.clone()))).toEqual({
      status: 412,
      name: 'PreconditionFailedError',
      message: 'If-Match does not match the current ETag of the document',
      details: { source: 'header', header: 'If-Match' },
    });
    expect(rejected.headers.get('cache-control')).toBe('no-store');
    expect(await statusOf(remove(path, stale))).toBe(412);
    expect(await documentOf(client.get(path))).toMatchObject({ weight: 1 });
    expect(await statusOf(put(path, await tagOf(rejected), { weight: 3 }))).toBe(200);
  });

  it('may name both versions, of which neither may have changed', async () => {
    const path = await create('articles', '?status=draft');
    const revisionAt = async (status: string) =>
      (await tagAt(`${path}?status=${status}`)).replaceAll('"', '').split('.').at(-1);
    const onlyDraft = `"&${await revisionAt('draft')}"`;
    await sendPublish(path);
    expect(await statusOf(remove(path, onlyDraft))).toBe(412);
    const both = `"${await revisionAt('published')}&${await revisionAt('draft')}"`;
    expect(await statusOf(put(`${path}?status=draft`, both, { title: 'Newer' }))).toBe(200);
    expect(await statusOf(remove(path, both))).toBe(412);
    const newer = `"${await revisionAt('published')}&${await revisionAt('draft')}"`;
    expect(await statusOf(remove(path, newer))).toBe(204);
    for (const none of ['"&"', newer]) expect(await statusOf(remove(path, none))).toBe(412);
  });

  it('succeeds after writes of other documents', async () => {
    const [path, other] = [await create('tags'), await create('tags')];
    const tag = await tagAt(path);
    await client.update(other, { weight: 1 });
    await client.remove(other);
    expect(await tagAt(path)).not.toBe(tag);
    expect(await statusOf(put(path, tag, { weight: 1 }))).toBe(200);
  });

  it('takes the tag of any response that shows the document', async () => {
    const path = await create('articles');
    const queries = ['', '?fields=title', '?populate=*', '?fields=updatedAt', '?fields=title&populate[tags]=true'];
    for (const query of queries) {
      const tag = await tagAt(`${path}${query}`);
      expect(await tagAt(`${path}${query}`)).toBe(tag);
      expect(await statusOf(put(path, tag, { title: query || 'None' }))).toBe(200);
    }
    const v4 = { headers: { authorization: 'Bearer full', 'strapi-response-format': 'v4' } };
    const read = await send(`${path}?fields=title`, v4);
    expect(await read.clone().json()).toMatchObject({ data: { attributes: { title: queries[4] } } });
    expect(await read.clone().text()).not.toContain('updatedAt');
    const changed = await send(path, matching(await tagOf(read), sendJson('PUT', 'full', { data: {} })));
    expect(changed.status).toBe(200);
  });

  it('takes the tag that a create, a 304 and a cached response have', async () => {
    const created = await client.create('/api/tags', { name: 'Tagged' });
    const { documentId } = (await created.clone().json<{ data: ApiDocument }>()).data;
    const path = `/api/tags/${documentId}`;
    expect(await statusOf(put(path, await tagOf(created), { weight: 1 }))).toBe(200);
    const tag = await tagAt(path);
    const headers = { authorization: 'Bearer full', 'if-none-match': tag };
    const held = await serve(TWO_LOCALES)(path, { headers });
    expect([held.status, await tagOf(held), await tagAt(path)]).toEqual([304, tag, tag]);
    expect(await statusOf(put(path, await tagOf(held), { weight: 2 }))).toBe(200);
  });

  it('shows no time that `fields` does not name', async () => {
    const path = await create('articles');
    const { data } = await (await client.get(`${path}?fields=title`)).json<{ data: object }>();
    expect(Object.keys(data)).toEqual(['id', 'documentId', 'title']);
  });
});

describe('If-Match', () => {
  it('with * requires that the document exists', async () => {
    const path = await create('tags');
    expect(await statusOf(put(path, '*', { weight: 1 }))).toBe(200);
    expect(await statusOf(put(path, ' * ', { weight: 1 }))).toBe(200);
    expect(await statusOf(remove(path, '*'))).toBe(204);
    const gone = await remove(path, '*');
    expect([gone.status, gone.headers.get('etag')]).toEqual([412, null]);
    expect(await statusOf(put(path, '*', { weight: 1 }))).toBe(404);
  });

  it('matches one of several tags', async () => {
    const path = await create('tags');
    for (const list of ['"a", %', '%,"a,b"', ', ,% ,', 'W/"a",\t%'])
      expect(await statusOf(put(path, list.replace('%', await tagAt(path)), { weight: 3 }))).toBe(200);
  });

  it('matches no weak tag, no tag of another document, and no tag of a list', async () => {
    const [path, other] = [await create('tags'), await create('tags')];
    const [own, strange, list] = [await tagAt(path), await tagAt(other), await tagAt('/api/tags')];
    const [digest] = own.slice(1).split('.');
    const forged = [`W/${own}`, strange, list, '"a"', '""', '"."', `"${digest}"`, `"${digest}.x.y.z"`, '"*"'];
    for (const tag of forged) {
      const rejected = await put(path, tag, { weight: 9 });
      expect([tag, rejected.status]).toEqual([tag, 412]);
      expect(await statusOf(remove(path, tag))).toBe(412);
    }
    expect(await statusOf(put(path, own, { weight: 1 }))).toBe(200);
  });

  it.each([
    '',
    '   ',
    ',',
    'abc',
    '"abc',
    'abc"',
    '"a" "b"',
    '"a";"b"',
    'w/"a"',
    'W/ "a"',
    '*, "a"',
    '"a", *',
    '**',
    '"a\tb"',
    '"a b"',
    `${'"a",'.repeat(51)}`,
    `"${'a'.repeat(9000)}`,
    '","'.repeat(5000),
    "' or 1=1 --",
  ])('%j is malformed, which is a 400 that names the header', async (header) => {
    const path = await create('tags');
    for (const answer of [put(path, header, { weight: 1 }), remove(path, header)])
      expect(await errorOf(answer)).toMatchObject({
        status: 400,
        name: 'ValidationError',
        details: { source: 'header', header: 'If-Match' },
      });
    expect(await documentOf(client.get(path))).toMatchObject({ weight: null });
  });

  it('is read only once the caller may write', async () => {
    const path = await create('tags');
    for (const header of ['*', 'abc', '"a"']) {
      const init = matching(header, sendJson('PUT', 'reads', { data: {} }));
      expect(await statusOf(send(path, init))).toBe(403);
      expect(await statusOf(send(path, matching(header, sendJson('PUT', 'nobody', { data: {} }))))).toBe(401);
    }
  });

  it('of a document that does not exist is a 404 as without it', async () => {
    expect(await statusOf(put('/api/tags/nope', '"a"', {}))).toBe(404);
    expect(await statusOf(remove('/api/tags/nope', '"a"'))).toBe(412);
  });
});

describe('drafts', () => {
  it('have a tag of their own, with which they are saved and published', async () => {
    const path = await create('articles', '?status=draft');
    const saved = await put(`${path}?status=draft`, await tagAt(`${path}?status=draft`), { title: 'Saved' });
    expect(saved.status).toBe(200);
    expect(await tagOf(saved)).not.toBe(await tagAt(`${path}?status=draft`));
    const published = await put(path, await tagOf(saved), { title: 'Published' });
    expect(published.status).toBe(200);
    expect(await statusOf(put(path, await tagOf(published), { title: 'Again' }))).toBe(200);
    expect(await statusOf(put(path, await tagAt(path), { title: 'And again' }))).toBe(200);
  });

  it('and what is published are named by the tag of a rejection, each as the request does', async () => {
    const path = await create('articles');
    for (const status of ['draft', 'published', 'draft']) {
      const rejected = await put(`${path}?status=${status}`, '"outdated"', {});
      const current = await tagAt(`${path}?status=${status}`);
      expect(await tagOf(rejected)).toBe(`"${current.replaceAll('"', '').split('.').at(-1)}"`);
    }
  });

  it('that are newer than the published version are not overwritten with its tag', async () => {
    const path = await create('articles');
    const published = await tagAt(path);
    await client.update(`${path}?status=draft`, { title: 'Unseen' });
    for (const query of ['', '?status=draft']) {
      const rejected = await put(`${path}${query}`, published, { code: 'overwritten' });
      expect(rejected.status).toBe(412);
      expect(await statusOf(remove(path, published))).toBe(412);
      if (query !== '') expect(await statusOf(put(path, await tagOf(rejected), { code: 'seen' }))).toBe(200);
    }
    expect(await documentOf(client.get(path))).toMatchObject({ title: 'Unseen', code: 'seen' });
  });
});

describe('locales', () => {
  it('have tags of their own', async () => {
    const path = await create('articles');
    await client.update(`${path}?locale=fr`, { title: 'Premier' });
    const [english, french] = [await tagAt(path), await tagAt(`${path}?locale=fr`)];
    expect(await statusOf(put(`${path}?locale=fr`, english, { title: 'Faux' }))).toBe(412);
    expect(await statusOf(put(path, english, { title: 'First' }))).toBe(200);
    expect(await statusOf(put(`${path}?locale=fr`, french, { title: 'Second' }))).toBe(200);
    expect(await statusOf(remove(`${path}?locale=fr`, french))).toBe(412);
  });

  it('of a document without a time of its last change, as imports leave them, are compared, too', async () => {
    const path = await create('articles');
    await env.DB.prepare('update articles set updated_at = null where document_id = ?')
      .bind(path.split('/').at(-1))
      .run();
    const tag = await tagAt(path);
    expect(await statusOf(put(path, '"outdated"', {}))).toBe(412);
    expect(await statusOf(put(path, tag, {}))).toBe(200);
  });

  it('that do not exist match nothing', async () => {
    const path = await create('articles');
    for (const header of ['*', await tagAt(path)])
      expect(await statusOf(put(`${path}?locale=fr`, header, { title: 'Premier' }))).toBe(412);
  });

  it('are deleted one by one', async () => {
    const path = await create('articles');
    expect(await errorOf(remove(`${path}?locale=*`, await tagAt(path)))).toMatchObject({
      status: 400,
      message: 'The header If-Match requires one locale',
    });
    const { headers, ...init } = sendJson('DELETE', 'full', undefined);
    const none = send(`${path}?locale=*`, { ...init, headers: { ...(headers as object), 'if-none-match': '"a"' } });
    expect((await errorOf(none)).message).toBe('The header If-None-Match requires one locale');
    expect(await statusOf(remove(`${path}?locale=en`, await tagAt(path)))).toBe(204);
  });
});

describe('If-None-Match', () => {
  const add = (path: string, data: object, header = '*', from = send): Promise<Response> => {
    const { headers, ...init } = sendJson('PUT', 'full', { data });
    return from(path, { ...init, headers: { ...(headers as Record<string, string>), 'if-none-match': header } });
  };

  it('with * writes a locale that does not exist, and is rejected with 412 and its tag if it does', async () => {
    const path = await create('articles');
    expect(await statusOf(add(`${path}?locale=fr&status=draft`, { title: 'Premier' }))).toBe(200);
    for (const query of ['?locale=fr&status=draft', '?locale=fr', '', '?status=draft']) {
      const rejected = await add(`${path}${query}`, { title: 'Again' });
      expect(await errorOf(Promise.resolve(rejected.clone()))).toEqual({
        status: 412,
        name: 'PreconditionFailedError',
        message: 'If-None-Match matches the current ETag of the document',
        details: { source: 'header', header: 'If-None-Match' },
      });
      expect(await statusOf(put(`${path}${query}`, await tagOf(rejected), {}))).toBe(200);
    }
    expect(await documentOf(client.get(`${path}?locale=fr&status=draft`))).toMatchObject({ title: 'Premier' });
  });

  it('lets one of ten writers of a new locale win', async () => {
    const path = `${await create('articles')}?locale=fr&status=draft`;
    const writers = Array.from({ length: 10 }, (_, writer) => writer);
    const answers = await Promise.all(writers.map((writer) => add(path, { title: `Of ${writer}` })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await documentOf(client.get(path))).toMatchObject({ title: `Of ${winner}` });
  });

  it('sees a writer without the header that came between', async () => {
    const path = `${await create('articles')}?locale=fr`;
    const meanwhile = () => client.update(path, { title: 'Meanwhile' });
    const slow = serve(TWO_LOCALES, { DB: interleavedDatabase(env.DB, 1, meanwhile) });
    expect(await statusOf(add(path, { title: 'Late' }, '*', slow))).toBe(412);
    expect(await documentOf(client.get(path))).toMatchObject({ title: 'Meanwhile' });
  });

  it('of a document that does not exist is a 404, and of a single type the first write', async () => {
    expect(await statusOf(add('/api/tags/nope', {}))).toBe(404);
    await client.remove('/api/site-setting');
    expect(await statusOf(add('/api/site-setting', { siteName: 'One' }))).toBe(200);
    expect(await statusOf(add('/api/site-setting', { siteName: 'Two' }))).toBe(412);
    await client.remove('/api/site-setting');
  });

  it.each(['', '*, "a"', 'abc'])('%j is a 400 that names the header', async (header) => {
    expect(await errorOf(add(await create('tags'), { weight: 1 }, header))).toMatchObject({
      status: 400,
      details: { source: 'header', header: 'If-None-Match' },
    });
  });

  it('with tags writes if none of them matches', async () => {
    const path = await create('tags');
    expect(await statusOf(add(path, { weight: 1 }, '"a"'))).toBe(200);
    expect(await statusOf(add(path, { weight: 2 }, `"a", ${await tagAt(path)}`))).toBe(412);
    expect(await documentOf(client.get(path))).toMatchObject({ weight: 1 });
  });

  it('with If-Match never writes', async () => {
    const path = await create('tags');
    const both = (tag: string) => (from: string, init?: RequestInit) => {
      const headers = { ...(init?.headers as Record<string, string>), 'if-match': tag };
      return send(from, { ...init, headers });
    };
    expect(await statusOf(add(path, {}, '*', both('*')))).toBe(412);
    expect(await statusOf(add('/api/site-setting', { siteName: 'x' }, '*', both('*')))).toBe(412);
  });
});

describe('a single type', () => {
  it('is written with its tag', async () => {
    expect(await statusOf(put('/api/site-setting', '*', { siteName: 'None' }))).toBe(412);
    const created = await client.update('/api/site-setting', { siteName: 'One' });
    const stale = await tagAt('/api/site-setting?fields=siteName');
    expect(await statusOf(put('/api/site-setting', await tagOf(created), { siteName: 'Two' }))).toBe(200);
    expect(await statusOf(put('/api/site-setting', stale, { siteName: 'Three' }))).toBe(412);
    expect(await statusOf(remove('/api/site-setting', stale))).toBe(412);
    expect(await statusOf(remove('/api/site-setting', await tagAt('/api/site-setting')))).toBe(204);
  });
});

describe('relations', () => {
  it('changed from the other side leave the revision, and changed from this side make a new one', async () => {
    const [article, tag] = [await create('articles'), await create('tags')];
    const [articleTag, tagTag] = [await tagAt(article), await tagAt(tag)];
    const tags = { connect: [tag.split('/').at(-1)] };
    expect(await statusOf(put(article, articleTag, { tags }))).toBe(200);
    expect(await statusOf(put(article, articleTag, {}))).toBe(412);
    expect(await statusOf(put(tag, tagTag, { weight: 1 }))).toBe(200);
  });
});

describe('writers at once', () => {
  it('with one tag: exactly one wins each time', async () => {
    const path = await create('tags');
    const writers = Array.from({ length: 8 }, (_, writer) => writer);
    for (let round = 0; round < 10; round += 1) {
      const tag = await tagAt(path);
      const answers = await Promise.all(writers.map((writer) => put(path, tag, { weight: 10 * round + writer })));
      const winners = writers.filter((writer) => answers[writer]?.status === 200);
      expect(answers.map(({ status }) => status).filter((status) => status !== 412)).toEqual([200]);
      expect(await documentOf(client.get(path))).toMatchObject({ weight: 10 * round + Number(winners[0]) });
    }
  });

  it('and a writer without the header: what it wrote meanwhile is not overwritten', async () => {
    const path = await create('articles');
    const tag = await tagAt(path);
    const meanwhile = () => client.update(`${path}?status=draft`, { title: 'Meanwhile' });
    const slow = serve(TWO_LOCALES, { DB: interleavedDatabase(env.DB, 1, meanwhile) });
    expect(await statusOf(put(path, tag, { title: 'Late' }, slow))).toBe(412);
    const slowDelete = serve(TWO_LOCALES, {
      DB: interleavedDatabase(env.DB, 1, () => client.update(path, { title: 'Then' })),
    });
    expect(await statusOf(remove(path, await tagAt(`${path}?status=draft`), slowDelete))).toBe(412);
    expect(await documentOf(client.get(path))).toMatchObject({ title: 'Then' });
  });

  it('in one millisecond have different tags', async () => {
    const path = await create('tags');
    const tags = new Set<string>();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    for (let count = 0; count < 40; count += 1) tags.add(await tagOf(client.update(path, { weight: 1 })));
    vi.restoreAllMocks();
    expect(tags.size).toBe(40);
  });
});

describe('the cost', () => {
  it('is a statement in the first of two batches, whose guard is one with that of the token', async () => {
    const path = await create('tags');
    const batchesOf = async (request: (from: typeof send) => Promise<Response>) => {
      const { database, answering } = countedDatabase(env.DB);
      await request(serve(TWO_LOCALES, { DB: database }));
      return answering().map((batch) => batch.length);
    };
    const without = await batchesOf((from) => from(path, sendJson('PUT', 'full', { data: { weight: 1 } })));
    const tag = await tagAt(path);
    const conditional = await batchesOf((from) => put(path, tag, { weight: 2 }, from));
    const [read, written] = without as [number, number];
    expect(conditional).toEqual([read + 1, written]);
    const current = await tagAt(path);
    expect(await batchesOf((from) => remove(path, current, from))).toHaveLength(2);
  });
});
