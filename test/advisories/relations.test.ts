/**
 * @module Attacks on documents that a caller may not find, by way of those that he may.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, errorOf, valuesOf } from '../support/client.ts';
import { createToken } from '../support/recorded.ts';
import { refusalOf } from '../support/users.ts';
import { createWorld, expectNoOracle, FORBIDDEN_TEXT, owner, SECRET, send, world } from './world.ts';

const GUESSES = ['whis', 'zzzz'] as const;
const ARTICLES = ['api::article.article.find', 'api::article.article.findOne'];

beforeAll(async () => {
  await createWorld();
  await createToken('articles', 'custom', ARTICLES);
  await createToken('finds-one', 'custom', [...ARTICLES, 'api::comment.comment.findOne', 'api::author.author.findOne']);
  await createToken('writes', 'custom', [...ARTICLES, 'api::article.article.create', 'api::article.article.update']);
});

const callers = ['', 'articles', 'finds-one', 'writes'];
const init = (token: string): RequestInit => (token ? { headers: { authorization: `Bearer ${token}` } } : {});

/**
 * CVE-2023-36472, GHSA-v8gg-4mq2-88q4; CVE-2023-37263, GHSA-m284-85mf-cgrc; CVE-2024-29181, GHSA-6j89-frxc-q26m
 */
describe('populating what the caller may not find', () => {
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
  /** What is not there for the caller has nothing below it that could be asked for, and a count is true or false. */
  const ALL_OF_IT = /\[(comments|author|by|speaker|person|count)\]=\*$/;
  const deeper = searches
    .map((search) => search.replace(/=true$/, '=*'))
    .filter((search) => !searches.includes(search));

  it.each([...searches, ...deeper])('%s', async (search) => {
    for (const token of callers)
      for (const path of ['/api/articles', `/api/articles/${world.article}`]) {
        const response = await send(`${path}?${search}`, init(token));
        const text = await response.text();
        expect(response.status).toBe(ALL_OF_IT.test(search) ? 400 : 200);
        if (response.status === 200) expect(text).not.toMatch(/"(comments|author|by|speaker|person|count)":/);
        expect(text).not.toMatch(new RegExp(`${FORBIDDEN_TEXT}|Zed|${SECRET}|${world.comment}|${world.author}`));
      }
  });

  it('from a single type, through another type', async () => {
    for (const search of [
      'populate[featuredArticles][populate]=*',
      'populate[featuredArticles][populate][comments][count]=true',
    ]) {
      const response = await send(`/api/homepage?${search}`);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toMatch(/"comments"|"author"|Zed|whispered/);
    }
  });

  it('in the answer of a write', async () => {
    const writer = clientOf(send, 'writes');
    for (const search of ['populate=*', 'populate[author]=true', 'populate[comments][count]=true']) {
      const response = await writer.update(`/api/articles/${world.article}?${search}`, { subtitle: 'mine' });
      expect(response.status).toBe(200);
      expect(await response.text()).not.toMatch(/"comments"|"author"|Zed|whispered/);
    }
  });
});

describe('finding out about it by the articles that come back', () => {
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

  it.each(searches)('%s', async (search) => {
    for (const token of callers)
      expect(await expectNoOracle(`/api/articles?${search}`, GUESSES, init(token))).toMatch(/^400 .*Invalid key/);
  });

  it('by the count of a list', async () => {
    const path = '/api/articles?pagination[withCount]=true&filters[comments][text][$startsWith]=GUESS';
    for (const token of callers) expect(await expectNoOracle(path, GUESSES, init(token))).toMatch(/^400/);
  });

  it('by filters below a populate that is left out', async () => {
    const path = '/api/articles?populate[comments][filters][text][$startsWith]=GUESS&populate[comments][sort]=text';
    for (const token of callers) {
      const answer = await expectNoOracle(path, GUESSES, init(token));
      expect(answer).not.toContain('comments"');
    }
  });
});

describe('linking to what the caller may not find', () => {
  const bodies = [
    { comments: [] },
    { author: null },
    { author: { disconnect: [1] } },
    { comments: { connect: ['x'] } },
    { sections: [{ __component: 'blocks.quote', text: 'a', speaker: 'x' }] },
    { seo: { metaTitle: 'a', card: { title: 'a', person: 'x' } } },
  ];

  it.each(bodies)('%j', async (body) => {
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
it('telling whether a document is there that may not be read', async () => {
  for (const token of ['', 'articles']) {
    const [there, missing] = await Promise.all(
      [world.comment, 'abc'].map(async (id) => refusalOf(await send(`/api/comments/${id}`, init(token)))),
    );
    expect(there).toBe('403 ForbiddenError: Forbidden');
    expect(missing).toBe(there);
  }
});
