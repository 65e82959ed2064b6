/**
 * @module The address of a request, parsed once: it costs more than most of what is done with it.
 */

export interface Address {
  readonly pathname: string;
  /** With its question mark; empty without a query. */
  readonly search: string;
  /** Is it that of a server on the machine of its developer? */
  readonly isLocal: boolean;
  readonly isHttps: boolean;
}

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])$/;

const parsed = new WeakMap<Request, Address>();

function parse(url: string): Address {
  const { pathname, search, hostname, protocol } = new URL(url);
  return { pathname, search, isLocal: LOCAL_HOST.test(hostname), isHttps: protocol === 'https:' };
}

/** Undefined for escapes that are none. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function addressOf(request: Request): Address {
  const known = parsed.get(request) ?? parse(request.url);
  parsed.set(request, known);
  return known;
}
