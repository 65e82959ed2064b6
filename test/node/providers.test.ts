/**
 * @module Signing in at a real issuer: `oidc-provider`, over HTTP on the loopback.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizationUrl,
  type Binding,
  type Connection,
  exchangeCode,
  failureText,
  newBinding,
} from '../../src/features/users/providers/exchange.ts';
import { CLIENT, type RealIssuer, startIssuer } from '../support/real-issuer.ts';

const REDIRECT = 'http://127.0.0.1:8787/api/connect/company/callback';
const people = {
  ann: { email: 'ann@example.com', email_verified: true, preferred_username: 'ann' },
  bob: { email: 'bob@example.com', email_verified: false },
  dan: { email: 'dan@example.com', email_verified: 'false' },
  eve: { email: 'eve@example.com' },
};

let issuer: RealIssuer;
let other: RealIssuer;
let connection: Connection;

const connectionTo = ({ url }: RealIssuer): Connection => {
  const provider = { clientId: CLIENT.clientId, secret: 'COMPANY_SECRET', issuer: url, trustEmail: false };
  return { name: 'company', provider, secret: CLIENT.secret, redirectUri: REDIRECT };
};

beforeAll(async () => {
  issuer = await startIssuer([REDIRECT], people);
  other = await startIssuer([REDIRECT], people);
  connection = connectionTo(issuer);
});
afterAll(() => {
  issuer.stop();
  other.stop();
});

/** Visits the issuer as a browser does, and returns the query with which it comes back. */
async function visit(binding: Binding, to = connection): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = await authorizationUrl(to, binding);
  while (!url.startsWith(REDIRECT)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    url = new URL(response.headers.get('location') ?? '', url).href;
  }
  return new URL(url).searchParams;
}

const refusal = (query: URLSearchParams, binding: Binding, by = connection): Promise<string> =>
  exchangeCode(by, query, binding).then(
    () => 'none',
    (error: unknown) => failureText(error),
  );

describe('a sign-in at a real issuer', () => {
  it.each([
    ['ann', { subject: 'ann', email: 'ann@example.com', isVerified: true, username: 'ann' }],
    ['bob', { subject: 'bob', email: 'bob@example.com', isVerified: false, username: undefined }],
    ['cat', { subject: 'cat', email: undefined, isVerified: false, username: undefined }],
    ['dan', { subject: 'dan', email: 'dan@example.com', isVerified: false, username: undefined }],
    ['eve', { subject: 'eve', email: 'eve@example.com', isVerified: false, username: undefined }],
  ])('says who %s is', async (name, expected) => {
    issuer.person = name;
    const binding = newBinding();
    const profile = await exchangeCode(connection, await visit(binding), binding);
    expect(profile).toEqual({ issuer: connection.provider.issuer, ...expected });
  });

  it('is refused with a code that was used, another verifier, nonce or state, and another secret', async () => {
    const binding = newBinding();
    const used = await visit(binding);
    await exchangeCode(connection, used, binding);
    expect(await refusal(used, binding)).toBe('grant request is invalid');
    const { state, nonce, verifier } = newBinding();
    expect(await refusal(await visit(binding), { ...binding, verifier })).toBe('grant request is invalid');
    expect(await refusal(await visit(binding), { ...binding, nonce })).toContain('nonce');
    expect(await refusal(await visit(binding), { ...binding, state })).toContain('state');
    const stranger = { ...connection, secret: 'another' };
    expect(await refusal(await visit(binding), binding, stranger)).toBe('client authentication failed');
  });

  it('is refused with the issuer of another in the query, and without one', async () => {
    const binding = newBinding();
    const query = await visit(binding);
    query.set('iss', 'https://other.example.com');
    expect(await refusal(query, binding)).toContain('iss');
    query.delete('iss');
    expect(await refusal(query, binding)).toContain('iss');
  });

  it('is refused with the code of another issuer, whatever the query says', async () => {
    const binding = newBinding();
    const query = await visit(binding, connectionTo(other));
    expect(await refusal(query, binding)).toContain('iss');
    query.set('iss', issuer.url);
    expect(await refusal(query, binding)).toBe('grant request is invalid');
  });

  it('takes a key that is new, and none that is gone', async () => {
    const unsigned = 'the ID token is not signed by a key of the issuer';
    const binding = newBinding();
    issuer.rotate('second');
    expect(await refusal(await visit(binding), binding)).toBe('none');
    issuer.rotate('third', false);
    expect(await refusal(await visit(binding), binding)).toBe(unsigned);
    // Another key with the name of the one that signs.
    issuer.rotate('second', false);
    expect(await refusal(await visit(binding), binding)).toBe(unsigned);
    issuer.rotate('fourth');
    expect(await refusal(await visit(binding), binding)).toBe('none');
  });
});
