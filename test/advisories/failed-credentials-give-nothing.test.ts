/**
 * @module Class 4 of the advisories of 2026: a failed credential gives nothing, not even what the public role has: it is a
 * 401 on every surface, before any other error, and reads no row of content. Directus 126539 (a websocket that fails open).
 */
import { env } from 'cloudflare:workers';
import { sign } from 'hono/jwt';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf } from '../support/client.ts';
import { countedDatabase } from '../support/counted-database.ts';
import { legibleDatabase, legibleSession } from '../support/legible-session.ts';
import { bearer, createToken, sendJson, serve } from '../support/recorded.ts';
import { oneIn } from '../support/tier.ts';
import { forge, JWT_SECRET, refusalOf, register } from '../support/users.ts';
import { ask, CONTENT_READS, CREATE, expectNoChange, SURFACES, serveAll } from './surfaces.ts';
import { asUser, createWorld, send, world } from './world.ts';

const now = Math.floor(Date.now() / 1000);

const unsigned = (header: object, claims: object, signature = '') =>
  [JSON.stringify(header), JSON.stringify(claims)].map((part) => btoa(part).replaceAll('=', '')).join('.') +
  `.${signature}`;

const CONTENT = /"(articles|authors|tags|categories|comments|issues|homepage|files)"/;
const BROKEN = 'D1_ERROR: malformed JSON: SQLITE_ERROR';

const roles = { authenticated: ['api::tag.tag.find', 'api::tag.tag.create'] };
let article = '';

beforeAll(async () => {
  await createWorld();
  await createToken('expired', 'full-access');
  await env.DB.prepare(`update "strapi_api_tokens" set "expires_at" = 1 where "name" = 'expired'`).run();
  const client = clientOf(serve(), 'full');
  for (let index = 0; index < 20; index += 1) {
    const tag = await documentOf(client.create('/api/tags', { name: `tag ${index}` }));
    const data = { title: `title ${index}`, tags: [tag.documentId], seo: { metaTitle: 'a' } };
    article = (await documentOf(client.create('/api/articles', data))).documentId;
  }
});

/** Rows of a credential: one of them has the stamps, too, and the credential guards the total of a list. */
function rowsOfCredential(sql: string, rows: number): number {
  if (!sql.includes('"edgewise_stamps"')) return rows;
  return Math.max(0, Math.ceil((rows - 1) / (sql.includes('"edgewise_counters"') ? 2 : 1)));
}

const PAGE = 'select *, null as "$beside" from (';
const BESIDE = ') union all select null, ';

/** A database that reports how many rows each statement has read, by part if one is about content and more. */
function weighedDatabase() {
  const read: (readonly [sql: string, rows: number])[] = [];
  const weigh = async (sql: string, values: readonly unknown[], all: number): Promise<void> => {
    if (!sql.startsWith(PAGE)) return void read.push([sql, all]);
    const page = sql.slice(PAGE.length, sql.lastIndexOf(BESIDE));
    const beside = sql.slice(sql.lastIndexOf(BESIDE) + BESIDE.length);
    const own = values.slice(0, values.length - beside.split('?').length + 1);
    const { meta } = await env.DB.prepare(page)
      .bind(...own)
      .all();
    read.push([page, meta.rows_read], [beside, all - meta.rows_read]);
  };
  const weighed = (session: D1DatabaseSession) =>
    legibleSession(session, async (statements, texts, values) => {
      const results = await session.batch(statements);
      for (const [place, sql] of texts.entries())
        await weigh(sql, values[place] ?? [], results[place]?.meta.rows_read ?? 0);
      return results;
    });
  return { read, database: legibleDatabase((constraint) => weighed(env.DB.withSession(constraint))) };
}

/** Counts the rows of content that a request has read, without those of the credential that guard each statement. */
async function readBy(init: RequestInit, path: string, settings = {}) {
  const { read, database } = weighedDatabase();
  const response = await serve(settings, { DB: database })(path, init);
  const others = read.filter(([sql]) => !CONTENT.test(sql));
  const guard = Math.max(0, ...others.map(([sql, rows]) => rowsOfCredential(sql, rows)));
  const content = read.filter(([sql]) => CONTENT.test(sql)).map(([, rows]) => Math.max(0, rows - guard));
  const rows = content.reduce((sum, count) => sum + count, 0);
  return { status: response.status, statements: content.length, rows };
}

