/**
 * @module Class 9 of the advisories of 2026: no name and no value of a request becomes a part of SQL or of a pattern. Strapi
 * CVE-2026-22599, GHSA-3xcq-8mjw-h6mx; Payload 105845, 105856, 63316 (JSON paths, `in` and `not_in`).
 */
import { env } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import { beforeAll, describe, expect, it } from 'vitest';
import { sha256 } from '../../src/common/digest.ts';
import { errorOf, totalOf } from '../support/client.ts';
import { bearer, sendJson } from '../support/recorded.ts';
import { contentType, registryOf } from '../support/schema-files.ts';
import { oneIn } from '../support/tier.ts';
import { formOf, postForm, refusal, TEXT } from '../support/uploads.ts';
import { expectNoChange, serveAll } from './surfaces.ts';
import { createWorld, owner, send, world } from './world.ts';

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

/** In the short tier, each SQL text is sent to one in three places, others for each. */
const placesOf = <T>(sql: string, places: readonly T[]): readonly T[] => oneIn(3, places, SQL.indexOf(sql));

const countOf = (table: string): Promise<unknown> =>
  env.DB.prepare(`select count(*) from "${table}"`).first('count(*)');

/** Payload CVE-2026-25544, CVE-2026-34747 */
describe('SQL', () => {
  it.each(SQL)('matches nothing as an operand: %s', async (sql) => {
    const before = await countOf('articles');
    const value = encodeURIComponent(sql);
    for (const search of placesOf(sql, [
      `filters[title][$eq]=${value}`,
      `filters[title][$contains]=${value}`,
      `filters[extra][$eq]=${value}`,
      `filters[extra][$contains]=${value}`,
      `filters[content][$contains]=${value}`,
      `filters[title][$in][0]=${value}&filters[title][$in][1]=${value}`,
      `filters[seo][metaTitle][$startsWith]=${value}`,
      `filters[author][name]=${value}`,
      `_q=${value}`,
    ]))
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

  it.each(SQL)('is rejected as a key, also below a JSON attribute: %s', async (sql) => {
    const key = encodeURIComponent(sql);
    for (const search of placesOf(sql, [
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
    ])) {
      const { status, message } = await errorOf(owner.get(`/api/articles?${search}`));
      expect([search, status]).toEqual([search, 400]);
      expect(message).not.toMatch(/SQLITE|syntax error|near "|no such column/);
    }
  });

  it('is stored as it is in a JSON attribute, and rejected as a key of a body', async () => {
    for (const sql of SQL) {
      const created = await owner.create('/api/articles?fields=extra', { title: 'Stored', extra: { [sql]: sql } });
      const { data } = (await created.json()) as { data: { extra: unknown } };
      expect(data.extra).toEqual({ [sql]: sql });
      expect((await errorOf(owner.create('/api/articles', { [sql]: 1 }))).message).toContain('Invalid key');
    }
  });

  /** Payload CVE-2026-34747 by relations and ids */
  it('is rejected as a target of a relation and as the id of a component, and ignored as a bookmark', async () => {
    const users = await countOf('up_users');
    for (const sql of SQL) {
      const bodies = [
        { author: sql },
        { author: { documentId: sql } },
        { tags: [{ id: sql }] },
        { seo: { id: sql, metaTitle: 'a' } },
      ];
      for (const body of placesOf(sql, bodies))
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

describe('an object that a query builder would take for a raw expression', () => {
  it.each([[['x', { isRaw: true }]], [{ isRaw: true, value: 'x' }], [{ sql: 'x' }], [{ $raw: 'x' }], [[['x']]]])(
    'is rejected as the value of an attribute: %j',
    async (value) => {
      for (const name of ['title', 'subtitle', 'readingTime', 'tone', 'publishDate', 'views', 'code', 'accessCode']) {
        const answer = await owner.create('/api/articles', { title: 'Raw', [name]: value });
        expect([name, answer.status]).toEqual([name, 400]);
      }
    },
  );
});

const PATTERN_OPERATORS = ['$contains', '$containsi', '$startsWith', '$startsWithi', '$endsWith', '$endsWithi', '$eqi'];

/** GHSA-gqhx-cxhv-fj3c, unconfirmed */
it.each(['%', '_', '%%', 'An%', '_n article', '*', 'An*', '[A]n', '\\%', '.*', '^An', 'An article\\'])(
  'takes the pattern %s literally in every operator and in a search',
  async (pattern) => {
    const value = encodeURIComponent(pattern);
    for (const operator of oneIn(2, PATTERN_OPERATORS, pattern.length))
      expect([operator, await totalOf(owner.get(`/api/articles?filters[title][${operator}]=${value}`))]).toEqual([
        operator,
        0,
      ]);
    expect(await totalOf(owner.get(`/api/articles?_q=${value}`))).toBe(0);
    expect(await totalOf(owner.get('/api/articles?filters[title][$startsWith]=An'))).toBeGreaterThan(0);
  },
);

/** Directus CVE-2024-39701 */
it.each([
  ['$in', 200],
  ['$eq', 200],
  ['$between', 400],
])('matches nothing by an empty list of operands of %s', async (operator, status) => {
  for (const list of ['=', '[]=', '[0]=', '[]', '[0]', '']) {
    const response = await owner.get(`/api/articles?filters[title][${operator}]${list}`);
    const { data } = (await response.json()) as { data: unknown[] | null };
    expect([list, response.status, data]).toEqual([list, status, status === 200 ? [] : null]);
  }
});

/** CVE-2023-34235, GHSA-9xg4-3qfm-9w8f; drizzle-orm CVE-2026-39356 */
describe('the name of a column in place of an attribute', () => {
  const keys = [
    't1.password',
    't0.internal_notes',
    'internal_notes',
    'articles.internal_notes',
    '`internal_notes`',
    '"internal_notes"',
    'internal_notes as title',
    ' internalNotes',
    'internalNotes ',
    'INTERNALNOTES',
    'author.secretNote',
    'title"; --',
    'reading_time',
    'created_at',
    'articles.title',
    'document_id',
    'rowid',
    '_rowid_',
    'overflow',
  ];

  it.each(keys)('is an unknown key in filters, fields, sort and populate: %s', async (key) => {
    const name = encodeURIComponent(key);
    for (const search of oneIn(
      3,
      [
        `filters[${name}][$startsWith]=kes`,
        `filters[updatedBy][${name}]=kes`,
        `filters[author][${name}][$contains]=kes`,
        `fields[0]=${name}`,
        `sort[${name}]=asc`,
        `sort=${name}`,
        `populate[${name}]=true`,
      ],
      keys.indexOf(key),
    )) {
      const { status, message } = await errorOf(owner.get(`/api/articles?${search}`));
      expect([search, status, message]).toEqual([search, 400, expect.stringMatching(/^Invalid key /)]);
    }
  });

  it('cannot be made by a schema file with quotes, blanks or dots in the name of an attribute', () => {
    for (const name of ['a"b', 'a`b', "a'b", 'a;b', 'a b', 'a.b', ''])
      expect(() => registryOf([contentType('thing', { [name]: { type: 'string' } })])).toThrow();
  });
});

describe('SQL in the other places of a request', () => {
  beforeAll(() => owner.create('/api/articles', { title: 'The next page' }));
  const all = serveAll();
  /** A cursor of the list by title, with another value in the place of the last title. */
  async function cursorBehind(title: string): Promise<string> {
    const page = await owner.get('/api/articles?sort=title&pagination[after]=&pagination[limit]=1');
    const { meta } = (await page.json()) as { meta: { pagination: { next: string } } };
    const [list = ''] = meta.pagination.next.split('.');
    const parts = JSON.parse(Buffer.from(list, 'base64url').toString()) as unknown[];
    const text = Buffer.from(JSON.stringify([...parts.slice(0, -1), [title, 0]])).toString('base64url');
    return `${text}.${sha256(text).slice(0, 12)}`;
  }

  it.each(SQL)('is rejected and stores nothing: %s', async (sql) => {
    const value = encodeURIComponent(sql);
    const reads: readonly (readonly [path: string, status: number])[] = [
      [`/api/articles?pagination[after]=${value}`, 400],
      [`/api/articles?sort=title&pagination[limit]=1&pagination[after]=${await cursorBehind(sql)}`, 200],
      [`/api/articles?pagination[pageSize]=${value}`, 200],
      [`/api/articles?publicationFilter=${value}`, 400],
      [`/api/users?filters[${value}]=x`, 400],
      [`/api/users?sort=${value}`, 400],
      [`/api/users/${value}`, 204],
      [`/api/upload/files?filters[${value}]=x`, 400],
      [`/api/upload/files/${value}`, 404],
      [`/api/content-type-builder/components/${value}`, 404],
      [`/own/find?p=${encodeURIComponent(JSON.stringify({ filters: { [sql]: 'x' } }))}`, 400],
      [`/own/find?p=${encodeURIComponent(JSON.stringify({ sort: sql }))}`, 400],
      [`/own/find?p=${encodeURIComponent(JSON.stringify({ locale: sql }))}`, 400],
    ];
    await expectNoChange(async () => {
      for (const [path, status] of placesOf(sql, reads)) {
        const response = await all(path, bearer('full'));
        expect([path, response.status]).toEqual([path, status]);
        expect(await response.text()).not.toMatch(/SQLITE|syntax error|near "|no such column/);
      }
      const requests = [{ method: 'DELETE', path: `/api/articles/${value}?filters[${value}]=x` }];
      expect((await all('/api/batch', sendJson('POST', 'full', { requests }))).status).toBe(400);
      expect((await all(`/api/scheduled/${value}`, { method: 'DELETE', ...bearer('full') })).status).toBe(404);
      const zone = { title: 'Mine', sections: [{ __component: sql, text: 'x' }] };
      expect((await owner.create('/api/articles', zone)).status).toBe(400);
      for (const name of ['ref', 'field', 'refId']) {
        const fields = { ref: 'api::article.article', refId: world.article, field: 'cover', [name]: sql };
        expect(await refusal(postForm(all, formOf([TEXT], fields)))).toContain(`Invalid ${name}`);
      }
    });
  });
});
