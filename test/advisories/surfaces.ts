/**
 * @module The ways into the Worker, as requests that succeed with full access: content, publication, schedules, batches,
 * files, accounts, descriptions, and code of a project. A class of advisories is tested over all of them.
 */
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { AnyExtensions } from '../../src/features/own-code/extension-types.ts';
import type { EmailSender } from '../../src/features/users/email.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { type Send, serveRegistry } from '../support/app.ts';
import { recordedRegistry } from '../support/recorded.ts';
import { formOf, TEXT } from '../support/uploads.ts';
import { settings, world } from './world.ts';

export interface Surface {
  readonly name: string;
  readonly method: string;
  /** May have ids of the world in braces. */
  readonly path: string;
  readonly body?: object;
}

const surface = (name: string, method: string, path: string, body?: object): Surface => ({
  name,
  method,
  path,
  ...(body && { body }),
});

const ARTICLE = 'api::article.article';
const title = { data: { title: 'Mine' } };
const account = { username: 'newcomer', email: 'newcomer@example.com', password: 'Passw0rd' };
const attachment = { ref: ARTICLE, refId: '1', field: 'cover' };

/** Reads of documents, which reject unknown parameters. */
export const CONTENT_READS: readonly Surface[] = [
  surface('a list', 'GET', '/api/articles?sort=title'),
  surface('a search', 'GET', '/api/articles?_q=article'),
  surface('a filtered count', 'GET', '/api/articles?filters[title][$ne]=x&pagination[withCount]=true'),
  surface('a page behind a cursor', 'GET', '/api/articles?pagination[after]='),
  surface('a document', 'GET', '/api/articles/{article}'),
  surface('a document by a unique value', 'GET', '/api/articles/slug:an-article'),
  surface('a draft', 'GET', '/api/articles/{article}?status=draft'),
  surface('a history', 'GET', '/api/articles/{article}/history'),
  surface('a former version', 'GET', '/api/articles/{article}/history/{revision}'),
  surface('a single type', 'GET', '/api/homepage'),
  surface('a search of a type with accounts', 'GET', '/api/authors?_q=Zed'),
];

export const OTHER_READS: readonly Surface[] = [
  surface('the files', 'GET', '/api/upload/files'),
  surface('a page of files', 'GET', '/api/upload/files/page'),
  surface('the users', 'GET', '/api/users'),
  surface('the number of users', 'GET', '/api/users/count'),
  surface('a user', 'GET', '/api/users/{victim}'),
  surface('the roles', 'GET', '/api/users-permissions/roles'),
  surface('a role', 'GET', '/api/users-permissions/roles/1'),
  surface('the permissions', 'GET', '/api/users-permissions/permissions'),
  surface('the schedules', 'GET', '/api/scheduled'),
  surface('the locales', 'GET', '/api/i18n/locales'),
  surface('the content types', 'GET', '/api/content-type-builder/content-types'),
  surface('a component', 'GET', '/api/content-type-builder/components/shared.seo'),
  surface('the description', 'GET', '/openapi.json'),
  surface('a list by own code', 'GET', '/own/articles'),
  surface('the caller in own code', 'GET', '/own/caller'),
];

/** All surfaces that read. */
export const READS: readonly Surface[] = [...CONTENT_READS, ...OTHER_READS];

export const CREATE: Surface = surface('a create', 'POST', '/api/articles', title);

/** Writes of documents, in an order in which each of them can be carried out. */
export const CONTENT_WRITES: readonly Surface[] = [
  CREATE,
  surface('an update', 'PUT', '/api/articles/{article}', title),
  surface('an update of a single type', 'PUT', '/api/homepage', { data: { heading: 'Mine' } }),
  surface('a publication', 'POST', '/api/articles/{article}/actions/publish', {}),
  surface('a schedule', 'POST', '/api/articles/{article}/actions/unpublish', { data: { at: '2999-01-01T00:00:00Z' } }),
  surface('a discarded draft', 'POST', '/api/articles/{article}/actions/discard-draft', {}),
  surface('a restoration', 'POST', '/api/articles/{article}/actions/restore', { data: { revision: '{revision}' } }),
  surface('a delete', 'DELETE', '/api/comments/{comment}'),
  surface('a delete of every locale', 'DELETE', '/api/articles/{article}?locale=*'),
];

