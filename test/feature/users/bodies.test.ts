/**
 * @module Bodies of account routes: read only for those who may ask, and read by their schemas.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ROUTES } from '../../../src/schema/account-routes.ts';
import { bearer, createToken, sendJson, serve } from '../../support/recorded.ts';
import { post, register } from '../../support/users.ts';
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

/** `key: message` of everything that is wrong. */
async function complaintsOf(response: Response): Promise<readonly string[]> {
  const { error } = (await response.json()) as {
    error: { details: { errors: { path: string[]; message: string }[] } };
  };
  return error.details.errors.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

const MISMATCH = 'passwordConfirmation: Passwords do not match';
const NO_TEXT = 'passwordConfirmation: passwordConfirmation must be a `string` type, but the final value was: `5`.';

describe('everything that is wrong with a body is told', () => {
  it.each<[password: unknown, confirmation: unknown, complaints: readonly string[]]>([
    ['secret1', '', [MISMATCH]],
    ['secret1', 5, [NO_TEXT, MISMATCH]],
    [5, 5, [NO_TEXT, 'password: password must be a `string` type, but the final value was: `5`.']],
    [
      '',
      '',
      ['passwordConfirmation: passwordConfirmation is a required field', 'password: password is a required field'],
    ],
    ['', 'secret1', [MISMATCH, 'password: password is a required field']],
    ['secret1', undefined, ['passwordConfirmation: passwordConfirmation is a required field']],
    [undefined, 'x', [MISMATCH, 'password: password is a required field']],
    ['x'.repeat(73), 'x', [MISMATCH, 'password: Password must be less than 73 bytes']],
  ])('the password %j, confirmed by %j', async (password, passwordConfirmation, complaints) => {
    const response = await post(open, '/api/auth/reset-password', { code: 'a', password, passwordConfirmation });
    expect(response.status).toBe(400);
    expect(await complaintsOf(response)).toEqual(complaints);
  });

  it('an empty name or password of a new user twice', async () => {
    const body = { username: '', email: '', password: '', role: 1 };
    expect(await complaintsOf(await open('/api/users', sendJson('POST', 'full', body)))).toEqual([
      'email: email is a required field',
      'username: username must be at least 1 characters',
      'username: username is a required field',
      'password: password must be at least 1 characters',
      'password: password is a required field',
    ]);
  });

  it('a name that is too long once', async () => {
    const { user } = await register(open, 'long');
    const response = await open(`/api/users/${user.id}`, sendJson('PUT', 'full', { username: 'x'.repeat(256) }));
    expect(await complaintsOf(response)).toEqual(['username: username must be at most 255 characters']);
  });
});

describe('the length of what is no text, and the form of an empty text, is not told', () => {
  const LIST = 'must be a `string` type, but the final value was: `[]`.';

  it.each([
    [{ email: '' }, ['email: email must be at least 1 characters']],
    [{ email: [] }, [`email: email ${LIST}`]],
    [{ username: [], email: [] }, [`email: email ${LIST}`, `username: username ${LIST}`]],
    [{ password: [] }, ['password: Password must be at least 1 character']],
    [{ password: 5 }, ['password: Password must be at least 1 character']],
  ])('%j', async (body, complaints) => {
    const response = await open('/api/users/1', sendJson('PUT', 'full', body));
    expect(await complaintsOf(response)).toEqual(complaints);
  });

  it('of a new user', async () => {
    const body = { username: [], email: 'a@example.com', password: [], role: 1 };
    expect(await complaintsOf(await open('/api/users', sendJson('POST', 'full', body)))).toEqual([
      `username: username ${LIST}`,
      'password: password must be a `string` type.',
    ]);
  });
});

describe('a mistake that is told with the whole body', () => {
  it('is told without what the server adds to it', async () => {
    const { user } = await register(open, 'whole');
    const body = { username: 'whole2', email: 'whole2@example.com', password: 'secret1', role: 99 };
    const strapi = serve({ api: { rest: { errorDetails: 'strapi' } } });
    const response = await strapi(`/api/users/${user.id}`, sendJson('PUT', 'full', body));
    const { error } = (await response.json()) as { error: { details: { errors: { value: object }[] } } };
    const [value] = error.details.errors.map((told) => told.value);
    expect(value).toMatchObject({ username: 'whole2', email: 'whole2@example.com' });
    expect(Object.keys(value ?? {}).filter((name) => /password|Key|Token|ChangedAt/.test(name))).toEqual([]);
  });
});

describe('a password that is too short', () => {
  it('is shown to its sender, as in Strapi', async () => {
    const body = { username: 'brief', email: 'brief@example.com', password: 'brief' };
    const { error } = (await (await post(open, '/api/auth/local/register', body)).json()) as {
      error: { details: { errors: object[] } };
    };
    expect(error.details.errors).toMatchObject([{ path: ['password'], value: 'brief' }]);
  });
});

describe('the role of a new user', () => {
  it('is the default one where a form leaves it empty', async () => {
    const body = { username: 'una', email: 'una@example.com', password: 'secret1', role: '' };
    const response = await open('/api/users', sendJson('POST', 'full', body));
    expect(await response.json()).toMatchObject({ username: 'una', role: { type: 'authenticated' } });
  });
});

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
