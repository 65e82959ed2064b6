/**
 * @module Users who come from a Strapi database with a bcrypt hash.
 */
import { env } from 'cloudflare:workers';
import { hashSync } from 'bcryptjs';
import { describe, expect, it } from 'vitest';
import { countedDatabase } from '../../support/counted-database.ts';
import { bearer, sendJson, serve } from '../../support/recorded.ts';
import { login, PASSWORD, post, refusalOf, register, type SignedIn } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const { send } = openMagazine();
const REFUSED = '400 ValidationError: Invalid identifier or password';
const NEW = 'An0therOne';

const hashOf = (id: number) => env.DB.prepare('select password from up_users where id = ?').bind(id).first('password');

async function imported(username: string, password: string = PASSWORD): Promise<SignedIn> {
  const signedIn = await register(send, username);
  await env.DB.prepare('update up_users set password = ? where id = ?')
    .bind(hashSync(password, 4), signedIn.user.id)
    .run();
  return signedIn;
}

describe('an imported user', () => {
  it('is refused with a wrong password, in the words for everybody', async () => {
    await imported('anna');
    expect(await refusalOf(await login(send, 'anna', 'wrong'))).toBe(REFUSED);
    expect(await refusalOf(await login(send, 'nobody', 'wrong'))).toBe(REFUSED);
  });

  it('is refused with a password beyond 72 bytes, of which bcrypt knows the beginning alone', async () => {
    const long = 'x'.repeat(72);
    await imported('bert', long);
    expect(await refusalOf(await login(send, 'bert', `${long}y`))).toBe(REFUSED);
    expect((await login(send, 'bert', long)).status).toBe(200);
  });

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

  it('may change the password', async () => {
    const { jwt } = await imported('emil');
    const body = { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW };
    expect((await post(send, '/api/auth/change-password', body, jwt)).status).toBe(200);
    expect((await login(send, 'emil', NEW)).status).toBe(200);
  });

  it('is found by one look into an index', async () => {
    const plan = await env.DB.prepare(
      `explain query plan select "password" from "up_users" where "password" >= '$2' and "password" < '$3' limit 1`,
    ).all<{ detail: string }>();
    const { results } = await env.DB.prepare(
      "select count(*) as n from sqlite_master where type = 'index' and name = 'up_users_password'",
    ).all<{ n: number }>();
    expect(results[0]?.n).toBe(1);
    expect(plan.results[0]?.detail).toContain('up_users_password');
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

describe('a password of more than 72 bytes', () => {
  const long = 'y'.repeat(100);

  it('may be given to a user, and counts to its last byte', async () => {
    const body = { username: 'gina', email: 'gina@example.com', password: long, role: 1 };
    expect((await send('/api/users', sendJson('POST', 'full', body))).status).toBe(201);
    expect(await refusalOf(await login(send, 'gina', long.slice(0, -1)))).toBe(REFUSED);
    expect((await login(send, 'gina', long)).status).toBe(200);
  });

  it('is refused by registration, as in the reference', async () => {
    const body = { username: 'hans', email: 'hans@example.com', password: long };
    expect(await refusalOf(await post(send, '/api/auth/local/register', body))).toBe(
      '400 ValidationError: Password must be less than 73 bytes',
    );
  });
});

describe('an imported user without a role', () => {
  it('signs in and is refused everything, as one without credentials', async () => {
    const { user } = await imported('roleless');
    await env.DB.prepare('delete from up_users_role_lnk where source_document_id = ?').bind(user.documentId).run();
    const { jwt } = (await (await login(send, 'roleless')).json()) as SignedIn;
    const refused = await send('/api/users/me', bearer(jwt));
    expect(await refusalOf(refused)).toBe('401 UnauthorizedError: Missing or invalid credentials');
  });
});
