/**
 * @module Users as a client makes them and signs in as them.
 */
import { sign } from 'hono/jwt';
import type { EmailMessage, EmailSender } from '../../src/features/users/email.ts';
import type { Send } from './app.ts';
import type { ErrorAnswer } from './client.ts';

/** As in vitest.config.ts. */
export const JWT_SECRET = 'a secret that only the tests know';
export const PASSWORD = 'Passw0rd';

export interface SignedIn {
  readonly jwt: string;
  readonly user: { readonly id: number; readonly documentId: string; readonly [attribute: string]: unknown };
}

export const post = (send: Send, path: string, body: unknown, token = ''): Promise<Response> =>
  send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });

export async function register(send: Send, username: string): Promise<SignedIn> {
  const body = { username, email: `${username}@example.com`, password: PASSWORD };
  return (await post(send, '/api/auth/local/register', body)).json();
}

export const login = (send: Send, identifier: string, password: string = PASSWORD): Promise<Response> =>
  post(send, '/api/auth/local', { identifier, password });

export async function refusalOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: ErrorAnswer };
  return `${error.status} ${error.name}: ${error.message}`;
}

/** A token with any claims, rightly signed unless another secret is given. */
export const forge = (claims: Record<string, unknown>, secret: string = JWT_SECRET): Promise<string> =>
  sign(claims, secret, 'HS256');

/** Keeps messages in place of sending them. */
export function outbox(): EmailSender & { readonly messages: readonly EmailMessage[] } {
  const messages: EmailMessage[] = [];
  return { messages, send: async (message) => void messages.push(message) };
}
