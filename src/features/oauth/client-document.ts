/**
 * @module Documents that clients publish about themselves, at the address that is their id. The one address of a request that is
 * ever fetched, and only for a user who connects a client.
 * https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
import { isObject, type JsonObject } from '../../common/json.ts';

const MAX_LENGTH = 500;
const MAX_BYTES = 5_120;
/** Milliseconds, until its last byte. */
const TIMEOUT = 3_000;

/** Names of networks that no name server of the world has. */
const INTERNAL = /(^|\.)(localhost|local|internal|intranet|private|corp|home|lan|localdomain|arpa|test|invalid|onion)$/;
/** The parser of addresses writes all forms of an IPv4 address so, and puts IPv6 into brackets. */
const ADDRESS = /^(\d+\.\d+\.\d+\.\d+|\[.*\])$/;

/** Is it the name of a host of the internet, by its text? */
const isPublicName = (host: string): boolean =>
  host.includes('.') && !host.endsWith('.') && !ADDRESS.test(host) && !INTERNAL.test(host);

/**
 * Returns the address of a document; undefined for what may be none: without TLS or a path, with a port, credentials, a fragment
 * or another spelling, inside a network, or of this server.
 * @param own the addresses of the deployment
 */
export function documentUrl(clientId: string, own: readonly string[]): URL | undefined {
  const url = clientId.length > MAX_LENGTH ? null : URL.parse(clientId);
  if (!url || url.href !== clientId || url.protocol !== 'https:' || url.port !== '') return undefined;
  const isPlain = url.username === '' && url.password === '' && url.pathname !== '/' && !clientId.includes('#');
  const isOwn = own.some((address) => URL.parse(address)?.hostname === url.hostname);
  // A server like this one has what its users have uploaded there, maybe under further names of this one.
  const isUploaded = url.pathname.startsWith('/uploads/');
  return isPlain && !isOwn && !isUploaded && isPublicName(url.hostname) ? url : undefined;
}

/**
 * With this flag, the platform sends requests of a Worker nowhere but to the internet, whatever the name of a host leads to
 * (https://developers.cloudflare.com/workers/configuration/compatibility-flags/#global-fetch-strictly-public).
 */
export const FETCH_FLAG = 'global_fetch_strictly_public';

export const isFetchPublic = (): boolean =>
  (globalThis as { readonly Cloudflare?: Cloudflare }).Cloudflare?.compatibilityFlags[FETCH_FLAG] === true;

/** Reads a body up to a limit; undefined for a longer one, of which no more is read. */
async function limitedText(body: ReadableStream<Uint8Array> | null): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (bytes > MAX_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Fetches a document. Returns undefined for a failure, a redirect, and for anything but the JSON of this client. */
export async function fetchDocument(url: URL): Promise<JsonObject | undefined> {
  try {
    const response = await fetch(url.href, {
      headers: { accept: 'application/json' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const isJson = /^application\/([\w.-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '');
    if (response.status !== 200 || !isJson) {
      await response.body?.cancel();
      return undefined;
    }
    const document: unknown = JSON.parse((await limitedText(response.body)) ?? 'null');
    return isObject(document) && document.client_id === url.href ? document : undefined;
  } catch {
    return undefined;
  }
}
