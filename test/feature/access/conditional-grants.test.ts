/**
 * @module Grants with conditions: what a role may read and write of documents that are its own, its team's, or open.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { serveRegistry } from '../../support/app.ts';
import {
  type ApiDocument,
  type Client,
  clientOf,
  documentOf,
  documentsOf,
  errorOf,
  totalOf,
  valuesOf,
} from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, createToken } from '../../support/recorded.ts';
import { register, type SignedIn } from '../../support/users.ts';
import { openRights } from '../../support/worlds/rights.ts';
import { guardedRegistry, id } from '../../support/worlds/rights-model.ts';

const OWN = { author: '$user' };

const settings: SettingsInput = {
  roles: {
    public: [
      { action: [id('note', 'find'), id('note', 'findOne')], where: { $or: [{ text: 'open' }, OWN] } },
      id('folder', 'find'),
    ],
    authenticated: [
      {
        action: [id('note', 'find'), id('note', 'findOne')],
        where: { $or: [OWN, { editors: '$user' }, { text: { $eq: 'open' } }] },
        fields: ['text', 'number', 'code', 'author', 'team', 'cover', 'folder'],
      },
      {
        action: id('note', 'find'),
        where: { team: '$user.team' },
        fields: ['code', 'folder', 'text', 'number', 'author', 'team', 'cover'],
      },
      {
        action: id('note', 'create'),
        fields: ['text', 'number', 'folder', 'code'],
        set: { author: '$user' },
        validate: { number: { $lt: 100 } },
      },
      {
        action: [id('note', 'update')],
        where: OWN,
        fields: ['text', 'number', 'folder'],
        validate: { number: { $lt: 100 } },
      },
      { action: [id('note', 'delete')], where: OWN },
      id('folder', 'find'),
      id('folder', 'findOne'),
      id('folder', 'update'),
      id('folder', 'create'),
      id('team', 'find'),
      'plugin::users-permissions.user.find',
      'plugin::upload.content-api.find',
      {
        action: [id('story', 'find'), id('story', 'findOne'), id('story', 'delete')],
        where: OWN,
      },
      { action: id('story', 'update'), where: OWN, set: OWN },
      id('story', 'readDrafts'),
      { action: id('story', 'create'), set: { author: '$user' } },
    ],
    moderator: [
      id('note', 'find'),
      id('note', 'findOne'),
      { action: id('note', 'update'), where: { number: { $gte: 0 } } },
    ],
  },
};
const { client: full, send, serve } = openRights(settings);

let anna: SignedIn;
let bert: SignedIn;
let asAnna: Client;
let asBert: Client;
const notes = new Map<string, ApiDocument>();

async function note(name: string, data: object): Promise<void> {
  notes.set(name, await documentOf(full.create('/api/notes', { text: name, ...data })));
}
const at = (name: string): string => `/api/notes/${notes.get(name)?.documentId}`;

beforeAll(async () => {
  anna = await register(send, 'anna');
  bert = await register(send, 'bert');
  asAnna = clientOf(send, anna.jwt);
  asBert = clientOf(send, bert.jwt);
  const red = await documentOf(full.create('/api/teams', { name: 'red' }));
  await full.update(`/api/users/${anna.user.id}`, {});
  const joined = await send(`/api/users/${anna.user.id}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer full', 'content-type': 'application/json' },
    body: JSON.stringify({ team: red.documentId }),
  });
  expect(joined.status).toBe(200);
  await note('annas', { author: anna.user.id, number: 1, secret: 'xyz', code: 'a' });
  await note('berts', { author: bert.user.id, number: 2, code: 'b' });
  await note('open', { author: bert.user.id, number: 3, code: 'c' });
  await note('edited', { author: bert.user.id, editors: [anna.user.id], number: 4 });
  await note('teams', { author: bert.user.id, team: red.documentId, number: 5 });
  await note('nobodys', { number: 6, code: 'n' });
});

const texts = async (client: Client, search = ''): Promise<unknown> =>
  valuesOf(client.get(`/api/notes?sort=number${search}`), 'text');

describe('reading under conditions', () => {
  it('lists the documents that match one of the alternatives', async () => {
    expect(await texts(asAnna)).toEqual(['annas', 'open', 'edited', 'teams']);
    expect(await texts(asBert)).toEqual(['berts', 'open', 'edited', 'teams']);
    expect(await valuesOf(send('/api/notes'), 'text')).toEqual(['open']);
  });

  it('counts and pages what is visible', async () => {
    expect(await totalOf(asAnna.get('/api/notes?pagination[pageSize]=1'))).toBe(4);
    expect(await totalOf(asBert.get('/api/notes?filters[number][$gt]=2'))).toBe(3);
    const first = (await (
      await asAnna.get('/api/notes?sort=number&pagination[after]=&pagination[limit]=3')
    ).json()) as {
      data: ApiDocument[];
      meta: { pagination: { next: string } };
    };
    expect(first.data.map(({ text }) => text)).toEqual(['annas', 'open', 'edited']);
    const after = `pagination[after]=${first.meta.pagination.next}&pagination[limit]=3`;
    expect(await texts(asAnna, `&${after}`)).toEqual(['teams']);
  });

  it('shows only the listed attributes, and knows no others', async () => {
    const [document] = await documentsOf(asAnna.get('/api/notes?filters[text]=annas'));
    expect(Object.keys(document ?? {}).sort()).toEqual(['code', 'documentId', 'id', 'number', 'text']);
    for (const query of [
      'filters[secret]=xyz',
      'sort=secret',
      'fields=secret',
      'populate=editors',
      'filters[editors]=1',
    ])
      expect([query, (await errorOf(asAnna.get(`/api/notes?${query}`))).status]).toEqual([query, 400]);
    expect(await texts(asAnna, '&_q=xyz')).toEqual([]);
    expect(JSON.stringify(await documentsOf(asAnna.get('/api/notes?populate=*')))).not.toContain('editors');
  });

  it('responds with 404 for a document that is not visible', async () => {
    expect((await asAnna.get(at('annas'))).status).toBe(200);
    expect((await asAnna.get(at('berts'))).status).toBe(404);
    // The grant of the team is for lists alone.
    expect((await asAnna.get(at('teams'))).status).toBe(404);
    expect((await asAnna.get('/api/notes/unknown')).status).toBe(404);
  });

  it('hides documents behind relations, components, counts, filters and sorts', async () => {
    const all = [...notes.values()].map(({ documentId }) => documentId);
    const folder = await documentOf(
      full.create('/api/folders', {
        name: 'all',
        notes: all,
        first: notes.get('berts')?.documentId,
        any: all.map((documentId) => ({ __type: 'api::note.note', documentId })),
        links: all.map((documentId) => ({ label: 'x', note: documentId })),
      }),
    );
    const path = `/api/folders/${folder.documentId}`;
    const seen = await documentOf(asAnna.get(`${path}?populate[notes][sort]=number&populate[first]=true`));
    expect((seen.notes as ApiDocument[]).map(({ text }) => text)).toEqual(['annas', 'open', 'edited', 'teams']);
    expect((seen.notes as ApiDocument[])[0]).not.toHaveProperty('secret');
    expect(seen.first).toBeNull();
    const counted = await documentOf(asAnna.get(`${path}?populate[notes][count]=true`));
    expect(counted.notes).toEqual({ count: 4 });
    const inner = await documentOf(asAnna.get(`${path}?populate[links][populate]=note`));
    expect((inner.links as { note: ApiDocument | null }[]).map((link) => link.note?.text ?? null)).toEqual([
      'annas',
      null,
      'open',
      'edited',
      'teams',
      null,
    ]);
    const typed = await documentOf(asAnna.get(`${path}?populate[any][on][api::note.note]=true`));
    expect((typed.any as ApiDocument[]).map(({ text }) => text)).toEqual(['annas', 'open', 'edited', 'teams']);
    expect(await documentsOf(asAnna.get('/api/folders?filters[notes][text]=berts'))).toEqual([]);
    expect(await documentsOf(asAnna.get('/api/folders?filters[first][text][$notNull]=true'))).toEqual([]);
    expect(await documentsOf(asAnna.get('/api/folders?filters[first][id][$null]=true'))).toHaveLength(1);
    expect(await documentsOf(asAnna.get('/api/folders?filters[links][note][text]=berts'))).toEqual([]);
    expect(await documentsOf(asBert.get('/api/folders?filters[first][text]=berts'))).toHaveLength(1);
    const other = await documentOf(
      full.create('/api/folders', { name: 'other', first: notes.get('annas')?.documentId }),
    );
    const order = async (client: Client, by: string) => valuesOf(client.get(`/api/folders?sort=${by}`), 'name');
    // What is hidden sorts as what is not there.
    expect(await order(asAnna, 'first.number:asc')).toEqual(['all', 'other']);
    expect(await order(asBert, 'first.number:desc')).toEqual(['all', 'other']);
    await full.remove(`/api/folders/${other.documentId}`);
    await full.remove(path);
  });

  it('shares no cached response with another user', async () => {
    for (let time = 0; time < 2; time += 1) {
      expect(await texts(asAnna)).toEqual(['annas', 'open', 'edited', 'teams']);
      expect(await texts(asBert)).toEqual(['berts', 'open', 'edited', 'teams']);
    }
    const tags = await Promise.all(
      [anna, bert].map(async ({ jwt }) => (await send('/api/notes', bearer(jwt))).headers.get('etag')),
    );
    expect(tags[0]).not.toBe(tags[1]);
    const again = await send('/api/notes', {
      headers: { authorization: `Bearer ${bert.jwt}`, 'if-none-match': tags[0] ?? '' },
    });
    expect(again.status).toBe(200);
  });

  it('has a tag that a write of a hidden document leaves as it is', async () => {
    const read = (etag = '') =>
      send('/api/notes', { headers: { authorization: `Bearer ${anna.jwt}`, 'if-none-match': etag } });
    const etag = (await read()).headers.get('etag') ?? '';
    expect((await read(etag)).status).toBe(304);
    await documentOf(full.update(at('berts'), { code: 'changed' }));
    expect((await read()).headers.get('etag')).toBe(etag);
    expect((await read(etag)).status).toBe(304);
    await documentOf(full.update(at('berts'), { code: 'b' }));
    await full.update(at('annas'), { code: 'changed' });
    expect((await read(etag)).status).toBe(200);
    await full.update(at('annas'), { code: 'a' });
  });

  it('is the tag of the first read with a token that the isolate had not seen, too', async () => {
    const action = 'api::note.note.find';
    await createToken('unseen', 'custom', ['api::folder.folder.find', { action, where: { code: 'a' } }]);
    const tagOf = async () => (await send('/api/folders', bearer('unseen'))).headers.get('etag');
    const tag = await tagOf();
    expect(tag).not.toBeNull();
    expect(await tagOf()).toBe(tag);
  });

  const put = (body: object) =>
    send(`/api/users/${anna.user.id}`, {
      method: 'PUT',
      headers: { authorization: 'Bearer full', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('follows a change of a value of the user at once, where nothing else leads to users', async () => {
    const where = { text: '$user.department' };
    const roles = { authenticated: [{ action: id('note', 'find'), where }] };
    const asReader = clientOf(serveRegistry(guardedRegistry, { ...settings, roles }), anna.jwt);
    for (const department of ['berts', 'annas', 'berts', null]) {
      await put({ department });
      expect(await texts(asReader)).toEqual([department].filter(Boolean));
    }
  });

  it('follows a change of the user at once', async () => {
    const [team] = await documentsOf(full.get('/api/teams'));
    expect(await texts(asAnna)).toContain('teams');
    await put({ team: null });
    expect(await texts(asAnna)).not.toContain('teams');
    await put({ team: team?.documentId });
    expect(await texts(asAnna)).toContain('teams');
  });
});

describe('writing under conditions', () => {
  it('creates with the values of the grant, whatever the body has', async () => {
    const made = await documentOf(asAnna.create('/api/notes', { text: 'mine', number: 7, author: bert.user.id }));
    expect(Object.keys(made).sort()).toEqual(['code', 'documentId', 'number', 'text']);
    const stored = await documentOf(full.get(`/api/notes/${made.documentId}?populate=author`));
    expect(stored.author).toMatchObject({ id: anna.user.id });
    await full.remove(`/api/notes/${made.documentId}`);
  });

  it('rejects attributes that are not listed, and documents that do not match', async () => {
    expect((await errorOf(asAnna.create('/api/notes', { text: 'x', secret: 'y' }))).message).toBe('Invalid key secret');
    expect(await errorOf(asAnna.create('/api/notes', { text: 'x', number: 100 }))).toMatchObject({
      status: 400,
      name: 'ValidationError',
    });
    expect(await errorOf(asAnna.create('/api/notes', { text: 'x' }))).toMatchObject({ status: 400 });
    expect(await errorOf(asAnna.update(at('annas'), { number: 100 }))).toMatchObject({ status: 400 });
    expect(await documentsOf(full.get('/api/notes?filters[text]=x'))).toEqual([]);
    expect(await documentOf(full.get(at('annas')))).toMatchObject({ number: 1 });
  });

  it('changes what matches, with 403 for what is only visible and 404 for the rest', async () => {
    expect((await asAnna.update(at('annas'), { text: 'annas', number: 1 })).status).toBe(200);
    expect((await asAnna.update(at('open'), { text: 'x' })).status).toBe(403);
    expect((await asAnna.update(at('berts'), { text: 'x' })).status).toBe(404);
    expect((await asAnna.update('/api/notes/unknown', { text: 'x' })).status).toBe(404);
    expect((await asAnna.remove(at('open'))).status).toBe(403);
    expect((await asAnna.remove(at('berts'))).status).toBe(404);
    expect((await asAnna.remove('/api/notes/unknown')).status).toBe(404);
    expect(await texts(full)).toEqual(['annas', 'berts', 'open', 'edited', 'teams', 'nobodys']);
    const own = await documentOf(asAnna.create('/api/notes', { text: 'short', number: 7 }));
    expect((await asAnna.remove(`/api/notes/${own.documentId}`)).status).toBe(204);
  });

  it('links to no document that is not visible', async () => {
    const folder = await documentOf(
      asAnna.create('/api/folders', { name: 'f', notes: [notes.get('annas')?.documentId] }),
    );
    const hidden = await errorOf(
      asAnna.update(`/api/folders/${folder.documentId}`, { notes: [notes.get('berts')?.documentId] }),
    );
    const missing = await errorOf(asAnna.update(`/api/folders/${folder.documentId}`, { notes: ['nowhere'] }));
    expect(missing.message).toContain('nowhere');
    expect(hidden.message.replace(String(notes.get('berts')?.documentId), 'nowhere')).toBe(missing.message);
    await full.remove(`/api/folders/${folder.documentId}`);
  });

  it('keeps links to documents that are not visible where it replaces a list', async () => {
    const [own, other] = [notes.get('annas')?.documentId, notes.get('berts')?.documentId];
    const linked = async (path: string) =>
      (await documentOf(full.get(`${path}?populate=*`))) as unknown as Record<string, ApiDocument[]>;
    const typed = (documentId?: string) => ({ __type: 'api::note.note', documentId });
    const folder = await documentOf(
      full.create('/api/folders', { name: 'f', notes: [other, own], any: [typed(other), typed(own)] }),
    );
    const path = `/api/folders/${folder.documentId}`;
    const ids = async (name: string) => (await linked(path))[name]?.map(({ documentId }) => documentId);
    expect((await asAnna.update(path, { notes: [] })).status).toBe(200);
    expect(await ids('notes')).toEqual([other]);
    expect((await asAnna.update(path, { notes: [own], any: { set: [typed(own)] } })).status).toBe(200);
    expect([await ids('notes'), await ids('any')]).toEqual([
      [own, other],
      [own, other],
    ]);
    expect(await checkInvariants(env.DB, guardedRegistry)).toEqual([]);
    expect((await full.update(path, { notes: [], any: [typed(other)] })).status).toBe(200);
    expect([await ids('notes'), await ids('any')]).toEqual([[], [other]]);
    await full.remove(path);
  });

  it('holds while another writer takes the document away', async () => {
    const own = await documentOf(asAnna.create('/api/notes', { text: 'contested', number: 7 }));
    const path = `/api/notes/${own.documentId}`;
    const results = await Promise.all([
      full.update(path, { author: bert.user.id }),
      ...Array.from({ length: 6 }, (_, number) => asAnna.update(path, { number: number + 10 })),
    ]);
    expect(results.every(({ status }) => [200, 404].includes(status))).toBe(true);
    expect((await asAnna.update(path, { number: 50 })).status).toBe(404);
    expect(await documentOf(full.get(`${path}?populate=author`))).toMatchObject({ author: { id: bert.user.id } });
    expect((await documentOf(full.get(path))).number).not.toBe(50);
    await full.remove(path);
  });

  it('applies to every version and locale', async () => {
    const own = await documentOf(asAnna.create('/api/stories', { title: 'one' }));
    const path = `/api/stories/${own.documentId}`;
    expect((await asBert.get(path)).status).toBe(404);
    expect((await asBert.get(`${path}?status=draft`)).status).toBe(404);
    expect((await asBert.update(`${path}?locale=fr`, { title: 'deux' })).status).toBe(404);
    expect((await asAnna.update(`${path}?locale=fr`, { title: 'deux' })).status).toBe(200);
    const both = await documentOf(asAnna.get(`${path}?populate=localizations`));
    expect((both.localizations as ApiDocument[]).map(({ title }) => title)).toEqual(['deux']);
    expect((await asBert.remove(`${path}?locale=*`)).status).toBe(404);
    expect((await asAnna.remove(`${path}?locale=fr`)).status).toBe(204);
    expect((await asAnna.remove(path)).status).toBe(204);
  });
});

describe('a caller without an account', () => {
  it('matches no value of a user', async () => {
    const anonymous = (path: string) => send(path);
    expect(await valuesOf(anonymous('/api/notes'), 'text')).toEqual(['open']);
    expect(await totalOf(anonymous('/api/notes'))).toBe(1);
  });
});

describe('a custom token', () => {
  const setPermissions = (permissions: readonly unknown[]) =>
    env.DB.prepare("update strapi_api_tokens set permissions = ? where name = 'partner'")
      .bind(JSON.stringify(permissions))
      .run();

  const open = { action: [id('note', 'find'), id('note', 'findOne')], where: { text: 'open' }, fields: ['text'] };
  const partner = clientOf(send, 'partner');

  it('has the conditions of its grants, and follows a change of them at once', async () => {
    await createToken('partner', 'custom', [open, id('team', 'find')]);
    for (let time = 0; time < 3; time += 1) {
      expect(await documentsOf(partner.get('/api/notes'))).toEqual([
        { id: expect.any(Number), documentId: notes.get('open')?.documentId, text: 'open' },
      ]);
      expect((await partner.get(at('berts'))).status).toBe(404);
      expect((await partner.create('/api/notes', {})).status).toBe(403);
      expect(await valuesOf(partner.get('/api/teams'), 'name')).toEqual(['red']);
    }
    await setPermissions([{ ...open, where: { text: 'berts' } }]);
    expect(await valuesOf(partner.get('/api/notes'), 'text')).toEqual(['berts']);
    await setPermissions([{ ...open, where: { author: '$user' } }]);
    expect(await valuesOf(partner.get('/api/notes'), 'text')).toEqual([]);
    await setPermissions([id('note', 'find')]);
    expect(await valuesOf(partner.get('/api/notes?sort=number'), 'text')).toHaveLength(notes.size);
    await setPermissions([{ ...open, where: 'all' }, 7]);
    expect((await partner.get('/api/notes')).status).toBe(403);
    await setPermissions([open]);
    expect(await valuesOf(partner.get('/api/notes'), 'text')).toEqual(['open']);
  });

  it('is not granted an action by a condition that is nested deeply', async () => {
    const nested = (depth: number): object => (depth === 0 ? open.where : { $not: nested(depth - 1) });
    for (const [depth, status] of [
      [2, 200],
      [31, 200],
      [32, 403],
      [3_000, 403],
    ] as const) {
      await setPermissions([{ ...open, where: nested(depth) }]);
      expect((await partner.get('/api/notes')).status).toBe(status);
    }
  });
});

describe('values of the time', () => {
  it('are those of each request, also where responses are cached', async () => {
    const due = async (where: Record<string, unknown>, cache = {}) => {
      const roles = { public: [{ action: id('note', 'find'), where }] };
      return serveRegistry(guardedRegistry, { roles, cache })('/api/notes');
    };
    const soon = await documentOf(
      full.create('/api/notes', { text: 'due', due: new Date(Date.now() + 60_000).toISOString() }),
    );
    const past = serveRegistry(guardedRegistry, {
      roles: { public: [{ action: id('note', 'find'), where: { due: { $lt: '$now' } } }] },
    });
    expect(await valuesOf(past('/api/notes'), 'text')).toEqual([]);
    const later = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    expect(await valuesOf(past('/api/notes'), 'text')).toEqual(['due']);
    const cache = { 'api::note.note': { maxAge: 60 } };
    expect((await due({ due: { $lt: '$now' } }, cache)).headers.get('cache-control')).toBe('no-cache');
    expect((await due({ text: 'open' }, cache)).headers.get('cache-control')).toBe('public, max-age=60');
    later.mockRestore();
    await full.remove(`/api/notes/${soon.documentId}`);
  });
});

describe('rows read', () => {
  const MANY = 2_000;

  it('are few for a list under a condition that an index serves', async () => {
    const { database, rowsRead } = countedDatabase(env.DB);
    const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})`;
    await env.DB.batch([
      env.DB.prepare(
        `${numbers} insert into notes (document_id, locale, published_at, text) select 'many' || i, '', 0, 'many' from n`,
      ),
      env.DB.prepare(
        `insert into notes_author_lnk (source_document_id, target_document_id, status, position, inverse_position)
         select document_id, ?, 'published', 1, 1 from notes where text = 'many'`,
      ).bind(bert.user.documentId),
    ]);
    const own = serveRegistry(
      guardedRegistry,
      { roles: { authenticated: [{ action: id('note', 'find'), where: OWN }] } },
      { DB: database },
    );
    rowsRead.clear();
    const mine = await documentsOf(clientOf(own, anna.jwt).get('/api/notes?pagination[withCount]=false'));
    const read = [...rowsRead.values()].reduce((sum, rows) => sum + rows, 0);
    expect(mine).toHaveLength(1);
    expect(read).toBeLessThan(4 * mine.length + 20);
    await env.DB.prepare(`delete from notes where text = 'many'`).run();
    await env.DB.prepare(`delete from notes_author_lnk where source_document_id like 'many%'`).run();
  });
});

describe('round trips', () => {
  const trips = async (work: (client: Client) => Promise<Response>): Promise<number> => {
    const { database, answering } = countedDatabase(env.DB);
    const counted = serve({}, { DB: database });
    expect((await work(clientOf(counted, anna.jwt))).status).toBeLessThan(300);
    return answering().length;
  };

  it('of a read are one, of a write two', async () => {
    expect(await trips((client) => client.get('/api/notes?populate=*'))).toBe(1);
    expect(await trips((client) => client.get(at('annas')))).toBe(1);
    expect(await trips((client) => client.update(at('annas'), { number: 1 }))).toBe(2);
  });
});
