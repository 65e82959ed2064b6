/**
 * @module HEAD has the status and the headers of GET, and reads nothing that only a body shows.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { clientOf, documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
let article = '';

beforeAll(async () => {
  const data = { title: 'Long', body: 'x'.repeat(10_000) };
  article = (await documentOf(clientOf(send, 'full').create('/api/articles', data))).documentId;
});

/** Leaves out the tag: HEAD has one only if the response to GET is cached. */
const headersOf = ({ headers }: Response) =>
  [...headers].filter(([name]) => !/^(content-length|etag|x-request-id|x-d1-bookmark)$/.test(name));

it.each([
  '/api/articles?populate[author][filters][nothing]=1',
  '/api/articles?fields=nothing',
  '/api/articles/nothing',
  '/api/homepage',
  '/api/nothing',
  '/api/users/999',
  '/api/upload/files/999',
  '/api/articles?populate=*',
  '/api/articles/ARTICLE?populate=*',
  '/api/users',
  '/api/users/count',
  '/api/upload/files',
  '/api/upload/files/page',
])('HEAD of %s has the status and headers of GET, without a body', async (path) => {
  const url = path.replace('ARTICLE', article);
  const [get, head] = await Promise.all([send(url, bearer('full')), send(url, { method: 'HEAD', ...bearer('full') })]);
  expect(head.status).toBe(get.status);
  expect(headersOf(head)).toEqual(headersOf(get));
  expect(await head.text()).toBe('');
});

it('HEAD reads nothing that only a body shows', async () => {
  const statementsOf = async (method: string) => {
    const counted = countedDatabase(env.DB);
    const send = serve({}, { DB: counted.database });
    const response = await send('/api/articles?populate=*&filters[title]=Long', { method, ...bearer('full') });
    expect(response.status).toBe(200);
    return counted.answering().flat();
  };
  const isOfBody = (sql: string) => ['json_group_array', '"body"', 'count(*)'].some((text) => sql.includes(text));
  expect((await statementsOf('GET')).filter(isOfBody)).not.toEqual([]);
  const statements = await statementsOf('HEAD');
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.filter(isOfBody)).toEqual([]);
});
