/**
 * @module Everything about accounts is asked of the primary: a replica may not know yet of a block or a new password.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { ACCOUNT_ROUTES } from '../../../src/schema/account-routes.ts';
import { serve } from '../../support/recorded.ts';
import { outbox, PASSWORD, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const users = { jwtManagement: 'refresh', emailConfirmation: true } as const;
const PASSWORDS = { password: 'An0therOne', passwordConfirmation: 'An0therOne', currentPassword: PASSWORD };
const USER = { username: 'ann', email: 'ann@example.com', identifier: 'ann' };
const ONE_BODY_FOR_ALL = { ...USER, ...PASSWORDS, code: 'a'.repeat(76), refreshToken: 'none', role: 1 };
let bookmark = '';

openMagazine();
beforeAll(async () => {
  await register(serve({ users }, {}, outbox()), 'ann');
  const read = await serve()('/api/tags', { headers: { authorization: 'Bearer full' } });
  bookmark = read.headers.get('x-d1-bookmark') ?? '';
});

/** What sessions are opened with while a request is answered. */
async function constraintsOf(method: string, path: string, headers: Record<string, string>) {
  const constraints: (string | undefined)[] = [];
  const withSession = (constraint?: string) => {
    constraints.push(constraint);
    return env.DB.withSession(constraint);
  };
  const send = serve({ users }, { DB: { withSession } as never }, outbox());
  const query = path.includes('email-confirmation') ? `?confirmation=${'a'.repeat(76)}` : '';
  const body = method === 'GET' || method === 'DELETE' ? null : JSON.stringify(ONE_BODY_FOR_ALL);
  const json = { 'content-type': 'application/json' };
  await send(path.replace(':id', '1') + query, { method, body, headers: { ...json, ...headers } });
  return constraints;
}

describe.each(['', 'Bearer full'])('with the credential %j', (authorization) => {
  it.each(ACCOUNT_ROUTES.map(({ method, path }) => [method, path] as const))('%s %s', async (method, path) => {
    const plain = await constraintsOf(method, path, { ...(authorization && { authorization }) });
    const after = await constraintsOf(method, path, {
      'x-d1-bookmark': bookmark,
      ...(authorization && { authorization }),
    });
    const all = [...plain, ...after];
    expect(new Set(all)).toEqual(all.length > 0 ? new Set(['first-primary']) : new Set());
    if (authorization) expect(plain.length).toBeGreaterThan(0);
  });
});
