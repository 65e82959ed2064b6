/**
 * @module What is asked of an issuer, and what is believed of its responses. Who may enter with them is tested with requests.
 */
import { sign } from 'hono/jwt';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  authorizationUrl,
  exchangeCode,
  failureText,
  newBinding,
} from '../../../src/features/users/providers/exchange.ts';
import { newSigningKey } from '../../support/issuer.ts';
import { connectionTo, issuerWith, newAddress, type Replies, visit } from '../../support/issuer-replies.ts';

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47';
/** Another path than the real one, since metadata is cached by address. */
const MICROSOFT = 'https://login.microsoftonline.com/common/v2.0/exchange';
const UNSIGNED = 'the ID token is not signed by a key of the issuer';
const now = () => Math.floor(Date.now() / 1000);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function visited(replies: Replies = {}, person: object = {}, forged: object = {}) {
  const url = newAddress();
  const { issuer, requests } = await issuerWith(url, replies);
  Object.assign(issuer, { person: { ...issuer.person, ...person }, forged });
  return { profile: await visit(issuer, connectionTo('company', url)), requests };
}

describe('the metadata of an issuer', () => {
  it.each([
    ['of another', 'https://other.example.com'],
    ['without a name', ''],
    ['with no address as name', 'nowhere'],
  ])('%s is not believed', async (_, issuer) => {
    const url = newAddress();
    await issuerWith(url, { metadata: { issuer } });
    await expect(authorizationUrl(connectionTo('company', url), newBinding())).rejects.toThrow(
      `${url} names another issuer in its metadata`,
    );
  });

  it('may name it with a slash at its end, and is found where it has one', async () => {
    const url = newAddress();
    const { requests } = await issuerWith(url, { metadata: { issuer: `${url}/` } });
    for (const issuer of [url, `${url}/`]) await authorizationUrl(connectionTo('company', issuer), newBinding());
    expect(requests.map((request) => request.url)).toEqual(Array(2).fill(`${url}/.well-known/openid-configuration`));
  });

  it('is that of a template for Microsoft alone', async () => {
    const url = `${newAddress()}/common/v2.0`;
    const { issuer } = await issuerWith(url);
    expect(await visit(issuer, connectionTo('company', url))).toMatchObject({ issuer: url, subject: '7' });
    await issuerWith(`${url}/x`, { metadata: { issuer: `${url}/x`.replace('common', '{tenantid}') } });
    await expect(authorizationUrl(connectionTo('company', `${url}/x`), newBinding())).rejects.toThrow('another issuer');
  });

  it('is read once an hour', async () => {
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    const url = newAddress();
    const { requests } = await issuerWith(url);
    for (const [wait, count] of [
      [0, 1],
      [3_599_999, 1],
      [1, 2],
      [0, 2],
    ] as const) {
      vi.setSystemTime(Date.now() + wait);
      await authorizationUrl(connectionTo('company', url), newBinding());
      expect(requests).toHaveLength(count);
    }
  });
});

describe('the browser is sent to', () => {
  const BOTH = [
    'client_id',
    'code_challenge',
    'code_challenge_method',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
  ];
  it.each([
    ['github', undefined, 'read:user user:email', BOTH],
    ['discord', undefined, 'identify email', BOTH],
    ['company', 'own', 'openid email profile', [...BOTH, 'nonce']],
    ['twitch', 'own', 'openid user:read:email', [...BOTH, 'nonce', 'claims']],
    ['linkedin', 'own', 'openid email profile', [...BOTH.filter((name) => !name.startsWith('code')), 'nonce']],
  ])('%s with what it understands', async (name, own, scope, names) => {
    const url = own && newAddress();
    if (url) await issuerWith(url);
    const { searchParams } = new URL(await authorizationUrl(connectionTo(name, url), newBinding()));
    expect(searchParams.get('scope')).toBe(scope);
    expect([...searchParams.keys()].toSorted()).toEqual(names.toSorted());
  });
});

