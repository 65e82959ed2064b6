/**
 * @module Signing in at a real issuer: `oidc-provider`, over HTTP on the loopback.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorizationUrl,
  type Binding,
  type Connection,
  exchangeCode,
  failureText,
  newBinding,
} from '../../src/features/users/providers/exchange.ts';

const REDIRECT = 'http://127.0.0.1:8787/api/connect/company/callback';
const people: Readonly<Record<string, object>> = {
  ann: { email: 'ann@example.com', email_verified: true, preferred_username: 'ann' },
  bob: { email: 'bob@example.com', email_verified: false },
};

let server: Server;
let connection: Connection;
let person = 'ann';

beforeAll(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = { client_id: 'site', client_secret: 'the secret', redirect_uris: [REDIRECT] };
  const provider = new Provider(issuer, {
    clients: [client],
    cookies: { keys: ['only a test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({ clientId: 'site', accountId: oidc.session?.accountId ?? '' });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    const login = { accountId: person, remember: false };
    void provider.interactionFinished(request, response, { login }, { mergeWithLastSubmission: false });
  });
  const settings = { clientId: 'site', secret: 'COMPANY_SECRET', issuer, trustEmail: false };
  connection = { name: 'company', provider: settings, secret: 'the secret', redirectUri: REDIRECT };
});
afterAll(() => void server.close());

/** Visits the issuer as a browser does, and returns the query with which it comes back. */
async function visit(binding: Binding): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let url = await authorizationUrl(connection, binding);
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
  ])('says who %s is', async (name, expected) => {
    person = name;
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
    const other = { ...connection, secret: 'another' };
    expect(await refusal(await visit(binding), binding, other)).toBe('client authentication failed');
  });

  it('is refused with the issuer of another in the query, and without one', async () => {
    const binding = newBinding();
    const query = await visit(binding);
    query.set('iss', 'https://other.example.com');
    expect(await refusal(query, binding)).toContain('iss');
    query.delete('iss');
    expect(await refusal(query, binding)).toContain('iss');
  });
});
