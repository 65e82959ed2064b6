/**
 * @module The two halves of a sign-in at a provider: where the browser goes, and who comes back. OAuth 2.0 with PKCE, and
 * OpenID Connect wherever the provider has it.
 */
import { decode, decodeHeader, verify } from 'hono/utils/jwt/jwt';
import * as oauth from 'oauth4webapi';
import { BoundedCache } from '../../../common/cache.ts';
import { sha256Base64Url } from '../../../common/digest.ts';
import { isObject, ownValue } from '../../../common/json.ts';
import { newKey } from '../../../content/credentials/secrets.ts';
import { MICROSOFT, TENANT } from '../../../schema/settings/derived.ts';
import type { Provider } from '../../../schema/settings/provider-setting.ts';
import { OAUTH_PROVIDERS, type Profile, textIn } from './oauth-profiles.ts';
import { isInsecure, readJson, readThrough, withinTime } from './provider-requests.ts';

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
const METADATA_AGE = 3_600_000;

/** Metadata of issuers, with the time when it is read again. */
const metadata = new BoundedCache<string, { readonly server: oauth.AuthorizationServer; readonly until: number }>();

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
  const isPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
  return isPost ? oauth.ClientSecretPost(secret) : oauth.ClientSecretBasic(secret);
}

/** A response of a token endpoint. */
interface TokenResponse {
  readonly response: Response;
  /** Reads its ID token, whose signature is yet to be checked; undefined without one. */
  unchecked(): unknown;
}

async function readTokens(sent: Response): Promise<TokenResponse> {
  const response = await readThrough(sent);
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  const token = response.ok ? textIn(body, 'id_token') : undefined;
  const unchecked = () => token && decode(token).payload;
  // Twitch lists the scopes: https://www.rfc-editor.org/rfc/rfc6749#section-5.1 has one text.
  if (!isObject(body) || !Array.isArray(body.scope)) return { response, unchecked };
  return { response: Response.json({ ...body, scope: body.scope.join(' ') }, response), unchecked };
}

/** Returns the server with the issuer that an ID token must name: for accounts of all tenants, that of its own. */
function expectedServer(server: oauth.AuthorizationServer, { response, unchecked }: TokenResponse) {
  if (!response.ok || !server.issuer.includes('{tenantid}')) return server;
  const tenant = textIn(unchecked(), 'tid') ?? '';
  if (!TENANT.test(tenant)) throw new Error('the ID token names no tenant');
  return { ...server, issuer: server.issuer.replace('{tenantid}', tenant) };
}

/** LinkedIn leaves out the nonce. */
const nonceFor = (name: string, nonce: string, { unchecked }: TokenResponse) =>
  name === 'linkedin' && textIn(unchecked(), 'nonce') === undefined ? oauth.expectNoNonce : nonce;

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

/** The library has checked the times, with some tolerance. */
const SIGNATURE_ALONE = { exp: false, nbf: false, iat: false };

/** Reads the keys each time, so that those of a moment ago count. @throws Error unless one of them has signed the token */
async function requireSignature(provider: Provider, server: oauth.AuthorizationServer, token: string): Promise<void> {
  const keys = ownValue(await readJson(provider, server.jwks_uri ?? ''), 'keys');
  const { alg } = decodeHeader(token);
  const hasSigned = (key: JsonWebKey): Promise<boolean> =>
    verify(token, key, { alg, ...SIGNATURE_ALONE }).then(
      () => true,
      () => false,
    );
  // Everybody knows a secret that is published. Each key is tried: some issuers do not name theirs.
  if (Array.isArray(keys) && !alg.startsWith('HS'))
    for (const key of keys) if ((textIn(key, 'alg') ?? alg) === alg && (await hasSigned(key))) return;
  // Errors of the library repeat the token.
  throw new Error('the ID token is not signed by a key of the issuer');
}

async function openIdProfile(
  connection: Connection,
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  tokenResponse: TokenResponse,
  nonce: string,
): Promise<Profile> {
  const { name, provider } = connection;
  const expected = expectedServer(server, tokenResponse);
  const tokens = await oauth.processAuthorizationCodeResponse(expected, client, tokenResponse.response, {
    expectedNonce: nonceFor(name, nonce, tokenResponse),
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
  { response }: TokenResponse,
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
  const sent = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authOf(connection, server),
    valid,
    redirectUri,
    hasPkce(connection) ? verifier : oauth.nopkce,
    { [oauth.allowInsecureRequests]: isInsecure(provider), signal: withinTime },
  );
  const tokens = await readTokens(sent);
  return provider.issuer === undefined
    ? oauthProfile(connection, server, client, tokens)
    : openIdProfile(connection, server, client, tokens, nonce);
}

/** Returns the error text for the page: an error's `cause` may hold tokens. */
export function failureText(error: unknown): string {
  if (error instanceof oauth.ResponseBodyError) return error.error_description ?? error.error;
  return error instanceof Error ? error.message : 'The provider did not respond';
}
