/**
 * @module Class 12 of the advisories of 2026: JWTs, sessions and API tokens end at a block, a deletion, a reset or change of
 * the password, a change of role and a sign-out, on every surface and at the next request. Strapi CVE-2026-22706,
 * GHSA-hvp3-26wx-g2w4, and CVE-2025-3930, GHSA-4r8w-3jww-m2rp; Directus GHSA-56p6-qw3c-fq2g; Payload CVE-2025-4643.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Send } from '../support/app.ts';
import { bearer, createToken, sendJson } from '../support/recorded.ts';
import {
  box,
  countRows,
  enter,
  INVALID,
  join,
  read,
  refresh,
  send as sessions,
  type Tokens,
  tokensOf,
} from '../support/sessions.ts';
import { oneIn } from '../support/tier.ts';
import { forge, login, PASSWORD, post, refusalOf, register } from '../support/users.ts';
import { ask, CREATE, expectNoChange, READS, SURFACES, serveAll } from './surfaces.ts';
import { createWorld, send, world } from './world.ts';

const NEW = 'An0therOne';
const now = Math.floor(Date.now() / 1000);
const roles = { authenticated: ['*'], stranger: [] };

beforeAll(createWorld);

const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

/** What needs no grant: the description has fewer operations then, and own code is told who asks. */
const UNGRANTED: ReadonlySet<string> = new Set(['the description', 'the caller in own code']);

let ended = 0;

/** Uses a credential on every surface, in the short tier on one in three, others each time; ends it, and expects this status from then on. */
async function expectEnd(server: Send, token: string, status: 401 | 403, end: () => Promise<unknown>): Promise<void> {
  ended += 1;
  const authorization = `Bearer ${token}`;
  const keyed = { authorization, 'idempotency-key': 'before' };
  expect((await ask(server, CREATE, keyed)).status).toBe(200);
  const held = new Map<string, string>();
  for (const surface of oneIn(3, READS, ended)) {
    const response = await ask(server, surface, { authorization });
    expect([surface.name, response.status]).toEqual([surface.name, 200]);
    held.set(surface.name, response.headers.get('etag') ?? '');
  }
  await end();
  await expectNoChange(async () => {
    for (const surface of oneIn(3, SURFACES, ended)) {
      const expected = status === 403 && UNGRANTED.has(surface.name) ? 200 : status;
      const etag = held.get(surface.name);
      const headers = { authorization, ...(etag && { 'if-none-match': etag }) };
      expect([surface.name, (await ask(server, surface, headers)).status]).toEqual([surface.name, expected]);
    }
    expect((await ask(server, CREATE, keyed)).status).toBe(status);
  });
}

interface Holder extends Tokens {
  readonly name: string;
  readonly server: Send;
}

const change = ({ user, server }: Holder, data: object) =>
  server(`/api/users/${user.id}`, sendJson('PUT', 'full', data));

async function resetPassword({ name, server }: Holder): Promise<Response> {
  await post(server, '/api/auth/forgot-password', { email: `${name}@example.com` });
  const code = /code=([0-9a-f]+)/.exec(box.messages.at(-1)?.text ?? '')?.[1];
  return post(server, '/api/auth/reset-password', { code, password: NEW, passwordConfirmation: NEW });
}

async function changePassword({ name, server }: Holder): Promise<Response> {
  const { jwt } = (await (await login(server, name)).json()) as Tokens;
  const body = { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW };
  return post(server, '/api/auth/change-password', body, jwt);
}

