/**
 * @module Invitations: a user without a password, and a link to choose one.
 */
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { limiterOf } from '../../support/limiter.ts';
import { bearer, createToken, sendJson, serve } from '../../support/recorded.ts';
import { login, outbox, PASSWORD, post, refusalOf, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const INVITE = 'plugin::users-permissions.user.invite';
const roles = { host: [INVITE], editor: [] };
const server = { url: 'https://api.site.test' };
const box = outbox();
const send = serve({ roles, server }, {}, box);
const { send: silent } = openMagazine({ roles });
const FORBIDDEN = '403 ForbiddenError: Forbidden';
const VOID = '400 ValidationError: Incorrect code provided';

const invite = (body: object, token = 'full', by = send) => by('/api/users/invite', sendJson('POST', token, body));
const codeIn = (text = ''): string => /code=([0-9a-f]+)/.exec(text)?.[1] ?? '';
const lastCode = (): string => codeIn(box.messages.at(-1)?.text);
const choose = (code: string, password = PASSWORD, by = send) =>
  post(by, '/api/auth/reset-password', { code, password, passwordConfirmation: password });

const rowOf = (email: string) =>
  env.DB.prepare('select * from up_users where email = ?').bind(email).first<Record<string, unknown>>();

beforeAll(async () => {
  await createToken('reads', 'read-only');
  await createToken('host', 'custom', [INVITE]);
  await createToken('creator', 'custom', ['plugin::users-permissions.user.create']);
});
afterEach(() => vi.restoreAllMocks());

describe('an invitation', () => {
  it.each(['', 'reads', 'creator'])(
    'is rejected for the token %j, before anything is said of its body',
    async (token) => {
      const request = token === '' ? post(send, '/api/users/invite', { email: 5 }) : invite({ email: 5 }, token);
      expect(await refusalOf(await request)).toBe(FORBIDDEN);
    },
  );

  it.each([
    [{}, 'email is a required field'],
    [{ email: 'no address' }, 'email must be a valid email'],
    [{ email: ['a@example.com'] }, 'email must be a `string` type'],
    [{ email: 'a@example.com', username: '' }, 'username must be at least 1 characters'],
    [{ email: 'a@example.com', username: 'ab' }, 'username must be at least 3 characters'],
    [{ email: 'a@example.com', password: 'chosen-for-others' }, 'unspecified keys: password'],
    [{ email: 'a@example.com', confirmed: true }, 'unspecified keys: confirmed'],
    [{ email: 'a@example.com', role: 'nobody' }, 'role must name a role'],
    [{ email: 'a@example.com', role: { connect: [{ id: 1 }] } }, 'role must name a role'],
    [{ email: 'a@example.com', role: null }, 'role must name a role'],
  ])('is rejected with the body %j, and makes nobody', async (body, message) => {
    const refusal = await refusalOf(await invite(body));
    expect(refusal).toMatch(/^400 ValidationError: /);
    expect(refusal).toContain(message);
    expect(refusal).not.toContain('chosen-for-others');
    expect(await rowOf('a@example.com')).toBeNull();
  });

  it('lets one choose a password once, and signs in with it', async () => {
    const response = await invite({ email: 'Anna@Example.com', role: 'editor' });
    expect(response.status).toBe(201);
    const body = (await response.json()) as Record<string, unknown>;
    expect(body).toEqual({
      user: expect.objectContaining({ username: 'anna@example.com', email: 'anna@example.com', confirmed: false }),
      sent: true,
    });
    expect(body.user).toHaveProperty('role.type', 'editor');
    const { to, text = '' } = box.messages.at(-1) ?? {};
    expect(to).toBe('anna@example.com');
    expect(text).toContain('https://api.site.test/studio/#/reset?code=');
    for (const password of ['', 'null', PASSWORD])
      expect((await login(send, 'anna@example.com', password)).status).toBe(400);
    expect((await choose(codeIn(text))).status).toBe(200);
    expect((await login(send, 'anna@example.com')).status).toBe(200);
    expect(await rowOf('anna@example.com')).toMatchObject({ confirmed: 1, reset_password_token: null });
    expect(await refusalOf(await choose(codeIn(text), 'An0therOne'))).toBe(VOID);
  });

  it('lets nobody in who was blocked meanwhile', async () => {
    const { user } = await (await invite({ email: 'emil@example.com' })).json<{ user: { id: number } }>();
    await send(`/api/users/${user.id}`, sendJson('PUT', 'full', { blocked: true }));
    const { jwt } = await (await choose(lastCode())).json<{ jwt: string }>();
    expect((await send('/api/users/me', bearer(jwt))).status).toBe(401);
    expect((await login(send, 'emil@example.com')).status).toBe(400);
  });

  it.each([{ email: 'FRED@example.com' }, { email: 'other@example.com', username: 'Fred' }])(
    'to %j, whose name is taken, changes nothing',
    async (body) => {
      await register(send, 'fred');
      const sent = box.messages.length;
      expect(await refusalOf(await invite(body))).toBe('400 ApplicationError: Email or Username are already taken');
      expect(box.messages.length).toBe(sent);
      expect((await login(send, 'fred')).status).toBe(200);
    },
  );

  it('is counted by the address that it goes to', async () => {
    const limited = serve({ roles, rateLimit: { auth: { enabled: true } } }, { AUTH_RATE_LIMIT: limiterOf(1) }, box);
    const statuses: number[] = [];
    for (const email of ['often@example.com', 'OFTEN@example.com', 'rarely@example.com'])
      statuses.push((await invite({ email }, 'host', limited)).status);
    expect(statuses).toEqual([201, 429, 201]);
  });

  it('of the same address at the same moment makes one user', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => invite({ email: 'twins@example.com' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
  });
});

describe('an invitation without a way to send it', () => {
  it('returns the link, once and to the inviter alone, and logs nothing', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const body = await (await invite({ email: 'hans@example.com' }, 'full', silent)).json<{
      sent: boolean;
      link: string;
    }>();
    expect(body).toMatchObject({ sent: false, link: expect.stringMatching(/^\/studio\/#\/reset\?code=[0-9a-f]{76}$/) });
    expect(log).not.toHaveBeenCalled();
    expect((await choose(codeIn(body.link), PASSWORD, silent)).status).toBe(200);
    expect((await login(silent, 'hans@example.com')).status).toBe(200);
  });

  it('shows no link where a message should have left, and logs no code', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const broken = serve({ roles, server }, {}, { send: () => Promise.reject(new Error('the provider is down')) });
    expect(await (await invite({ email: 'jana@example.com' }, 'full', broken)).json()).toEqual({
      user: expect.anything(),
      sent: false,
    });
    await expect.poll(() => String(log.mock.calls)).toContain('the provider is down');
    expect(String(log.mock.calls)).not.toMatch(/[0-9a-f]{60}/);
  });
});

describe('a caller who may invite, and not create users', () => {
  it.each([undefined, 'authenticated', 1])('invites into the role of registrations: %j', async (role) => {
    const response = await invite({ email: `karl${role}@example.com`, role }, 'host');
    expect(response.status).toBe(201);
    const { results } = await env.DB.prepare(
      'select r.type from up_users u join up_users_role_lnk l on l.source_document_id = u.document_id join up_roles r on r.document_id = l.target_document_id where u.email = ?',
    )
      .bind(`karl${role}@example.com`)
      .all();
    expect(results).toEqual([{ type: 'authenticated' }]);
  });

  it.each(['editor', 'host', 'public', 2, 'nobody', null, [1], { connect: [{ id: 1 }] }])(
    'gives nobody the role %j, and does not learn whether it exists',
    async (role) => {
      expect(await refusalOf(await invite({ email: 'lena@example.com', role }, 'host'))).toBe(FORBIDDEN);
      expect(await rowOf('lena@example.com')).toBeNull();
    },
  );

  it('loses the right to a role with the next request', async () => {
    const { user, jwt } = await register(send, 'mara');
    expect(await refusalOf(await invite({ email: 'nele@example.com' }, jwt))).toBe(FORBIDDEN);
    await send(`/api/users/${user.id}`, sendJson('PUT', 'full', { role: 'host' }));
    expect((await invite({ email: 'nele@example.com' }, jwt)).status).toBe(201);
  });
});
