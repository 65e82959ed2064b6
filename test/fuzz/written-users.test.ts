/**
 * @module A write of a user that is answered with 200 or 201 has done what it says, and nothing else: after each one all
 * users are read, what their tokens may do is tried, and the password is signed in with. A refused one changes nothing.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { rolesOf } from '../../src/content/credentials/roles.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { serveRegistry } from '../support/app.ts';
import { type ApiDocument, documentOf, documentsOf } from '../support/client.ts';
import { diceOf } from '../support/dice.ts';
import { checkInvariants } from '../support/invariants.ts';
import { bearer, sendJson } from '../support/recorded.ts';
import { forge, login, outbox, post } from '../support/users.ts';
import { openWorld } from '../support/world.ts';
import { parameters, progress, timeout } from './options.ts';
import {
  type Account,
  type Body,
  changedUser,
  type Making,
  newUser,
  passwordFrom,
  ROLES,
  type RoleKeys,
  type RoleName,
  registration,
  usersRegistry,
} from './written-users.ts';

const FIND = { red: 'api::red.red.find', blue: 'api::blue.blue.find' };
const CHANGE_PASSWORD = 'plugin::users-permissions.auth.changePassword';
const roles = {
  authenticated: [FIND.red, FIND.blue],
  public: [],
  reds: [FIND.red, CHANGE_PASSWORD],
  blues: [FIND.blue],
};
const MAY_FIND: Readonly<Record<'red' | 'blue', readonly RoleName[]>> = {
  red: ['authenticated', 'reds'],
  blue: ['authenticated', 'blues'],
};
const MAY_CHANGE_PASSWORD: readonly RoleName[] = ['authenticated', 'reds'];
const settings = { roles, users: { register: { allowedFields: ['nickname'] } } };
const box = outbox();
const send = serveRegistry(usersRegistry, settings, {}, box);
/** Lets in whose address is confirmed alone. */
const { send: strict } = openWorld(usersRegistry, {
  ...settings,
  users: { ...settings.users, emailConfirmation: true },
});
const USERS = 3;

const keys = Object.fromEntries(
  ROLES.map((name) => [name, rolesOf(parseSettings(settings)).find(({ type }) => type === name)]),
) as unknown as Readonly<Record<RoleName, RoleKeys>>;

const newDocument = (type: string, name: string) =>
  documentOf(send(`/api/${type}s`, sendJson('POST', 'full', { data: { name } }))).then(({ documentId }) => documentId);
let reds: readonly string[] = [];
let blues: readonly string[] = [];

beforeAll(async () => {
  reds = [await newDocument('red', 'a'), await newDocument('red', 'b'), await newDocument('red', 'c')];
  blues = [await newDocument('blue', 'a'), await newDocument('blue', 'b')];
});

const idsOf = (documents: unknown): readonly string[] =>
  (documents as readonly ApiDocument[]).map(({ documentId }) => documentId);

type Shown = Omit<Account, 'password'>;

const shownOf = ({ password: _, ...shown }: Account): Shown => shown;

async function readUsers(): Promise<readonly Shown[]> {
  const response = await send('/api/users?populate=*&sort=id', bearer('full'));
  const users = (await response.json()) as readonly (ApiDocument & { readonly role: { readonly type: RoleName } })[];
  return users.map((user) => {
    const { id, documentId, username, email, provider, confirmed, blocked, nickname, age } = user as unknown as Shown;
    const home = (user.home as ApiDocument | null)?.documentId ?? null;
    const own = { nickname, age, likes: idsOf(user.likes), home };
    return { id, documentId, username, email, provider, confirmed, blocked, role: user.role?.type, ...own };
  });
}

/** Who likes what, from the other side. */
async function checkFans(accounts: readonly Account[], said: string): Promise<void> {
  for (const { documentId, fans } of await documentsOf(send('/api/reds?populate=fans', bearer('full')))) {
    const wanted = accounts.filter(({ likes }) => likes.includes(documentId)).map((account) => account.documentId);
    expect([...idsOf(fans)].sort(), said).toEqual(wanted.sort());
  }
}

