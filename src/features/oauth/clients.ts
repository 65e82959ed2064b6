/**
 * @module Clients: those with a document at their id, and those that have registered themselves, whose id has it sealed.
 */
import { application, notReady } from '../../common/errors.ts';
import type { JsonObject } from '../../common/json.ts';
import { seal, unseal } from '../../content/credentials/seal.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { documentUrl, FETCH_FLAG, fetchDocument, isFetchPublic } from './client-document.ts';
import { isAmong, type Redirect, redirectOf } from './redirect-uri.ts';

const REGISTERED = 'ewc_';
const USE = 'oauth client';
const MAX_NAME = 100;

/** What a client says of itself. */
export interface ClientDetails {
  readonly name: string;
  readonly redirectUris: readonly string[];
}

export interface Client {
  readonly id: string;
  /** That of its id, or of its redirect if it has registered itself, or `app:` of a scheme: all that is certain about it. */
  readonly host: string;
  /** What it calls itself. */
  readonly name: string;
  /** The page about it, on its own host. */
  readonly uri?: string;
  /** Has it a document at its id? */
  readonly isVerified: boolean;
  readonly redirect: Redirect;
}

export interface ClientContext {
  readonly settings: Settings;
  readonly secret: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The addresses of the deployment. */
  readonly own: readonly string[];
}

/** A name on one line. */
const nameIn = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
        .trim()
        .slice(0, MAX_NAME)
        .toWellFormed()
    : '';

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** Reads what a document or a registration says of a client. */
export const detailsIn = ({ client_name: name, redirect_uris: uris }: JsonObject): ClientDetails => ({
  name: nameIn(name),
  redirectUris: textsIn(uris),
});

/** Returns an id that only this deployment reads. */
export const registeredId = async (details: ClientDetails, secret: string): Promise<string> =>
  REGISTERED + (await seal({ ...details }, USE, secret, Number.MAX_SAFE_INTEGER));

async function registered(id: string, { settings, secret, now }: ClientContext): Promise<ClientDetails | undefined> {
  if (!settings.oauth?.registration) return undefined;
  const details = await unseal(id.slice(REGISTERED.length), USE, secret, now);
  return details && { name: String(details.name), redirectUris: textsIn(details.redirectUris) };
}

const UNKNOWN = 'This server does not know the client. Remove the connection in the client, and add it again';

/** @throws ApiError 400 for a client without a document @throws ApiError 503 without the flag of fetches */
async function documented(id: string, { own }: ClientContext): Promise<JsonObject> {
  const url = documentUrl(id, own);
  if (!url) throw application(UNKNOWN, { key: 'clientId' });
  if (!isFetchPublic()) throw notReady(`compatibility_flags of wrangler.toml lacks "${FETCH_FLAG}"`);
  const document = await fetchDocument(url);
  if (!document)
    throw application(`${url.hostname} has no valid document about its client at ${id}`, { key: 'clientId' });
  return document;
}

/** @throws ApiError 400 for a redirect that the client does not have: the browser must not go there */
function redirectFor(uri: string, { redirectUris }: ClientDetails, host: string): Redirect {
  const redirect = redirectOf(uri);
  if (redirect && isAmong(uri, redirectUris)) return redirect;
  const whose = host === '' ? 'The client' : `The client of ${host}`;
  throw application(`${whose} asks to send you to an address that is not one of its own`, { key: 'redirectUri' });
}

/** Returns the page about a client, if its own host has it. */
function pageOf({ client_uri: uri }: JsonObject, host: string): string | undefined {
  const url = typeof uri === 'string' && uri.length <= 500 ? URL.parse(uri) : null;
  return url?.protocol === 'https:' && url.host === host ? url.href : undefined;
}

/**
 * Returns the client of a request. May fetch its document.
 * @throws ApiError 400 with a sentence for the person, who must not be sent back
 */
export async function clientFor(id: string, redirectUri: string, context: ClientContext): Promise<Client> {
  if (id.startsWith(REGISTERED)) {
    const details = await registered(id, context);
    if (!details) throw application(UNKNOWN, { key: 'clientId' });
    const redirect = redirectFor(redirectUri, details, '');
    // A scheme may look like a host.
    const host = redirect.host || `${redirect.scheme}:`;
    return { id, host, name: details.name, isVerified: false, redirect };
  }
  const document = await documented(id, context);
  const { host } = new URL(id);
  const details = detailsIn(document);
  const uri = pageOf(document, host);
  return {
    ...{ id, host, name: details.name, isVerified: true },
    ...(uri !== undefined && { uri }),
    redirect: redirectFor(redirectUri, details, host),
  };
}
