/**
 * @module `GET /api/connect/:provider` and `/callback`: to a provider, and back to a page of the site.
 */
import { application, invalid, notReady } from '../../../common/errors.ts';
import { ownValue } from '../../../common/json.ts';
import type { AppContext } from '../../../http/context.ts';
import { addressOf } from '../../../http/request-url.ts';
import type { Provider } from '../../../schema/settings/provider-setting.ts';
import type { UserCall } from '../call.ts';
import { withAccountGrant } from '../precheck.ts';
import { authorizationUrl, type Connection, exchangeCode, failureText, newBinding } from './exchange.ts';
import { keepPending, keepTicket, sealTicket, takePending } from './pending.ts';

/** @throws ApiError 400 for a provider that the settings do not have */
export function providerOf({ settings }: UserCall, name: string): Provider {
  const { providers } = settings.users;
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (!provider) throw application('This provider is disabled');
  return provider;
}

/** @throws ApiError 503 without the secret */
function connectionOf(call: UserCall, context: AppContext, name: string): Connection {
  const provider = providerOf(call, name);
  if (call.publicUrl === '') throw notReady('server.url is not set: the provider returns there');
  const secret: unknown = ownValue(context.env, provider.secret);
  if (typeof secret !== 'string' || secret === '')
    throw notReady(`${provider.secret} is not set: npx wrangler secret put ${provider.secret}`);
  return { name, provider, secret, redirectUri: `${call.publicUrl}/api/connect/${name}/callback` };
}

const studioOf = ({ publicUrl }: UserCall): string => `${publicUrl}/studio/`;

const pageOf = (call: UserCall, { callback }: Provider): string => callback ?? studioOf(call);

/** Pages that a browser may return to: that of the provider, and Studio, where it is deployed. */
const allowedPages = (call: UserCall, provider: Provider): readonly string[] => [
  pageOf(call, provider),
  ...(call.settings.studio === false ? [] : [studioOf(call)]),
];

/** Characters. A cookie keeps it, and browsers drop cookies of more than 4,096 bytes. */
const MAX_CALLBACK = 1_000;

/** @throws ApiError 400 unless it has origin and path of an allowed page; query and fragment are free */
function callbackOf(call: UserCall, provider: Provider): string {
  const { callback } = call.query();
  if (callback === undefined) return pageOf(call, provider);
  const isShort = typeof callback === 'string' && callback.length <= MAX_CALLBACK;
  const sent = isShort && URL.canParse(callback) ? new URL(callback) : undefined;
  const page = allowedPages(call, provider)
    .map((text) => new URL(text))
    .find(({ origin, pathname }) => origin === sent?.origin && pathname === sent.pathname);
  if (!page || !sent) throw invalid('Invalid callback URL provided', { callback });
  return `${page.origin}${page.pathname}${sent.search}${sent.hash}`;
}

/** @throws ApiError 400 for a challenge that no verifier could fit */
function challengeOf(call: UserCall): string | null {
  const { code_challenge: challenge, code_challenge_method: method } = call.query();
  if (method !== undefined && method !== 'S256') throw invalid('code_challenge_method must be S256');
  if (challenge === undefined && method === undefined) return null;
  if (typeof challenge !== 'string' || !/^[\w-]{43}$/.test(challenge))
    throw invalid('code_challenge must be the SHA-256 of a text, in base64url');
  return challenge;
}

/** Logs what went wrong, without the tokens that an error may hold. */
function logFailure(call: UserCall, name: string, error: unknown): string {
  const text = failureText(error);
  call.afterwards(() => Promise.reject(new Error(`Signing in by ${name} failed: ${text}`)));
  return text;
}

/** Returns where the browser goes: to the provider. */
export const connect = (call: UserCall, context: AppContext, name: string): Promise<string> =>
  withAccountGrant(call, 'auth.connect', async () => {
    const connection = connectionOf(call, context, name);
    const { provider } = connection;
    const [callback, challenge] = [callbackOf(call, provider), challengeOf(call)];
    const binding = newBinding();
    try {
      const url = await authorizationUrl(connection, binding);
      await keepPending(context, call, { ...binding, provider: name, callback, challenge });
      return url;
    } catch (error) {
      return returned(callback, { error: 'oauth_error', error_description: logFailure(call, name, error) });
    }
  });

/** Adds parameters to those that the page has put into its address. */
export function returned(callback: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(callback);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Returns where the browser goes: to the page, with a one-time `access_token`, or with `error`. */
export const connectCallback = (call: UserCall, context: AppContext, name: string): Promise<string> =>
  withAccountGrant(call, 'auth.connect', async () => {
    const connection = connectionOf(call, context, name);
    const query = new URLSearchParams(addressOf(context.req.raw).search);
    const held = await takePending(context, call, query.get('state') ?? '');
    const pending = held?.provider === name ? held : undefined;
    const page = pending?.callback ?? pageOf(call, connection.provider);
    const fail = (text: string): string => returned(page, { error: 'oauth_error', error_description: text });
    const error = query.get('error');
    if (error !== null) {
      const description = query.get('error_description');
      return returned(page, { error, ...(description !== null && { error_description: description }) });
    }
    if (!query.get('code')) return fail('OAuth2 missing code parameter');
    if (!pending) return fail('OAuth2 state mismatch');
    // Scanners send HEAD, and would use the code up.
    if (call.bodiless) return page;
    try {
      const profile = await exchangeCode(connection, query, pending);
      const ticket = await sealTicket(call, { ...profile, ...pending });
      keepTicket(context, pending.state, ticket);
      return returned(page, { access_token: ticket });
    } catch (failure) {
      return fail(logFailure(call, name, failure));
    }
  });
