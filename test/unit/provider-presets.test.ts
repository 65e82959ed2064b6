/**
 * @module What each preset makes of what its provider sends, as their documentation says it. None was tried at the provider.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { authorizationUrl, exchangeCode, newBinding } from '../../src/features/users/providers/exchange.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { newSigningKey, openIssuer, serveIssuers } from '../support/issuer.ts';

afterEach(() => void vi.restoreAllMocks());

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47';

function connectionOf(name: string, more: object = {}) {
  const providers = { [name]: { clientId: 'site', secret: 'SECRET', ...more } };
  const settings = parseSettings({ server: { url: 'https://api.example.com' }, users: { providers } });
  const provider = settings.users.providers[name];
  if (!provider) throw new Error(name);
  return { name, provider, secret: 'the secret', redirectUri: `https://api.example.com/api/connect/${name}/callback` };
}

/** Answers the token request, and the others by their address. */
async function profileFrom(name: string, bodies: Readonly<Record<string, unknown>>) {
  const asked: Request[] = [];
  serveIssuers({
    async respond(request) {
      asked.push(request);
      if (request.method === 'POST') return Response.json({ access_token: 'token', token_type: 'bearer' });
      return Response.json(bodies[request.url]);
    },
  });
  const [connection, binding] = [connectionOf(name), newBinding()];
  const url = new URL(await authorizationUrl(connection, binding));
  const query = new URLSearchParams({ code: 'code', state: binding.state });
  return { url, asked, profile: await exchangeCode(connection, query, binding) };
}

describe('without OpenID Connect', () => {
  const emails = [
    { email: 'other@example.com', primary: false, verified: true },
    { email: 'ann@example.com', primary: true, verified: true },
  ];
  const patreon = (attributes: object) => ({ data: { id: '7', attributes } });
  const PATREON = 'https://www.patreon.com/api/oauth2/v2/identity?fields[user]=full_name,email,is_email_verified';
  const address = encodeURI(PATREON).replaceAll('%5B', '[').replaceAll('%5D', ']');

  it.each([
    [
      'github',
      {
        'https://api.github.com/user': { id: 7, login: 'ann', email: 'public@example.com' },
        'https://api.github.com/user/emails': emails,
      },
      true,
    ],
    [
      'github',
      {
        'https://api.github.com/user': { id: 7, login: 'ann' },
        'https://api.github.com/user/emails': [{ ...emails[1], verified: false }],
      },
      false,
    ],
    [
      'discord',
      { 'https://discord.com/api/users/@me': { id: '7', username: 'ann', email: 'ann@example.com', verified: true } },
      true,
    ],
    ['discord', { 'https://discord.com/api/users/@me': { id: '7', username: 'ann', email: 'ann@example.com' } }, false],
    [
      'facebook',
      { 'https://graph.facebook.com/me?fields=id,name,email': { id: '7', name: 'ann', email: 'ann@example.com' } },
      false,
    ],
    ['patreon', { [address]: patreon({ full_name: 'ann', email: 'ann@example.com', is_email_verified: true }) }, true],
    [
      'patreon',
      { [address]: patreon({ full_name: 'ann', email: 'ann@example.com', is_email_verified: 'false' }) },
      false,
    ],
  ])('%s says who it is by %j, and vouches for the address: %s', async (name, bodies, isVerified) => {
    const { url, asked, profile } = await profileFrom(name, bodies);
    expect(profile).toMatchObject({ subject: '7', email: 'ann@example.com', username: 'ann', isVerified });
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.has('nonce')).toBe(false);
    const sent = new URLSearchParams(await asked[0]?.text());
    expect([sent.has('code_verifier'), sent.get('client_secret')]).toEqual([true, 'the secret']);
    for (const request of asked.slice(1)) expect(request.headers.get('authorization')).toBe('Bearer token');
  });

  it('github without an id or without an answer signs nobody in', async () => {
    await expect(profileFrom('github', { 'https://api.github.com/user': { login: 'ann' } })).rejects.toThrow();
  });
});

/** The keys of an issuer are cached, so that all have the same. */
const key = newSigningKey('first');

