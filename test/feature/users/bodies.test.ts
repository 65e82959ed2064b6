/**
 * @module Bodies of account routes: read only for those who may ask, and read by their schemas.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ROUTES } from '../../../src/registry/account-routes.ts';
import { bearer, createTables, createToken, serve } from '../../support/recorded.ts';

const send = serve({ users: { jwtManagement: 'refresh', defaultGrants: false } });
const WITH_BODY = ACCOUNT_ROUTES.filter(({ body }) => body).map(
  ({ method, path }) => [method, path.replace(':id', '1')] as const,
);

const malformed = (method: string, path: string, headers: Record<string, string>) =>
  send(path, { method, body: '{"email":', headers: { 'content-type': 'application/json', ...headers } });

beforeAll(async () => {
  await createTables();
  await createToken('full', 'full-access');
  await createToken('none', 'custom');
});

describe('a body that cannot be read', () => {
  it.each(WITH_BODY)('tells nothing to who may not %s %s', async (method, path) => {
    expect((await malformed(method, path, {})).status).toBe(403);
    expect((await malformed(method, path, { ...bearer('none').headers })).status).toBe(403);
    expect((await malformed(method, path, { authorization: 'Bearer made-up' })).status).toBe(401);
  });

  it.each(WITH_BODY.filter(([, path]) => !/logout|change-password/.test(path)))(
    'is a 400 for who may %s %s',
    async (method, path) => {
      const response = await malformed(method, path, { ...bearer('full').headers });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ error: { name: 'SyntaxError' } });
    },
  );
});