/** A database in which every statement about content fails. */
const brokenContent = (): D1Database =>
  legibleDatabase((constraint) => {
    const session = env.DB.withSession(constraint);
    return legibleSession(session, (statements, texts) =>
      texts.some((sql) => CONTENT.test(sql)) ? Promise.reject(new Error(BROKEN)) : session.batch(statements),
    );
  });

const READS = () => [
  '/api/articles',
  `/api/articles/${article}?populate=*`,
  '/api/articles?status=draft&filters[title][$startsWith]=t&sort=seo.metaTitle',
  '/api/articles?filters[tags][name][$contains]=1&populate[tags][populate][articles]=true',
  '/api/articles?_q=title&pagination[pageSize]=100&locale=*',
  '/api/homepage?populate=*',
  '/api/upload/files?populate=related',
];

/** Credentials that fail, by what is wrong with them. */
const failed: readonly (readonly [what: string, token: () => string | Promise<string>])[] = [
  ['an unknown token', () => 'nobody'],
  ['an expired token', () => 'expired'],
  ['a JWT with another secret', () => forge({ id: world.victim, iat: now, exp: now + 600 }, 'another secret')],
  ['an expired JWT', () => forge({ id: world.victim, iat: now - 600, exp: now - 1 })],
  ['a JWT of no user', () => forge({ id: 987_654, iat: now, exp: now + 600 })],
  ['a malformed JWT', () => 'a.b.c'],
];

describe.each(failed)('%s', (what, token) => {
  const place = failed.findIndex(([name]) => name === what);
  const all = serveAll({ roles: { public: ['*'] } });

  it('is a 401 on every surface, although the public role may do everything there', async () => {
    const headers = { authorization: `Bearer ${await token()}` };
    await expectNoChange(async () => {
      for (const surface of oneIn(3, SURFACES, place)) {
        expect([surface.name, (await ask(all, surface, headers)).status]).toEqual([surface.name, 401]);
        if (surface.method === 'GET')
          expect((await ask(all, { ...surface, method: 'HEAD' }, headers)).status).toBe(401);
      }
      expect((await all('/api/nothing', { headers })).status).toBe(404);
      for (const path of ['/api/auth/local', '/api/auth/local/register', '/api/auth/forgot-password'])
        expect([path, (await all(path, { ...sendJson('POST', '', {}), headers })).status]).toEqual([path, 401]);
    });
  });

  it('is a 401 for a caller that holds the response, or that repeats a request with its key', async () => {
    const authorization = `Bearer ${await token()}`;
    for (const surface of oneIn(3, CONTENT_READS, place)) {
      const etag = (await ask(all, surface)).headers.get('etag') ?? '';
      for (const held of [etag, '*'])
        expect((await ask(all, surface, { authorization, 'if-none-match': held })).status).toBe(401);
    }
    const keyed = { 'idempotency-key': 'once' };
    expect((await ask(all, CREATE, { authorization: 'Bearer full', ...keyed })).status).toBe(200);
    expect((await ask(all, CREATE, { authorization, ...keyed })).status).toBe(401);
  });
});

describe('an unknown token', () => {
  it('reads no row of content for any read', async () => {
    for (const path of READS()) {
      const { status, rows, statements } = await readBy(bearer('made-up'), path);
      expect({ path, status, rows }).toEqual({ path, status: 401, rows: 0 });
      expect(statements).toBeGreaterThan(0);
    }
  });

  it('reads no row of content for a write', async () => {
    const data = { title: 'x', tags: { connect: [article] }, author: article };
    for (const [method, path] of [
      ['POST', '/api/articles'],
      ['PUT', `/api/articles/${article}`],
      ['DELETE', `/api/articles/${article}?filters[title][$contains]=t`],
    ] as const)
      expect(await readBy(sendJson(method, 'made-up', { data }), path)).toMatchObject({ status: 401, rows: 0 });
  });

  it('is a 401 before any error of the database', async () => {
    const send = serve({}, { DB: brokenContent() });
    for (const path of READS()) expect((await send(path, bearer('made-up'))).status, path).toBe(401);
    expect((await send('/api/articles', sendJson('POST', 'made-up', { data: { tags: [article] } }))).status).toBe(401);
  });

  it('is a 401 before any error of the query string and the body', async () => {
    const send = serve();
    expect((await send('/api/articles?nope=1', bearer('made-up'))).status).toBe(401);
    expect((await send('/api/comments', sendJson('POST', 'made-up', { data: { text: 5, nope: 1 } }))).status).toBe(401);
    expect((await send('/api/comments', sendJson('POST', 'made-up', []))).status).toBe(401);
  });
});