describe('the client shows its secret', () => {
  it.each([
    ['in the header, if the issuer names no method', undefined, true],
    ['in the header, if it names that alone', ['client_secret_basic'], true],
    ['in the body, if it takes that', ['client_secret_basic', 'client_secret_post'], false],
  ])('%s', async (_, methods, inHeader) => {
    const url = newAddress();
    const { issuer, requests } = await issuerWith(url, {
      metadata: { token_endpoint_auth_methods_supported: methods },
    });
    // The issuer of the tests reads the body alone.
    const done = visit(issuer, connectionTo('company', url));
    await (inHeader ? expect(done).rejects.toThrow() : done);
    const request = requests.find(({ method }) => method === 'POST');
    expect(request?.headers.get('authorization')).toBe(inHeader ? `Basic ${btoa('site:the+secret')}` : null);
    expect((await request?.text())?.includes('client_secret=')).toBe(!inHeader);
  });
});

describe('an ID token', () => {
  it('is signed by a key of the issuer', async () => {
    const url = newAddress();
    const { issuer } = await issuerWith(url);
    issuer.key = await newSigningKey('first');
    await expect(visit(issuer, connectionTo('company', url))).rejects.toThrow(UNSIGNED);
    issuer.published = [...issuer.published, issuer.key];
    expect(await visit(issuer, connectionTo('company', url))).toMatchObject({ subject: '7' });
  });

  it.each([{}, { keys: {} }, { keys: [] }])('is signed by nobody whose keys are %j', async (keys) => {
    await expect(visited({ keys })).rejects.toThrow(UNSIGNED);
  });

  it('is not signed with a secret that the issuer has published', async () => {
    const url = newAddress();
    const k = Buffer.from('everybody knows').toString('base64url');
    const oct = { kty: 'oct', k, kid: 'first', alg: 'HS256' };
    const metadata = { id_token_signing_alg_values_supported: ['HS256'] };
    const { issuer } = await issuerWith(url, { metadata, keys: { keys: [oct] } });
    const binding = newBinding();
    const connection = connectionTo('company', url);
    const query = new URL(issuer.agree(await authorizationUrl(connection, binding))).searchParams;
    const claims = { iss: url, aud: 'site', sub: '7', iat: now(), exp: now() + 60, nonce: binding.nonce };
    const token = { access_token: 'x', token_type: 'Bearer', id_token: await sign(claims, 'everybody knows', 'HS256') };
    await issuerWith(url, { metadata, keys: { keys: [oct] }, token: Response.json(token) });
    await expect(exchangeCode(connection, query, binding)).rejects.toThrow(UNSIGNED);
  });

  it('is good for some seconds more, by a clock that is ahead', async () => {
    const { profile } = await visited({}, {}, { exp: now() - 5, iat: now() + 5 });
    expect(profile.subject).toBe('7');
  });

  it.each(['company', 'linkedin'])('of %s may have the nonce of the sign-in', async (name) => {
    const url = newAddress();
    const { issuer } = await issuerWith(url);
    const nonceless = () => Object.assign(issuer, { forged: { nonce: undefined } });
    expect(await visit(issuer, connectionTo(name, url))).toMatchObject({ subject: '7' });
    nonceless();
    const done = visit(issuer, connectionTo(name, url));
    await (name === 'linkedin' ? done : expect(done).rejects.toThrow('nonce'));
  });

  it('of a tenant of Microsoft has an algorithm that the issuer has named', async () => {
    const by = async (algorithm: string) => {
      vi.setSystemTime(Date.now() + 3_600_000);
      const metadata = {
        issuer: MICROSOFT.replace('common', '{tenantid}'),
        id_token_signing_alg_values_supported: [algorithm],
      };
      const { issuer } = await issuerWith(MICROSOFT, { metadata });
      issuer.forged = { iss: MICROSOFT.replace('common', TENANT), tid: TENANT };
      return visit(issuer, connectionTo('microsoft', MICROSOFT));
    };
    vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
    expect(await by('RS256')).toMatchObject({ issuer: MICROSOFT.replace('common', TENANT) });
    await expect(by('ES256')).rejects.toThrow('alg');
  });
});

