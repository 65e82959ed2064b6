/**
 * @module Rights that end between the preconditions of a write and its commit: it changes nothing. The conditions of grants
 * are in grants-hold-before-and-after-a-write.test.ts.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentOf } from '../support/client.ts';
import { interleavedDatabase } from '../support/interleaved-database.ts';
import { bearer, createToken, recordedRegistry, serve } from '../support/recorded.ts';
import { register } from '../support/users.ts';
import { openMagazine } from '../support/world.ts';

const actions = ['find', 'create', 'update', 'delete', 'readDrafts'];
const granted = ['tag', 'homepage'].flatMap((name) => actions.map((action) => `api::${name}.${name}.${action}`));
const user = ['update', 'destroy'].map((action) => `plugin::users-permissions.user.${action}`);
const settings = { roles: { authenticated: [...granted, ...user], public: [] } };
const { client: owner, send } = openMagazine(settings);
const TABLES = [...recordedRegistry.routes.values()].map(({ table }) => table);
let callers = 0;

const run = (sql: string, ...values: (string | number)[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

interface Caller {
  readonly token: string;
  /** Name of the token, or id of the user. */
  readonly key: string | number;
}

async function tokenCaller(): Promise<Caller> {
  callers += 1;
  const token = `taken-${callers}`;
  await createToken(token, 'full-access');
  return { token, key: token };
}

async function userCaller(): Promise<Caller> {
  callers += 1;
  const { jwt, user: made } = await register(send, `taken${callers}`);
  return { token: jwt, key: made.id };
}

const TOKENS = '"strapi_api_tokens"';
const OF_USER = 'source_document_id = (select document_id from up_users where id = ?)';
const takings = [
  ['a token is revoked', 401, tokenCaller, `delete from ${TOKENS} where "name" = ?`],
  ['a token ends', 401, tokenCaller, `update ${TOKENS} set "expires_at" = 1 where "name" = ?`],
  ['a token may only read', 403, tokenCaller, `update ${TOKENS} set "type" = 'read-only' where "name" = ?`],
  ['a token may only write drafts', 403, tokenCaller, `update ${TOKENS} set "type" = 'agent' where "name" = ?`],
  ['a token is custom', 403, tokenCaller, `update ${TOKENS} set "type" = 'custom' where "name" = ?`],
  ['a user is blocked', 401, userCaller, 'update "up_users" set "blocked" = 1 where "id" = ?'],
  ['a user has no role', 401, userCaller, `delete from up_users_role_lnk where ${OF_USER}`],
  [
    'a user has another role',
    403,
    userCaller,
    `update up_users_role_lnk set target_document_id = 'other' where ${OF_USER}`,
  ],
  ['a password is changed', 401, userCaller, 'update "up_users" set "password_changed_at" = 8e12 where "id" = ?'],
] as const;

const tag = async () =>
  `/api/tags/${(await documentOf(owner.create('/api/tags', { name: `t${callers}` }))).documentId}`;
const account = async () => `/api/users/${(await register(send, `victim${callers}`)).user.id}`;

/** A create has no preconditions: its first batch is the one that writes. */
const writingBatch = (method: string): number => (method === 'POST' ? 0 : 1);

const writes = [
  ['POST', async () => '/api/tags', { data: { name: 'never' } }],
  ['PUT', tag, { data: { name: 'never' } }],
  ['PUT', tag, { data: {} }],
  ['PUT', async () => '/api/homepage', { data: { heading: 'never' } }],
  ['DELETE', async () => `${await tag()}?filters[name][$startsWith]=t`, undefined],
  ['PUT', account, { username: 'never' }],
  ['DELETE', account, undefined],
] as const;

async function stored(): Promise<unknown> {
  const content = await env.DB.batch(TABLES.map((table) => env.DB.prepare(`select * from "${table}"`)));
  const users = await env.DB.prepare('select "id", "username" from "up_users"').all();
  return [...content.map(({ results }) => results), users.results];
}

beforeAll(async () => {
  await register(send, 'somebody');
});

describe.each(takings)('while %s', (_, status, caller, sql) => {
  it.each(writes)('a %s between its preconditions and its commit changes nothing', async (method, path, body) => {
    const { token, key } = await caller();
    await send('/api/tags', bearer(token));
    const at = await path();
    const before = await stored();
    const meddled = serve(settings, { DB: interleavedDatabase(env.DB, writingBatch(method), () => run(sql, key)) });
    const init = { method, headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' } };
    const answer = await meddled(at, { ...init, ...(body && { body: JSON.stringify(body) }) } as RequestInit);
    expect(answer.status).toBe(status);
    expect(await stored()).toEqual(before);
  });
});
