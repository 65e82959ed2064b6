/**
 * @module What a sign-in by a provider keeps in the browser: names, attributes and number of its cookies, and their ends.
 */
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { sha256Base64Url } from '../../../src/common/digest.ts';
import type { UserCall } from '../../../src/features/users/call.ts';
import {
  dropTicket,
  hasTicketCookie,
  keepPending,
  keepTicket,
  type Pending,
  readTicket,
  requireVerifier,
  sealTicket,
  type Ticket,
  takePending,
  ticketOf,
} from '../../../src/features/users/providers/pending.ts';
import type { AppContext, AppEnv } from '../../../src/http/context.ts';

const SITE = 'https://edgewise.test/';
const NOW = 1_900_000_000_000;
const callOf = (more: object = {}) => ({ jwtSecret: 'secret', now: NOW, bodiless: false, ...more }) as UserCall;
const call = callOf();

/** Handles a request with these cookies; returns the result, and the cookies of the response. */
async function inContext<T>(
  work: (context: AppContext) => T | Promise<T>,
  cookies: Readonly<Record<string, string>> = {},
  url = SITE,
) {
  const results: T[] = [];
  const app = new Hono<AppEnv>();
  app.onError((error) => {
    throw error;
  });
  app.get('*', async (context) => {
    results.push(await work(context));
    return context.body(null);
  });
  const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  const response = await app.request(url, { headers: { cookie: cookie.join('; ') } });
  return { result: results[0] as T, set: response.headers.getSetCookie() };
}

const nameIn = (line = '') => line.slice(0, line.indexOf('='));
const valueIn = (line = '') => line.slice(line.indexOf('=') + 1, line.indexOf(';'));

const state = 'a'.repeat(40);
const pending: Pending = {
  ...{ state, nonce: 'n', verifier: 'v', provider: 'keycloak' },
  ...{ callback: 'https://www.example.com/', challenge: null },
};
const profile = { issuer: 'https://sso.example.com', subject: '1', email: 'a@example.com', isVerified: true };
const signed = { ...profile, username: undefined, provider: 'keycloak', callback: SITE, challenge: null };

const keep = (url = SITE) => inContext((context) => keepPending(context, call, pending), {}, url);

describe('a sign-in that is at the provider', () => {
  it.each([
    [SITE, '__Host-edgewise_connect_', 'Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax'],
    ['https://localhost/', '__Host-edgewise_connect_', 'Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax'],
    ['http://edgewise.test/', 'edgewise_connect_', 'Max-Age=600; Path=/; HttpOnly; Secure; SameSite=Lax'],
    ['http://localhost:8787/', 'edgewise_connect_', 'Max-Age=600; Path=/; HttpOnly; SameSite=Lax'],
  ])('of %s is in the cookie %s', async (url, name, attributes) => {
    const [line = ''] = (await keep(url)).set;
    expect([nameIn(line), line.slice(line.indexOf(';') + 2)]).toEqual([`${name}${state}`, attributes]);
  });

  const take = async (named: string, cookies: Readonly<Record<string, string>>, by = call) =>
    inContext((context) => takePending(context, by, named), cookies);

  it('is taken once, by its state', async () => {
    const [line] = (await keep()).set;
    const cookies = { [nameIn(line)]: valueIn(line) };
    const { result, set } = await take(state, cookies);
    expect(result).toMatchObject(pending);
    expect(set.map(nameIn)).toEqual([nameIn(line)]);
    expect(set[0]).toContain('Max-Age=0');
    expect(await take('b'.repeat(40), cookies)).toEqual({ result: undefined, set: [] });
    expect(await take(state, {})).toEqual({ result: undefined, set: [] });
  });

  it('is left by a HEAD request', async () => {
    const [line] = (await keep()).set;
    const { result, set } = await take(state, { [nameIn(line)]: valueIn(line) }, callOf({ bodiless: true }));
    expect([result?.state, set]).toEqual([state, []]);
  });

  it.each(['x', '', `${state}a`, 'A'.repeat(40)])('is none with the state %j', async (named) => {
    const [line] = (await keep()).set;
    const { result, set } = await take(named, { [`__Host-edgewise_connect_${named}`]: valueIn(line) });
    expect([result, set]).toEqual([undefined, []]);
  });

  it('is void after ten minutes, for another deployment, and as a ticket', async () => {
    const [line] = (await keep()).set;
    const cookies = { [nameIn(line)]: valueIn(line) };
    for (const [more, isTaken] of [
      [{ now: NOW + 599_999 }, true],
      [{ now: NOW + 600_000 }, false],
      [{ jwtSecret: 'another' }, false],
    ] as const)
      expect((await take(state, cookies, callOf(more))).result !== undefined).toBe(isTaken);
    expect(await readTicket(call, valueIn(line))).toBeUndefined();
    const ticket = { [nameIn(line)]: await sealTicket(call, signed) };
    expect((await take(state, ticket)).result).toBeUndefined();
  });
});

