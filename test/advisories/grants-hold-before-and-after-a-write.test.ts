/**
 * @module Class 3 of the advisories of 2026: a grant with conditions is checked on the document before the write and on the
 * written document after it, for every way to write, and a body has no values that the grant does not allow. Directus 129239
 * (a rule checked before the update alone); Payload 105851, 105863 and Strapi CVE-2023-39345, GHSA-gc7p-j5xm-xxh2 (mass
 * assignment of accounts).
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import type { Send } from '../support/app.ts';
import { type ApiDocument, clientOf, documentOf } from '../support/client.ts';
import { interleavedDatabase } from '../support/interleaved-database.ts';
import { sendJson } from '../support/recorded.ts';
import { formOf, postForm, TEXT } from '../support/uploads.ts';
import { PASSWORD, post, refusalOf, register, type SignedIn } from '../support/users.ts';
import { openRights } from '../support/worlds/rights.ts';
import { id } from '../support/worlds/rights-model.ts';
import { expectNoChange } from './surfaces.ts';

const OWN = { author: '$user' };
/** A free note may have any number, another one a small number. */
const FREE = { $or: [{ text: { $startsWith: 'free' } }, { number: { $lt: 10 } }] };
const settings: SettingsInput = {
  roles: {
    authenticated: [
      { action: [id('note', 'find'), id('note', 'findOne')], where: { $or: [OWN, { text: { $startsWith: 'free' } }] } },
      { action: id('note', 'create'), fields: ['text', 'number'], set: OWN, validate: FREE },
      { action: id('note', 'update'), where: OWN, fields: ['text', 'number'], set: { due: '$now' }, validate: FREE },
      ...[id('story', 'find'), id('story', 'findOne'), id('story', 'readDrafts')],
      { action: id('story', 'update'), where: OWN, validate: { title: { $ne: 'taken' } } },
      'plugin::upload.content-api.upload',
    ],
  },
};

interface OwnDocuments {
  create(params: object): Promise<object>;
  update(documentId: string, params: object): Promise<object>;
}

/** What `beforeWrite` adds to the input of a note. */
let added: object = {};

const {
  client: full,
  send,
  serve,
} = openRights(
  settings,
  {},
  {
    extensions: {
      beforeWrite: { 'api::note.note': (data: object) => ({ ...data, ...added }) },
      routes: (app) => {
        const notesOf = (c: { readonly var: { readonly documents: unknown } }) =>
          (c.var.documents as (uid: string) => OwnDocuments)('api::note.note');
        app.post('/own/notes', async (c) => c.json(await notesOf(c).create(await c.req.json())));
        app.put('/own/notes/:id', async (c) => c.json(await notesOf(c).update(c.req.param('id'), await c.req.json())));
      },
    },
  },
);
let anna: SignedIn;
let bert: SignedIn;

beforeAll(async () => {
  [anna, bert] = [await register(send, 'anna'), await register(send, 'bert')];
});

type Write = (through: Send, method: 'POST' | 'PUT', documentId: string, data: object) => Promise<Response>;

const direct =
  (prefix: string): Write =>
  (through, method, documentId, data) =>
    through(`${prefix}${documentId && `/${documentId}`}`, sendJson(method, anna.jwt, { data }));
const batched: Write = (through, method, documentId, data) => {
  const path = `/api/notes${documentId && `/${documentId}`}`;
  return through('/api/batch', sendJson('POST', anna.jwt, { requests: [{ method, path, body: { data } }] }));
};
const WAYS: readonly (readonly [name: string, write: Write])[] = [
  ['a request', direct('/api/notes')],
  ['a batch', batched],
  ['own code', direct('/own/notes')],
];

const note = (data: object): Promise<ApiDocument> => documentOf(full.create('/api/notes', data));
const storedNote = async (documentId: string) => documentOf(full.get(`/api/notes/${documentId}?populate=author`));
const newest = async () => {
  const sql = 'select "document_id" from "notes" order by "id" desc limit 1';
  return storedNote(String(await env.DB.prepare(sql).first('document_id')));
};

