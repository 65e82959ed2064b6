/**
 * @module Users with attributes of their own: who may read and write them, and what a Strapi 5.54 with the same file says.
 */
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { serveRegistry } from '../../support/app.ts';
import { documentOf, type ErrorAnswer } from '../../support/client.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation, userFile } from '../../support/schema-files.ts';
import { login, PASSWORD, post, refusalOf, type SignedIn } from '../../support/users.ts';
import { openWorld } from '../../support/world.ts';

const USER = 'plugin::users-permissions.user';
const ARTICLE = 'api::article.article';

const article = contentType(
  'article',
  {
    title: { type: 'string' },
    fans: { type: 'relation', relation: 'manyToMany', target: USER, mappedBy: 'favorites' },
    owner: { type: 'relation', relation: 'manyToOne', target: USER, inversedBy: 'owned' },
  },
  { drafts: true },
);
const city = contentType('city', { name: { type: 'string' } }, { plural: 'cities' });

const user = userFile({
  nickname: { type: 'string', minLength: 2, unique: true },
  age: { type: 'integer', min: 0, default: 18 },
  score: { type: 'biginteger' },
  mood: { type: 'enumeration', enum: ['good', 'bad'] },
  secretNote: { type: 'string', private: true },
  pin: { type: 'password' },
  avatar: { type: 'media', allowedTypes: ['images'] },
  papers: { type: 'media', multiple: true },
  favorites: { type: 'relation', relation: 'manyToMany', target: ARTICLE, inversedBy: 'fans' },
  owned: { type: 'relation', relation: 'oneToMany', target: ARTICLE, mappedBy: 'owner' },
  city: relation('manyToOne', 'city'),
  friends: { type: 'relation', relation: 'manyToMany', target: USER },
  links: { type: 'component', component: 'shared.link', repeatable: true },
});

const link = component('shared.link', {
  label: { type: 'string', required: true },
  hidden: { type: 'string', private: true },
});
const registry = registryOf([article, city], [link], {}, { user });

const ALLOWED = ['nickname', 'favorites', 'role', 'blocked', 'unknown'];
const { send } = openWorld(registry, {
  users: { register: { allowedFields: ALLOWED } },
  roles: {
    public: [`${ARTICLE}.find`],
    authenticated: [`${ARTICLE}.find`, 'plugin::users-permissions.user.find', 'plugin::users-permissions.user.update'],
  },
});

interface User {
  readonly id: number;
  readonly documentId: string;
  readonly [attribute: string]: unknown;
}

const write = async (method: string, path: string, body: unknown, token = 'full') => {
  const response = await send(path, sendJson(method, token, body));
  return { status: response.status, body: (await response.json()) as User & { error?: ErrorAnswer } };
};

const read = async <T = User>(path: string, token = 'full'): Promise<T> =>
  (await send(path, bearer(token))).json() as Promise<T>;

const account = (name: string, more: object = {}) => ({
  username: name,
  email: `${name}@example.com`,
  password: PASSWORD,
  ...more,
});

const create = async (name: string, more: object = {}): Promise<User> => {
  const { status, body } = await write('POST', '/api/users', account(name, { role: 1, ...more }));
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
};

const register = (name: string, more: object = {}): Promise<Response> =>
  post(send, '/api/auth/local/register', account(name, more));

const registered = async (name: string, more: object = {}): Promise<SignedIn> => (await register(name, more)).json();

const newArticle = (title: string, more: object = {}) =>
  documentOf(send('/api/articles', sendJson('POST', 'full', { data: { title, ...more } })));

async function upload(name: string): Promise<number> {
  const form = new FormData();
  form.append('files', new Blob(['text'], { type: 'text/plain' }), name);
  const [file] = (await (
    await send('/api/upload', { method: 'POST', body: form, ...bearer('full') })
  ).json()) as User[];
  return file?.id ?? 0;
}