export const OTHER_WRITES: readonly Surface[] = [
  surface('a batch', 'POST', '/api/batch', { requests: [{ method: 'POST', path: '/api/articles', body: title }] }),
  surface('an upload', 'POST', '/api/upload', formOf([TEXT])),
  surface('an attached upload', 'POST', '/api/upload', formOf([TEXT], attachment)),
  surface('a new user', 'POST', '/api/users', { ...account, role: 1 }),
  surface('a changed user', 'PUT', '/api/users/{victim}', { username: 'renamed' }),
  surface('a create by own code', 'POST', '/own/articles', title),
];

/** All surfaces. */
export const SURFACES: readonly Surface[] = [...READS, ...CONTENT_WRITES, ...OTHER_WRITES];

/** The documents of a type, as code without generated types has them. */
interface OwnDocuments {
  find(params: object): Promise<object>;
  create(params: object): Promise<object>;
}

const articlesOf = (context: { readonly var: { readonly documents: unknown } }): OwnDocuments =>
  (context.var.documents as (uid: string) => OwnDocuments)(ARTICLE);

/** Code of a project: `/own/find` passes on the parameters that a client sends. */
const extensions: AnyExtensions = {
  routes: (app) => {
    app.get('/own/articles', async (c) => c.json(await articlesOf(c).find({ sort: 'title' })));
    app.get('/own/find', async (c) => c.json(await articlesOf(c).find(JSON.parse(c.req.query('p') ?? '{}'))));
    app.post('/own/articles', async (c) => c.json(await articlesOf(c).create(await c.req.json())));
    app.get('/own/caller', async (c) => c.json({ kind: (await c.var.caller()).kind }));
  },
};

export const serveAll = (more: SettingsInput = {}, bindings: Partial<Env> = {}, email?: EmailSender): Send =>
  serveRegistry(recordedRegistry, { ...settings, ...more }, bindings, email, extensions);

/** Fills the names in braces with ids of the world. */
export const at = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(world[name as keyof typeof world]));

/** Sends the request of a surface. @param search further parameters */
export function ask(
  send: Send,
  { method, path, body }: Surface,
  headers: Record<string, string> = {},
  search = '',
): Promise<Response> {
  const isForm = body instanceof FormData;
  return send(at(path) + (search && `${path.includes('?') ? '&' : '?'}${search}`), {
    method,
    headers: { ...headers, ...(body && !isForm && { 'content-type': 'application/json' }) },
    ...(body && { body: isForm ? body : at(JSON.stringify(body)) }),
  });
}

/** Reads the rows of every table, by its name. */
export async function tables(): Promise<readonly (readonly [name: string, rows: readonly object[]])[]> {
  const listed = await env.DB.prepare(
    `select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite%'`,
  ).all<{ name: string }>();
  const names = listed.results.map(({ name }) => name);
  const rows = await env.DB.batch<object>(names.map((name) => env.DB.prepare(`select * from "${name}"`)));
  return names.map((name, index) => [name, rows[index]?.results ?? []]);
}

/** Reads all that is stored, without the times at which tokens were used. */
export async function stored(): Promise<string> {
  const objects = (await env.MEDIA.list()).objects.map(({ key }) => key);
  return JSON.stringify([await tables(), objects]).replaceAll(/"last_used_at":\d+/g, '');
}

/** Expects that a request stores nothing. */
export async function expectNoChange(request: () => Promise<unknown>): Promise<void> {
  const before = await stored();
  await request();
  expect(await stored()).toBe(before);
}