describe.each(WAYS)('%s', (_, write) => {
  const update = (documentId: string, data: object) => write(send, 'PUT', documentId, data);
  const create = (data: object) => write(send, 'POST', '', data);

  it('changes no document that the condition of the grant does not match', async () => {
    const [seen, hidden] = [await note({ text: 'free', author: bert.user.id }), await note({ text: 'his', number: 1 })];
    await expectNoChange(async () => {
      expect((await update(seen.documentId, { text: 'free' })).status).toBe(403);
      expect((await update(hidden.documentId, { text: 'free' })).status).toBe(404);
      expect((await update('missing', { text: 'free' })).status).toBe(404);
    });
  });

  it('writes no document that does not match `validate` with its other values', async () => {
    const { documentId } = await note({ text: 'free', number: 50, author: anna.user.id });
    await expectNoChange(async () => {
      expect((await update(documentId, { text: 'paid' })).status).toBe(400);
      expect((await create({ text: 'paid', number: 50 })).status).toBe(400);
      expect((await create({ text: 'paid' })).status).toBe(400);
      expect((await create({ number: 10 })).status).toBe(400);
    });
    expect((await update(documentId, { text: 'paid', number: 5 })).status).toBe(200);
    expect((await update(documentId, { number: 50 })).status).toBe(400);
    expect((await update(documentId, { number: 50, text: 'free again' })).status).toBe(200);
    expect(await storedNote(documentId)).toMatchObject({ number: 50, text: 'free again' });
  });

  it('writes no document that a concurrent write takes out of the grant or of `validate`', async () => {
    for (const [meanwhile, data, status] of [
      [{ author: bert.user.id }, { number: 6 }, 404],
      [{ text: 'paid' }, { number: 50 }, 400],
    ] as const) {
      const { documentId } = await note({ text: 'free', number: 5, author: anna.user.id });
      if (status === 404) await full.update(`/api/notes/${documentId}`, { text: 'his' });
      const change = () => full.update(`/api/notes/${documentId}`, meanwhile);
      const slow = serve({}, { DB: interleavedDatabase(env.DB, 2, change) });
      expect((await write(slow, 'PUT', documentId, data)).status).toBe(status);
      expect((await storedNote(documentId)).number).toBe(5);
    }
  });

  it('has the values that the grant sets, whatever form of them the body has', async () => {
    const { id: number, documentId } = bert.user;
    const forms = [number, String(number), documentId, { id: number }, { documentId }, [number], null, [], false];
    const operations = [{ connect: [number] }, { set: [{ documentId }] }, { disconnect: [anna.user.id] }, { set: [] }];
    for (const author of [...forms, ...operations]) {
      expect([author, (await create({ text: 'free', author })).status]).toEqual([author, 200]);
      expect(await newest()).toMatchObject({ author: { username: 'anna' } });
    }
    const mine = await newest();
    expect((await update(mine.documentId, { due: '2020-01-01T00:00:00Z' })).status).toBe(200);
    expect(String((await storedNote(mine.documentId)).due)).not.toMatch(/^2020/);
  });

  it('rejects attributes that the grant does not list, and those of the system', async () => {
    const { documentId } = await note({ text: 'free', author: anna.user.id });
    await expectNoChange(async () => {
      for (const name of ['secret', 'key', 'code', 'team', 'editors', 'cover', 'folder'])
        for (const written of [create({ [name]: null }), update(documentId, { [name]: null })])
          expect([name, (await written).status]).toEqual([name, 400]);
      for (const name of [
        'id',
        'documentId',
        'createdAt',
        'updatedAt',
        'publishedAt',
        'locale',
        'createdBy',
        'provider',
      ])
        for (const written of [create({ [name]: 'x' }), update(documentId, { [name]: 'x' })])
          expect([name, (await written).status]).toEqual([name, 400]);
      expect((await update(documentId, { author: bert.user.id })).status).toBe(400);
    });
  });

  it('holds the input of a hook against the grant', async () => {
    const { documentId } = await note({ text: 'free', author: anna.user.id });
    try {
      for (const extra of [{ secret: 'x' }, { text: 'paid', number: 50 }, { id: 1 }, { locale: 'fr' }]) {
        added = extra;
        await expectNoChange(async () => {
          expect((await update(documentId, {})).status).toBe(400);
          expect((await create({ text: 'free' })).status).toBe(400);
        });
      }
      added = { author: bert.user.id };
      expect((await create({ text: 'free' })).status).toBe(200);
      expect(await newest()).toMatchObject({ author: { username: 'anna' } });
    } finally {
      added = {};
    }
  });
});

describe('a new locale, a draft and a file', () => {
  it('are held against `where` and `validate` like the document', async () => {
    const { documentId } = await documentOf(full.create('/api/stories', { title: 'one', author: anna.user.id }));
    const own = clientOf(send, anna.jwt);
    await expectNoChange(async () => {
      for (const search of ['', '?status=draft', '?locale=fr', '?locale=fr&status=draft'])
        expect((await own.update(`/api/stories/${documentId}${search}`, { title: 'taken' })).status).toBe(400);
      expect((await clientOf(send, bert.jwt).update(`/api/stories/${documentId}?locale=fr`, {})).status).toBe(403);
    });
    expect((await own.update(`/api/stories/${documentId}?locale=fr`, { title: 'deux' })).status).toBe(200);
    await expectNoChange(async () => {
      const { documentId: refId } = await newest();
      const form = formOf([TEXT], { ref: 'api::note.note', refId, field: 'cover' });
      expect((await postForm(send, form, '', anna.jwt)).status).toBe(403);
    });
  });
});

describe('a registration', () => {
  const more = {
    role: 1,
    confirmed: true,
    blocked: false,
    provider: 'github',
    resetPasswordToken: 'mine',
    confirmationToken: 'mine',
    passwordChangedAt: null,
    id: 1,
    documentId: 'mine',
    createdAt: '2020-01-01',
    constructor: 'mine',
  };

  it.each(Object.entries(more))('is rejected with the attribute %s', async (name, value) => {
    const account = { username: `more-${name}`, email: `${name}@example.com`.toLowerCase(), password: PASSWORD };
    const response = await post(send, '/api/auth/local/register', { ...account, [name]: value });
    expect(await refusalOf(response)).toBe(`400 ValidationError: Invalid parameters: ${name}`);
    const rows = env.DB.prepare('select count(*) as "count" from "up_users" where "email" = ?').bind(account.email);
    expect(await rows.first()).toEqual({ count: 0 });
  });
});
