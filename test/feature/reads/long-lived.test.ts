/**
 * @module An isolate that has answered much answers as one that has just started: status, body and tag.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import type { SettingsInput } from '../../../src/schema/settings/config.ts';
import { diceOf } from '../../support/dice.ts';
import { bearer, createToken, serve } from '../../support/recorded.ts';
import { samplesOf } from '../../support/tier.ts';
import { openMagazine } from '../../support/world.ts';
import { createPopulatedWorld, type Names } from './populated-world.ts';

const SETTINGS: SettingsInput = {
  roles: {
    public: ['article', 'tag'].flatMap((name) => [`api::${name}.${name}.find`, `api::${name}.${name}.findOne`]),
  },
};
const ODD = [
  'ä/ö',
  'a.b',
  'a',
  "it's",
  '100%',
  '%41',
  'x"y',
  'a\\b',
  '日本'.repeat(40),
  'z'.repeat(300),
  '?1',
  '$page',
  '%E0%A4',
  'a b',
  '*',
  '..x',
];
const { client: writer } = openMagazine(SETTINGS);
let world: Names;
const { below, once, pick: pickOne } = diceOf(4_242);
const pick = <T>(list: readonly T[]): T => pickOne(list as readonly [T, ...T[]]);

beforeAll(async () => {
  await createToken('reader', 'read-only');
  await createToken('narrow', 'custom', ['api::article.article.find', 'api::tag.tag.findOne']);
  await createToken('wider', 'custom', [
    'api::article.article.find',
    'api::article.article.findOne',
    'api::tag.tag.find',
    'api::tag.tag.findOne',
    'api::author.author.find',
  ]);
  world = await createPopulatedWorld(writer);
  for (const id of ODD) {
    await writer.create('/api/tags', { name: `Tag ${id.slice(0, 8)}` });
    await env.DB.prepare(`update tags set document_id = ? where id = (select max(id) from tags)`).bind(id).run();
  }
});

const many = (count: number, path: string) =>
  Array.from({ length: count }, (_, place) => `${path.replace('#', String(place))}=${place}`).join('&');
const QUERIES = () => [
  '',
  'populate=*',
  'populate[tags]=true',
  'populate[author][fields]=name&fields=title',
  'fields[0]=title',
  'status=draft',
  'locale=fr',
  'locale=*',
  'sort=title:desc',
  'sort[0]=price:desc&sort[1]=title',
  'pagination[page]=2&pagination[pageSize]=1',
  'pagination[start]=1&pagination[limit]=1',
  'pagination[page]=9&filters[title][$ne]=q',
  'pagination[pageSize]=1&filters[title][$ne]=q&sort=title',
  '_q=First',
  'filters[title]=First',
  'filters[tags][name][$contains]=a',
  'populate[tags][filters][name][$ne]=x&populate[tags][sort]=name:desc',
  'populate[tags][count]=true',
  'pagination[withCount]=false',
  'publicationFilter=modified&status=draft',
  'populate[sections][populate]=*',
  'populate[localizations]=true',
  'nope=1',
  'filters[nope]=1',
  `filters[documentId]=${world.first}`,
  ...[80, 86, 88, 89, 90, 91, 100, 120].flatMap((count) => [
    many(count, 'filters[$or][#][title][$ne]'),
    many(count, 'populate[tags][filters][$or][#][name][$ne]'),
    `${many(count, 'filters[$and][#][title][$ne]')}&populate=*&sort=title`,
    many(count, 'filters[title][$notIn][#]'),
  ]),
  'filters[title][$ne]=q&sort=price:desc&populate[tags][count]=true',
  'pagination[after]=&populate=*&sort=title&filters[title][$ne]=q',
  'pagination[after]=&pagination[limit]=1',
  'populate[related][populate][tags]=true&populate[cover]=true',
  'populate[0]=author&populate[1]=tags&pagination[page]=3&pagination[pageSize]=1&filters[title][$ne]=q&sort=createdAt',
  'hasPublishedVersion=true&status=draft',
  '_q=T&sort=title&pagination[pageSize]=1',
  '_q=T&sort=title&pagination[page]=2&pagination[pageSize]=1&populate=*',
  'sort=author.name',
  'locale=*&sort=title&populate[localizations]=true&pagination[pageSize]=2',
  'pagination[after]=&sort[0]=title&sort[1]=price&sort[2]=createdAt&sort[3]=updatedAt&pagination[limit]=1',
];
const PATHS = () => [
  ...Array.from({ length: 8 }, () => '/api/articles'),
  '/API/Articles/',
  `/api/articles/${world.first}`,
  `/api/articles/${world.first}`,
  `/API/ARTICLES/${world.first}/`,
  `/api/articles/${world.first}`,
  `/api/articles/${world.second}`,
  `/api/articles/${world.second}`,
  '/api/articles/none',
  '/api/tags',
  '/api/tags',
  '/api/homepage',
  '/api/homepage',
  `/api/tags/${encodeURIComponent(pick(ODD))}`,
  `/api/tags/${encodeURIComponent(pick(ODD))}`,
  '/api/comments',
  '/api/users',
  '/api/users/me',
  '/uploads/x',
  '/api/upload/files',
  '//api/articles',
  '/api//articles',
  '/api/articles%2F',
];
const TOKENS = ['full', 'full', 'reader', 'narrow', 'wider', 'made-up', undefined];

const ROUNDS = samplesOf(400);

const tagOf = ({ headers }: Response) => headers.get('etag');

const LIMITS = [{}, { api: { rest: { limits: { answerBytes: 5_000, answerRows: 40 } } } }] as SettingsInput[];
it.each(LIMITS)('whatever is asked of it', async (limits) => {
  const settings = { ...SETTINGS, ...limits };
  const longLived = serve(settings);
  const [paths, queries] = [PATHS(), QUERIES()];
  const held: string[] = [];
  const tagsOf = new Map<string, string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const query = pick(queries);
    const path = `${pick(paths)}${query && `?${query}`}`;
    const token = pick(TOKENS);
    const method = pick(['GET', 'GET', 'GET', 'HEAD']);
    const headers: Record<string, string> = { ...(token && (bearer(token).headers as Record<string, string>)) };
    if (once(4)) headers['strapi-response-format'] = 'v4';
    if (once(2) && held.length > 0)
      headers['if-none-match'] = [pick(held), tagsOf.get(path) ?? pick(held.slice(-5))].join(', ');
    if (once(15))
      await writer.update(
        `/api/articles/${pick([world.first, world.second])}${pick(['', '?locale=fr', '?status=draft'])}`,
        { title: `T${below(50)}` },
      );
    if (once(25)) await writer.update(`/api/tags/${world.tag}`, { name: `N${below(50)}` });
    const told = async (response: Response) => [response.status, tagOf(response), await response.text()];
    const init = { method, headers };
    const before = await longLived(path, init);
    const tag = tagOf(before);
    if (tag) {
      held.push(tag);
      tagsOf.set(path, tag);
    }
    const [status, etag, body] = await told(before);
    const fresh = await told(await serve(settings)(path, init));
    // An answer that a GET has left is told to HEAD with its tag.
    const expected = method === 'HEAD' ? [fresh[0], etag, fresh[2]] : fresh;
    expect({ path, method, headers, told: [status, etag, body] }).toEqual({ path, method, headers, told: expected });
    expect({ path, headers, status: Number(status) < 500 }).toEqual({ path, headers, status: true });
  }
});