/** A token as the server would issue it now: one from before a change of the password is too old. */
async function tokenOf(id: number): Promise<string> {
  const row = await env.DB.prepare('select created_at, password_changed_at from up_users where id = ?')
    .bind(id)
    .first<{ created_at: number; password_changed_at: number | null }>();
  const iat = Math.floor(Math.max(row?.created_at ?? 0, row?.password_changed_at ?? 0) / 1000);
  return forge({ id, iat, exp: iat + 100_000 });
}

/** What a request of the user may do. */
async function checkAccess(account: Account, token: string, said: string): Promise<void> {
  for (const type of ['red', 'blue'] as const) {
    const { status } = await send(`/api/${type}s`, bearer(token));
    expect([account.username, account.role, type, status], said).toEqual([
      ...[account.username, account.role, type],
      account.blocked ? 401 : MAY_FIND[type].includes(account.role) ? 200 : 403,
    ]);
  }
  const { status } = await strict('/api/reds', bearer(token));
  const enters = !account.blocked && account.confirmed === true;
  expect(status === 401, `${said}\nwhere an address has to be confirmed: ${status}`).toBe(!enters);
}

async function checkPassword(account: Account, password: string | null, said: string): Promise<void> {
  const response = await login(send, account.email.toUpperCase(), password ?? 'no password at all');
  const { user, error } = (await response.json()) as { user?: { id: number }; error?: { message: string } };
  const isRight = password !== null && password === account.password && account.provider === 'local';
  const expected = !isRight ? 'Invalid identifier or password' : account.blocked ? 'blocked' : undefined;
  expect(user?.id, `${said}\nsigning in with ${password}: ${error?.message}`).toBe(expected ? undefined : account.id);
  if (expected) expect(error?.message, said).toContain(expected);
}

interface Attempt {
  readonly said: string;
  readonly response: Response;
  /** What becomes of the user; null: deleted. Undefined: the write is to be refused. */
  readonly after: ((answer: { user: Account } & Account) => Account) | null | undefined;
  readonly account?: Account;
  /** Does it bring a password? Then older tokens end, also where it is the same as before. */
  readonly endsTokens?: boolean;
}

const made =
  ({ change }: Body) =>
  ({ id, documentId }: Account): Account =>
    ({ id, documentId, ...change }) as Account;

const changed =
  (account: Account, change: Partial<Account> = {}) =>
  (): Account => ({ ...account, ...change });

async function attemptNew(making: Making): Promise<Attempt> {
  const isOwn = making.dice.once(3);
  const body = isOwn ? registration(making) : newUser(making);
  const path = isOwn ? '/api/auth/local/register' : '/api/users';
  const response = await post(send, path, body.data, isOwn ? '' : 'full');
  const after = body.change && ((answer: { user: Account } & Account) => made(body)(isOwn ? answer.user : answer));
  return { said: `POST ${path} ${JSON.stringify(body.data)}`, response, after };
}

/** A password that users choose themselves signs in, whoever has vouched for them before. */
const CHOSEN = { provider: 'local' };

async function attemptPassword(account: Account, token: string, { dice }: Making): Promise<Attempt> {
  const [isWrong, password] = [dice.once(4), passwordFrom(dice)];
  const currentPassword = isWrong ? 'certainly not' : (account.password ?? 'none');
  const data = { currentPassword, password, passwordConfirmation: password };
  const response = await post(send, '/api/auth/change-password', data, token);
  const isRight = account.password !== null && !isWrong && password !== account.password;
  const may = !account.blocked && MAY_CHANGE_PASSWORD.includes(account.role);
  const said = `POST change-password of ${account.username} ${JSON.stringify(data)}`;
  return {
    said,
    response,
    account,
    endsTokens: true,
    after: may && isRight ? changed(account, { ...CHOSEN, password }) : undefined,
  };
}

