/**
 * @module What ends what a user has let clients do, and what does not.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  allow,
  codeOf,
  connect,
  form,
  grantsIn,
  redeem,
  refresh,
  SETTINGS,
  serveDocuments,
  serving,
  statusOf,
  tokensOf,
} from '../../support/oauth-world.ts';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { outbox, PASSWORD, post, register, type SignedIn } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const box = outbox();
const { send } = openMagazine(SETTINGS, {}, { emailSender: box });

beforeAll(async () => {
  serveDocuments();
});

const NEW = { password: 'An0therOne', passwordConfirmation: 'An0therOne' };
type Change = (signedIn: SignedIn) => Promise<unknown>;
const manage =
  (body: object) =>
  ({ user }: SignedIn) =>
    send(`/api/users/${user.id}`, sendJson('PUT', 'full', body));

async function reset({ user }: SignedIn): Promise<void> {
  const sent = box.messages.length;
  await post(send, '/api/auth/forgot-password', { email: user.email });
  await expect.poll(() => box.messages.length).toBe(sent + 1);
  const [, code] = /code=(\S+)/.exec(box.messages.at(-1)?.text ?? '') ?? [];
  expect((await post(send, '/api/auth/reset-password', { code, ...NEW })).status).toBe(200);
}

const ENDS: readonly (readonly [change: string, by: Change])[] = [
  [
    'a change of the password',
    ({ jwt }) => post(send, '/api/auth/change-password', { currentPassword: PASSWORD, ...NEW }, jwt),
  ],
  ['a new password by a code', reset],
  ['a password by who manages users', manage({ password: 'An0therOne' })],
  ['a block', manage({ blocked: true })],
  ['the deletion of the user', ({ user }) => send(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') })],
];

it.each(ENDS.map(([change, by]) => ({ change, by })))('ends with $change', async ({ change, by }) => {
  const { jwt, user, tokens } = await connect(send, change.replaceAll(' ', '-'));
  expect(await statusOf(send, tokens.access_token)).toBe(200);
  await by({ jwt, user });
  expect(await statusOf(send, tokens.access_token)).toBe(401);
  expect((await refresh(send, tokens.refresh_token)).status).toBe(400);
  expect((await grantsIn()).filter((grant) => grant.user === user.documentId)).toEqual([]);
});

it('ends with all sessions, and stays with one of several', async () => {
  const sessions = serve({ ...SETTINGS, users: { jwtManagement: 'refresh' } }, {}, box);
  const { jwt, tokens } = await connect(sessions, 'sessions');
  const login = { identifier: 'sessions', password: PASSWORD };
  const { jwt: other } = (await (await post(sessions, '/api/auth/local', login)).json()) as SignedIn;
  expect((await post(sessions, '/api/auth/logout', {}, other)).status).toBe(200);
  expect(await statusOf(sessions, tokens.access_token)).toBe(200);
  expect((await post(sessions, '/api/auth/logout', { scope: 'all' }, jwt)).status).toBe(200);
  expect(await statusOf(sessions, tokens.access_token)).toBe(401);
});

it.each(['access_token', 'refresh_token'] as const)('ends with the revocation of its %s', async (kind) => {
  const { tokens } = await connect(send, `revoked-${kind}`);
  const other = { token: tokens[kind], client_id: 'https://other.example/client.json' };
  expect((await form(send, '/oauth/revoke', other)).status).toBe(200);
  expect(await statusOf(send, tokens.access_token)).toBe(200);
  const response = await form(send, '/oauth/revoke', { token: tokens[kind] });
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(await statusOf(send, tokens.access_token)).toBe(401);
  expect((await refresh(send, tokens.refresh_token)).status).toBe(400);
  expect((await form(send, '/oauth/revoke', { token: tokens[kind] })).status).toBe(200);
});

describe('a code', () => {
  it.each(ENDS.map(([change, by]) => ({ change, by })))('is worth nothing after $change', async ({ change, by }) => {
    const { jwt, user } = await register(send, `code-${change.replaceAll(' ', '-')}`);
    const code = await codeOf(allow(send, jwt));
    await by({ jwt, user });
    expect(await (await redeem(send, code)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await grantsIn()).filter((grant) => grant.user === user.documentId)).toEqual([]);
  });
});

it('ends that which was refreshed the longest ago, when a user has a hundred', async () => {
  const { jwt, user, tokens } = await connect(send, 'hundred');
  const row = `insert into edgewise_oauth_grants (id, user, client_id, host, name, level, key_hash, created_at, updated_at, expires_at)
    select 'other' || value, ?1, 'c', 'h', 'n', 'read', 'k', 0, ?2 + value, ?2 + 1000000 from json_each(?3)`;
  const numbers = JSON.stringify(Array.from({ length: 99 }, (_, index) => index + 1));
  await env.DB.prepare(row)
    .bind(user.documentId, Date.now() + 1_000, numbers)
    .run();
  expect(await statusOf(send, tokens.access_token)).toBe(200);
  const next = await tokensOf(redeem(send, await codeOf(allow(send, jwt))));
  expect(await statusOf(send, next.access_token)).toBe(200);
  expect(await statusOf(send, tokens.access_token)).toBe(401);
  expect((await grantsIn()).filter((grant) => grant.user === user.documentId)).toHaveLength(100);
});

it('is gone when it has expired, and deleted with the next one', async () => {
  const { user, tokens } = await connect(send, 'expired');
  const expire = 'update edgewise_oauth_grants set expires_at = ?1 where user = ?2';
  await env.DB.prepare(expire).bind(Date.now(), user.documentId).run();
  expect(await statusOf(send, tokens.access_token)).toBe(401);
  expect((await grantsIn()).some((grant) => grant.user === user.documentId)).toBe(true);
  await connect(serving(), 'after-expired');
  expect((await grantsIn()).some((grant) => grant.user === user.documentId)).toBe(false);
});
