/**
 * @module Users who sign in by Cloudflare Access.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ann,
  application,
  assertionOf,
  type Claims,
  openTeam,
  servingAccess,
  signIn,
  TEAM,
  type Team,
} from '../../support/access-team.ts';
import { emptyCaches } from '../../support/emptied-caches.ts';
import { limiterOf } from '../../support/limiter.ts';
import { clear, rowsOf, run, signedIn } from '../../support/provider-world.ts';
import { bearer, createToken, serve } from '../../support/recorded.ts';
import { refusalOf, register } from '../../support/users.ts';

const send = servingAccess();
const creating = servingAccess({ access: { ...application, role: 'editor' }, users: { allowRegistration: false } });

let team: Team;
beforeAll(async () => {
  team = await openTeam();
  await createToken('full', 'full-access');
});
beforeEach(async () => {
  await clear();
  emptyCaches();
  delete team.failure;
  team.reads = 0;
});
afterEach(() => {
  vi.useRealTimers();
});

const enter = async (person: Claims = ann, by = send) => signIn(by, await assertionOf(team, person));

async function account(attributes: Readonly<Record<string, unknown>> = { email_proven: 1 }) {
  const { user } = await register(serve(), 'ann');
  for (const [name, value] of Object.entries(attributes)) await run(`update up_users set "${name}" = ?`, value);
  return user;
}

describe('a proven account with the address', () => {
  it('is bound at first, and found by team and subject from then on, whatever its address is', async () => {
    const { id, documentId } = await account();
    const { jwt, user } = await signedIn(enter());
    expect(user).toMatchObject({ id, email: 'ann@example.com', provider: 'local' });
    expect((await send('/api/users/me', bearer(jwt))).status).toBe(200);
    const identities = await rowsOf('select issuer, subject, user, provider from edgewise_identities');
    expect(identities).toEqual([{ issuer: TEAM, subject: ann.sub, user: documentId, provider: 'access' }]);
    await run(`update up_users set email = 'moved@example.com', email_proven = 0`);
    expect((await signedIn(enter())).user.id).toBe(id);
  });

  it.each(['local', 'google', null])('is bound if it is of %s', async (provider) => {
    const { id } = await account({ email_proven: 1, provider });
    expect((await signedIn(enter())).user.id).toBe(id);
  });

  it('is bound to one subject of the team', async () => {
    await account();
    await enter();
    expect(await refusalOf(await enter({ ...ann, sub: 'added again' }))).toBe(
      '400 ApplicationError: The account with the address ann@example.com is that of another user of Cloudflare Access',
    );
    await run('delete from edgewise_identities');
    expect((await enter({ ...ann, sub: 'added again' })).status).toBe(200);
  });

  it('is confirmed by the assertion', async () => {
    const confirming = servingAccess({ users: { emailConfirmation: true } });
    await account({ email_proven: 1, confirmed: 0 });
    const { jwt } = await signedIn(enter(ann, confirming));
    expect((await confirming('/api/users/me', bearer(jwt))).status).toBe(200);
  });

  it('is rejected while blocked, before and after it is bound', async () => {
    await account({ email_proven: 1, blocked: 1 });
    const blocked = '400 ApplicationError: Your account has been blocked by an administrator';
    expect(await refusalOf(await enter())).toBe(blocked);
    expect(await rowsOf('select 1 from edgewise_identities')).toEqual([]);
    await run('update up_users set blocked = 0');
    await enter();
    await run('update up_users set blocked = 1');
    expect(await refusalOf(await enter())).toBe(blocked);
  });
});

describe('a person without an account', () => {
  it('is rejected, and nobody is created', async () => {
    expect(await refusalOf(await enter())).toBe('400 ApplicationError: No user has the address ann@example.com');
    expect(await rowsOf('select 1 from up_users')).toEqual([]);
  });

  it('gets one with access.role, proven and confirmed, where nobody may register', async () => {
    const { jwt, user } = await signedIn(enter(ann, creating));
    expect(user).toMatchObject({ username: 'ann', email: 'ann@example.com', provider: 'access', confirmed: true });
    expect(await rowsOf('select password, email_proven from up_users')).toEqual([{ password: null, email_proven: 1 }]);
    expect((await creating('/api/tags', bearer(jwt))).status).toBe(200);
    expect((await signedIn(enter(ann, creating))).user.id).toBe(user.id);
    await creating(`/api/users/${user.id}`, { method: 'DELETE', ...bearer('full') });
    expect(await rowsOf('select 1 from edgewise_identities')).toEqual([]);
  });

  it('gets one account by two requests at once', async () => {
    const responses = await Promise.all([enter(ann, creating), enter(ann, creating)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await rowsOf('select 1 from up_users')).toHaveLength(1);
  });
});

describe('the tokens', () => {
  const refreshing = (sessions = {}) =>
    servingAccess({ access: { ...application, role: 'editor' }, users: { jwtManagement: 'refresh', sessions } });

  it('are those of a session in the mode with refresh tokens, in the body or in the cookie', async () => {
    const body = await signedIn(enter(ann, refreshing()));
    expect(body.refreshToken).toMatch(/^ey/);
    const response = await enter(ann, refreshing({ httpOnly: true }));
    expect(response.headers.get('set-cookie')).toMatch(/^strapi_up_refresh=ey.*HttpOnly/);
    expect(await signedIn(response)).not.toHaveProperty('refreshToken');
    expect(await rowsOf('select 1 from strapi_sessions')).toHaveLength(2);
  });

  it('are for callers with the grant to sign in', async () => {
    const closed = servingAccess({ users: { defaultGrants: false } });
    expect((await enter(ann, closed)).status).toBe(403);
    expect(team.reads).toBe(0);
  });
});

describe('the keys of the team', () => {
  beforeEach(async () => {
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    await account();
  });
  const minutes = (count: number) => vi.setSystemTime(Date.now() + count * 60_000);
  const unknown = async () => signIn(send, await assertionOf({ key: { ...team.key, kid: 'unknown' } }));
  const UNREAD = '503 ServiceUnavailableError: The keys of Cloudflare Access cannot be read';

  it('stay good for their hour where a later read fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await enter();
    minutes(1);
    team.failure = new Response('no', { status: 500 });
    expect(await refusalOf(await unknown())).toBe(UNREAD);
    expect((await enter()).status).toBe(200);
    minutes(58);
    expect((await enter()).status).toBe(200);
    minutes(1);
    expect(await refusalOf(await enter())).toBe(UNREAD);
  });
});

it('sign-ins are counted by the address that they come from', async () => {
  const limited = { AUTH_ADDRESS_RATE_LIMIT: limiterOf(1) } as Partial<Env>;
  const counting = servingAccess({ rateLimit: { auth: { enabled: true } } }, limited);
  const from = { 'cf-connecting-ip': '192.0.2.1' };
  const assertion = await assertionOf(team);
  expect((await signIn(counting, assertion, from)).status).toBe(400);
  expect((await signIn(counting, assertion, from)).status).toBe(429);
});

it('without the setting there is no such route, and it is not described', async () => {
  const described = async (by: typeof send) =>
    Object.keys(((await (await by('/openapi.json', bearer('full'))).json()) as { paths: object }).paths);
  expect(await described(send)).toContain('/api/auth/access');
  const off = serve({ server: { url: 'http://edgewise.test' } });
  expect(await described(off)).not.toContain('/api/auth/access');
  expect((await enter(ann, off)).status).toBe(405);
  expect(team.reads).toBe(0);
});