/** By the code of a message; a second use of the code is refused. */
async function attemptReset(account: Account, { dice }: Making): Promise<Attempt> {
  const before = box.messages.length;
  await post(send, '/api/auth/forgot-password', { email: account.email });
  const [message] = box.messages.slice(before);
  const code = message?.text.match(/code=(\w+)/)?.[1] ?? 'none';
  const password = passwordFrom(dice);
  const data = { code, password, passwordConfirmation: password };
  const response = await post(send, '/api/auth/reset-password', data);
  if (response.ok) expect((await post(send, '/api/auth/reset-password', data)).status).toBe(400);
  const said = `POST reset-password of ${account.username} ${JSON.stringify(data)}`;
  return {
    said,
    response,
    account,
    endsTokens: true,
    after: account.blocked ? undefined : changed(account, { ...CHOSEN, password }),
  };
}

async function attempt(making: Making, tokens: ReadonlyMap<number, string>): Promise<Attempt> {
  const { dice, accounts } = making;
  const account = accounts[dice.below(accounts.length)];
  if (!account || (accounts.length < USERS && dice.once(2))) return attemptNew(making);
  const path = `/api/users/${account.id}`;
  if (dice.once(14)) {
    const response = await send(path, { method: 'DELETE', ...bearer('full') });
    return { said: `DELETE ${path}`, response, account, after: null };
  }
  if (dice.once(8)) return attemptPassword(account, tokens.get(account.id) ?? '', making);
  if (dice.once(12)) return attemptReset(account, making);
  const { data, change } = changedUser(account, making);
  const response = await send(path, sendJson('PUT', 'full', data));
  const said = `PUT ${path} (${JSON.stringify(account)}) ${JSON.stringify(data)}`;
  const endsTokens = typeof change?.password === 'string';
  return { said, response, account, endsTokens, after: change && changed(account, change) };
}

it('is done as a whole, or refused and not done', { timeout }, async () => {
  const { numRuns, seed } = parameters('written users');
  const tick = progress('written users');
  const dice = diceOf(seed);
  const tokens = new Map<number, string>();
  let accounts: readonly Account[] = [];
  // A password takes 100 ms and more.
  const runs = Math.ceil(numRuns / 15);
  for (let run = 0; run < runs; run += 1) {
    const {
      said: sent,
      response,
      after,
      account,
      endsTokens,
    } = await attempt({ dice, accounts, roles: keys, reds, blues }, tokens);
    const text = await response.text();
    const said = `run ${run} of seed ${seed}: ${sent}\n${response.status} ${text}`;
    expect(response.status < 300, said).toBe(after !== undefined);
    expect(response.status, said).toBeLessThan(500);
    const written = after?.(JSON.parse(text));
    if (after !== undefined)
      accounts = [...accounts.filter((other) => other !== account), ...(written ? [written] : [])];
    accounts = [...accounts].sort((a, b) => a.id - b.id);
    expect(await readUsers(), said).toEqual(accounts.map(shownOf));
    await checkFans(accounts, said);
    const used = account && tokens.get(account.id);
    const isOver = after === null || (written && endsTokens);
    if (used && isOver) expect((await send('/api/reds', bearer(used))).status, said).toBe(401);
    if (written && (!account || isOver)) tokens.set(written.id, await tokenOf(written.id));
    for (const each of accounts) await checkAccess(each, tokens.get(each.id) ?? '', said);
    const now = written ?? (after === undefined ? account : undefined);
    if (now && (!account || isOver || dice.once(6))) await checkPassword(now, now.password, said);
    if (now && account && isOver && dice.once(2)) await checkPassword(now, account.password, said);
    tick();
  }
  expect(await checkInvariants(env.DB, usersRegistry)).toEqual([]);
});