/** Signs in at an issuer that stands at the address of a preset. */
async function openIdProfile(
  name: string,
  url: string,
  change: (issuer: Awaited<ReturnType<typeof openIssuer>>) => void,
  more: object = {},
) {
  const issuer = await openIssuer(url, await key);
  issuer.person = { sub: '7', email: 'ann@example.com', email_verified: true };
  issuer.sendsIssuer = false;
  change(issuer);
  serveIssuers(issuer);
  const [connection, binding] = [connectionOf(name, more), newBinding()];
  const location = await authorizationUrl(connection, binding);
  const query = new URL(issuer.agree(location)).searchParams;
  return { location: new URL(location), profile: await exchangeCode(connection, query, binding) };
}

describe('with OpenID Connect', () => {
  it('google and gitlab are issuers like any other', async () => {
    for (const [name, url] of [
      ['google', 'https://accounts.google.com'],
      ['gitlab', 'https://gitlab.com'],
    ] as const) {
      const { location, profile } = await openIdProfile(name, url, () => undefined);
      expect(location.searchParams.get('scope')).toBe('openid email profile');
      expect(profile).toMatchObject({ issuer: url, subject: '7', isVerified: true });
    }
  });

  it('cognito says that an address is verified by a text', async () => {
    const change = (issuer: { person: object }) =>
      void Object.assign(issuer.person, { email_verified: 'true', 'cognito:username': 'ann' });
    const url = 'https://cognito-idp.eu-central-1.amazonaws.com/pool';
    const { profile } = await openIdProfile('cognito', url, change, { issuer: url });
    expect(profile).toMatchObject({ isVerified: true, username: 'ann' });
  });

  it('twitch is asked for the address, and lists its scopes', async () => {
    const { location, profile } = await openIdProfile('twitch', 'https://id.twitch.tv/oauth2', (issuer) => {
      issuer.extra = { scope: ['openid', 'user:read:email'] };
    });
    expect(location.searchParams.get('scope')).toBe('openid user:read:email');
    expect(location.searchParams.get('claims')).toContain('email_verified');
    expect(profile.subject).toBe('7');
  });

  it('linkedin may leave out the nonce, and sends no wrong one', async () => {
    const url = 'https://www.linkedin.com/oauth';
    const by = (nonce: unknown) =>
      openIdProfile('linkedin', url, (issuer) => {
        issuer.forged = { nonce };
      });
    const { location, profile } = await by(undefined);
    expect(profile.subject).toBe('7');
    // It rejects clients with a secret that send a verifier.
    expect(location.searchParams.has('code_challenge')).toBe(false);
    await expect(by('another')).rejects.toThrow('nonce');
  });

  it('an issuer of your own may be trusted with addresses of which it says nothing', async () => {
    const url = 'https://sso.example.com';
    const silent = (issuer: { person: object }) => void Object.assign(issuer.person, { email_verified: undefined });
    expect((await openIdProfile('company', url, silent, { issuer: url })).profile.isVerified).toBe(false);
    expect((await openIdProfile('company', url, silent, { issuer: url, trustEmail: true })).profile.isVerified).toBe(
      true,
    );
  });
});

describe('microsoft', () => {
  const BASE = 'https://login.microsoftonline.com';
  const own = (tenant: string) => `${BASE}/${tenant}/v2.0`;

  it('is the issuer of the tenant that the ID token names', async () => {
    const by = (forged: object) =>
      openIdProfile('microsoft', `${BASE}/common/v2.0`, (issuer) => {
        issuer.named = own('{tenantid}');
        issuer.forged = { iss: own(TENANT), tid: TENANT, ...forged };
      });
    const { profile } = await by({});
    expect(profile).toMatchObject({ issuer: own(TENANT), isVerified: false });
    const other = TENANT.replace('7', '8');
    await expect(by({ tid: other })).rejects.toThrow('iss');
    await expect(by({ iss: own('{tenantid}'), tid: '{tenantid}' })).rejects.toThrow('tenant');
    await expect(by({ tid: undefined })).rejects.toThrow('tenant');
  });

  it('vouches for addresses of a tenant of your own alone', async () => {
    const by = (more: object) => openIdProfile('microsoft', own(TENANT), () => undefined, { tenant: TENANT, ...more });
    expect((await by({})).profile.isVerified).toBe(false);
    expect((await by({ trustEmail: true })).profile.isVerified).toBe(true);
  });
});