describe('a revoked token', () => {
  it('reads no row of content, although the isolate has cached it', async () => {
    await createToken('revoked', 'full-access');
    const remembering = await readBy(bearer('revoked'), '/api/articles');
    expect(remembering.rows).toBeGreaterThan(0);
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'revoked'`).run();
    expect(await readBy(bearer('revoked'), '/api/articles?populate=*')).toMatchObject({ status: 401, rows: 0 });
  });
});

describe('a token with few permissions', () => {
  it('reads no row that it may not read, not even before it is cached', async () => {
    await createToken('narrow', 'custom', ['api::tag.tag.find']);
    expect(await readBy(bearer('narrow'), '/api/articles?populate=*')).toMatchObject({ status: 403, rows: 0 });
    expect((await readBy(bearer('narrow'), '/api/tags')).status).toBe(200);
  });

  it('is a 403 before any error of the database', async () => {
    await createToken('narrower', 'custom', ['api::tag.tag.find']);
    const send = serve({}, { DB: brokenContent() });
    expect((await send('/api/articles?populate=*', bearer('narrower'))).status).toBe(403);
  });
});

describe('a blocked user', () => {
  it('reads no row of content', async () => {
    const { jwt, user } = await register(serve({ roles }), 'blocked');
    expect((await readBy(bearer(jwt), '/api/tags', { roles })).rows).toBeGreaterThan(0);
    await env.DB.prepare('update up_users set blocked = 1 where id = ?').bind(user.id).run();
    expect(await readBy(bearer(jwt), '/api/tags?populate=*', { roles })).toMatchObject({ status: 401, rows: 0 });
  });

  it('reads no row of content either if it is the role that is gone', async () => {
    const { jwt, user } = await register(serve({ roles }), 'moved');
    await env.DB.prepare(
      'delete from up_users_role_lnk where source_document_id = (select document_id from up_users where id = ?)',
    )
      .bind(user.id)
      .run();
    expect(await readBy(bearer(jwt), '/api/tags', { roles })).toMatchObject({ status: 401, rows: 0 });
  });
});

describe('a caller with the permission', () => {
  it('gets an error of the database', async () => {
    const send = serve({}, { DB: brokenContent() });
    expect((await send('/api/articles', bearer('full'))).status).toBe(500);
  });

  it.each(['full-access', 'read-only', 'custom'])(
    'reads in one round trip before it is cached, with a token of the type %s',
    async (type) => {
      await createToken(`first-${type}`, type, type === 'custom' ? ['api::tag.tag.find'] : null);
      const counted = countedDatabase(env.DB);
      const response = await serve({}, { DB: counted.database })('/api/tags', bearer(`first-${type}`));
      expect(response.status).toBe(200);
      expect(counted.answering()).toHaveLength(1);
    },
  );
});

describe('the total of a list', () => {
  const rowsReadBy = async (token: string, settings = {}): Promise<number> => {
    const counted = countedDatabase(env.DB);
    await serve(settings, { DB: counted.database })('/api/articles', bearer(token));
    return [...counted.rowsRead].reduce((sum, [, rows]) => sum + rows, 0);
  };
  const firstReadBy = async (name: string, permission: string): Promise<number> => {
    await createToken(name, 'custom', [permission]);
    return rowsReadBy(name);
  };

  it('is not read, nor any other row, for a token that does not exist', async () => {
    await createToken('gone', 'full-access');
    expect(await rowsReadBy('gone')).toBeGreaterThan(0);
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'gone'`).run();
    expect(await rowsReadBy('gone')).toBe(0);
    expect(await rowsReadBy('made-up')).toBe(0);
  });

  it('is read only for callers who may see it', async () => {
    const readers = { roles: { authenticated: ['api::article.article.find'] } };
    const { jwt, user } = await register(serve(readers), 'blocked-reader');
    await rowsReadBy(jwt, readers);
    await env.DB.prepare('update up_users set blocked = 1 where id = ?').bind(user.id).run();
    const blocked = await rowsReadBy(jwt, readers);
    const reader = await firstReadBy('total-reader', 'api::article.article.find');
    const stranger = await firstReadBy('total-stranger', 'api::tag.tag.find');
    await env.DB.prepare('delete from edgewise_counters').run();
    expect(await firstReadBy('total-reader-2', 'api::article.article.find')).toBeLessThan(reader);
    expect(await firstReadBy('total-stranger-2', 'api::tag.tag.find')).toBe(stranger);
    expect(await rowsReadBy(jwt, readers)).toBe(blocked);
  });
});