describe('the cookies of one kind', () => {
  const many = (kind: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`__Host-${kind}${index}`, 'x']));

  it.each([
    ['edgewise_connect_', (context: AppContext) => keepPending(context, call, pending), 'SameSite=Lax'],
    ['edgewise_connected_', (context: AppContext) => keepTicket(context, state, 'sealed'), 'SameSite=None'],
  ] as const)('%s are five at most with the new one', async (kind, work, sameSite) => {
    const others = {
      ...many('other_', 9),
      ...many(kind === 'edgewise_connect_' ? 'edgewise_connected_' : 'edgewise_connect_', 9),
    };
    for (const [count, deleted] of [
      [0, 0],
      [4, 0],
      [5, 1],
      [7, 3],
    ] as const) {
      const { set } = await inContext<void>(work, { ...many(kind, count), ...others });
      const gone = set.filter((line) => line.includes('Max-Age=0'));
      expect(gone).toHaveLength(deleted);
      for (const line of gone) expect(line).toMatch(new RegExp(`^__Host-${kind}\\d=.*Path=/; .*${sameSite}$`));
      expect(set.filter((line) => !line.includes('Max-Age=0')).map(nameIn)).toEqual([`__Host-${kind}${state}`]);
    }
  });
});

describe('a ticket', () => {
  const sealed = (more: object = {}, by = call, age?: number) => sealTicket(by, { ...signed, ...more }, age);
  const cookie = (name: string) => `__Host-edgewise_connected_${name}`;
  const find = async (cookies: Readonly<Record<string, string>>, sent?: unknown, provider = 'keycloak') =>
    (await inContext((context) => ticketOf(context, call, provider, sent), cookies)).result;

  it('has what it was sealed with, an id, and an end', async () => {
    const text = await sealed();
    const { username: _, ...claims } = signed;
    const ticket = await readTicket(call, text);
    expect(ticket).toMatchObject({ ...claims, isMailed: false, expiresAt: NOW + 120_000, sealed: text });
    expect(ticket?.id).toMatch(/./);
    expect((await readTicket(call, await sealed()))?.id).not.toBe(ticket?.id);
    expect(await readTicket(call, await sealed({ isMailed: true }, call, 5))).toMatchObject({
      isMailed: true,
      expiresAt: NOW + 5,
    });
    expect(await readTicket(callOf({ now: NOW + 120_000 }), text)).toBeUndefined();
    expect(await readTicket(call, 'x')).toBeUndefined();
  });

  it('is in a cookie for pages of other sites', async () => {
    const { set } = await inContext((context) => keepTicket(context, state, 'sealed'));
    expect(set).toEqual([`${cookie(state)}=sealed; Max-Age=120; Path=/; HttpOnly; Secure; SameSite=None`]);
  });

  it('is that of the request, or without one the last one in a cookie of its provider', async () => {
    const [older, newer] = [await sealed(), await sealed({}, callOf({ now: NOW + 1 }))];
    const other = await sealed({ provider: 'google' }, callOf({ now: NOW + 2 }));
    const cookies = { [cookie('a')]: older, [cookie('b')]: newer, [cookie('c')]: other, [cookie('d')]: 'x' };
    expect((await find(cookies))?.sealed).toBe(newer);
    expect((await find({ ...cookies, [cookie('b')]: older, [cookie('a')]: newer }))?.sealed).toBe(newer);
    expect((await find(cookies, older))?.sealed).toBe(older);
    expect((await find(cookies, undefined, 'google'))?.sealed).toBe(other);
    for (const sent of ['x', '', [older], { a: older }, 5, other]) expect(await find(cookies, sent)).toBeUndefined();
    expect(await find({})).toBeUndefined();
    expect(await find({ edgewise_connected_a: older })).toBeUndefined();
  });

  it('is seen in a cookie, and goes with it', async () => {
    const has = async (cookies: Readonly<Record<string, string>>) => (await inContext(hasTicketCookie, cookies)).result;
    expect(await has({})).toBe(false);
    expect(await has({ '__Host-edgewise_connect_a': 'x', edgewise_connected_a: 'x' })).toBe(false);
    expect(await has({ [cookie('a')]: 'x' })).toBe(true);
    const { set } = await inContext((context) => dropTicket(context, 'x'), { [cookie('a')]: 'x', [cookie('b')]: 'y' });
    expect(set.map(nameIn)).toEqual([cookie('a')]);
    expect(set[0]).toMatch(/Max-Age=0; Path=\/; HttpOnly; Secure; SameSite=None$/);
  });
});

it.each<[challenge: string | null, verifier: unknown, isRight: boolean]>([
  [null, undefined, true],
  [null, 'v', false],
  [null, '', false],
  [sha256Base64Url('v'), 'v', true],
  [sha256Base64Url('v'), 'w', false],
  [sha256Base64Url('v'), undefined, false],
  [sha256Base64Url('v'), ['w'], false],
])('the challenge %j fits the verifier %j: %s', (challenge, verifier, isRight) => {
  const required = () => requireVerifier({ challenge } as Ticket, verifier);
  if (isRight) expect(required).not.toThrow();
  else expect(required).toThrow('code_verifier does not fit');
});