describe('the user has', () => {
  it.each([
    [{ preferred_username: 'a', 'cognito:username': 'b', nickname: 'c', username: 'd' }, 'a'],
    [{ 'cognito:username': 'b', nickname: 'c', username: 'd' }, 'b'],
    [{ preferred_username: 'a@example.com', nickname: 'c', username: 'd' }, 'c'],
    [{ preferred_username: '', nickname: 5, username: 'd' }, 'd'],
    [{ preferred_username: 'a@example.com', name: 'e' }, undefined],
  ])('of %j the name %j', async (person, username) => {
    expect((await visited({}, person)).profile.username).toBe(username);
  });

  it.each([
    [true, true, true],
    ['true', true, true],
    [undefined, false, true],
    [false, false, false],
    ['false', false, false],
    ['yes', false, true],
  ])(
    'with email_verified %j an address that is verified: %s, and of an issuer that is trusted: %s',
    async (email_verified, plain, trusted) => {
      const url = newAddress();
      const { issuer } = await issuerWith(url);
      issuer.person = { ...issuer.person, email_verified };
      for (const trustEmail of [false, true])
        expect((await visit(issuer, connectionTo('company', url, trustEmail))).isVerified).toBe(
          trustEmail ? trusted : plain,
        );
    },
  );

  it('the address of the ID token, and otherwise that of the page of the user', async () => {
    const url = newAddress();
    const metadata = { userinfo_endpoint: `${url}/user` };
    const user = { sub: '7', email: 'other@example.com', email_verified: true, nickname: 'ann' };
    const { issuer, requests } = await issuerWith(url, { metadata, user });
    const asked = () => requests.filter((request) => request.url.endsWith('/user'));
    expect(await visit(issuer, connectionTo('company', url))).toMatchObject({ email: 'ann@example.com' });
    expect(asked()).toEqual([]);
    issuer.person = { sub: '7' };
    expect(await visit(issuer, connectionTo('company', url))).toMatchObject({
      issuer: url,
      subject: '7',
      email: 'other@example.com',
      isVerified: true,
      username: 'ann',
    });
    expect(asked().map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer of the provider']);
    issuer.person = { sub: '8' };
    await expect(visit(issuer, connectionTo('company', url))).rejects.toThrow(
      'the provider has described another user',
    );
  });

  it('no address, if neither has one', async () => {
    expect((await visited({}, { email: undefined })).profile).toMatchObject({ subject: '7', email: undefined });
  });
});

describe('a failure is told in the words of the provider', () => {
  const refused = (more: object) => Response.json({ error: 'invalid_grant', ...more }, { status: 400 });
  const failureAt = async (name: string, url: string, token: Response, metadata = {}) => {
    const { issuer } = await issuerWith(url, { token, metadata });
    return visit(issuer, connectionTo(name, url)).then(() => '', failureText);
  };

  it.each([
    ['with its description', { error_description: 'The code was used' }, 'The code was used'],
    ['with its code', {}, 'invalid_grant'],
    ['whatever else is in its response', { id_token: 'x', scope: ['a'] }, 'invalid_grant'],
  ])('%s', async (_, more, text) => {
    for (const name of ['company', 'linkedin']) expect(await failureAt(name, newAddress(), refused(more))).toBe(text);
    vi.useFakeTimers({ now: Date.now() + 7_200_000, toFake: ['Date'] });
    const metadata = { issuer: MICROSOFT.replace('common', '{tenantid}') };
    expect(await failureAt('microsoft', MICROSOFT, refused(more), metadata)).toBe(text);
  });

  it('or without any', () => {
    expect(failureText(new Error('no such host'))).toBe('no such host');
    expect(failureText('x')).toBe('The provider did not respond');
  });
});