describe('registering', () => {
  it.each(['role', 'blocked', 'unknown', 'resetPasswordToken'])(
    'refuses %s whatever the settings name: it is none of the project’s own',
    async (name) => {
      expect(await refusalOf(await register('climber', { [name]: 2 }))).toBe(
        `400 ValidationError: Invalid parameters: ${name}`,
      );
    },
  );

  it('holds attributes against their rules', async () => {
    expect(await refusalOf(await register('short', { nickname: 'N' }))).toBe(
      '400 ValidationError: nickname must be at least 2 characters',
    );
    await registered('first1', { nickname: 'Only' });
    expect(await refusalOf(await register('second', { nickname: 'Only' }))).toBe(
      '400 ValidationError: This attribute must be unique',
    );
    expect(await refusalOf(await register('lost', { favorites: ['nope'] }))).toContain('Document with id "nope"');
  });

  it('makes one user of two who want the same nickname at once', async () => {
    const answers = await Promise.all(['twin-a', 'twin-b'].map((name) => register(name, { nickname: 'Twin' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

describe('private attributes', () => {
  it('and passwords are in no answer, neither of users nor of what populates them', async () => {
    const { documentId } = await newArticle('Told');
    const made = await create('private1', {
      secretNote: 'classified',
      pin: '123456',
      owned: [documentId],
      links: [{ label: 'L', hidden: 'covert' }],
    });
    const answers = [
      made,
      await read(`/api/users/${made.id}?populate=*`),
      await read('/api/users?_q=classified&populate=*'),
      await read('/api/articles?populate[owner][populate]=links'),
      await (await login(send, 'private1')).json(),
      (await write('PUT', `/api/users/${made.id}`, { age: 4 })).body,
      await (await send(`/api/users/${made.id}`, { method: 'DELETE', ...bearer('full') })).json(),
    ];
    expect(answers[1]).toMatchObject({ links: [{ label: 'L' }] });
    expect(JSON.stringify(answers[3])).toContain('"username":"private1"');
    expect(JSON.stringify(answers)).not.toMatch(/classified|123456|covert|secretNote|"pin"|scrypt/);
  });
});

describe('a user', () => {
  it('is made with all of them, and shows what is populated', async () => {
    const [file, paper] = [await upload('face.txt'), await upload('paper.txt')];
    const [one, two] = [await newArticle('One'), await newArticle('Two')];
    const rome = await documentOf(send('/api/cities', sendJson('POST', 'full', { data: { name: 'Rome' } })));
    const friend = await create('friend');
    const { id } = await create('complete', {
      nickname: 'Full',
      age: 7,
      score: '9007199254740993',
      mood: 'bad',
      papers: [paper, file],
      favorites: [two.documentId, one.documentId],
      owned: { connect: [one.documentId] },
      city: rome.documentId,
      friends: [friend.id],
      links: [{ label: 'Home' }],
    });
    const shown = await read(`/api/users/${id}?populate=*`);
    expect(shown).toMatchObject({
      nickname: 'Full',
      age: 7,
      score: '9007199254740993',
      mood: 'bad',
      avatar: null,
      papers: [{ name: 'paper.txt' }, { name: 'face.txt' }],
      favorites: [{ title: 'Two' }, { title: 'One' }],
      owned: [{ title: 'One' }],
      city: { name: 'Rome' },
      friends: [{ username: 'friend' }],
      links: [{ label: 'Home' }],
      role: { type: 'authenticated' },
    });
    const fans = await documentOf(send(`/api/articles/${one.documentId}?populate=fans,owner`, bearer('full')));
    expect(fans).toMatchObject({ fans: [{ username: 'complete' }], owner: { username: 'complete' } });
    expect(await (await login(send, 'complete')).json()).toMatchObject({ user: { score: '9007199254740993' } });
  });

  it('is changed by connect, disconnect, set and null, and keeps what is not named', async () => {
    const [one, two] = [await newArticle('A'), await newArticle('B')];
    const { id, documentId } = await create('changed', {
      nickname: 'Ch',
      favorites: [one.documentId],
      links: [{ label: 'x' }],
    });
    await write('PUT', `/api/users/${id}`, { favorites: { connect: [two.documentId] }, age: 8 });
    const connected = await read(`/api/users/${id}?populate=favorites,links`);
    expect(connected).toMatchObject({ age: 8, nickname: 'Ch', favorites: [{ title: 'A' }, { title: 'B' }] });
    const [kept] = connected.links as readonly { readonly id: number }[];
    const { body } = await write('PUT', `/api/users/${id}`, {
      favorites: { disconnect: [one.documentId] },
      nickname: null,
      links: [{ id: kept?.id, label: 'y' }],
    });
    expect(body).toMatchObject({ nickname: null, age: 8 });
    const after = await read(`/api/users/${id}?populate=favorites,links`);
    expect(after).toMatchObject({ favorites: [{ title: 'B' }], links: [{ id: kept?.id, label: 'y' }] });
    // From the other side.
    const data = { fans: { connect: [documentId] }, owner: documentId };
    await documentOf(send(`/api/articles/${one.documentId}`, sendJson('PUT', 'full', { data })));
    const both = await read(`/api/users/${id}?populate[favorites][sort]=title&populate[owned]=true`);
    expect(both).toMatchObject({ favorites: [{ title: 'A' }, { title: 'B' }], owned: [{ title: 'A' }] });
    expect((await read<User>(`/api/users/${id}`)).username).toBe('changed');
  });

  it('repeats no secret of the body, whatever is wrong with the attributes', async () => {
    const SECRET = 'correct-horse';
    const { id } = await create('secretive', {});
    for (const body of [
      { pin: [SECRET] },
      { pin: SECRET, password: SECRET, mood: 'zzz' },
      { password: SECRET, pin: SECRET, role: 99 },
      { nickname: { password: SECRET } },
      { nickname: { password: SECRET }, role: 99 },
      { links: [{ label: 5, password: SECRET }] },
      { links: [{ label: { pin: SECRET } }] },
      { links: { passwrd: SECRET } },
      { favorites: [{ password: SECRET }], age: -1 },
    ])
      for (const { status, body: answer } of [
        await write('PUT', `/api/users/${id}`, body),
        await write('POST', '/api/users', account('secretive2', { role: 1, ...body })),
      ]) {
        expect([body, status]).toEqual([body, 400]);
        expect(JSON.stringify(answer)).not.toContain(SECRET);
      }
  });

  it('keeps what keys beside the attributes say out, without a word', async () => {
    const { id } = await create('plain', {
      unknown: 1,
      usernameKey: 'x',
      passwordChangedAt: '2030-01-01',
      emailKey: 'y',
    });
    const row = await env.DB.prepare('select username_key, email_key, password_changed_at from up_users where id = ?')
      .bind(id)
      .first();
    expect(row).toEqual({ username_key: 'plain', email_key: 'plain@example.com', password_changed_at: null });
  });

  it('is linked by a caller to what the caller may list, and to nothing else', async () => {
    const rome = await documentOf(send('/api/cities', sendJson('POST', 'full', { data: { name: 'Far' } })));
    const { jwt, user: me } = await registered('linker');
    const { body } = await write('PUT', `/api/users/${me.id}`, { city: rome.documentId }, jwt);
    expect(body.error).toMatchObject({ status: 400, message: 'Invalid key city' });
    const { documentId } = await newArticle('Seen');
    expect((await write('PUT', `/api/users/${me.id}`, { favorites: [documentId] }, jwt)).status).toBe(200);
  });

  it('is not linked to what was deleted while the write was planned', async () => {
    const { documentId } = await newArticle('Going');
    const remove = () => send(`/api/articles/${documentId}`, { method: 'DELETE', ...bearer('full') });
    const late = serveRegistry(registry, {}, { DB: interleavedDatabase(env.DB, 1, remove) });
    const body = account('late', { role: 1, favorites: [documentId] });
    const response = await late('/api/users', sendJson('POST', 'full', body));
    expect(await refusalOf(response)).toContain(`Document with id "${documentId}"`);
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  });

  it('goes with all its links, and leaves nothing behind', async () => {
    const { documentId } = await newArticle('Stays');
    const { id } = await create('leaver', { favorites: [documentId], owned: [documentId], friends: [1] });
    await send(`/api/users/${id}`, { method: 'DELETE', ...bearer('full') });
    const left = await documentOf(send(`/api/articles/${documentId}?populate=fans,owner`, bearer('full')));
    expect(left).toMatchObject({ fans: [], owner: null });
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  });
});

describe('a file that is uploaded onto a user', () => {
  const attach = (name: string, fields: Record<string, unknown>, token = 'full') => {
    const form = new FormData();
    form.append('files', new Blob(['text'], { type: 'text/plain' }), name);
    for (const [key, value] of Object.entries({ ref: USER, ...fields })) form.append(key, String(value));
    return send('/api/upload', { method: 'POST', body: form, ...bearer(token) });
  };

  it('takes the place of the one before, and goes behind the others of a list', async () => {
    const { id, documentId } = await create('portrayed');
    for (const [index, refId] of [id, documentId].entries()) {
      expect((await attach(`avatar-${index}.txt`, { refId, field: 'avatar' })).status).toBe(201);
      expect((await attach(`paper-${index}.txt`, { refId, field: 'papers' })).status).toBe(201);
    }
    expect(await read(`/api/users/${id}?populate=avatar,papers`)).toMatchObject({
      avatar: { name: 'avatar-1.txt' },
      papers: [{ name: 'paper-0.txt' }, { name: 'paper-1.txt' }],
    });
    const files = await read<{ name: string; related: User[] }[]>('/api/upload/files?populate=related');
    const file = files.find(({ name }) => name === 'avatar-1.txt');
    expect(file?.related).toMatchObject([{ id, __type: USER, username: 'portrayed' }]);
    expect(await checkInvariants(env.DB, registry)).toEqual([]);
  });

  it('is rejected without the grant to update users, and for attributes that are no media', async () => {
    const { id } = await create('unportrayed');
    await createToken('uploader', 'custom', ['plugin::upload.content-api.upload']);
    expect((await attach('a.txt', { refId: id, field: 'avatar' }, 'uploader')).status).toBe(403);
    expect((await attach('a.txt', { refId: id, field: 'password' })).status).toBe(400);
    expect(await read(`/api/users/${id}?populate=avatar`)).toMatchObject({ avatar: null });
  });
});
