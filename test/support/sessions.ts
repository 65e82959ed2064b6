/**
 * @module Users who sign in with access and refresh tokens, as a client does it.
 */
import { env } from 'cloudflare:workers';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { bearer, serve } from './recorded.ts';
import { outbox, PASSWORD, post, type SignedIn } from './users.ts';

export interface Tokens extends SignedIn {
  readonly refreshToken: string;
}

export const roles = { authenticated: ['api::tag.tag.find', 'api::tag.tag.create'] };
export const users = { jwtManagement: 'refresh' } as const;
export const box = outbox();
/** A server with refresh tokens. */
export const send = serve({ roles, users }, {}, box);

export const GONE = '401 UnauthorizedError: Invalid credentials';
export const UNKNOWN = '401 UnauthorizedError: Missing or invalid credentials';
export const INVALID = '401 UnauthorizedError: Invalid refresh token';

export const withUsers = (own: NonNullable<SettingsInput['users']>) =>
  serve({ roles, users: { ...users, ...own } }, {}, box);

export const tokensOf = async (response: Response | Promise<Response>): Promise<Tokens> => (await response).json();

export const enter = (username: string, body: object = {}): Promise<Tokens> =>
  tokensOf(post(send, '/api/auth/local', { identifier: username, password: PASSWORD, ...body }));

export const join = (username: string, server = send): Promise<Tokens> =>
  tokensOf(
    post(server, '/api/auth/local/register', { username, email: `${username}@example.com`, password: PASSWORD }),
  );

export const refresh = (refreshToken: unknown, server = send): Promise<Response> =>
  post(server, '/api/auth/refresh', { refreshToken });

export const read = async (jwt: string): Promise<number> => (await send('/api/tags', bearer(jwt))).status;

export const claimsOf = (token: string): Record<string, unknown> => JSON.parse(atob(token.split('.')[1] ?? ''));

export async function countRows(user: number): Promise<number> {
  const count = env.DB.prepare('select count(*) as n from strapi_sessions where user_id = ?').bind(user);
  return (await count.first<number>('n')) ?? 0;
}
