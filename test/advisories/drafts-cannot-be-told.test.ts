/**
 * @module Class 2 of the advisories of 2026, for drafts: a caller without `readDrafts` of a type gets none of its drafts, also
 * where a type without drafts leads to it. Directus CVE-2024-39896 and Payload's reports on `draft=true` are of this class.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ContentType } from '../../src/schema/model.ts';
import { createRegistryTables, type Send, serveRegistry } from '../support/app.ts';
import { clientOf, documentOf, errorOf } from '../support/client.ts';
import { createTables, createToken, recordedRegistry, serve } from '../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../support/schema-files.ts';
import { oneIn } from '../support/tier.ts';
import { register } from '../support/users.ts';

/** A word in drafts alone; the other word replaces it to see whether a response changes. */
const CANARY = 'heron';
const OTHER = 'zebra';
const FORBIDDEN = { status: 403, name: 'ForbiddenError', message: 'Forbidden', details: {} };

const types = [...recordedRegistry.routes.values()];
const withDrafts = types.filter(({ draftAndPublish }) => draftAndPublish);
const granted = (among: readonly ContentType[], ...actions: string[]) =>
  among.flatMap(({ uid }) => actions.map((action) => `${uid}.${action}`));

const everyAction = [
  ...granted(types, 'find', 'findOne', 'create', 'update', 'delete'),
  ...['find', 'findOne'].map((action) => `plugin::upload.content-api.${action}`),
  ...['find', 'findOne', 'count', 'me'].map((action) => `plugin::users-permissions.user.${action}`),
];
const roles = {
  public: everyAction,
  authenticated: everyAction,
  reviewer: [...everyAction, ...granted(withDrafts, 'readDrafts')],
  designer: [...everyAction, 'api::homepage.homepage.readDrafts', 'api::issue.issue.readDrafts'],
};
const send = serve({ roles });
const owner = clientOf(send, 'full');

/** Callers by name: the tokens they send, filled by `createWorld`. */
const callers: Record<string, string> = { public: '', full: 'full', reads: 'reads', custom: 'custom' };
const WITHOUT = ['public', 'user', 'designer'] as const;
const WITH = ['reviewer', 'full', 'reads', 'custom'] as const;

const as = (caller: string, init: RequestInit = {}): RequestInit => {
  const token = callers[caller];
  return { ...init, headers: { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) } };
};
const write = (caller: string, method: string, data: unknown): RequestInit =>
  as(caller, { method, body: JSON.stringify({ data }), headers: { 'content-type': 'application/json' } });

/** documentIds, which paths name in braces. */
const ids: Record<string, string> = {};
const at = (path: string): string => path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'nope');

async function createCallers(): Promise<void> {
  await createToken('full', 'full-access');
  await createToken('reads', 'read-only');
  await createToken('custom', 'custom', everyAction);
  callers.user = (await register(send, 'stranger')).jwt;
  for (const role of ['reviewer', 'designer'])
    callers[role] = (await register(serve({ roles, users: { defaultRole: role } }), role)).jwt;
}

async function create(name: string, path: string, data: object): Promise<void> {
  ids[name] = (await documentOf(owner.create(path, data))).documentId;
}

async function createContent(): Promise<void> {
  await env.DB.prepare(
    `insert into "files" ("document_id", "locale", "published_at", "created_at", "updated_at", "name", "hash", "mime", "size", "url", "provider") values ('file', '', 1, 1, 1, 'a.png', 'a', 'image/png', 1, '/a.png', 'r2')`,
  ).run();
  await create('author', '/api/authors', { name: 'Zed', avatar: 'file' });
  await create('tag', '/api/tags', { name: 'Red' });
  await create('category', '/api/categories', { name: 'News' });
  const linked = { author: ids.author, reviewers: [ids.author], tags: [ids.tag], categories: [ids.category] };
  await create('draft', '/api/articles?status=draft', { title: CANARY, ...linked, cover: 'file' });
  await create('open', '/api/articles', { title: 'Open', ...linked, cover: 'file', related: [ids.draft] });
  await owner.update(at('/api/articles/{open}?status=draft'), { title: `${CANARY} open`, related: [ids.draft] });
  await owner.update(at('/api/articles/{open}?status=draft&locale=fr'), { title: `${CANARY} fr` });
  await create('hidden', '/api/comments', { text: 'About a draft', article: ids.draft, by: ids.author });
  await create('seen', '/api/comments', { text: 'About what is open', article: ids.open, by: ids.author });
  const issue = { number: 1, editor: ids.author, coverStory: ids.draft, picks: [ids.draft, ids.open] };
  await create('issue', '/api/issues?status=draft', { title: CANARY, ...issue });
  await create('plain', '/api/issues', { title: 'Issue', ...issue, number: 2, coverStory: null });
  const sections = [{ __component: 'blocks.callout', title: 'Read', articles: [ids.draft, ids.open] }];
  await owner.update('/api/homepage', { heading: 'Home', featuredArticles: [ids.draft], sections });
  await owner.update('/api/homepage?status=draft', { heading: CANARY });
  await owner.update('/api/site-setting', { siteName: 'Site', editorInChief: ids.author });
}

