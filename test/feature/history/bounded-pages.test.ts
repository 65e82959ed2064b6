/**
 * @module Pages of former versions for a caller with conditions: a page does bounded work, whatever is hidden.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { historyOf } from '../../support/former-versions.ts';
import { bearer, createToken } from '../../support/recorded.ts';
import { openKinds } from '../../support/worlds/kinds.ts';

const { client, serve } = openKinds({ history: true });
const counted = countedDatabase(env.DB);
const send = serve({}, { DB: counted.database });

/** Stores versions of a document with a title, the newest last. */
const store = (documentId: string, count: number, title: string) =>
  env.DB.prepare(`
    with recursive "version"(v) as (select 1 union all select v + 1 from "version" where v < ?2)
    insert into edgewise_history (type, document_id, locale, version, at, id, operation, actor, entry, size)
    select 'api::note.note', ?1, '', 'published', ?4 - ?2 + v, 'rev_' || lower(hex(randomblob(12))), 'update', 'code',
      json_object('values', json_object('title', ?3), 'links', json('{}'), 'types', json('{"title":"string"}'), 'renames', 0), 10
    from "version"`)
    .bind(documentId, count, title, Date.now())
    .run();

interface Page {
  readonly revisions: readonly string[];
  readonly next: string | null;
  readonly trips: number;
  readonly rowsRead: number;
}

async function pageOf(path: string, after: string | null = null): Promise<Page> {
  counted.batches.length = 0;
  counted.rowsRead.clear();
  const response = await send(`${path}${after === null ? '' : `?pagination[after]=${after}`}`, bearer('open'));
  expect(response.status, await response.clone().text()).toBe(200);
  const { data, meta } = (await response.json()) as {
    data: readonly { revision: string }[];
    meta: { pagination: { next: string | null } };
  };
  const rowsRead = [...counted.rowsRead.values()].reduce((sum, rows) => sum + rows, 0);
  const revisions = data.map(({ revision }) => revision);
  return { revisions, next: meta.pagination.next, trips: counted.batches.length, rowsRead };
}

async function allPages(path: string): Promise<readonly Page[]> {
  const pages = [await pageOf(path)];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null)
    pages.push(await pageOf(path, next));
  return pages;
}

beforeAll(async () => {
  const actions = ['find', 'findOne', 'history'].flatMap((name) => [
    `api::note.note.${name}`,
    `api::story.story.${name}`,
  ]);
  await createToken('open', 'custom', [{ action: actions, where: { title: { $startsWith: 'open' } } }]);
  // From then on the grants of the token are known.
  await pageOf('/api/history');
});

beforeEach(async () => {
  await env.DB.prepare('delete from edgewise_history').run();
});

it('a document with 400 hidden versions is listed in pages of bounded work, until the one that is seen', async () => {
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'open' }));
  await store(documentId, 400, 'closed');
  const path = `/api/notes/${documentId}/history`;
  const pages = await allPages(path);
  expect(pages.flatMap(({ revisions }) => revisions)).toHaveLength(1);
  expect(pages).toHaveLength(9);
  for (const { trips, rowsRead } of pages) {
    expect(trips).toBeLessThanOrEqual(3);
    expect(rowsRead).toBeLessThan(5_000);
  }
});

it('3,000 versions of hidden documents are passed a thousand a page', async () => {
  await documentOf(client.create('/api/notes', { title: 'open' }));
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'closed' }));
  await store(documentId, 3_000, 'closed');
  const pages = await allPages('/api/history');
  expect(pages.flatMap(({ revisions }) => revisions)).toHaveLength(1);
  expect(pages).toHaveLength(4);
  for (const { trips, rowsRead } of pages) {
    expect(trips).toBe(2);
    expect(rowsRead).toBeLessThan(15_000);
  }
});

it('the list of a document does not examine versions of others', async () => {
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'open' }));
  await env.DB.prepare('update edgewise_history set at = 1').run();
  const other = await documentOf(client.create('/api/notes', { title: 'closed' }));
  await store(other.documentId, 1_000, 'closed');
  const pages = await allPages(`/api/notes/${documentId}/history`);
  expect(pages.map(({ revisions }) => revisions.length)).toEqual([1]);
});

