/**
 * @module An issuer whose responses a test chooses one by one, and the way of a sign-in there and back.
 */
import {
  authorizationUrl,
  type Connection,
  exchangeCode,
  newBinding,
} from '../../src/features/users/providers/exchange.ts';
import { type Issuer, newSigningKey, openIssuer, serveIssuers } from './issuer.ts';

const REDIRECT = 'https://api.example.com/callback';
const key = newSigningKey('first');

export const connectionTo = (name: string, issuer?: string, trustEmail = false): Connection => {
  const provider = { clientId: 'site', secret: 'SECRET', trustEmail, ...(issuer !== undefined && { issuer }) };
  return { name, provider, secret: 'the secret', redirectUri: REDIRECT };
};

/** Metadata is cached by address, so each issuer has one of its own. */
let issuers = 0;
export const newAddress = () => {
  issuers += 1;
  return `https://sso${issuers}.example.com`;
};

export interface Replies {
  readonly metadata?: object;
  readonly token?: Response;
  readonly keys?: unknown;
  readonly user?: unknown;
}

/** An issuer whose responses are those of `replies` in the place of its own. Requests are kept. */
export async function issuerWith(url: string, { metadata = {}, token, keys, user }: Replies = {}) {
  const issuer = await openIssuer(url, await key);
  issuer.sendsIssuer = false;
  issuer.person = { sub: '7', email: 'ann@example.com' };
  const requests: Request[] = [];
  const respond = async (request: Request) => {
    requests.push(request.clone() as Request);
    const path = request.url.slice(url.length);
    if (path === '/token' && token) return token.clone() as Response;
    if (path === '/keys' && keys !== undefined) return Response.json(keys);
    if (path === '/user') return Response.json(user);
    const response = await issuer.respond(request);
    if (path !== '/.well-known/openid-configuration') return response;
    return Response.json({ ...((await response?.json()) as object), ...metadata });
  };
  serveIssuers({ respond });
  return { issuer, requests };
}

/** Goes to the issuer and back. */
export async function visit(issuer: Issuer, connection: Connection) {
  const binding = newBinding();
  const query = new URL(issuer.agree(await authorizationUrl(connection, binding))).searchParams;
  return exchangeCode(connection, query, binding);
}
