/**
 * @module Class 7 of the advisories of 2026: a single type has the checks of a collection type, on each method. Strapi 5.54
 * (PUT and DELETE of a single type validated no query). Each request is sent to a document of a collection type and to a
 * single type with the same attributes, grants and content: the responses are equal.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import type { Send } from '../support/app.ts';
import { documentOf } from '../support/client.ts';
import { localesOf } from '../support/locales.ts';
import { component, contentType, registryOf, relation } from '../support/schema-files.ts';
import { oneIn } from '../support/tier.ts';
import { register } from '../support/users.ts';
import { openWorld } from '../support/world.ts';

const attributes = {
  title: { type: 'string', required: true, pluginOptions: { i18n: { localized: true } } },
  secret: { type: 'string', private: true },
  pin: { type: 'password' },
  rank: { type: 'integer' },
  seo: { type: 'component', component: 'parts.seo' },
  author: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
  tags: relation('manyToMany', 'tag'),
};
const options = { drafts: true, localized: true };
const registry = registryOf(
  [
    contentType('page', attributes, options),
    contentType('home', attributes, { ...options, single: true }),
    contentType('tag', { name: { type: 'string' } }),
  ],
  [component('parts.seo', { label: { type: 'string' }, code: { type: 'string', private: true } })],
);

const KINDS = ['page', 'home'] as const;
const both = (...actions: string[]) =>
  KINDS.flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`));
const OWN = { author: '$user' };
const settings: SettingsInput = {
  i18n: localesOf('en', 'fr'),
  roles: {
    public: [{ action: [...both('find'), 'api::page.page.findOne'], where: { rank: 1 }, fields: ['title'] }],
    authenticated: [
      ...both('find', 'readDrafts'),
      'api::page.page.findOne',
      { action: both('update'), where: OWN, fields: ['title', 'rank'], validate: { rank: { $lt: 10 } } },
      { action: both('delete', 'publish', 'unpublish', 'discardDraft'), where: OWN },
    ],
  },
};
const { client: full, send } = openWorld(registry, settings);
const tokens: Record<string, string> = { full: 'full', public: '' };
let content: object = {};
let page = '';

/** Writes both anew. */
async function reset(): Promise<void> {
  if (page) await full.remove(`/api/pages/${page}?locale=*`);
  await full.remove('/api/home?locale=*');
  page = (await documentOf(full.create('/api/pages', content))).documentId;
  await documentOf(full.update('/api/home', content));
}

beforeAll(async () => {
  const author = await register(send, 'author');
  tokens.author = author.jwt;
  tokens.other = (await register(send, 'other')).jwt;
  const tag = await documentOf(full.create('/api/tags', { name: 'Red' }));
  content = { title: 'One', secret: 'x', pin: 'secret', rank: 1, author: author.user.id, tags: [tag.documentId] };
});

beforeEach(reset);

type Kind = (typeof KINDS)[number];
const pathOf = (kind: Kind): string => (kind === 'page' ? `/api/pages/${page}` : '/api/home');

/** What differs between the two although they are equal. */
const masked = (text: string): string =>
  text
    .replaceAll(/[a-z0-9]{24}/g, 'ID')
    // A schedule of a single type needs none.
    .replaceAll('"documentId":null', '"documentId":"ID"')
    .replaceAll(/"id":\d+/g, '"id":0')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/api::(page|home)\.(page|home)|\/api\/(pages\/ID|home)/g, 'TYPE');

