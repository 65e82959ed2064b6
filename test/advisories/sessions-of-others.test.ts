/**
 * @module Sessions with refresh tokens belong to their users: nobody else ends or reads them, and no token is valid for
 * another use than its own. test/feature/users/sessions.test.ts and refresh.test.ts have the sessions themselves.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ROUTES, accountActionId } from '../../src/schema/account-routes.ts';
import { bearer, createToken, serve } from '../support/recorded.ts';
import { claimsOf, countRows, enter, INVALID, join, read, refresh, send, type Tokens } from '../support/sessions.ts';
import { forge, post, refusalOf } from '../support/users.ts';
import { openMagazine } from '../support/world.ts';

const now = Math.floor(Date.now() / 1000);
let victim: Tokens;
let attacker: Tokens;

openMagazine();
beforeAll(async () => {
  [victim, attacker] = [await join('victim'), await join('attacker')];
});

const sessionOf = ({ jwt }: Tokens) => String(claimsOf(jwt).sessionId);

async function expectVictimToStay(): Promise<void> {
  expect(await countRows(victim.user.id)).toBe(1);
  expect(await read(victim.jwt)).toBe(200);
}

describe('the session of another user', () => {
  it.each(['%', '*', '_', 'all', "' or 1=1 --", '0', '..', `${'_'.repeat(32)}`])(
    'does not end by the id %s',
    async (id) => {
      const path = `/api/auth/sessions/${encodeURIComponent(id)}`;
      const { status } = await send(path, { method: 'DELETE', ...bearer(attacker.jwt) });
      expect(status).toBe(id === '..' ? 405 : 404);
      await expectVictimToStay();
      expect(await read(attacker.jwt)).toBe(200);
    },
  );

  it('does not end by its own id, in a path, a query or a body', async () => {
    const id = sessionOf(victim);
    const { user } = victim;
    const others = { sessionId: id, id, userId: user.id, user: user.id, identifier: 'victim', scope: 'session' };
    for (const [path, init, status] of [
      [`/api/auth/sessions/${id}?userId=${user.id}`, bearer(attacker.jwt), 404],
      [`/api/auth/sessions/${id.toUpperCase()}`, bearer(attacker.jwt), 404],
      [`/api/auth/sessions/${id}`, bearer('full'), 401],
      [`/api/auth/sessions/${id}`, {}, 403],
      [`/api/sessions/${id}`, bearer('full'), 405],
    ] as const)
      expect([path, (await send(path, { method: 'DELETE', ...init })).status]).toEqual([path, status]);
    for (const scope of ['session', 'all']) {
      const { jwt } = await enter('attacker');
      const out = await post(send, `/api/auth/logout?userId=${user.id}`, { ...others, scope }, jwt);
      expect([out.status, await read(jwt)]).toEqual([200, 401]);
    }
    attacker = await enter('attacker');
    await expectVictimToStay();
  });

  it('does not end when the caller signs out on a device of the same name', async () => {
    const [mine, other] = [
      await enter('attacker', { deviceId: 'laptop' }),
      await enter('victim', { deviceId: 'laptop' }),
    ];
    await post(send, '/api/auth/logout', { deviceId: 'laptop' }, mine.jwt);
    expect([await read(mine.jwt), await read(other.jwt)]).toEqual([401, 200]);
    await post(send, '/api/auth/logout', {}, other.jwt);
  });

  it('does not end by a forged refresh token with its id and another key', async () => {
    const claims = { ...claimsOf(victim.refreshToken), jti: 'f'.repeat(64) };
    expect(await refusalOf(await refresh(await forge(claims, 'guessed')))).toBe(INVALID);
    const asAttacker = { ...claims, userId: String(attacker.user.id) };
    expect(await refusalOf(await refresh(await forge(asAttacker)))).toBe(INVALID);
    await expectVictimToStay();
  });
});

describe('the sessions of another user', () => {
  it('are not listed, whatever the query names', async () => {
    expect(await (await send('/api/auth/sessions', bearer(victim.jwt))).text()).toContain(sessionOf(victim));
    const queries = [
      `userId=${victim.user.id}`,
      `user=${victim.user.id}`,
      `filters[userId]=${victim.user.id}`,
      `filters[$or][0][userId][$gt]=0`,
      'populate=*',
    ];
    for (const query of queries) {
      const response = await send(`/api/auth/sessions?${query}`, bearer(attacker.jwt));
      expect([query, response.status]).toEqual([query, 200]);
      expect(await response.text()).not.toContain(sessionOf(victim));
    }
  });

  it('are no content, and no relation of other content', async () => {
    for (const path of ['/api/sessions', '/api/session', '/api/strapi-sessions', '/api/admin::session'])
      expect([path, (await send(path, bearer('full'))).status]).toEqual([path, 404]);
    for (const query of ['populate=sessions', 'filters[sessions][keyHash][$startsWith]=a', 'sort=sessions.expiresAt'])
      for (const path of ['/api/users', '/api/authors']) {
        const response = await send(`${path}?${query}`, bearer('full'));
        expect([path, query, response.status]).toEqual([path, query, 400]);
        expect(await response.text()).not.toContain(sessionOf(victim));
      }
  });
});

describe('the sessions of a user', () => {
  const GET = 'plugin::users-permissions.user.getSessions';
  const END = 'plugin::users-permissions.user.revokeSession';
  const end = (user: unknown, id: string, token: string) =>
    send(`/api/users/${user}/sessions/${id}`, { method: 'DELETE', ...bearer(token) });

  beforeAll(async () => {
    await createToken(
      'everything else',
      'custom',
      ACCOUNT_ROUTES.map(({ action }) => accountActionId(action)).filter((id) => id !== GET && id !== END),
    );
    await createToken('lists', 'custom', [GET]);
    await createToken('ends', 'custom', [END]);
  });

  it('are listed for who may list them, without their keys, and for nobody else', async () => {
    const path = `/api/users/${victim.user.id}/sessions`;
    for (const token of [attacker.jwt, victim.jwt, 'everything else', 'ends'])
      expect((await send(path, bearer(token))).status).toBe(403);
    const body = await (await send(path, bearer('lists'))).json<{ data: readonly object[] }>();
    expect(body.data).toMatchObject([{ id: sessionOf(victim), current: false }]);
    expect(JSON.stringify(body)).not.toMatch(/key|hash/i);
    for (const id of ['0', '%', '999999', `${attacker.user.id} or 1=1`])
      expect(await (await send(`/api/users/${encodeURIComponent(id)}/sessions`, bearer('lists'))).json()).toEqual({
        data: [],
      });
  });

  it('are ended by who may end them, one at a time, and by nobody else', async () => {
    const id = sessionOf(victim);
    for (const token of [attacker.jwt, victim.jwt, 'everything else', 'lists'])
      expect((await end(victim.user.id, id, token)).status).toBe(403);
    for (const [user, session] of [
      [attacker.user.id, id],
      [victim.user.id, '%'],
      [`${victim.user.id}.0`, id],
      ['*', id],
    ])
      expect([user, session, (await end(user, encodeURIComponent(String(session)), 'ends')).status]).toEqual([
        user,
        session,
        404,
      ]);
    await expectVictimToStay();
    const other = await enter('victim');
    expect((await end(victim.user.id, sessionOf(other), 'ends')).status).toBe(200);
    expect(await read(other.jwt)).toBe(401);
    await expectVictimToStay();
  });

  it('do not exist where there are no sessions', async () => {
    const without = serve();
    for (const init of [bearer('full'), { method: 'DELETE', ...bearer('full') }]) {
      const path = `/api/users/1/sessions${'method' in init ? '/a' : ''}`;
      expect((await without(path, init)).status).toBe(404);
    }
  });
});

/** hono CVE-2025-62610 */
describe('a token', () => {
  /** Those of a valid access token, which a token from before the account is not. */
  const claims = () => ({ ...claimsOf(victim.jwt), exp: now + 600 }) as Record<string, unknown>;

  it.each<[string, () => Record<string, unknown>]>([
    ['without a type', () => ({ ...claims(), type: undefined })],
    ['with its type in a list', () => ({ ...claims(), type: ['access'] })],
    ['for two uses', () => ({ ...claims(), type: 'refresh', id: victim.user.id })],
    ['for another audience', () => ({ ...claims(), aud: 'elsewhere' })],
    ['of a session of another user', () => ({ ...claims(), userId: String(attacker.user.id) })],
    ['without a session', () => ({ ...claims(), sessionId: undefined })],
    ['for any session', () => ({ ...claims(), sessionId: '%' })],
    ['of an unknown session', () => ({ ...claims(), sessionId: 'a'.repeat(32) })],
    ['with a zero before the id of its user', () => ({ ...claims(), userId: `0${victim.user.id}` })],
    ['with the id of its user as a number', () => ({ ...claims(), userId: victim.user.id })],
    ['that is a long-lived JWT', () => ({ id: victim.user.id, iat: claims().iat, exp: now + 600 })],
  ])('%s is neither an access token nor a refresh token', async (_, forged) => {
    expect(await read(await forge(claims()))).toBe(200);
    const token = await forge(forged());
    for (const path of ['/api/tags', '/api/users/me', '/api/auth/sessions'])
      expect([path, (await send(path, bearer(token))).status]).toEqual([path, 401]);
    expect(await refusalOf(await refresh(token))).toBe(INVALID);
    await expectVictimToStay();
  });
});
