/**
 * @module Writes in a locale that is hidden from the caller, which is like one that does not exist; the repeat of a write
 * whose draft is hidden; `If-Match` of a schedule.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { documentOf, errorOf } from '../../support/client.ts';
import { sendJson } from '../../support/recorded.ts';
import { register } from '../../support/users.ts';
import { kindsRegistry, openKinds } from '../../support/worlds/kinds.ts';

const id = (name: string, action: string): string => `api::${name}.${name}.${action}`;
const ids = ['find', 'update'].flatMap((action) => [id('place', action), id('front', action)]);
const SETTINGS = {
  roles: {
    public: [{ action: ids, where: { title: 'open' } }],
    authenticated: ['find', 'findOne', 'create', 'update'].map((action) => id('story', action)),
  },
};
const { client: full, send } = openKinds(SETTINGS);
const PATHS: string[] = [];

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

it('a schedule is rejected with 412 if If-Match does not match', async () => {
  const { documentId } = await documentOf(full.create('/api/stories', { title: 'Scheduled' }));
  const at = (tag: string) => {
    const init = sendJson('POST', 'full', { data: { at: '2100-01-01T00:00:00.000Z' } });
    const headers = { ...(init.headers as Record<string, string>), 'if-match': tag };
    return send(`/api/stories/${documentId}/actions/unpublish`, { ...init, headers });
  };
  const tag = (await full.get(`/api/stories/${documentId}`)).headers.get('etag') ?? '';
  expect((await at('"outdated"')).status).toBe(412);
  expect((await at(tag)).status).toBe(200);
});

it('a repeat shows no draft to a caller who may not read drafts, if its response was not stored', async () => {
  const { jwt } = await register(send, 'anna');
  const post = () => {
    const init = sendJson('POST', jwt, { data: { title: 'Repeated' } });
    const headers = { ...(init.headers as Record<string, string>), 'idempotency-key': 'repeated' };
    return send('/api/stories?status=draft', { ...init, headers });
  };
  const { documentId } = await documentOf(post());
  await env.DB.exec('update edgewise_requests set response = null');
  await full.update(`/api/stories/${documentId}?status=draft`, { title: 'Changed by others' });
  const { status, message } = await errorOf(post());
  expect([status, message]).toEqual([400, expect.stringContaining('was carried out')]);
});