beforeAll(async () => {
  await createTables();
  await createCallers();
  await createContent();
});

const SECRETS: Readonly<Record<string, string>> = { article: 'title', issue: 'title', homepage: 'heading' };

/** Replaces the word in every draft. */
const exchange = (from: string, to: string) =>
  env.DB.batch(
    withDrafts.flatMap(({ singularName, table }) => {
      const column = SECRETS[singularName];
      const sql = `update "${table}" set "${column}" = replace("${column}", ?, ?) where "published_at" is null`;
      return column === undefined ? [] : [env.DB.prepare(sql).bind(from, to)];
    }),
  );

const answer = async (path: string, init: RequestInit, through = send): Promise<string> => {
  const response = await through(at(path), init);
  return `${response.status} ${await response.text()}`;
};

const DRAFT = ['status=draft', 'status=', 'status'] as const;
/** Ways to ask for drafts. In the short tier each path has two of them, other paths have others. */
const WAYS = DRAFT.flatMap((status) => ['v5', 'v4'].map((format) => [status, format] as const));

/** Places that a request for drafts reaches, from roots with drafts and without. */
const ROOTS = ['/api/articles', '/api/articles/{open}', '/api/articles/{draft}', '/api/issues', '/api/homepage'];
const TOLD = [
  '/api/authors?populate=articles',
  '/api/authors?populate=*',
  '/api/authors/{author}?populate[articles][fields]=title',
  '/api/authors?populate[articles][sort]=title&populate[articles][filters][title][$contains]=heron',
  '/api/tags?populate[articles][fields]=title',
  '/api/categories/{category}?populate=articles',
  '/api/comments?populate=article',
  '/api/comments/{hidden}?populate[article]=true',
  '/api/comments?populate[by][populate]=articles',
  '/api/comments?populate=by.articles',
  '/api/tags?populate[articles][populate][localizations]=true&populate[articles][fields]=slug',
  '/api/comments?populate[article][populate][related][fields]=title&populate[article][fields]=slug',
  '/api/comments?populate[article][populate][coverOf]=true&populate[article][fields]=slug',
  '/api/site-setting?populate[editorInChief][populate][articles][fields]=title',
];
/** Reads whose responses have no word of a draft, but depend on drafts. */
const UNTOLD = [
  '/api/authors?populate[articles][count]=true',
  '/api/authors?filters[articles][title][$startsWith]=heron',
  '/api/authors?filters[$not][articles][title][$startsWith]=heron',
  '/api/authors?filters[$or][0][articles][title]=heron&filters[$or][1][name]=Zed',
  '/api/authors?filters[articles][$notNull]=true&pagination[pageSize]=1',
  '/api/comments?filters[by][articles][title][$contains]=heron',
  '/api/comments?sort=article.title:desc',
  '/api/comments?sort[by][articles][title]=asc',
  '/api/tags?filters[articles][localizations][title]=heron',
  '/api/tags?populate[articles][filters][related][title]=heron&populate[articles][fields]=slug',
  '/api/authors?populate[avatar]=true&_q=Zed&sort=articles.publishedAt',
];
const ask = (path: string, status: string) => `${path}${path.includes('?') ? '&' : '?'}${status}`;

let asked = 0;

