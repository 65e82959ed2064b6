/**
 * @module Grants with conditions beyond the documents that a list shows: other locales, errors, users, and roles without
 * `findOne`.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { type ApiDocument, type Client, clientOf, documentOf, errorOf, valuesOf } from '../../support/client.ts';
import { TWO_LOCALES } from '../../support/locales.ts';
import { createToken } from '../../support/recorded.ts';
import { contentType, registryOf, relation, userFile } from '../../support/schema-files.ts';
import { register, type SignedIn } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';
import { id } from '../../support/worlds/rights-model.ts';

const USERS = 'plugin::users-permissions';
const localized = { type: 'string', pluginOptions: { i18n: { localized: true } } };

const page = contentType(
  'page',
  { title: localized, audience: localized, secret: { ...localized, minLength: 5 }, shared: { type: 'string' } },
  { drafts: true, localized: true },
);
const card = contentType('card', { name: { type: 'string' }, secret: { type: 'string' } });
const user = userFile({ card: relation('oneToOne', 'card') });
const registry = registryOf([page, card], [], {}, { user });

const OPEN = { audience: 'all' };

type Roles = NonNullable<SettingsInput['roles']>;
const world = openWorld(registry, TWO_LOCALES);
const full = world.client;
const serve = (roles: Roles, users: SettingsInput['users'] = {}) => world.serve({ roles, users });
let anna: SignedIn;
let inTwoLocales: ApiDocument;

const asAnna = (...authenticated: Roles[string]): Client => clientOf(serve({ authenticated }), anna.jwt);

beforeAll(async () => {
  anna = await register(serve({}), 'anna');
  inTwoLocales = await documentOf(
    full.create('/api/pages?status=published', { title: 'one', audience: 'all', secret: 'english' }),
  );
  await full.update(`/api/pages/${inTwoLocales.documentId}?locale=fr&status=published`, {
    title: 'deux',
    audience: 'staff',
    secret: 'français',
  });
});

describe('the other locales of a document', () => {
  const at = (search: string) => `/api/pages/${inTwoLocales.documentId}?${search}`;
  const statusOf = async (client: Client, filter: string) => (await client.get(at(`filters${filter}`))).status;

  it('are limited by findOne for a caller without find', async () => {
    const client = asAnna({ action: id('page', 'findOne'), where: OPEN });
    expect(await documentOf(client.get(at('populate=localizations')))).toMatchObject({ localizations: [] });
    expect(await documentOf(client.get(at('populate=*')))).toMatchObject({ localizations: [] });
    expect(await statusOf(client, '[localizations][title]=deux')).toBe(404);
    expect(await statusOf(client, '[title]=one')).toBe(200);
  });

  it('are limited by the conditions of update for a caller that only writes', async () => {
    const client = asAnna({ action: id('page', 'update'), where: OPEN });
    const written = await documentOf(client.update(at('populate=localizations&status=published'), { title: 'one' }));
    expect(written).toMatchObject({ title: 'one', localizations: [] });
  });

  it('show the attributes that find lists, not those of findOne', async () => {
    const client = asAnna(
      { action: id('page', 'findOne'), where: OPEN },
      { action: id('page', 'find'), fields: ['title'] },
    );
    const { secret, localizations } = await documentOf(client.get(at('populate=localizations')));
    expect(secret).toBe('english');
    expect(localizations).toEqual([{ id: expect.any(Number), documentId: inTwoLocales.documentId, title: 'deux' }]);
    expect((await errorOf(client.get(at('filters[localizations][secret]=x')))).status).toBe(400);
  });
});

describe('errors', () => {
  it('show no stored value of an attribute that the caller may not read', async () => {
    const draft = await documentOf(
      full.create('/api/pages?status=draft', { title: 'x', audience: 'all', secret: 'tiny' }),
    );
    const client = asAnna(
      { action: [id('page', 'find'), id('page', 'findOne'), id('page', 'update')], fields: ['title'] },
      id('page', 'publish'),
      id('page', 'readDrafts'),
    );
    const path = `/api/pages/${draft.documentId}`;
    for (const rejected of [
      await errorOf(client.update(`${path}?status=published`, { title: 'y' })),
      await errorOf(client.create(`${path}/actions/publish`, {})),
    ]) {
      expect(rejected.message).toBe('secret must be at least 5 characters');
      expect(JSON.stringify(rejected)).not.toContain('tiny');
    }
    expect(JSON.stringify(await errorOf(full.update(`${path}?status=published`, {})))).toContain('tiny');
    expect(JSON.stringify(await errorOf(client.update(path, { title: 7 })))).toContain('"value":7');
    await full.remove(path);
  });
});

describe('relations of users', () => {
  it('lead to no document that is not visible', async () => {
    const [open, hidden] = await Promise.all(
      ['open', 'hidden'].map((name) => documentOf(full.create('/api/cards', { name }))),
    );
    const visible = { action: id('card', 'find'), where: { name: 'open' } };
    const send = serve(
      { public: [visible], authenticated: [visible, `${USERS}.user.update`, `${USERS}.user.create`] },
      { register: { allowedFields: ['card'] } },
    );
    const write = async (method: string, path: string, token: string | undefined, body: object) => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
      const response = await send(path, { method, headers, body: JSON.stringify(body) });
      const text = await response.text();
      return { status: response.status, text: text.replaceAll(String(hidden?.documentId), 'nowhere') };
    };
    const account = (name: string) => ({ username: name, email: `${name}@example.com`, password: 'Password1' });
    const writes = [
      (card: unknown) => write('PUT', `/api/users/${anna.user.id}`, anna.jwt, { card }),
      (card: unknown) => write('POST', '/api/users', anna.jwt, { ...account('new'), role: 1, card }),
      (card: unknown) => write('POST', '/api/auth/local/register', undefined, { ...account('bert'), card }),
    ];
    for (const send of writes) {
      const missing = await send('nowhere');
      expect(missing.status).toBe(400);
      expect(await send(hidden?.documentId)).toEqual(missing);
      expect((await send(open?.documentId)).status).toBeLessThan(300);
    }
  });
});

describe('a caller with find and without findOne', () => {
  it('reads by find in responses to writes and in the filters of a delete', async () => {
    const { documentId } = await documentOf(full.create('/api/cards', { name: 'mine', secret: 'sesame' }));
    const path = `/api/cards/${documentId}`;
    const client = asAnna(
      { action: id('card', 'find'), where: { name: 'mine' }, fields: ['name'] },
      { action: [id('card', 'update'), id('card', 'delete')], where: { name: { $ne: 'locked' } } },
    );
    expect(Object.keys(await documentOf(client.update(path, { name: 'mine' }))).sort()).toEqual([
      'documentId',
      'id',
      'name',
    ]);
    expect((await client.update(`${path}?fields=secret`, { name: 'mine' })).status).toBe(400);
    expect((await client.remove(`${path}?filters[secret][$startsWith]=s`)).status).toBe(400);
    const other = await documentOf(full.create('/api/cards', { name: 'other' }));
    expect((await client.update(`/api/cards/${other.documentId}`, { name: 'mine' })).status).toBe(404);
    expect(await valuesOf(client.get('/api/cards'), 'name')).toEqual(['mine']);
    expect((await client.remove(path)).status).toBe(204);
  });
});

describe('a token with conditions that its actions do not take', () => {
  it('has none of these actions', async () => {
    const where = { username: 'nobody' };
    await createToken('strange', 'custom', [
      { action: `${USERS}.user.find`, where },
      { action: ['plugin::upload.content-api.find', id('card', 'find')], where: { name: 'x' } },
      id('page', 'find'),
    ]);
    const client = clientOf(serve({}), 'strange');
    const statuses = ['users', 'upload/files', 'cards', 'pages'].map(
      async (path) => (await client.get(`/api/${path}`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([403, 403, 403, 200]);
  });
});

describe('a document with a hidden version', () => {
  it('is changed by none of its versions, and a new locale inherits from what is visible', async () => {
    const { documentId } = await documentOf(
      full.create('/api/pages?status=published', { title: 'seen', audience: 'all', shared: 'public' }),
    );
    const path = `/api/pages/${documentId}`;
    await full.update(`${path}?status=draft`, { title: 'unseen', audience: 'staff' });
    const client = asAnna(
      { action: [id('page', 'find'), id('page', 'findOne')], where: OPEN },
      ...['update', 'delete', 'publish', 'readDrafts'].map((action) => id('page', action)),
    );
    expect(await documentOf(client.get(path))).toMatchObject({ title: 'seen' });
    for (const refused of [
      client.create(`${path}/actions/publish`, {}),
      client.update(path, { secret: 'other' }),
      client.remove(path),
    ])
      expect((await refused).status).toBe(403);
    await full.update(`${path}?status=draft`, { shared: 'hidden' });
    const created = await documentOf(client.update(`${path}?locale=fr`, { title: 'nouveau', audience: 'all' }));
    expect(created).toMatchObject({ title: 'nouveau', shared: 'public' });
    await full.update(`${path}?status=draft`, { audience: 'all' });
    expect((await client.create(`${path}/actions/publish`, {})).status).toBe(200);
    expect((await client.remove(path)).status).toBe(204);
  });
});
