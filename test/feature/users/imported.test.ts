/**
 * @module Users who come from a Strapi database with a bcrypt hash.
 */
import { env } from 'cloudflare:workers';
import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { login, PASSWORD, register, type SignedIn } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
const NEW = 'An0therOne';

const hashOf = (id: number) => env.DB.prepare('select password from up_users where id = ?').bind(id).first('password');

async function imported(username: string): Promise<SignedIn> {
  const signedIn = await register(send, username);
  await env.DB.prepare('update up_users set password = ? where id = ?')
    .bind(hashSync(PASSWORD, 4), signedIn.user.id)
    .run();
  return signedIn;
}

describe('an imported user', () => {
  it('signs in, and has a new hash from then on', async () => {
    const { user, jwt } = await imported('carl');
    const counted = countedDatabase(env.DB);
    const first = await login(serve({}, { DB: counted.database }), 'carl');
    expect(first.status).toBe(200);
    expect(counted.batches.length).toBe(2);
    const hash = await hashOf(user.id);
    expect(hash).toMatch(/^scrypt\$/);
    expect((await login(serve({}, { DB: counted.database }), 'carl')).status).toBe(200);
    expect(counted.batches.length).toBe(3);
    expect(await hashOf(user.id)).toBe(hash);
    expect((await send('/api/users/me', bearer(jwt))).status).toBe(200);
  });

  it('has a new hash after signing in with a session, too', async () => {
    const { user } = await imported('dora');
    const counted = countedDatabase(env.DB);
    const refreshing = serve({ users: { jwtManagement: 'refresh' } }, { DB: counted.database });
    const { jwt } = (await (await login(refreshing, 'dora')).json()) as SignedIn;
    expect(counted.batches.length).toBe(2);
    expect(await hashOf(user.id)).toMatch(/^scrypt\$/);
    expect((await refreshing('/api/users/me', bearer(jwt))).status).toBe(200);
  });
});

describe('a bcrypt hash', () => {
  it('that somebody sends as a password is a password like any other', async () => {
    const { user } = await register(send, 'fred');
    const hash = hashSync(NEW, 4);
    expect((await send(`/api/users/${user.id}`, sendJson('PUT', 'full', { password: hash }))).status).toBe(200);
    expect(await hashOf(user.id)).toMatch(/^scrypt\$/);
    expect((await login(send, 'fred', NEW)).status).toBe(400);
    expect((await login(send, 'fred', hash)).status).toBe(200);
  });
});
