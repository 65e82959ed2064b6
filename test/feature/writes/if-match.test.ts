/**
 * @module `If-Match`: a write of a document only if nobody has changed it since the caller read it.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
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
async function create(route: 'tags' | 'articles'): Promise<string> {
  serial += 1;
  const data = route === 'tags' ? { name: `Tag ${serial}` } : { title: `Article ${serial}`, code: `a${serial}` };
  const { documentId } = await documentOf(client.create(`/api/${route}`, data));
  return `/api/${route}/${documentId}`;
}

const statusOf = async (response: Promise<Response>): Promise<number> => (await response).status;

beforeAll(async () => {
  await createToken('reads', 'read-only');
});

describe('If-Match', () => {
  it('is read only once the caller may write', async () => {
    const path = await create('tags');
    for (const header of ['*', 'abc', '"a"']) {
      const init = matching(header, sendJson('PUT', 'reads', { data: {} }));
      expect(await statusOf(send(path, init))).toBe(403);
      expect(await statusOf(send(path, matching(header, sendJson('PUT', 'nobody', { data: {} }))))).toBe(401);
    }
  });
});

describe('drafts', () => {
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
  it('of a document without a time of its last change, as imports leave them, are compared, too', async () => {
    const path = await create('articles');
    await env.DB.prepare('update articles set updated_at = null where document_id = ?')
      .bind(path.split('/').at(-1))
      .run();
    const tag = await tagAt(path);
    expect(await statusOf(put(path, '"outdated"', {}))).toBe(412);
    expect(await statusOf(put(path, tag, {}))).toBe(200);
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
  const add = (path: string, data: object, header: string, from = send): Promise<Response> => {
    const { headers, ...init } = sendJson('PUT', 'full', { data });
    return from(path, { ...init, headers: { ...(headers as Record<string, string>), 'if-none-match': header } });
  };

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
