/**
 * @module The addresses that a browser may be sent back to with a code.
 */

const MAX_LENGTH = 1_000;
/** Hosts of the person's own computer: any program there may listen (https://www.rfc-editor.org/rfc/rfc8252#section-7.3). */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** The scheme of an app has a dot (https://www.rfc-editor.org/rfc/rfc8252#section-7.1), so it is none that browsers run. */
const PRIVATE_USE = /^[a-z][a-z\d+-]*(\.[a-z\d+-]+)+:$/;
/** Those of well-known apps that have none. */
const APPS: ReadonlySet<string> = new Set(['cursor:']);

export interface Redirect {
  /** Empty for the scheme of an app. */
  readonly host: string;
  readonly isLoopback: boolean;
  readonly scheme: string;
}

/** Returns undefined for an address that no client may have. */
export function redirectOf(uri: string): Redirect | undefined {
  if (uri.length > MAX_LENGTH || !/^[!-~]+$/.test(uri) || uri.includes('#')) return undefined;
  const url = URL.parse(uri);
  if (!url || url.username + url.password !== '') return undefined;
  const { protocol, host, hostname } = url;
  const scheme = protocol.slice(0, -1);
  const isLoopback = LOOPBACK.has(hostname);
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback)) return { host, isLoopback, scheme };
  return PRIVATE_USE.test(protocol) || APPS.has(protocol) ? { host: '', isLoopback: false, scheme } : undefined;
}

/** The address without its port, which a program on the computer gets only when it starts. */
function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}

/** Without TLS, an address is one of the person's own computer. */
const isFreeOfPort = (uri: string): boolean => redirectOf(uri)?.scheme === 'http';

/** Is an address one of a client? @param uri one that `redirectOf` takes */
export const isAmong = (uri: string, registered: readonly string[]): boolean =>
  registered.some((own) => own === uri || (isFreeOfPort(own) && withoutPort(own) === withoutPort(uri)));

/** Adds parameters to an address, which stays as the client has it. */
export const locationOf = (uri: string, parameters: Readonly<Record<string, string | undefined>>): string => {
  const sent = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(sent)}`;
};
