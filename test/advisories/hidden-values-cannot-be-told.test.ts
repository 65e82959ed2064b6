/**
 * @module Class 2 of the advisories of 2026, for private attributes, passwords and types that the caller may not find: they
 * are in no response, and no filter, sort, search, count, populate, error or tag tells them. CVE-2023-22894 and others of
 * Strapi, Directus and Payload. hidden-documents-cannot-be-told.test.ts has the conditions of grants, and
 * drafts-cannot-be-told.test.ts the drafts.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { OPERATORS } from '../../src/content/request/operators.ts';
import { createRegistryTables, serveRegistry } from '../support/app.ts';
import { clientOf, documentOf, errorOf, totalOf, valuesOf } from '../support/client.ts';
import { createToken } from '../support/recorded.ts';
import { component, contentType, registryOf } from '../support/schema-files.ts';
import { refusalOf } from '../support/users.ts';
import { ask, READS, serveAll } from './surfaces.ts';
import { asUser, createWorld, expectNoOracle, FORBIDDEN_TEXT, owner, RANK, SECRET, send, world } from './world.ts';

/** Long enough for no documentId to contain one by chance: searches look there, too. */
const GUESSES = ['kestre', 'zzzzzz'] as const;

const asOwner: RequestInit = { headers: { authorization: 'Bearer full' } };
const ARTICLES = ['api::article.article.find', 'api::article.article.findOne'];

beforeAll(async () => {
  await createWorld();
  await createToken('articles', 'custom', ARTICLES);
  await createToken('finds-one', 'custom', [...ARTICLES, 'api::comment.comment.findOne', 'api::author.author.findOne']);
  await createToken('writes', 'custom', [...ARTICLES, 'api::article.article.create', 'api::article.article.update']);
});

