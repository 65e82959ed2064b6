/**
 * @module The two halves of a sign-in at a provider: where the browser goes, and who comes back. OAuth 2.0 with PKCE, and
 * OpenID Connect wherever the provider has it.
 */
import { decode, verifyWithJwks } from 'hono/utils/jwt/jwt';
import * as oauth from 'oauth4webapi';
import { BoundedCache } from '../../../common/cache.ts';
import { sha256Base64Url } from '../../../common/digest.ts';
import { isObject, ownValue } from '../../../common/json.ts';
import { newKey } from '../../../content/credentials/secrets.ts';
import type { Provider } from '../../../schema/settings/provider-setting.ts';
import { OAUTH_PROVIDERS, type Profile, textIn } from './oauth-profiles.ts';

/** A provider with what a request to it needs. */
export interface Connection {
  /** Its name in the settings. */
  readonly name: string;
  readonly provider: Provider;
  readonly secret: string;
  /** Where the provider sends the browser. */
  readonly redirectUri: string;
}

/** What binds a sign-in to the browser in which it began. */
export interface Binding {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** `state` has 40 hexadecimal digits, as in Strapi. */
export const newBinding = (): Binding => ({
  state: newKey().slice(0, 40),
  nonce: newKey(),
  verifier: newKey(),
});

/** Milliseconds. */
const TIMEOUT = 10_000;
const METADATA_AGE = 3_600_000;

/** Metadata of issuers, with the time when it is read again. */
const metadata = new BoundedCache<string, { readonly server: oauth.AuthorizationServer; readonly until: number }>();

/** Only a local issuer of the settings is without TLS. */
const isInsecure = ({ issuer }: Provider): boolean => issuer?.startsWith('http:') === true;

/** Reads JSON of a provider. @throws Error for any response but a success */
async function readJson(provider: Provider, url: string, token?: string): Promise<unknown> {
  if (!url.startsWith('https:') && !isInsecure(provider)) throw new Error(`${url} is without TLS`);
  const response = await fetch(url, {
    // GitHub rejects requests that name no program.
    headers: {
      accept: 'application/json',
      'user-agent': 'edgewise',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    // The token is for this host only.
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT),
  });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new Error(`${new URL(url).host} responded with ${response.status}`);
}

/** Settings have it, too, which the Worker does not bundle. */
const MICROSOFT = 'https://login.microsoftonline.com/';
const TENANT = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The issuer that metadata names. That of all tenants is a template. */
const namedIssuer = (issuer: string): string =>
  issuer.startsWith(MICROSOFT) ? issuer.replace('/common/', '/{tenantid}/') : issuer;

/** https://openid.net/specs/openid-connect-discovery-1_0.html#ProviderConfig */
async function discovered(issuer: string, provider: Provider): Promise<oauth.AuthorizationServer> {
  const cached = metadata.get(issuer);
  if (cached && cached.until > Date.now()) return cached.server;
  const found = await readJson(provider, `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const named = textIn(found, 'issuer') ?? '';
  if (!URL.canParse(named) || new URL(named).href !== new URL(namedIssuer(issuer)).href)
    throw new Error(`${issuer} names another issuer in its metadata`);
  const server = found as oauth.AuthorizationServer;
  metadata.set(issuer, { server, until: Date.now() + METADATA_AGE });
  return server;
}

/** @throws Error for an issuer that does not respond with its metadata */
function serverOf({ name, provider }: Connection): oauth.AuthorizationServer | Promise<oauth.AuthorizationServer> {
  if (provider.issuer !== undefined) return discovered(provider.issuer, provider);
  const preset = OAUTH_PROVIDERS[name];
  if (!preset) throw new Error(`${name} has no issuer`);
  return preset.server;
}

/** https://dev.twitch.tv/docs/authentication/getting-tokens-oidc */
const TWITCH = { claims: '{"id_token":{"email":null,"email_verified":null,"preferred_username":null}}' };

function scopeOf({ name, provider }: Connection): string {
  if (provider.issuer === undefined) return OAUTH_PROVIDERS[name]?.scope ?? '';
  return name === 'twitch' ? 'openid user:read:email' : 'openid email profile';
}

/** LinkedIn rejects clients with a secret that send a verifier; there the state alone binds the browser. */
const hasPkce = ({ name }: Connection): boolean => name !== 'linkedin';

/** Returns the URL of the provider that asks the user. */
export async function authorizationUrl(connection: Connection, { state, nonce, verifier }: Binding): Promise<string> {
  const { name, provider, redirectUri } = connection;
  const { authorization_endpoint: endpoint } = await serverOf(connection);
  if (endpoint === undefined) throw new Error('the issuer names no authorization endpoint');
  const url = new URL(endpoint);
  const parameters = {
    client_id: provider.clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: scopeOf(connection),
    state,
    ...(hasPkce(connection) && { code_challenge: sha256Base64Url(verifier), code_challenge_method: 'S256' }),
    ...(provider.issuer !== undefined && { nonce }),
    ...(name === 'twitch' && TWITCH),
  };
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
  return url.href;
}

function authOf({ secret }: Connection, server: oauth.AuthorizationServer): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_post') ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** Twitch lists the scopes: https://www.rfc-editor.org/rfc/rfc6749#section-5.1 has one text. */
async function withTextScope(response: Response): Promise<Response> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (!isObject(body) || !Array.isArray(body.scope)) return response;
  return Response.json({ ...body, scope: body.scope.join(' ') }, { status: response.status });
}

/** Reads an ID token whose signature is yet to be checked; undefined without one. */
async function uncheckedClaims(response: Response): Promise<unknown> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const token = textIn(body, 'id_token');
  return response.ok && token !== undefined ? decode(token).payload : undefined;
}

/** Returns the server with the issuer that an ID token must name: for accounts of all tenants, that of its own. */
async function expectedServer(server: oauth.AuthorizationServer, response: Response) {
  if (!response.ok || !server.issuer.includes('{tenantid}')) return server;
  const tenant = textIn(await uncheckedClaims(response), 'tid') ?? '';
  if (!TENANT.test(tenant)) throw new Error('the ID token names no tenant');
  return { ...server, issuer: server.issuer.replace('{tenantid}', tenant) };
}

/** LinkedIn leaves out the nonce. */
const nonceFor = async (name: string, nonce: string, response: Response): Promise<string | undefined> =>
  name === 'linkedin' && textIn(await uncheckedClaims(response), 'nonce') === undefined ? undefined : nonce;

const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** User names are no addresses. */
const nameIn = (claims: unknown): string | undefined =>
  ['preferred_username', 'cognito:username', 'nickname', 'username']
    .map((key) => textIn(claims, key))
    .find((name) => name !== undefined && !name.includes('@'));

function profileOf({ provider }: Connection, issuer: string, subject: string, claims: unknown): Profile {
  // Anyone with a directory of their own may set any address there: https://www.descope.com/blog/post/noauth
  const verified = ownValue(claims, 'email_verified');
  const isMicrosoft = issuer.startsWith(MICROSOFT);
  const isDenied = verified === false || verified === 'false';
  return {
    issuer,
    subject,
    email: textIn(claims, 'email'),
    isVerified: !isDenied && (provider.trustEmail || (!isMicrosoft && isTrue(verified))),
    username: nameIn(claims),
  };
}

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'] as const;

/** The library has checked the times, with some tolerance. */
const SIGNATURE_ALONE = { exp: false, nbf: false, iat: false };

/** Reads the keys each time, so that those of a moment ago count. @throws Error unless one of them has signed the token */
async function requireSignature(provider: Provider, server: oauth.AuthorizationServer, token: string): Promise<void> {
  const keys = ownValue(await readJson(provider, server.jwks_uri ?? ''), 'keys');
  const options = {
    keys: Array.isArray(keys) ? keys : [],
    allowedAlgorithms: ALGORITHMS,
    verification: SIGNATURE_ALONE,
  };
  // Its errors repeat the token.
  await verifyWithJwks(token, options).catch(() => {
    throw new Error('the ID token is not signed by a key of the issuer');
  });
}

async function openIdProfile(
  connection: Connection,
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  response: Response,
  nonce: string,
): Promise<Profile> {
  const { name, provider } = connection;
  const expected = await expectedServer(server, response);
  const tokens = await oauth.processAuthorizationCodeResponse(expected, client, response, {
    expectedNonce: (await nonceFor(name, nonce, response)) ?? oauth.expectNoNonce,
    requireIdToken: true,
  });
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (!claims) throw new Error('the provider has sent no ID token');
  await requireSignature(provider, server, tokens.id_token ?? '');
  const { sub, iss } = claims;
  if (claims.email !== undefined || server.userinfo_endpoint === undefined)
    return profileOf(connection, iss, sub, claims);
  const user = await readJson(provider, server.userinfo_endpoint, tokens.access_token);
  // https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse
  if (textIn(user, 'sub') !== sub) throw new Error('the provider has described another user');
  return profileOf(connection, iss, sub, user);
}

async function oauthProfile(
  { name, provider }: Connection,
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  response: Response,
): Promise<Profile> {
  const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, response);
  const preset = OAUTH_PROVIDERS[name];
  if (!preset) throw new Error(`${name} has no issuer`);
  return { ...(await preset.profile((url) => readJson(provider, url, token))), issuer: server.issuer };
}

/**
 * Exchanges the code of a provider, and returns whose it is. Nothing of the provider's tokens is kept.
 * @param parameters the query with which the provider sent the browser back
 * @throws Error for a response that is not from this issuer, for this client and this browser
 */
export async function exchangeCode(
  connection: Connection,
  parameters: URLSearchParams,
  { state, nonce, verifier }: Binding,
): Promise<Profile> {
  const { provider, redirectUri } = connection;
  const server = await serverOf(connection);
  const client = { client_id: provider.clientId };
  const valid = oauth.validateAuthResponse(server, client, parameters, state);
  const response = await withTextScope(
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authOf(connection, server),
      valid,
      redirectUri,
      hasPkce(connection) ? verifier : oauth.nopkce,
      { [oauth.allowInsecureRequests]: isInsecure(provider), signal: () => AbortSignal.timeout(TIMEOUT) },
    ),
  );
  return provider.issuer === undefined
    ? oauthProfile(connection, server, client, response)
    : openIdProfile(connection, server, client, response, nonce);
}

/** Returns the error text for the page: an error's `cause` may hold tokens. */
export function failureText(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError) return error.error_description ?? error.error;
  return error instanceof Error ? error.message : 'The provider did not respond';
}
