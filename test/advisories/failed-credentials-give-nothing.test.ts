/**
 * @module What a caller whose token is worth nothing, or no longer anything, can make the database do: look the token up.
 * Neither rows that are read, nor an error of the database, nor the order of answers tells anything of the content.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { clientOf, documentOf } from '../support/client.ts';
import { countedDatabase } from '../support/counted-database.ts';
import { legibleDatabase, legibleSession } from '../support/legible-session.ts';
import { bearer, createTables, createToken, sendJson, serve } from '../support/recorded.ts';
import { register } from '../support/users.ts';

const CONTENT = /"(articles|authors|tags|categories|comments|issues|homepage|files)"/;
const BROKEN = 'D1_ERROR: malformed JSON: SQLITE_ERROR';

const roles = { authenticated: ['api::tag.tag.find', 'api::tag.tag.create'] };
let article = '';

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
  const client = clientOf(serve(), 'full');
  for (let index = 0; index < 20; index += 1) {
    const tag = await documentOf(client.create('/api/tags', { name: `tag ${index}` }));
    const data = { title: `title ${index}`, tags: [tag.documentId], seo: { metaTitle: 'a' } };
    article = (await documentOf(client.create('/api/articles', data))).documentId;
  }
});

/** Rows of a credential: one row has its stamps besides, and where a total is asked for the credential guards that. */
function rowsOfCredential(sql: string, rows: number): number {
  if (!sql.includes('"edgewise_stamps"')) return rows;
  return Math.max(0, Math.ceil((rows - 1) / (sql.includes('"edgewise_counters"') ? 2 : 1)));
}

const PAGE = 'select *, null as "$beside" from (';
const BESIDE = ') union all select null, ';

/** A database that tells how many rows each statement has read, and of one about content and more, each part. */
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

/** How many rows of content a request has read, beside those of the credential that guard each statement. */
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

describe('a token that nobody made', () => {
  it('reads no row of content, whatever it asks for', async () => {
    for (const path of READS()) {
      const { status, rows, statements } = await readBy(bearer('made-up'), path);
      expect({ path, status, rows }).toEqual({ path, status: 401, rows: 0 });
      expect(statements).toBeGreaterThan(0);
    }
  });

  it('reads no row for a write either', async () => {
    const data = { title: 'x', tags: { connect: [article] }, author: article };
    for (const [method, path] of [
      ['POST', '/api/articles'],
      ['PUT', `/api/articles/${article}`],
      ['DELETE', `/api/articles/${article}?filters[title][$contains]=t`],
    ] as const)
      expect(await readBy(sendJson(method, 'made-up', { data }), path)).toMatchObject({ status: 401, rows: 0 });
  });

  it('is told 401 before anything that the database has against the statements', async () => {
    const send = serve({}, { DB: brokenContent() });
    for (const path of READS()) expect((await send(path, bearer('made-up'))).status, path).toBe(401);
    expect((await send('/api/articles', sendJson('POST', 'made-up', { data: { tags: [article] } }))).status).toBe(401);
  });

  it('is told 401 before its query string and its body are found wrong', async () => {
    const send = serve();
    expect((await send('/api/articles?nope=1', bearer('made-up'))).status).toBe(401);
    expect((await send('/api/comments', sendJson('POST', 'made-up', { data: { text: 5, nope: 1 } }))).status).toBe(401);
    expect((await send('/api/comments', sendJson('POST', 'made-up', []))).status).toBe(401);
  });
});

describe('a token that was revoked', () => {
  it('reads no row of content any more, though the isolate remembers it', async () => {
    await createToken('revoked', 'full-access');
    const remembering = await readBy(bearer('revoked'), '/api/articles');
    expect(remembering.rows).toBeGreaterThan(0);
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'revoked'`).run();
    expect(await readBy(bearer('revoked'), '/api/articles?populate=*')).toMatchObject({ status: 401, rows: 0 });
  });
});

describe('a token that may do less', () => {
  it('reads no row that it may not read, not even the first time', async () => {
    await createToken('narrow', 'custom', ['api::tag.tag.find']);
    expect(await readBy(bearer('narrow'), '/api/articles?populate=*')).toMatchObject({ status: 403, rows: 0 });
    expect((await readBy(bearer('narrow'), '/api/tags')).status).toBe(200);
  });

  it('is told 403 before anything that the database has against the statements', async () => {
    await createToken('narrower', 'custom', ['api::tag.tag.find']);
    const send = serve({}, { DB: brokenContent() });
    expect((await send('/api/articles?populate=*', bearer('narrower'))).status).toBe(403);
  });
});

describe('a user who was blocked', () => {
  it('reads no row of content any more', async () => {
    const { jwt, user } = await register(serve({ roles }), 'blocked');
    expect((await readBy(bearer(jwt), '/api/tags', { roles })).rows).toBeGreaterThan(0);
    await env.DB.prepare('update up_users set blocked = 1 where id = ?').bind(user.id).run();
    expect(await readBy(bearer(jwt), '/api/tags?populate=*', { roles })).toMatchObject({ status: 401, rows: 0 });
  });

  it('reads no row without the role that was assumed', async () => {
    const { jwt, user } = await register(serve({ roles }), 'moved');
    await env.DB.prepare(
      'delete from up_users_role_lnk where source_document_id = (select document_id from up_users where id = ?)',
    )
      .bind(user.id)
      .run();
    expect(await readBy(bearer(jwt), '/api/tags', { roles })).toMatchObject({ status: 401, rows: 0 });
  });
});

describe('whoever may', () => {
  it('is told what the database has against the statements', async () => {
    const send = serve({}, { DB: brokenContent() });
    expect((await send('/api/articles', bearer('full'))).status).toBe(500);
  });

  it.each(['full-access', 'read-only', 'custom'])('reads in one round trip the first time, with %s', async (type) => {
    await createToken(`first-${type}`, type, type === 'custom' ? ['api::tag.tag.find'] : null);
    const counted = countedDatabase(env.DB);
    const response = await serve({}, { DB: counted.database })('/api/tags', bearer(`first-${type}`));
    expect(response.status).toBe(200);
    expect(counted.answering()).toHaveLength(1);
  });
});

describe('a total', () => {
  const rowsReadBy = async (token: string, settings = {}): Promise<number> => {
    const counted = countedDatabase(env.DB);
    await serve(settings, { DB: counted.database })('/api/articles', bearer(token));
    return [...counted.rowsRead].reduce((sum, [, rows]) => sum + rows, 0);
  };
  const firstReadBy = async (name: string, permission: string): Promise<number> => {
    await createToken(name, 'custom', [permission]);
    return rowsReadBy(name);
  };

  it('is not read, nor anything else, for a token that is not there', async () => {
    await createToken('gone', 'full-access');
    expect(await rowsReadBy('gone')).toBeGreaterThan(0);
    await env.DB.prepare(`delete from strapi_api_tokens where name = 'gone'`).run();
    expect(await rowsReadBy('gone')).toBe(0);
    expect(await rowsReadBy('made-up')).toBe(0);
  });

  it('is read for those alone who may see it', async () => {
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
