/**
 * @module Who signs in by Cloudflare Access, and how long the keys of a team are read for. Requests with assertions are
 * tested with the Worker.
 */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { readAssertion } from '../../../src/features/users/access/assertion.ts';
import type { UserCall } from '../../../src/features/users/call.ts';
import { jwksOf, newSigningKey, type SigningKey, serveIssuers, signedBy } from '../../support/issuer.ts';

const AUDIENCE = 'a'.repeat(64);
const MINUTE = 60_000;

let key: SigningKey;
let team = '';
let teams = 0;
let reads = 0;
let respond: () => Promise<Response>;
beforeAll(async () => {
  key = await newSigningKey('first');
});
beforeEach(() => {
  teams += 1;
  team = `https://team${teams}.cloudflareaccess.com`;
  reads = 0;
  respond = () => jwksOf([key]);
  serveIssuers({
    async respond({ url }) {
      if (url !== `${team}/cdn-cgi/access/certs`) return undefined;
      reads += 1;
      return respond();
    },
  });
});

const now = Date.now();
const waitUntil = vi.fn((_: Promise<unknown>) => undefined);
const callAt = (later = 0) => ({ now: now + later, waitUntil }) as unknown as UserCall;
const tokenOf = (claims: object = {}, by = key) => {
  const times = { iat: Math.floor(now / 1000), exp: Math.floor(now / 1000) + 7_200 };
  return signedBy(by, { aud: [AUDIENCE], iss: team, sub: '7', email: 'Ann@Example.com', ...times, ...claims });
};
const read = async (claims: object = {}, later = 0, by = key) =>
  readAssertion(callAt(later), { team, audience: AUDIENCE } as never, await tokenOf(claims, by));

it('an assertion says who it is, for a list of applications or one', async () => {
  const person = { issuer: team, subject: '7', provider: 'access', email: 'ann@example.com', isVerified: true };
  for (const aud of [AUDIENCE, [AUDIENCE], ['b', AUDIENCE]]) expect(await read({ aud })).toEqual(person);
});

it.each([
  [{ sub: '' }, 'is that of a service token'],
  [{ sub: undefined }, 'is that of a service token'],
  [{ common_name: 'x' }, 'is that of a service token'],
  [{ email: 'nobody' }, 'names no e-mail address'],
  [{ email: 5 }, 'names no e-mail address'],
  [{ aud: 'b' }, 'is for another application'],
  [{ iss: 'https://other.cloudflareaccess.com' }, 'is of another team'],
  [{ exp: undefined }, 'has no end'],
  [{ exp: 1 }, 'is not valid: JwtTokenExpired'],
])('an assertion with %j is rejected', async (claims, why) => {
  await expect(read(claims)).rejects.toThrow(`The assertion of Cloudflare Access ${why}`);
});

it.each([undefined, ''])('an assertion that is %j is missing', async (token) => {
  const application = { team, audience: AUDIENCE } as never;
  await expect(readAssertion(callAt(), application, token)).rejects.toThrow('is missing');
  expect(reads).toBe(0);
});

describe('the keys of a team', () => {
  it('are read for who waits, also after the first request has ended, and once for all', async () => {
    waitUntil.mockClear();
    await Promise.all([read(), read(), read()]);
    expect([reads, waitUntil.mock.calls.length]).toEqual([1, 1]);
    expect(await waitUntil.mock.calls[0]?.[0]).toMatchObject([{ kid: 'first' }]);
  });

  it('that cannot be read fail nothing else, and are tried again after a minute', async () => {
    waitUntil.mockClear();
    respond = async () => Response.json({ keys: 'none' });
    const unread = expect.objectContaining({ problem: expect.objectContaining({ kind: 'not-ready', retryAfter: 60 }) });
    await expect(read()).rejects.toEqual(unread);
    await expect(waitUntil.mock.calls[0]?.[0]).resolves.toBeInstanceOf(Error);
    respond = () => jwksOf([key]);
    await expect(read({}, MINUTE - 1)).rejects.toEqual(unread);
    expect(reads).toBe(1);
    expect((await read({}, MINUTE)).subject).toBe('7');
    expect(reads).toBe(2);
  });

  it('are good for an hour, and read earlier for a key that is not among them', async () => {
    const next = await newSigningKey('next');
    await read();
    await read({}, 60 * MINUTE - 1);
    expect(reads).toBe(1);
    await expect(read({}, MINUTE - 1, next)).rejects.toThrow('no key of the team has signed it');
    expect(reads).toBe(1);
    respond = () => jwksOf([next]);
    expect((await read({}, MINUTE, next)).subject).toBe('7');
    await expect(read({}, 61 * MINUTE)).rejects.toThrow('no key of the team has signed it');
    expect(reads).toBe(3);
  });

  it('are read again after an hour', async () => {
    await read();
    await read({}, 60 * MINUTE);
    expect(reads).toBe(2);
  });

  it('have names', async () => {
    const nameless = await newSigningKey();
    respond = () => jwksOf([nameless]);
    await expect(read({}, 0, nameless)).rejects.toThrow('no key of the team has signed it');
  });
});
