/**
 * @module Requests to providers and to Cloudflare Access: within a time, and with bodies of a limited size.
 */
import type { Provider } from '../../../schema/settings/provider-setting.ts';

/** Milliseconds. */
const TIMEOUT = 10_000;
/** Bytes of a body. Metadata and keys of the presets have less than a tenth. */
const MAX_BODY = 512 * 1024;

type Issued = Pick<Provider, 'issuer'>;

/** Only a local issuer of the settings is without TLS. */
export const isInsecure = ({ issuer }: Issued): boolean => issuer?.startsWith('http:') === true;

export const withinTime = (): AbortSignal => AbortSignal.timeout(TIMEOUT);

/** Returns the response with the text of its body. @throws Error for one that is too long, which is read no further */
export async function readThrough(response: Response): Promise<Response> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BODY) throw new Error(`the provider has sent more than ${MAX_BODY} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  const { status, headers } = response;
  const read = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) read.delete(name);
  return new Response(text + decoder.decode(), { status, headers: read });
}

/** Reads JSON of a provider. @throws Error for any response but a success */
export async function readJson(provider: Issued, url: string, token?: string): Promise<unknown> {
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
    signal: withinTime(),
  });
  if (response.ok) return (await readThrough(response)).json();
  await response.body?.cancel();
  throw new Error(`${new URL(url).host} responded with ${response.status}`);
}
