/**
 * @module Attacks that hand the server something to run: SQL, patterns, prototypes, addresses to fetch.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { errorOf, totalOf } from '../support/client.ts';
import { bearer, sendJson } from '../support/recorded.ts';
import { createWorld, owner, SECRET, send, world } from './world.ts';

beforeAll(createWorld);

const SQL = [
  `' or '1'='1`,
  `" or ""="`,
  `a') or 1=1 --`,
  `a'; delete from articles; --`,
  `a' union select password from up_users --`,
  `\\' or 1=1 --`,
  `$') or 1=1 --`,
  `?1`,
  `a"] = 1 or json_extract(`,
  `$.a') or 1=1 --`,
];

const countOf = async (table: string): Promise<unknown> =>
  (await env.DB.prepare(`select count(*) as "count" from "${table}"`).first<{ count: number }>())?.count;

/** Payload CVE-2026-25544, CVE-2026-34747; SonicJS and EmDash are known for none, but are of the same make */
describe('writing SQL', () => {
  it.each(SQL)('into an operand: %s', async (sql) => {
    const before = await countOf('articles');
    const value = encodeURIComponent(sql);
    for (const search of [
      `filters[title][$eq]=${value}`,
      `filters[title][$contains]=${value}`,
      `filters[extra][$eq]=${value}`,
      `filters[extra][$contains]=${value}`,
      `filters[content][$contains]=${value}`,
      `filters[title][$in][0]=${value}&filters[title][$in][1]=${value}`,
      `filters[seo][metaTitle][$startsWith]=${value}`,
      `filters[author][name]=${value}`,
      `_q=${value}`,
    ])
      expect([search, await totalOf(owner.get(`/api/articles?${search}`))]).toEqual([search, 0]);
    for (const search of [
      `locale=${value}`,
      `filters[editorRank]=${value}`,
      `filters[rating][$gt]=${value}`,
      `sort=${value}`,
    ])
      expect([search, (await owner.get(`/api/articles?${search}`)).status]).toEqual([search, 400]);
    expect((await owner.get(`/api/articles/${value}`)).status).toBe(404);
    expect(await countOf('articles')).toBe(before);
  });

  it.each(SQL)('into a key, below JSON too: %s', async (sql) => {
    const key = encodeURIComponent(sql);
    for (const search of [
      `filters[${key}]=1`,
      `filters[extra][${key}]=1`,
      `filters[extra][a][${key}][$eq]=1`,
      `filters[content][0][${key}]=1`,
      `filters[seo][${key}]=1`,
      `sort[extra][${key}]=asc`,
      `sort[${key}]=asc`,
      `fields=${key}`,
      `populate[${key}]=true`,
      `populate[sections][on][${key}]=true`,
    ]) {
      const { status, message } = await errorOf(owner.get(`/api/articles?${search}`));
      expect([search, status]).toEqual([search, 400]);
      expect(message).not.toMatch(/SQLITE|syntax error|near "|no such column/);
    }
  });

  it('into JSON attributes and keys of bodies, which store it as it is', async () => {
    for (const sql of SQL) {
      const created = await owner.create('/api/articles?fields=extra', { title: 'Stored', extra: { [sql]: sql } });
      const { data } = (await created.json()) as { data: { extra: unknown } };
      expect(data.extra).toEqual({ [sql]: sql });
      expect((await errorOf(owner.create('/api/articles', { [sql]: 1 }))).message).toContain('Invalid key');
    }
  });

  /** Payload CVE-2026-34747 by relations and ids */
  it('into a relation, an id of a component, a locale or a bookmark', async () => {
    const users = await countOf('up_users');
    for (const sql of SQL) {
      const bodies = [
        { author: sql },
        { author: { documentId: sql } },
        { tags: [{ id: sql }] },
        { seo: { id: sql, metaTitle: 'a' } },
      ];
      for (const body of bodies)
        expect([body, (await owner.update(`/api/articles/${world.article}`, body)).status]).toEqual([body, 400]);
      const bookmark = sql.replaceAll(/[^\x20-\x7e]/g, '');
      const marked = await send('/api/articles', {
        headers: { authorization: 'Bearer full', 'x-d1-bookmark': bookmark },
      });
      expect(marked.status).toBe(200);
    }
    expect(await countOf('up_users')).toBe(users);
  });
});

/** CVE-2026-22599, GHSA-3xcq-8mjw-h6mx */
describe('passing a raw expression for a value', () => {
  it.each([[['x', { isRaw: true }]], [{ isRaw: true, value: 'x' }], [{ sql: 'x' }], [{ $raw: 'x' }], [[['x']]]])(
    '%j',
    async (value) => {
      for (const name of ['title', 'subtitle', 'readingTime', 'tone', 'publishDate', 'views', 'code', 'accessCode']) {
        const answer = await owner.create('/api/articles', { title: 'Raw', [name]: value });
        expect([name, answer.status]).toEqual([name, 400]);
      }
    },
  );
});

/** GHSA-gqhx-cxhv-fj3c, unconfirmed */
it.each(['%', '_', '%%', 'An%', '_n article', '*', 'An*', '[A]n', '\\%', '.*', '^An', 'An article\\'])(
  'matching everything by the pattern %s',
  async (pattern) => {
    const value = encodeURIComponent(pattern);
    for (const operator of [
      '$contains',
      '$containsi',
      '$startsWith',
      '$startsWithi',
      '$endsWith',
      '$endsWithi',
      '$eqi',
    ])
      expect([operator, await totalOf(owner.get(`/api/articles?filters[title][${operator}]=${value}`))]).toEqual([
        operator,
        0,
      ]);
    expect(await totalOf(owner.get(`/api/articles?_q=${value}`))).toBe(0);
  },
);

/** Directus CVE-2024-39701 */
it('matching everything by a list that is empty', async () => {
  for (const operator of ['$in', '$eq', '$between'])
    for (const list of ['=', '[]=', '[0]=', '[]', '[0]', '']) {
      const response = await owner.get(`/api/articles?filters[title][${operator}]${list}`);
      const { data } = (await response.json()) as { data: unknown[] | null };
      expect([operator, list, data?.length ?? 0]).toEqual([operator, list, 0]);
    }
});

/** qs CVE-2022-24999 */
describe('reaching the prototype of objects', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

  /** The key that is refused: the parser drops names of objects, or the planner knows no such attribute. */
  async function refusedKey(search: string): Promise<unknown> {
    const response = await owner.get(`/api/articles?${search}`);
    if (response.status === 200) return undefined;
    const { status, details = {} } = await errorOf(Promise.resolve(response));
    return status === 400 ? (details.key ?? details.param) : status;
  }

  it.each(names)('by %s in a query', async (name) => {
    for (const search of [
      `${name}[status]=draft`,
      `filters[${name}][title]=x`,
      `filters[title][${name}]=x`,
      `filters[title][${name}][$eq]=x`,
      `populate[${name}][populate]=*`,
      `pagination[${name}][pageSize]=1000`,
      `a[${name}][polluted]=1`,
    ])
      expect([search, await refusedKey(search)]).toSatisfy(([, key]) => [undefined, name, 'a'].includes(key as string));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).title).toBeUndefined();
  });

  it.each(names)('by %s in a body', async (name) => {
    const text = `{"data":{"title":"Polluting","extra":{"${name}":{"polluted":1}},"${name}":{"polluted":1}}}`;
    const json = await send('/api/articles', { ...sendJson('POST', 'full', {}), body: text });
    expect(json.status).toBe(400);
    const headers = { authorization: 'Bearer full', 'content-type': 'application/x-www-form-urlencoded' };
    const form = await send('/api/articles', {
      method: 'POST',
      headers,
      body: `data[title]=Polluting&data[${name}][polluted]=1`,
    });
    // The parser drops keys that every object has.
    expect([name, form.status]).toEqual([name, name === 'prototype' ? 400 : 200]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('by names of content types and actions', async () => {
    for (const name of names) {
      for (const path of [`/api/${name}`, `/api/${name}/${name}`, `/api/articles/${name}`])
        expect([path, (await send(path, bearer('full'))).status]).toEqual([path, 404]);
      expect([name, (await send(`/api/users/${name}`, bearer('full'))).status]).toEqual([name, 204]);
    }
  });
});

/**
 * CVE-2024-52588, GHSA-v8wj-f5c7-pvxf; CVE-2024-37818, GHSA-p9ff-j98v-p435; GHSA-gjcc-5c3q-6vj4; Directus
 * CVE-2024-46990, CVE-2024-39699, CVE-2026-35409, CVE-2026-61835; Payload CVE-2026-27567, CVE-2026-34746
 */
it('making the server fetch an address', async () => {
  const fetched = vi.spyOn(globalThis, 'fetch');
  for (const url of [
    'http://169.254.169.254/',
    'http://[::ffff:127.0.0.1]/',
    'http://0.0.0.0/',
    'https://evil.example/a.png',
  ]) {
    await owner.create('/api/articles', {
      title: 'Fetch',
      cover: url,
      extra: { url },
      body: `![](${url})`,
      contactEmail: url,
    });
    await owner.create('/api/articles', { title: 'Fetch', cover: { url }, links: [{ label: 'a', href: url }] });
    for (const path of ['upload', 'upload/import', 'webhooks', 'connect/github', 'files/import'])
      await send(`/api/${path}?url=${encodeURIComponent(url)}`, sendJson('POST', 'full', { url, file: url }));
    await send('/api/auth/forgot-password', sendJson('POST', '', { email: 'victim@example.com', url, callback: url }));
  }
  expect(fetched).not.toHaveBeenCalled();
  fetched.mockRestore();
});

/** hono CVE-2026-47676 */
it('walking around a refusal by another spelling of the path', async () => {
  const spellings: readonly (readonly [string, number])[] = [
    ['/api/%63omments', 404],
    ['/api/%43OMMENTS', 404],
    ['/%61pi/comments', 404],
    ['/API/Comments/', 403],
    ['/api/./comments', 403],
    ['/api/articles/../comments', 403],
    [`/api/comments/${world.comment}`, 403],
    [`/api/%63omments/${world.comment}/`, 404],
    ['/api/%75sers', 404],
    ['/api/%75sers/1', 404],
    ['//api/comments', 400],
    ['/api//comments', 404],
    ['/api/comments%2f', 404],
    ['/api/comments%00', 400],
    ['/api/comments;a', 404],
    ['/api\\comments', 403],
  ];
  expect(await Promise.all(spellings.map(async ([path]) => [path, (await send(path)).status]))).toEqual(spellings);
});

describe('reading the inside of the server in what goes wrong', () => {
  it('of SQL, of stacks, or of what was bound', async () => {
    const broken = {
      withSession: () => ({
        prepare: () => {
          throw new Error(`malformed row of up_users ${SECRET}`);
        },
        getBookmark: () => null,
      }),
    };
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { serve } = await import('../support/recorded.ts');
    const response = await serve({}, { DB: broken as never })(
      '/api/articles?filters[title]=asked',
      bearer('kingfisher'),
    );
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      data: null,
      error: { status: 500, name: 'InternalServerError', message: 'Internal Server Error' },
    });
    /** Directus CVE-2024-47822 */
    const logged = JSON.stringify(log.mock.calls);
    expect(log).toHaveBeenCalledTimes(1);
    expect(logged).not.toMatch(/Bearer|kingfisher|asked/);
    log.mockRestore();
  });
});