describe.each(WITHOUT)('drafts, for the caller %s without the right to them,', (caller) => {
  const roots = caller === 'designer' ? ROOTS.slice(0, 3) : ROOTS;

  it.each([...roots, ...TOLD, ...UNTOLD])('are a 403 at %s', async (path) => {
    asked += 1;
    for (const [status, format] of oneIn(3, WAYS, asked)) {
      const init = as(caller, { headers: { 'strapi-response-format': format } });
      expect(await errorOf(send(at(ask(path, status)), init))).toEqual(FORBIDDEN);
    }
  });

  it.each([
    'publicationFilter=modified',
    'publicationFilter=published-without-draft',
    'publicationFilter=has-published-version&_q=heron',
    'hasPublishedVersion=false',
    'hasPublishedVersion=true',
  ])('are a 403 with %s', async (search) => {
    for (const path of ['/api/articles', '/api/articles/{open}'])
      expect(await errorOf(send(at(`${path}?${search}`), as(caller)))).toEqual(FORBIDDEN);
  });

  it('are in no response to a published read, and change none', async () => {
    const searched = ['/api/articles?_q=heron', '/api/articles?filters[title][$contains]=heron&locale=*'];
    const files = ['/api/upload/files?populate=related', '/api/upload/files/1?populate=*'];
    const users = [
      '/api/users?populate=*',
      '/api/users/me?status=draft&populate=role',
      '/api/users/count?status=draft',
    ];
    const below = ['/api/articles?populate[cover][populate]=related', '/api/articles/{open}?populate=*'];
    const zones = ['/api/homepage?populate[sections][populate]=*', '/api/homepage?populate=featuredArticles'];
    const all = [...ROOTS, ...TOLD, ...UNTOLD, ...searched, ...files, ...users, ...below, ...zones];
    /** A change past the API rotates no stamps: only an isolate without cached responses reads it. */
    const isolate = () => serve({ roles });
    const drafts = () => answer('/api/articles?status=draft', as('full'), isolate());
    for (const path of oneIn(3, all, WITHOUT.indexOf(caller))) {
      const before = await answer(path, as(caller), isolate());
      expect([path, before.includes(`"${CANARY}`)]).toEqual([path, false]);
      await exchange(CANARY, OTHER);
      const after = await answer(path, as(caller), isolate());
      expect(await drafts()).toContain(`"${OTHER}`);
      await exchange(OTHER, CANARY);
      expect([path, after]).toEqual([path, before]);
    }
    expect(await drafts()).toContain(`"${CANARY}`);
  });

  it('are not counted: another one changes no response', async () => {
    const paths = [...ROOTS.filter((path) => path !== '/api/articles/{draft}'), ...TOLD, ...UNTOLD];
    const read = () => Promise.all(paths.map((path) => answer(path, as(caller))));
    const before = await read();
    const linked = { author: ids.author, tags: [ids.tag], categories: [ids.category], cover: 'file' };
    const more = await documentOf(owner.create('/api/articles?status=draft', { title: CANARY, ...linked }));
    expect(await read()).toEqual(before);
    await owner.remove(`/api/articles/${more.documentId}`);
  });

  it.each([
    '/api/authors?status=draft',
    '/api/authors?status=draft&populate=avatar',
    '/api/tags?status=&sort=name&filters[name]=Red',
    '/api/categories?status=draft&populate=parent',
    '/api/categories?status=draft&populate=localizations',
    '/api/users/me?status=draft&populate=role',
  ])('cause no error at %s, which reads none', async (path) => {
    const { status } = await send(path, as(caller));
    expect(status).toBe(path.startsWith('/api/users') && caller === 'public' ? 401 : 200);
  });
});

