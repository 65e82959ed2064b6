/**
 * @module `If-Match` and `If-None-Match` of writes in a locale that is hidden from the caller: it is like one that does not
 * exist.
 */
import { beforeAll, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { documentOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';

const id = (name: string, action: string): string => `api::${name}.${name}.${action}`;
const ids = ['find', 'update', 'delete'].flatMap((action) => [id('place', action), id('front', action)]);
const SETTINGS = {
  roles: { public: [{ action: ids, where: { title: 'open' } }] },
};
const { client: full, send } = openKinds(SETTINGS);
const PATHS: string[] = [];
const HEADERS = [{}, { 'if-none-match': '*' }, { 'if-none-match': '"x"' }, { 'if-match': '*' }, { 'if-match': '"x"' }];
type Headers = (typeof HEADERS)[number];

beforeAll(async () => {
  const { documentId } = await documentOf(full.create('/api/places', { title: 'open' }));
  await full.update('/api/front', { title: 'open' });
  PATHS.push(`/api/places/${documentId}`, '/api/front');
  for (const path of PATHS) await full.update(`${path}?locale=fr`, { title: 'closed' });
});

/** Status, headers and body, without what names the request. */
async function seen(response: Response) {
  const headers = Object.fromEntries(response.headers);
  for (const name of ['x-request-id', 'x-d1-bookmark', 'server-timing']) delete headers[name];
  return { status: response.status, headers, body: await response.text() };
}

const inBatch = async (
  path: string,
  locale: string,
  { 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: Headers,
) => {
  const request = { method: 'DELETE', path: `${path}?locale=${locale}`, ifMatch, ifNoneMatch };
  const { headers, ...init } = sendJson('POST', '', { requests: [request] });
  const { authorization: _, ...own } = headers as Record<string, string>;
  return seen(await send('/api/batch', { ...init, headers: own }));
};

it('a delete gets the same response in a hidden locale as in none, alone and in a batch, and deletes nothing', async () => {
  for (const path of PATHS)
    for (const headers of HEADERS) {
      const alone = async (locale: string) =>
        seen(await send(`${path}?locale=${locale}`, { method: 'DELETE', headers: headers as Record<string, string> }));
      const hidden = await alone('fr');
      expect([path, headers, hidden]).toEqual([path, headers, await alone('de')]);
      expect([path, headers, hidden.status]).toEqual([path, headers, 'if-match' in headers ? 412 : 204]);
      expect([path, headers, await inBatch(path, 'fr', headers)]).toEqual([
        path,
        headers,
        await inBatch(path, 'de', headers),
      ]);
      expect((await documentOf(full.get(`${path}?locale=fr`))).title).toBe('closed');
    }
});

it('an update of a hidden locale is a 404 with If-None-Match, whatever its tag', async () => {
  for (const path of PATHS)
    for (const tag of ['*', '"x"']) {
      const init = { method: 'PUT', body: '{"data":{}}', headers: { 'content-type': 'application/json' } };
      const response = await send(`${path}?locale=fr`, { ...init, headers: { ...init.headers, 'if-none-match': tag } });
      expect([path, response.status, response.headers.get('etag')]).toEqual([path, 404, null]);
    }
});

it('an update of a hidden locale is a 404 before any error of its values, alone and in a batch', async () => {
  const headers = { 'content-type': 'application/json' };
  const status = async (url: string, method: string, body: object) =>
    (await send(url, { method, headers, body: JSON.stringify(body) })).status;
  const body = { data: { title: 5 } };
  for (const path of PATHS) {
    const url = `${path}?locale=fr`;
    const requests = [{ method: 'PUT', path: url, body }];
    const statuses = [await status(url, 'PUT', body), await status('/api/batch', 'POST', { requests })];
    expect([path, statuses, await status(path, 'PUT', body)]).toEqual([path, [404, 404], 400]);
  }
});

it('an update with If-Match gets the same response in a hidden locale as in none, with a hook of the project too', async () => {
  const data = { title: 'open' };
  const hooks = { 'api::place.place': () => data, 'api::front.front': () => data };
  for (const beforeWrite of [{}, hooks])
    for (const path of PATHS)
      for (const ifMatch of ['*', '"x"', 'x']) {
        const server = serveRegistry(kindsRegistry, SETTINGS, {}, undefined, { beforeWrite });
        const json = { 'content-type': 'application/json' };
        const alone = async (locale: string) => {
          const init = { method: 'PUT', body: JSON.stringify({ data }), headers: { ...json, 'if-match': ifMatch } };
          return seen(await server(`${path}?locale=${locale}`, init));
        };
        const together = async (locale: string) => {
          const requests = [{ method: 'PUT', path: `${path}?locale=${locale}`, body: { data }, ifMatch }];
          return seen(
            await server('/api/batch', { method: 'POST', body: JSON.stringify({ requests }), headers: json }),
          );
        };
        for (const write of [alone, together]) {
          const hidden = await write('fr');
          expect([path, ifMatch, hidden]).toEqual([path, ifMatch, await write('de')]);
          expect([path, ifMatch, hidden.status]).toEqual([path, ifMatch, ifMatch === 'x' ? 400 : 412]);
        }
      }
});
