/**
 * @module A client of OAuth that asks for access.
 */
import { createHash } from 'node:crypto';
import { api } from './fixture.ts';

export const REDIRECT = 'https://agent.example/callback';
export const VERIFIER = 'a-verifier-that-only-the-client-of-the-test-knows';

/** Registers a client, and returns its id. @param redirects its addresses besides `REDIRECT` */
export const registerClient = async (...redirects: readonly string[]): Promise<string> => {
  const metadata = { client_name: 'An Agent', redirect_uris: [REDIRECT, ...redirects] };
  return (await api('POST', '/oauth/register', metadata)).client_id;
};

/** What a client asks for, as the query of an address. */
export const askedBy = (clientId: string, parameters: Readonly<Record<string, string>> = {}): URLSearchParams =>
  new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a-state',
    ...parameters,
  });