describe('the response to a write', () => {
  const rows = async () =>
    (await env.DB.batch(types.map(({ table }) => env.DB.prepare(`select * from "${table}"`)))).map(
      ({ results }) => results,
    );
  const article = { title: 'Mine', author: 'AUTHOR' };
  const withIds = (data: object) => JSON.parse(JSON.stringify(data).replace('AUTHOR', ids.author ?? '')) as object;

  it.each(WITHOUT)('shows %s the draft that was written', async (caller) => {
    const path = '/api/articles?status=draft&populate=author';
    const { documentId, title, author } = await documentOf(send(path, write(caller, 'POST', withIds(article))));
    expect([title, author]).toMatchObject(['Mine', { name: 'Zed' }]);
    const changed = send(`/api/articles/${documentId}?status=draft`, write(caller, 'PUT', { title: 'My own' }));
    expect(await documentOf(changed)).toMatchObject({ title: 'My own', publishedAt: null });
    await owner.remove(`/api/articles/${documentId}`);
  });

  it.each([
    ['POST', '/api/articles?status=draft&populate=related', article],
    ['POST', '/api/articles?status=draft&populate=localizations', article],
    ['POST', '/api/articles?status=draft&populate=*', article],
    ['POST', '/api/articles?status=draft&populate[author][populate]=articles', article],
    ['POST', '/api/articles?status=draft&populate[tags][populate][articles][count]=true', article],
    ['PUT', '/api/articles/{open}?status=draft&populate=relatedFrom', {}],
    ['PUT', '/api/articles/{open}?status=draft&populate[sections][on][blocks.callout][populate]=articles', {}],
    ['PUT', '/api/homepage?status=draft&populate=featuredArticles', { theme: 'dark' }],
    ['PUT', '/api/authors/{author}?status=draft&populate=articles', { bio: 'Mine' }],
    ['POST', '/api/authors?status=&populate[articles][fields]=title', { name: 'Mine' }],
    ['POST', '/api/comments?status=draft&populate=article', { text: 'Mine' }],
    ['PUT', '/api/site-setting?status=draft&populate=editorInChief.articles', { tagline: 'Mine' }],
  ])('has no other draft, and such a write is a 403 that stores nothing: %s %s', async (method, path, data) => {
    const before = await rows();
    for (const caller of WITHOUT)
      expect(await errorOf(send(at(path), write(caller, method, withIds(data))))).toEqual(FORBIDDEN);
    expect(await rows()).toEqual(before);
    expect((await send(at(path), write('reviewer', method, withIds(data)))).ok).toBe(true);
  });

  it.each(WITHOUT)('treats a draft in a relation of %s as a document that does not exist', async (caller) => {
    const errors = await Promise.all(
      [ids.draft ?? '', 'x'.repeat(24)].map(async (article) => {
        const refused = send('/api/comments?populate=article', write(caller, 'POST', { text: 'Mine', article }));
        return JSON.stringify(await errorOf(refused)).replaceAll(article, 'ID');
      }),
    );
    expect(errors[0]).toBe(errors[1]);
    expect(errors[0]).toMatch(/^\{"status":400,.* not found/);
    const open = write(caller, 'POST', { text: 'Mine', article: ids.open });
    const written = await documentOf(send('/api/comments?populate=article', open));
    expect(written.article).toMatchObject({ title: 'Open' });
    await owner.remove(`/api/comments/${written.documentId}`);
  });
});

describe('the error of a publication', () => {
  const callout = () => ({ __component: 'blocks.callout', title: 'Read', articles: [ids.draft] });
  const quote = () => ({ __component: 'blocks.quote', text: 'Said', speaker: ids.author });
  const settings = { roles: { public: ['api::article.article.update', 'api::article.article.find'] } };

  it('names no draft, and nothing that the caller may not find, to which a component of the document leads', async () => {
    const sections = [callout(), callout(), callout(), quote(), quote(), quote()];
    await create('long', '/api/articles?status=draft', { title: 'Too long', facts: [{ label: 'One' }], sections });
    const refused = serve(settings)(at('/api/articles/{long}'), write('public', 'PUT', {}));
    const { message, details = {} } = await errorOf(refused);
    expect(message).toBe('sections field must have less than or equal to 5 items');
    const [{ value }] = details.errors as [{ value: object[] }];
    expect(value.map((section) => Object.keys(section))).toEqual([
      ...Array(3).fill(['id', 'title', 'body', 'level', 'card', '__component']),
      ...Array(3).fill(['id', 'text', 'mood', '__component']),
    ]);
    expect(JSON.stringify(details)).not.toMatch(new RegExp(`${ids.draft}|${ids.author}`));
    await owner.remove(at('/api/articles/{long}'));
  });
});

describe('a delete with filters', () => {
  const guesses = [
    'filters[title][$startsWith]=heron',
    'filters[title][$startsWith]=nope',
    'filters[related][title]=heron',
    'filters[$not][id]=1',
    '_q=heron',
    'publicationFilter=modified',
  ];

  it.each(guesses)('is a 403 for a caller who may not read drafts: %s', async (search) => {
    for (const caller of WITHOUT)
      expect(await errorOf(send(at(`/api/articles/{draft}?${search}`), as(caller, { method: 'DELETE' })))).toEqual(
        FORBIDDEN,
      );
    expect((await owner.get(at('/api/articles/{draft}?status=draft'))).status).toBe(200);
  });

  it('filters by published targets alone, or is a 403', async () => {
    const remove = (search: string, caller: string) =>
      send(at(`/api/comments/{hidden}?${search}`), as(caller, { method: 'DELETE' }));
    const guess = 'filters[article][title][$startsWith]=heron';
    for (const caller of WITHOUT) {
      expect(await errorOf(remove(`status=&${guess}`, caller))).toEqual(FORBIDDEN);
      expect((await remove(guess, caller)).status).toBe(204);
    }
    expect((await owner.get(at('/api/comments/{hidden}'))).status).toBe(200);
  });

  it('is carried out for a caller who may read drafts', async () => {
    for (const caller of ['reviewer', 'full', 'custom']) {
      const { documentId } = await documentOf(owner.create('/api/articles?status=draft', { title: CANARY }));
      const remove = (guess: string) =>
        send(`/api/articles/${documentId}?filters[title]=${guess}`, as(caller, { method: 'DELETE' }));
      const read = async () => (await owner.get(`/api/articles/${documentId}?status=draft`)).status;
      expect([(await remove('nope')).status, await read()]).toEqual([204, 200]);
      expect([(await remove(CANARY)).status, await read()]).toEqual([204, 404]);
    }
  });
});

describe.each(WITH)('drafts, for the caller %s with the right to them,', (caller) => {
  it.each([...ROOTS, ...TOLD])('are in the response to %s', async (path) => {
    for (const status of DRAFT) expect(await answer(ask(path, status), as(caller))).toMatch(/^200 .*"heron/);
  });

  it.each(UNTOLD)('are read at %s', async (path) => {
    expect((await send(ask(path, 'status=draft'), as(caller))).status).toBe(200);
  });

  it('are among the documents that use a file', async () => {
    expect(await answer('/api/upload/files?populate=related', as(caller))).toContain(`"${CANARY}`);
  });
});

describe('the right to drafts', () => {
  const search = 'status=draft&populate[sections][on][blocks.callout][populate]=articles';

  it('is granted for each type alone', async () => {
    expect(await answer('/api/homepage?status=draft', as('designer'))).toContain(`"${CANARY}`);
    for (const path of [`/api/homepage?${search}`, '/api/issues?status=draft&populate=picks'])
      expect(await errorOf(send(path, as('designer')))).toEqual(FORBIDDEN);
    expect((await send('/api/issues?status=draft&populate=editor', as('designer'))).status).toBe(200);
  });

  it('is granted to every caller by the public role', async () => {
    const open = serve({ roles: { ...roles, public: [...roles.public, 'api::article.article.readDrafts'] } });
    for (const caller of ['public', 'user']) {
      expect(await (await open('/api/authors?status=draft&populate=articles', as(caller))).text()).toContain(CANARY);
      expect((await open('/api/issues?status=draft', as(caller))).status).toBe(403);
    }
  });

  it('is granted to every caller by the setting `publicDrafts`', async () => {
    const open = serve({ roles, api: { rest: { publicDrafts: true } } });
    for (const caller of WITHOUT)
      expect(await (await open('/api/issues?status=draft&populate=picks', as(caller))).text()).toContain(CANARY);
  });

  it('reads nothing without `find`', async () => {
    const blind: Send = serve({ roles: { public: [...granted(withDrafts, 'readDrafts'), 'api::author.author.find'] } });
    expect((await blind('/api/articles?status=draft')).status).toBe(403);
    const { data } = (await (await blind('/api/authors?status=draft&populate=articles')).json()) as { data: object[] };
    expect(data[0]).not.toHaveProperty('articles');
  });
});

describe('a component with a relation to drafts, in a type without drafts,', () => {
  const registry = registryOf(
    [
      contentType('paper', { title: { type: 'string' } }, { drafts: true }),
      contentType('shelf', {
        name: { type: 'string' },
        box: { type: 'component', component: 'parts.box' },
        boxes: { type: 'component', component: 'parts.box', repeatable: true },
        zone: { type: 'dynamiczone', components: ['parts.box'] },
      }),
    ],
    [
      component('parts.box', {
        paper: relation('oneToOne', 'paper'),
        papers: relation('oneToMany', 'paper'),
      }),
    ],
  );
  const shelves = serveRegistry(registry, { roles: { public: ['api::shelf.shelf.find', 'api::paper.paper.find'] } });
  const client = clientOf(shelves, 'full');
  const searches = [
    'populate[box][populate]=paper',
    'populate=boxes.papers',
    'populate[boxes][populate]=*',
    'populate[zone][populate]=*',
    'populate=zone.papers',
    'populate[zone][on][parts.box][populate]=papers',
    'populate[boxes][filters][papers][title][$contains]=heron',
    'populate[boxes][sort]=paper.title',
    'filters[box][paper][title]=heron',
    'sort=box.paper.title',
  ];

  beforeAll(async () => {
    await createRegistryTables(registry);
    const { documentId } = await documentOf(client.create('/api/papers?status=draft', { title: CANARY }));
    const box = { paper: documentId, papers: [documentId] };
    const zone = [{ __component: 'parts.box', ...box }];
    await documentOf(client.create('/api/shelfs', { name: 'Top', box, boxes: [box], zone }));
  });

  it.each(searches)('shows none to a caller without the right: %s', async (search) => {
    expect(await errorOf(shelves(`/api/shelfs?status=draft&${search}`))).toEqual(FORBIDDEN);
    const published = await shelves(`/api/shelfs?${search}`);
    expect([published.status, await published.text()]).toEqual([200, expect.not.stringContaining(`"${CANARY}`)]);
    const { status } = await client.get(`/api/shelfs?status=draft&${search}`);
    expect(status).toBe(200);
  });
});