it('a caller without conditions is shown a version in two round trips, and a list by one statement', async () => {
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'open' }));
  const [{ revision } = {}] = await historyOf(client, `/api/notes/${documentId}`);
  const tripsOf = async () => {
    counted.batches.length = 0;
    expect((await send(`/api/notes/${documentId}/history/${revision}`, bearer('full'))).status).toBe(200);
    return counted.batches.length;
  };
  // From then on the grants of the token are known.
  await tripsOf();
  expect(await tripsOf()).toBe(2);
  counted.batches.length = 0;
  expect((await send('/api/history', bearer('full'))).status).toBe(200);
  expect(counted.batches.flat().filter((sql) => sql.includes('edgewise_history'))).toHaveLength(1);
});

it.each([0, 1, 30])('a page takes as many round trips beside %i hidden versions as beside none', async (hidden) => {
  const { documentId } = await documentOf(client.create('/api/stories', { title: 'open' }));
  await env.DB.prepare('delete from edgewise_history').run();
  if (hidden > 0)
    await store((await documentOf(client.create('/api/notes', { title: 'open' }))).documentId, hidden, 'x');
  expect((await pageOf('/api/history?type=api::note.note')).trips).toBe(2);
  expect((await pageOf(`/api/stories/${documentId}/history`)).trips).toBe(3);
});

it('a deployment without JWT_SECRET lists what is seen, page by page', async () => {
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'open' }));
  for (let number = 0; number < 21; number += 1)
    await client.update(`/api/notes/${documentId}`, { title: `${number % 3 === 1 ? 'closed' : 'open'} ${number}` });
  const unsigned = serve({}, { JWT_SECRET: undefined } as never);
  const seen: string[] = [];
  const pages: number[] = [];
  for (let next: string | null | undefined; next !== null; ) {
    const query: string = `?pagination[limit]=5${next === undefined ? '' : `&pagination[after]=${next}`}`;
    const response = await unsigned(`/api/notes/${documentId}/history${query}`, bearer('open'));
    expect(response.status, await response.clone().text()).toBe(200);
    const { data, meta } = (await response.json()) as {
      data: readonly { revision: string }[];
      meta: { pagination: { next: string | null } };
    };
    seen.push(...data.map(({ revision }) => revision));
    pages.push(data.length);
    next = meta.pagination.next;
  }
  expect([new Set(seen).size, pages]).toEqual([13, [5, 5, 3]]);
  // Where nothing is seen, no cursor may name what is hidden.
  await env.DB.prepare('delete from edgewise_history').run();
  await store(documentId, 60, 'closed');
  expect((await unsigned(`/api/notes/${documentId}/history`, bearer('open'))).status).toBe(503);
});

it('a cursor does not show the hidden version that a page ends with, and is no cursor when it is changed', async () => {
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'open' }));
  await store(documentId, 60, 'closed');
  const { next } = await pageOf(`/api/notes/${documentId}/history`);
  expect(next).not.toBeNull();
  const text = Buffer.from(String(next), 'base64url').toString('latin1');
  expect(`${next} ${text}`).not.toMatch(/rev_|\d{12}/);
  const error = await errorOf(send(`/api/history?pagination[after]=${next}A`, bearer('open')));
  expect([error.status, error.message]).toEqual([400, expect.stringContaining('pagination[after]')]);
});

it('versions of a megabyte each are passed eight a page', async () => {
  const { documentId } = await documentOf(client.create('/api/notes', { title: 'open' }));
  await env.DB.prepare('delete from edgewise_history').run();
  await store(documentId, 20, 'open');
  const values = `'$.values.document_id', document_id, '$.values.published_at', 1, '$.types.gone', 'string'`;
  const title = `'$.values.title', 'open ' || hex(zeroblob(500000))`;
  await env.DB.prepare(
    `update edgewise_history set entry = json_set(entry, ${values}, ${title}), size = 1000000`,
  ).run();
  const pages = await allPages(`/api/notes/${documentId}/history`);
  expect(pages.map(({ revisions }) => revisions.length)).toEqual([8, 8, 4]);
  expect(new Set(pages.flatMap(({ revisions }) => revisions)).size).toBe(20);
});