interface Sent {
  readonly method: string;
  /** Behind the path of the document. */
  readonly rest?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function answer(
  kind: Kind,
  caller: string,
  { method, rest = '', body, headers }: Sent,
  through: Send,
): Promise<string> {
  const authorization = tokens[caller];
  const response = await through(pathOf(kind) + rest, {
    method,
    headers: {
      ...headers,
      'content-type': 'application/json',
      ...(authorization && { authorization: `Bearer ${authorization}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return `${response.status} ${masked(await response.text())}`;
}

/** Sends the request as one of a batch. */
const batched: Send = (path, init) =>
  send('/api/batch', {
    method: 'POST',
    headers: init?.headers ?? {},
    body: JSON.stringify({
      requests: [{ method: init?.method, path, ...(init?.body ? { body: JSON.parse(String(init.body)) } : {}) }],
    }),
  });

const rowsOf = async (kind: Kind) =>
  (
    await env.DB.prepare(
      `select locale, published_at is null as draft, title, rank from ${kind}s order by locale, draft`,
    ).all()
  ).results;

/** @returns the statuses by caller */
async function expectAlike(sent: Sent, through: Send = send): Promise<Readonly<Record<string, number>>> {
  const statuses: Record<string, number> = {};
  for (const caller of Object.keys(tokens)) {
    const ofPage = await answer('page', caller, sent, through);
    expect([caller, await answer('home', caller, sent, through)]).toEqual([caller, ofPage]);
    statuses[caller] = Number(ofPage.slice(0, 3));
    expect(await rowsOf('home')).toEqual(await rowsOf('page'));
    if (sent.method === 'DELETE' && ofPage.startsWith('20')) await reset();
  }
  return statuses;
}

const BODY = { data: { title: 'Two' } };
const QUERIES = [
  'where[secret]=x',
  'filters[tags][name]=Red',
  'sort=__proto__',
  'populate[tags][filters][nothing]=x',
  'populate=*',
  'status=draft',
  'locale=fr',
];

const REJECTED = new Set(['where[secret]=x', 'sort=__proto__', 'populate[tags][filters][nothing]=x']);

describe.each(QUERIES)('with the query %s', (query) => {
  const rest = `?${query}`;

  it('a single type is read and written with the responses of a document', async () => {
    const statuses = [await expectAlike({ method: 'GET', rest })];
    for (const through of oneIn(2, [send, batched], QUERIES.indexOf(query)))
      statuses.push(
        await expectAlike({ method: 'PUT', rest, body: BODY }, through),
        await expectAlike({ method: 'DELETE', rest }, through),
      );
    if (!REJECTED.has(query)) expect(statuses[0]?.full).toBe(query === 'locale=fr' ? 404 : 200);
    if (REJECTED.has(query)) expect(new Set(statuses.map(({ full }) => full))).toEqual(new Set([400]));
    for (const action of ['discard-draft', 'publish'])
      await expectAlike({ method: 'POST', rest: `/actions/${action}${rest}`, body: {} });
  });
});

describe('a single type', () => {
  let written = 0;

  it.each<readonly [string, object, Readonly<Record<string, number>>]>([
    ['a private attribute', { secret: 'y' }, { full: 200, public: 403, author: 400, other: 400 }],
    [
      'an attribute that the grant does not list',
      { seo: { label: 'y' } },
      { full: 200, public: 403, author: 400, other: 400 },
    ],
    ['an unknown attribute', { nothing: 1 }, { full: 400, public: 403, author: 400, other: 400 }],
    [
      'a private attribute of a component that is unknown',
      { seo: { nothing: 1 } },
      { full: 400, public: 403, author: 400, other: 400 },
    ],
    ['a value that the grant does not allow', { rank: 10 }, { full: 200, public: 403, author: 400, other: 403 }],
    ['a value of the wrong type', { title: {} }, { full: 400, public: 403, author: 400, other: 403 }],
    ['what the grant allows', { title: 'Two', rank: 2 }, { full: 200, public: 403, author: 200, other: 403 }],
  ])('is written with %s as a document is', async (_, data, statuses) => {
    written += 1;
    for (const through of oneIn(2, [send, batched], written)) {
      await reset();
      expect(await expectAlike({ method: 'PUT', body: { data } }, through)).toEqual(statuses);
    }
  });

  it.each([
    ['"stale"', [412, 412, 412]],
    ['*', [200, 200, 204]],
    ['malformed', [400, 400, 400]],
  ] as const)('compares If-Match: %s as a document does, and a schedule too', async (tag, expected) => {
    const headers = { 'if-match': tag };
    const statuses = [
      await expectAlike({ method: 'PUT', body: BODY, headers }),
      await expectAlike({ method: 'POST', rest: '/actions/publish', body: {}, headers }),
      await expectAlike({ method: 'DELETE', headers }),
    ];
    expect(statuses.map(({ full: status }) => status)).toEqual(expected);
  });

  it('is scheduled, listed and cancelled by those who may publish it', async () => {
    const at = (time: string) => ({ method: 'POST', rest: '/actions/publish', body: { data: { at: time } } });
    expect(await expectAlike(at('2999-01-01T00:00:00Z'))).toEqual({ full: 200, public: 403, author: 200, other: 403 });
    await expectAlike(at('2001-01-01T00:00:00Z'));
    await expectAlike({ ...at('2999-01-01T00:00:00Z'), body: { data: { at: 1, nothing: 2 } } });
  });

  it('is missing as a document is', async () => {
    await full.remove(`/api/pages/${page}?locale=*`);
    await full.remove('/api/home?locale=*');
    for (const rest of ['', '?status=draft', '?locale=fr', '?populate=*'])
      expect(await expectAlike({ method: 'GET', rest })).toMatchObject({ full: 404 });
    for (const action of ['publish', 'unpublish', 'discard-draft'])
      expect(await expectAlike({ method: 'POST', rest: `/actions/${action}`, body: {} })).toMatchObject({ full: 404 });
    expect(await answer('home', 'author', { method: 'PUT', body: BODY }, send)).toMatch(/^404 /);
  });

  it('takes no other method and no path below its own', async () => {
    for (const [method, path] of [
      ['POST', '/api/home'],
      ['PATCH', '/api/home'],
      ['PUT', '/api/home/1'],
      ['DELETE', `/api/home/${page}`],
      ['POST', `/api/home/${page}/actions/publish`],
    ] as const) {
      const headers = { authorization: 'Bearer full', 'content-type': 'application/json' };
      expect([method, path, (await send(path, { method, headers, body: '{"data":{}}' })).status]).toEqual([
        method,
        path,
        405,
      ]);
    }
  });
});