/** CVE-2023-22894, GHSA-jjqf-j4w7-92w8; Directus CVE-2025-64748; Payload CVE-2023-30843 */
describe('a guess at the secret of a user', () => {
  it.each([
    '/api/articles?filters[createdBy][resetPasswordToken][$startsWith]=GUESS',
    '/api/articles?filters[updatedBy][email][$startsWith]=GUESS',
    '/api/articles?filters[$or][0][createdBy][password][$startsWith]=GUESS&filters[$or][1][title]=x',
    '/api/articles?filters[author][account][resetPasswordToken][$startsWith]=GUESS',
    '/api/articles?sort=createdBy.resetPasswordToken&_q=GUESS',
    '/api/articles?populate[author][filters][secretNote][$startsWith]=GUESS',
    '/api/articles?populate[author][populate][account][filters][password][$contains]=GUESS',
    '/api/users?filters[resetPasswordToken][$startsWith]=GUESS',
    '/api/users?filters[confirmationToken][$startsWith]=GUESS',
    '/api/users?filters[password][$startsWith]=GUESS',
    '/api/users?filters[$not][passwordChangedAt][$null]=true&filters[resetPasswordToken]=GUESS',
    '/api/users/count?filters[resetPasswordToken][$startsWith]=GUESS',
    '/api/users?sort=resetPasswordToken&_q=GUESS',
    '/api/users?fields=resetPasswordToken&_q=GUESS',
  ])('is rejected alike, right or wrong: %s', async (path) => {
    const nobody = path.startsWith('/api/users') ? 403 : 400;
    for (const [status, init] of [
      [nobody, {}],
      [400, asUser()],
      [path.startsWith('/api/users/count') ? 403 : 400, { headers: { authorization: 'Bearer reads' } }],
    ] as const)
      expect((await expectNoOracle(path, GUESSES, init)).slice(0, 3)).toBe(`${status}`);
  });

  it('finds nothing in a search of users and of articles', async () => {
    for (const path of ['/api/users?_q=GUESS', '/api/articles?_q=GUESS', '/api/authors?_q=GUESS'])
      expect(await expectNoOracle(path, GUESSES, asUser())).toMatch(/^200 (\[\]|\{"data":\[\])/);
    expect(await totalOf(owner.get(`/api/articles?_q=${RANK}`))).toBe(0);
  });
});

/** strapi/strapi#11869 */
describe('a comparison with a private attribute', () => {
  const hidden = [
    'internalNotes',
    'editorRank',
    'accessCode',
    'seo][internalScore',
    'author][secretNote',
    'author][pin',
  ];
  const cases = hidden.flatMap((name) => [...Object.keys(OPERATORS), '$nope'].map((operator) => [name, operator]));

  it.each(cases)(
    'is an unknown key, like an attribute that does not exist: %s by %s',
    async (name = '', operator = '') => {
      const short = name.split('][').at(-1) ?? '';
      for (const shape of [`filters[${name}][${operator}]=1`, `filters[${name}][$not][${operator}][0]=1`])
        expect(await errorOf(owner.get(`/api/articles?${shape}`))).toMatchObject({
          status: 400,
          message: expect.stringContaining(`Invalid key ${short}`),
        });
    },
  );
});

/** CVE-2022-30617, GHSA-f6fm-r26q-p747; CVE-2021-46440 */
it('no response has the authors of a document, and no parameter names them', async () => {
  for (const search of [
    '',
    '?populate=*',
    '?fields=*',
    '?status=draft&populate=*',
    '?populate[sections][populate]=*',
  ]) {
    const answer = await owner.get(`/api/articles${search}`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).not.toMatch(/createdBy|updatedBy|created_by|updated_by/);
  }
  for (const search of [
    'populate=createdBy',
    'populate[createdBy][fields]=email',
    'fields=createdBy',
    'sort=createdBy.id',
  ])
    expect((await errorOf(owner.get(`/api/articles?${search}`))).status).toBe(400);
});

/** strapi/strapi#10236 */
it('no response has private attributes of components, zones, relations and media', async () => {
  const deep = [
    'populate=*',
    'populate=seo.card.person',
    'populate[author][populate]=*',
    'populate[sections][populate]=*',
    'populate[sections][on][blocks.quote][populate][speaker]=true',
    'populate[author][populate][account]=true',
    'populate[author][populate][articles][populate]=seo',
  ];
  const asV4 = { headers: { authorization: 'Bearer full', 'strapi-response-format': 'v4' } };
  for (const path of ['/api/articles', `/api/articles/${world.article}`, '/api/homepage'])
    for (const search of deep.slice(0, path === '/api/homepage' ? 1 : deep.length))
      for (const init of [{ headers: { authorization: 'Bearer full' } }, asV4]) {
        const answer = await send(`${path}?${search}`, init);
        const text = await answer.text();
        expect([path, search, answer.status]).toEqual([path, search, 200]);
        expect(text).not.toContain(SECRET);
        expect(text).not.toContain(String(RANK));
        expect(text).not.toMatch(/scrypt|secretNote|internalNotes|internalScore|resetPasswordToken|confirmationToken/);
      }
});

/** CVE-2023-34093, GHSA-chmr-rg2f-9jmf */
describe('an attribute that the options of its type or component make private', () => {
  const registry = registryOf(
    [
      contentType(
        'vault',
        { name: { type: 'string' }, key: { type: 'string' }, box: { type: 'component', component: 'parts.box' } },
        { privateAttributes: ['key', 'createdAt'] },
      ),
      contentType('shelf', { boxes: { type: 'component', component: 'parts.box', repeatable: true } }),
    ],
    [
      component(
        'parts.box',
        { label: { type: 'string' }, code: { type: 'string', private: true }, pin: { type: 'string' } },
        ['pin'],
      ),
    ],
  );
  const client = clientOf(serveRegistry(registry), 'full');

  it('is in no response, and an unknown key', async () => {
    await createRegistryTables(registry);
    const box = { label: 'seen', code: SECRET, pin: SECRET };
    await documentOf(client.create('/api/vaults', { name: 'seen', key: SECRET, box }));
    await documentOf(client.create('/api/shelfs', { boxes: [box] }));
    for (const path of ['/api/vaults?populate=*', '/api/shelfs?populate=*']) {
      const text = await (await client.get(path)).text();
      expect(text).toContain('seen');
      expect(text).not.toMatch(new RegExp(`${SECRET}|"key"|"code"|"pin"`));
      expect(text.includes('createdAt')).toBe(path.startsWith('/api/shelfs'));
    }
    for (const search of [
      'filters[key]=a',
      'filters[box][code]=a',
      'filters[box][pin]=a',
      'sort=key',
      'fields=key',
      'filters[createdAt][$notNull]=true',
    ])
      expect((await errorOf(client.get(`/api/vaults?${search}`))).status).toBe(400);
  });
});

const TEXT_GUESSES = ['whis', 'zzzz'] as const;
const callers = ['', 'articles', 'finds-one', 'writes'];
const init = (token: string): RequestInit => (token ? { headers: { authorization: `Bearer ${token}` } } : {});

/**
 * CVE-2023-36472, GHSA-v8gg-4mq2-88q4; CVE-2023-37263, GHSA-m284-85mf-cgrc; CVE-2024-29181, GHSA-6j89-frxc-q26m
 */
describe('a populate of a type that the caller may not find', () => {
  const searches = [
    'populate=*',
    'populate=comments',
    'populate=author',
    'populate=comments.by',
    'populate[0]=comments&populate[1]=author',
    'populate[comments]=true',
    'populate[comments]=*',
    'populate[comments][count]=true',
    'populate[comments][fields]=text',
    'populate[comments][filters][text][$startsWith]=w',
    'populate[comments][populate][by]=true',
    'populate[related][populate][comments]=true',
    'populate[related][populate]=*',
    'populate[relatedFrom][populate][author][populate]=*',
    'populate[localizations][populate][comments]=true',
    'populate[localizations][populate]=*',
    'populate[sections][populate]=*',
    'populate[sections][on][blocks.quote][populate][speaker]=true',
    'populate[sections][on][blocks.quote][populate]=*',
    'populate[sections][on][blocks.callout][populate][articles][populate][author]=true',
    'populate[seo][populate][card][populate][person]=true',
  ];
  /** A populate that is not visible takes nothing below it, and a count is true or false. */
  const ALL_OF_IT = /\[(comments|author|by|speaker|person|count)\]=\*$/;
  const deeper = searches
    .map((search) => search.replace(/=true$/, '=*'))
    .filter((search) => !searches.includes(search));

  it.each([...searches, ...deeper])('shows nothing of it: %s', async (search) => {
    for (const token of callers)
      for (const path of ['/api/articles', `/api/articles/${world.article}`]) {
        const response = await send(`${path}?${search}`, init(token));
        const text = await response.text();
        expect(response.status).toBe(ALL_OF_IT.test(search) ? 400 : 200);
        if (response.status === 200) expect(text).not.toMatch(/"(comments|author|by|speaker|person|count)":/);
        expect(text).not.toMatch(new RegExp(`${FORBIDDEN_TEXT}|Zed|${SECRET}|${world.comment}|${world.author}`));
      }
  });

  it('shows nothing of it from a single type through another type', async () => {
    for (const search of [
      'populate[featuredArticles][populate]=*',
      'populate[featuredArticles][populate][comments][count]=true',
    ]) {
      const response = await send(`/api/homepage?${search}`);
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(text).toContain('An article');
      expect(text).not.toMatch(/"comments"|"author"|Zed|whispered/);
    }
  });

  it('shows nothing of it in the response to a write', async () => {
    const writer = clientOf(send, 'writes');
    for (const search of ['populate=*', 'populate[author]=true', 'populate[comments][count]=true']) {
      const response = await writer.update(`/api/articles/${world.article}?${search}`, { subtitle: 'mine' });
      expect(response.status).toBe(200);
      expect(await response.text()).not.toMatch(/"comments"|"author"|Zed|whispered/);
    }
  });
});

describe('a guess at a document of such a type', () => {
  const searches = [
    'filters[comments][text][$startsWith]=GUESS',
    'filters[comments][documentId][$startsWith]=GUESS',
    'filters[comments][$null]=true&_q=GUESS',
    'filters[comments]=GUESS',
    'filters[comments][id][$gt]=0&_q=GUESS',
    'filters[author][name][$contains]=GUESS',
    'filters[$or][0][comments][text][$contains]=GUESS',
    'filters[$not][comments][text][$contains]=GUESS',
    'filters[related][comments][text][$contains]=GUESS',
    'filters[localizations][comments][text][$contains]=GUESS',
    'filters[seo][card][person][name][$contains]=GUESS',
    'filters[comments][by][name][$contains]=GUESS',
    'populate[related][filters][comments][text][$contains]=GUESS',
    'populate[localizations][filters][comments][text][$contains]=GUESS',
    'populate[related][sort]=comments.text&_q=GUESS',
    'sort=comments.text&_q=GUESS',
    'sort[comments][text]=desc&_q=GUESS',
    'sort=author.name&_q=GUESS',
    'sort=seo.card.person.name&_q=GUESS',
  ];

  it.each(searches)('is an unknown key, right or wrong: %s', async (search) => {
    for (const token of callers)
      expect(await expectNoOracle(`/api/articles?${search}`, TEXT_GUESSES, init(token))).toMatch(/^400 .*Invalid key/);
  });

  it('is an unknown key beside the count of a list', async () => {
    const path = '/api/articles?pagination[withCount]=true&filters[comments][text][$startsWith]=GUESS';
    for (const token of callers) expect(await expectNoOracle(path, TEXT_GUESSES, init(token))).toMatch(/^400/);
  });

  it('has no effect below a populate that is left out', async () => {
    const path = '/api/articles?populate[comments][filters][text][$startsWith]=GUESS&populate[comments][sort]=text';
    for (const token of callers) {
      const answer = await expectNoOracle(path, TEXT_GUESSES, init(token));
      expect(answer).toMatch(/^200 /);
      expect(answer).not.toContain('comments"');
    }
  });
});

describe('a relation of a body to such a type', () => {
  const bodies = [
    { comments: [] },
    { author: null },
    { author: { disconnect: [1] } },
    { comments: { connect: ['x'] } },
    { sections: [{ __component: 'blocks.quote', text: 'a', speaker: 'x' }] },
    { seo: { metaTitle: 'a', card: { title: 'a', person: 'x' } } },
  ];

  it.each(bodies)('is an unknown key, whether the target exists or not: %j', async (body) => {
    const writer = clientOf(send, 'writes');
    const refusals = await Promise.all(
      ['x', world.author, world.comment].map((id) =>
        errorOf(
          writer.update(`/api/articles/${world.article}`, JSON.parse(JSON.stringify(body).replace('"x"', `"${id}"`))),
        ),
      ),
    );
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ status: 400, message: expect.stringMatching(/^Invalid key/) });
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(await valuesOf(owner.get('/api/articles?populate=author,comments'), 'comments')).toEqual([
      [expect.objectContaining({ text: FORBIDDEN_TEXT })],
    ]);
  });
});

