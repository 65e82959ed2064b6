/**
 * @module Bodies of account routes: read only for those who may ask, and with no secret that an error repeats.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ROUTES } from '../../../src/schema/account-routes.ts';
import { bearer, createToken, sendJson, serve } from '../../support/recorded.ts';
import { register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine({ users: { jwtManagement: 'refresh', defaultGrants: false } });
const WITH_BODY = ACCOUNT_ROUTES.filter(({ body }) => body).map(
  ({ method, path }) => [method, path.replace(':id', '1')] as const,
);

const malformed = (method: string, path: string, headers: Record<string, string>) =>
  send(path, { method, body: '{"email":', headers: { 'content-type': 'application/json', ...headers } });

beforeAll(async () => {
  await createToken('none', 'custom');
});

const open = serve({ roles: { authenticated: ['plugin::users-permissions.user.updateMe'] } });

describe('an error repeats no secret of a body', () => {
  const SECRET = 'correct-horse-48151623';
  const NUMBER = 48151623;
  const NAMES = ['email', 'username', 'identifier', 'role'];
  const valueFor = (key: string, value: unknown): unknown =>
    NAMES.includes(key) && typeof value !== 'object' ? { password: value } : value;

  it.each(
    ACCOUNT_ROUTES.flatMap(({ method, path, body }) =>
      body ? [[method, path, ['role', ...Object.keys(body.shape)]] as const] : [],
    ),
  )('of %s %s, wherever and in whatever form it stands', async (method, path, keys) => {
    const { user, jwt } = await register(open, `secret${path.replace(/\W/g, '')}${method.toLowerCase()}`);
    const token = /change-password|me$/.test(path) ? jwt : 'full';
    for (const value of [SECRET, { password: SECRET }, { connect: [{ code: SECRET }] }, [{ passwrd: [SECRET] }]])
      for (const others of [{}, { passwrd: SECRET, data: { password: SECRET }, Password: [SECRET] }]) {
        const body = { ...Object.fromEntries(keys.map((key) => [key, valueFor(key, value)])), ...others };
        const response = await open(path.replace(':id', String(user.id)), sendJson(method, token, body));
        const text = await response.text();
        expect(text).not.toContain(String(NUMBER));
        expect(JSON.stringify([...response.headers])).not.toContain(String(NUMBER));
      }
  });

  it.each([
    '{"password": hunter2}',
    '{"identifier": "mira@example.com", "password": hunter2, "deviceId": "laptop"}',
    '{"password": "hunter2}',
    '{"password": "hunter2"',
    '{"password": "a\nhunter2"}',
    '{"password": "hunter2" "hunter2"}',
  ])('that cannot be read: %s', async (body) => {
    const response = await open('/api/auth/local', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: { status: 400, name: 'SyntaxError' } });
    expect(text).not.toMatch(/unter/);
  });
});

describe('a body that cannot be read', () => {
  it.each(WITH_BODY)('tells nothing to who may not %s %s', async (method, path) => {
    expect((await malformed(method, path, {})).status).toBe(403);
    expect((await malformed(method, path, { ...bearer('none').headers })).status).toBe(403);
    expect((await malformed(method, path, { authorization: 'Bearer made-up' })).status).toBe(401);
  });

  it.each(WITH_BODY.filter(([, path]) => !/logout|change-password|users\/me/.test(path)))(
    'is a 400 for who may %s %s',
    async (method, path) => {
      const response = await malformed(method, path, { ...bearer('full').headers });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { name: 'SyntaxError' } });
    },
  );
});
