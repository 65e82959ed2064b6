/**
 * @module The link with which `npm run dev` signs in to Studio: it has a secret in its fragment, which a page of the server on this
 * machine exchanges for a token, once. Nothing of it is stored, so it ends with the run.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { text } from 'node:stream/consumers';
import { sha256 } from '../../src/common/digest.ts';

/** Where Studio sends the secret. The gate responds there, the Worker never. */
export const SIGN_IN_PATH = '/_dev/sign-in';

const SECRET_BYTES = 32;
/** As base64url. */
const SECRET_LENGTH = 43;

/** Headers that a proxy or a tunnel adds. */
const FORWARDED = /^(forwarded|via|true-client-ip|x-real-ip|x-forwarded-|cf-)/;

/** Is it an address or a name that only this machine has? */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || host === '[::1]' || (isIP(host) === 4 && host.startsWith('127.'));

const hostOf = (origin: string): string => (URL.canParse(origin) ? new URL(origin).hostname : '');

/** Was it sent on this machine? A name that was made to lead here, and a tunnel, have another `Host`. */
export function isLocal({ socket, headers }: IncomingMessage): boolean {
  const peer = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  const isForwarded = Object.keys(headers).some((name) => FORWARDED.test(name));
  return isLoopback(peer) && isLoopback(hostOf(`http://${headers.host}`)) && !isForwarded;
}

/** Did a page of the server send it, on this machine? One of another origin has that in `Origin`, which no script can change. */
const isOwnPage = (request: IncomingMessage): boolean =>
  isLocal(request) && request.headers.origin === `http://${request.headers.host}`;

const isSame = (a: string, b: string): boolean => timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)));

/**
 * Makes the link.
 * @param url of the server
 * @param onUsed called with the next link, once one was used
 */
export function signInLink(url: string, token: string, onUsed: (next: string) => void) {
  const newSecret = () => randomBytes(SECRET_BYTES).toString('base64url');
  let secret = newSecret();
  const address = () => `${url}/studio/#sign-in=${secret}`;
  return {
    address,
    /** Responds with the token to the secret, or with 403. */
    async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const isFitting = request.headers['content-length'] === String(SECRET_LENGTH);
      const sent = isFitting && isOwnPage(request) ? await text(request) : '';
      // Nothing comes between the comparison and the next secret.
      const isRight = isSame(sent, secret);
      if (isRight) secret = newSecret();
      const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' };
      response.writeHead(isRight ? 200 : 403, headers).end(JSON.stringify(isRight ? { token } : {}));
      if (isRight) onUsed(address());
    },
  };
}
