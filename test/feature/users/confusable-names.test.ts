/**
 * @module User names and e-mail addresses that readers confuse with those of another user are taken.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { sendJson, serve } from '../../support/recorded.ts';
import { login, PASSWORD, post, refusalOf, register } from '../../support/users.ts';
import { openMagazine } from '../../support/world.ts';

const REGISTER = '/api/auth/local/register';
const TAKEN = '400 ApplicationError: Email or Username are already taken';
const NAME_TAKEN = '400 ApplicationError: Username already taken';
const EMAIL_TAKEN = '400 ApplicationError: Email already taken';
const NOT_UNIQUE = '400 ApplicationError: This attribute must be unique';

const { send } = openMagazine();
let victim = 0;
let attacker = 0;

const change = (id: number, data: object, server = send) => server(`/api/users/${id}`, sendJson('PUT', 'full', data));
const create = (username: string, email: string, server = send) =>
  post(server, '/api/users', { username, email, password: PASSWORD, role: 1 }, 'full');
const join = (username: string, email: string, server = send) =>
  post(server, REGISTER, { username, email, password: PASSWORD });
const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

beforeAll(async () => {
  expect((await join('victim', 'victim@example.com')).status).toBe(200);
  expect((await join('Jérôme Müller', 'jerome@example.com')).status).toBe(200);
  const users = await env.DB.prepare('select id from up_users order by id').all<{ id: number }>();
  victim = users.results[0]?.id ?? 0;
  attacker = (await register(send, 'attacker')).user.id;
});

describe('a user name that reads like', () => {
  it.each([
    ['the name of another, in capitals', 'VICTIM'],
    ['the name of another, with letters beyond ASCII', 'JÉRÔME MÜLLER'],
    ['the e-mail of another, in capitals', 'Victim@EXAMPLE.com'],
  ])('%s is taken', async (_, username) => {
    expect(await refusalOf(await join(username, 'own@example.com'))).toBe(TAKEN);
    expect(await refusalOf(await create(username, 'own@example.com'))).toBe(NOT_UNIQUE);
    expect(await refusalOf(await change(attacker, { username }))).toBe(NAME_TAKEN);
  });
});

describe('an e-mail that reads like', () => {
  it('the name of another is taken', async () => {
    expect((await join('Owner@Example.com', 'owner@elsewhere.example')).status).toBe(200);
    const email = 'owner@example.COM';
    expect(await refusalOf(await join('own name', email))).toBe(TAKEN);
    expect(await refusalOf(await create('own name', email))).toBe(EMAIL_TAKEN);
    expect(await refusalOf(await change(attacker, { email }))).toBe(EMAIL_TAKEN);
  });
});

describe('ten users who take one name at the same time', () => {
  const spelled = (name: string) =>
    Array.from(
      { length: 10 },
      (_, at) => name.slice(0, at % 5) + (name[at % 5] ?? '').toUpperCase() + name.slice(1 + (at % 5)),
    );

  it.each([
    ['registering', (username: string, at: number) => join(username, `racing${at}@example.com`), TAKEN],
    ['being made', (username: string, at: number) => create(username, `made${at}@example.com`), NOT_UNIQUE],
  ])('get it once by %s', async (how, act, refusal) => {
    const answers = await Promise.all(spelled(`twins${how.length}`).map(act));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) if (!answer.ok) expect(await refusalOf(answer)).toBe(refusal);
  });

  it('get it once by being renamed', async () => {
    const ids: number[] = [];
    for (let at = 0; at < 10; at += 1) ids.push((await register(send, `renamed${at}`)).user.id);
    const answers = await Promise.all(spelled('triplets').map((username, at) => change(ids[at] ?? 0, { username })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) if (!answer.ok) expect(await refusalOf(answer)).toBe(NAME_TAKEN);
  });

  it('get the error of a taken name if a concurrent request took it', async () => {
    const between = (email: string) => () => join(`between ${email}`, email);
    const slow = (email: string) => serve({}, { DB: interleavedDatabase(env.DB, 1, between(email)) });
    expect(await refusalOf(await join('Between1@Example.com', 'b1@example.com', slow('between1@example.com')))).toBe(
      TAKEN,
    );
    const renaming = change(attacker, { username: 'Between2@Example.com' }, slow('between2@example.com'));
    expect(await refusalOf(await renaming)).toBe(NAME_TAKEN);
  });
});

describe('names from before the check', () => {
  it('that equal the e-mail address of another do not catch its sign-ins', async () => {
    await run('update up_users set username = ?, id = 1000000 where id = ?', 'victim@example.com', attacker);
    const identify = async (password: string) => {
      const answer = await login(send, 'Victim@example.com'.toLowerCase(), password);
      return answer.ok ? ((await answer.json()) as { user: { id: number } }).user.id : answer.status;
    };
    expect(await identify(PASSWORD)).toBe(victim);
    await run('update up_users set id = 0 where id = 1000000');
    expect(await identify(PASSWORD)).toBe(victim);
    await run("update up_users set provider = 'github' where id = ?", victim);
    expect(await identify(PASSWORD)).toBe(400);
    await run("update up_users set provider = 'local' where id = ?", victim);
    await run("update up_users set username = 'attacker', id = ? where id = 0", attacker);
  });

  it('that differ in case stay two users, who sign in by the exact name and can be changed', async () => {
    const one = (await register(send, 'double')).user.id;
    const two = (await register(send, 'another')).user.id;
    await run("update up_users set username = 'DOUBLE', username_key = 'double' where id = ?", two);
    for (const [name, id] of [
      ['double', one],
      ['DOUBLE', two],
    ] as const) {
      const { user } = (await (await login(send, name)).json()) as { user: { id: number } };
      expect(user.id).toBe(id);
      expect((await change(id, { username: name, confirmed: true })).status).toBe(200);
    }
    expect((await login(send, 'Double')).status).toBe(400);
    expect(await refusalOf(await change(two, { username: 'Double' }))).toBe(NAME_TAKEN);
  });

  it('that are confusable are kept by a change to them', async () => {
    const [one, two] = [await register(send, 'pia'), await register(send, 'pit')];
    await run("update up_users set username_key = 'pia', email_key = 'pia@example.com' where id = ?", two.user.id);
    for (const { user } of [one, two]) {
      const names = { username: String(user.username), email: String(user.email).toUpperCase() };
      expect((await change(user.id, names)).status).toBe(200);
    }
  });

  it.each(['username', 'email'])(
    'that equal the %s of another exactly are not kept by a change to them',
    async (name) => {
      const [one, two] = [await register(send, `quinn${name}`), await register(send, `queen${name}`)];
      await run(`update up_users set ${name} = ? where id = ?`, one.user[name], two.user.id);
      expect(await refusalOf(await change(one.user.id, { [name]: one.user[name] }))).toBe(TAKEN);
    },
  );

  it('without keys, in rows that were inserted by hand, are compared exactly', async () => {
    const { user } = await register(send, 'byhand');
    await run('update up_users set username_key = null, email_key = null where id = ?', user.id);
    for (const [username, email] of [
      ['byhand', 'x@example.com'],
      ['x name', 'ByHand@example.com'],
      ['BYHAND@example.com', 'x@example.com'],
    ] as const)
      expect(await refusalOf(await join(username, email))).toBe(TAKEN);
  });

  it.each([
    ['of an earlier version', 'STRAẞE', 'straße', 'Strasse'],
    ['missing', 'Élan', null, 'élan'],
  ])('with keys that are %s get new ones when their user signs in', async (_, username, key, other) => {
    const email = `${key === null ? 'missing' : 'earlier'}@example.com`;
    const { id } = ((await (await join(username, email)).json()) as { user: { id: number } }).user;
    await run('update up_users set username_key = ?, email_key = null where id = ?', key, id);
    const signedIn = (await (await login(send, username)).json()) as { user: { id: number } };
    expect(signedIn.user.id).toBe(id);
    expect(await refusalOf(await join(other, `another-${email}`))).toBe(TAKEN);
    expect((await login(send, username)).status).toBe(200);
  });
});