/** Directus CVE-2025-64749 */
it('a document that may not be read and one that does not exist are the same 403', async () => {
  for (const token of ['', 'articles']) {
    const [there, missing] = await Promise.all(
      [world.comment, 'abc'].map(async (id) => refusalOf(await send(`/api/comments/${id}`, init(token)))),
    );
    expect(there).toBe('403 ForbiddenError: Forbidden');
    expect(missing).toBe(there);
  }
});

describe('own code, files, users, schedules and the description', () => {
  const all = serveAll();

  it('treat private attributes as unknown keys', async () => {
    for (const params of [
      { filters: { internalNotes: SECRET } },
      { filters: { author: { pin: { $notNull: true } } } },
      { sort: 'editorRank' },
      { fields: ['accessCode'] },
      { populate: { seo: { fields: ['internalScore'] } } },
    ]) {
      const path = `/own/find?p=${encodeURIComponent(JSON.stringify(params))}`;
      expect([params, (await all(path, asOwner)).status]).toEqual([params, 400]);
    }
    for (const [path, status] of [
      ['/api/upload/files?filters[folderPath]=/', 400],
      ['/api/upload/files?sort=folderPath', 400],
      ['/api/upload/files/page?fields=folderPath', 400],
      ['/api/users?filters[usernameKey][$startsWith]=v', 400],
      ['/api/users/me?filters[password][$startsWith]=s', 400],
      ['/api/users?populate[role][filters][users][password]=x', 400],
    ] as const)
      expect([path, (await all(path, path.includes('/me') ? asUser() : asOwner)).status]).toEqual([path, status]);
  });

  it('have no private value in a response', async () => {
    for (const surface of READS) {
      const response = await ask(all, surface, { authorization: 'Bearer full' });
      const text = await response.text();
      expect([surface.name, response.status]).toEqual([surface.name, 200]);
      expect([surface.name, text.includes(SECRET), text.includes(String(RANK))]).toEqual([surface.name, false, false]);
      expect(text).not.toMatch(/scrypt\$/);
    }
  });

  it('name private attributes in the description only for callers who write them and may read the schemas', async () => {
    const names = /internalNotes|accessCode|secretNote/;
    for (const init of [{}, asUser()]) {
      const response = await all('/openapi.json', init);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toMatch(names);
    }
    expect(await (await all('/openapi.json', asOwner)).text()).toMatch(names);
  });
});