describe('a forged JWT', () => {
  const claims = () => ({ id: world.victim, iat: now, exp: now + 600 });

  /** CVE-2023-22893, GHSA-583x-23h9-f5w7; GHSA-6hwx-8w6v-r7rx; hono CVE-2025-62610 */
  it.each<[string, () => string | Promise<string>]>([
    ['without a signature', () => unsigned({ alg: 'none', typ: 'JWT' }, claims())],
    ['without a signature, in capitals', () => unsigned({ alg: 'NONE', typ: 'JWT' }, claims(), 'x')],
    ['without an algorithm', () => unsigned({ typ: 'JWT' }, claims(), 'x')],
    [
      'with the signature of another token',
      async () => {
        const [, , signature] = (await forge({ id: 1, iat: now, exp: now + 600 })).split('.');
        return unsigned({ alg: 'HS256', typ: 'JWT' }, { ...claims(), exp: now + 601 }, signature);
      },
    ],
    ['with a longer hash of the right secret', () => sign(claims(), JWT_SECRET, 'HS512')],
    [
      'that calls its HMAC an RSA signature',
      async () => {
        const [, body = '', signature = ''] = (await forge(claims())).split('.');
        return `${btoa('{"alg":"RS256","typ":"JWT"}').replaceAll('=', '')}.${body}.${signature}`;
      },
    ],
    ['with an empty secret', () => forge(claims(), 'undefined')],
    [
      'of another service',
      () => forge({ ...claims(), aud: 'edgewise', iss: 'edgewise' }, 'the secret of another service'),
    ],
    ['for another audience, with the right secret', () => forge({ ...claims(), aud: 'elsewhere' })],
    ['for many audiences', () => forge({ ...claims(), aud: ['elsewhere', 'edgewise'] })],
    ['that has expired', () => forge({ ...claims(), exp: now - 1 })],
    ['that is not valid yet', () => forge({ ...claims(), nbf: now + 300 })],
    ['that never expires', () => forge({ id: world.victim, iat: now })],
    ['whose id is a text', () => forge({ ...claims(), id: String(world.victim) })],
    ['whose id is a list', () => forge({ ...claims(), id: [world.victim] })],
    ['for a user by documentId', () => forge({ ...claims(), id: undefined, documentId: 'user' })],
  ])('is a 401: one %s', async (_, token) => {
    const response = await send('/api/users/me', bearer(await token()));
    expect(await refusalOf(response)).toBe('401 UnauthorizedError: Missing or invalid credentials');
  });
});

/** hono CVE-2026-47673 */
it.each(['Basic', 'Token', 'Digest', 'ApiKey', 'JWT', 'BearerX', 'X-Bearer'])(
  'a token with the scheme %s has the rights of the public role alone',
  async (scheme) => {
    for (const token of ['full', world.jwt])
      expect((await send('/api/comments', { headers: { authorization: `${scheme} ${token}` } })).status).toBe(403);
  },
);

/** Directus CVE-2024-47822 */
it('a token in the query string has the rights of the public role alone', async () => {
  const strict = await send('/api/articles?access_token=full');
  expect(strict.status).toBe(400);
  for (const search of ['access_token=full', 'token=full', `jwt=${world.jwt}`, 'authorization=Bearer full'])
    expect((await send(`/api/comments?${search}`)).status).toBe(403);
  expect((await send('/api/users?fields=username', asUser())).status).toBe(200);
});