const ofRole = 'up_users_role_lnk where source_document_id = ?';
const ends: readonly (readonly [event: string, status: 401 | 403, end: (holder: Holder) => Promise<unknown>])[] = [
  ['a block', 401, (holder) => change(holder, { blocked: true })],
  ['a deletion', 401, ({ user, server }) => server(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') })],
  ['a change of the password by another user', 401, (holder) => change(holder, { password: NEW })],
  ['a change of the password by its user elsewhere', 401, changePassword],
  ['a reset of the password', 401, resetPassword],
  ['the loss of every role', 401, ({ user }) => run(`delete from ${ofRole}`, user.documentId)],
  ['a change of role', 403, (holder) => change(holder, { role: { connect: [{ documentId: strangerRole }] } })],
];

/** documentId of the role without grants. */
let strangerRole = '';

beforeAll(async () => {
  const { roles: all } = (await (await serveAll({ roles })('/api/users-permissions/roles', bearer('full'))).json()) as {
    roles: readonly { type: string; documentId: string }[];
  };
  strangerRole = all.find(({ type }) => type === 'stranger')?.documentId ?? '';
});

let holders = 0;
async function newHolder(server: Send): Promise<Holder> {
  holders += 1;
  const name = `holder${holders}`;
  const signedIn = (await register(server, name)) as Tokens;
  return { ...signedIn, name, server };
}

describe('a JWT', () => {
  const server = serveAll({ roles }, {}, box);

  it.each(ends)('ends with %s, with a %i on every surface', async (_, status, end) => {
    const holder = await newHolder(server);
    await expectEnd(server, holder.jwt, status, () => end(holder));
  });

  /** Payload CVE-2025-4644 */
  it('of a deleted user is not valid for the next user, who has another id', async () => {
    const { jwt, user } = await register(send, 'last-of-all');
    await send(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') });
    const { user: next } = await register(send, 'first-after');
    expect(next.id).toBeGreaterThan(user.id);
    expect((await send('/api/users/me', bearer(jwt))).status).toBe(401);
  });

  /** Payload CVE-2026-25574 */
  it('is not valid for an API token with the same id', async () => {
    await createToken('numbered', 'full-access');
    const row = env.DB.prepare('select "id" from "strapi_api_tokens" where "name" = ?').bind('numbered');
    const { id } = (await row.first<{ id: number }>()) ?? { id: 0 };
    await env.DB.prepare('update "strapi_api_tokens" set "id" = 5000 where "id" = ?').bind(id).run();
    expect((await send('/api/articles', bearer(await forge({ id: 5_000, iat: now, exp: now + 60 })))).status).toBe(401);
    const asMember = await send('/api/comments', bearer(world.jwt));
    expect(await refusalOf(asMember)).toBe('403 ForbiddenError: Forbidden');
  });
});

describe('an access token', () => {
  const server = serveAll({ roles, users: { jwtManagement: 'refresh' } }, {}, box);
  const elsewhere = async ({ name }: Holder) => ((await (await login(server, name)).json()) as Tokens).jwt;
  const endsOfSessions: typeof ends = [
    ['a sign-out', 401, ({ jwt }) => post(server, '/api/auth/logout', {}, jwt)],
    [
      'a sign-out of all sessions on another device',
      401,
      async (holder) => post(server, '/api/auth/logout', { scope: 'all' }, await elsewhere(holder)),
    ],
    [
      'a second use of its refresh token after the next one was used',
      401,
      async ({ refreshToken }) => {
        const next = await tokensOf(refresh(refreshToken, server));
        await refresh(next.refreshToken, server);
        await refresh(refreshToken, server);
      },
    ],
  ];

  it.each([
    ...ends.filter(([event]) => /block|deletion|reset|another user|change of role/.test(event)),
    ...endsOfSessions,
  ])('ends with %s, with a %i on every surface', async (event, status, end) => {
    const holder = await newHolder(server);
    await expectEnd(server, holder.jwt, status, () => end(holder));
    const keepsSession = event.includes('role');
    if (!keepsSession) expect(await refusalOf(await refresh(holder.refreshToken, server))).toBe(INVALID);
  });
});

describe('an API token', () => {
  const row = '"strapi_api_tokens"';

  it.each([
    ['when it is revoked', 401, `delete from ${row} where "name" = ?`],
    ['when it expires', 401, `update ${row} set "expires_at" = 1 where "name" = ?`],
    [
      'when its permissions are taken away',
      403,
      `update ${row} set "type" = 'custom', "permissions" = '[]' where "name" = ?`,
    ],
  ] as const)('ends %s, with a %i on every surface', async (when, status, sql) => {
    const token = when.replaceAll(' ', '-');
    await createToken(token, 'full-access');
    await expectEnd(serveAll(), token, status, () => run(sql, token));
  });
});

/** CVE-2026-22706, GHSA-hvp3-26wx-g2w4 */
describe('stolen sessions', () => {
  it('end with a reset of the password, also those that are refreshed or opened meanwhile', async () => {
    const first = await join('robbed');
    const stolen = await Promise.all(Array.from({ length: 4 }, () => enter('robbed')));
    await post(sessions, '/api/auth/forgot-password', { email: 'robbed@example.com' });
    const code = /code=([0-9a-f]+)/.exec(box.messages.at(-1)?.text ?? '')?.[1];
    const body = { code, password: NEW, passwordConfirmation: NEW };
    const [own, ...won] = await Promise.all([
      tokensOf(post(sessions, '/api/auth/reset-password', body)),
      ...stolen.map(({ refreshToken }) => tokensOf(refresh(refreshToken))),
      tokensOf(login(sessions, 'robbed', PASSWORD)),
    ]);
    for (const { jwt, refreshToken } of [first, ...stolen, ...won]) {
      if (jwt) expect(await read(jwt)).toBe(401);
      if (refreshToken) expect(await refusalOf(await refresh(refreshToken))).toBe(INVALID);
    }
    expect(await read(own.jwt)).toBe(200);
    expect(await countRows(first.user.id)).toBe(1);
  });
});
