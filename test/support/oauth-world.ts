/**
 * @module A server whose users connect clients by OAuth, a client with a document about itself, and its whole way to a token.
 */
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { sha256Base64Url } from '../../src/common/digest.ts';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import type { Send } from './app.ts';
import { serve } from './recorded.ts';
import { post, register } from './users.ts';

export const ISSUER = 'https://edgewise.test';
export const CLIENT = 'https://client.example.com/oauth/client.json';
export const REDIRECT = 'https://client.example.com/callback';
export const VERIFIER = 'a-verifier-that-only-the-client-of-the-test-knows';

export const DOCUMENT = {
  client_id: CLIENT,
  client_name: 'Clever Client',
  client_uri: 'https://client.example.com/about',
  redirect_uris: [REDIRECT, 'http://127.0.0.1/callback', 'com.example.client:/callback'],
};

const CONTENT = ['find', 'findOne', 'create', 'update', 'delete', 'readDrafts', 'publish', 'unpublish', 'discardDraft'];
const allOf = (name: string) => CONTENT.map((action) => `api::${name}.${name}.${action}`);

/** Those of a user: everything with articles and authors, tags to read, and their own account. */
const GRANTS = [...allOf('article'), ...allOf('author'), 'api::tag.tag.find', 'api::tag.tag.findOne'];

export const SETTINGS: SettingsInput = {
  server: { url: ISSUER },
  ...{ mcp: true, oauth: true, history: true },
  roles: { authenticated: [...GRANTS, 'api::article.article.history', 'plugin::upload.content-api.upload'] },
};

export const serving = (more: SettingsInput = {}, bindings: Partial<Env> = {}): Send =>
  serve({ ...SETTINGS, ...more }, bindings);

/** Answers in place of `fetch`, by address; any other request fails. */
export function serveDocuments(documents: Readonly<Record<string, (request: Request) => Response>> = {}) {
  const all: typeof documents = { [CLIENT]: () => Response.json(DOCUMENT), ...documents };
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as RequestInfo, init as RequestInit);
    const respond = all[request.url];
    if (!respond) throw new TypeError(`nobody answers ${request.url}`);
    return respond(request as Request);
  });
}

export const ASKED = {
  ...{ clientId: CLIENT, redirectUri: REDIRECT, responseType: 'code', state: 'a state', resource: `${ISSUER}/mcp` },
  ...{ codeChallenge: sha256Base64Url(VERIFIER), codeChallengeMethod: 'S256' },
};

export const ask = (send: Send, jwt: string, more: object = {}) =>
  post(send, '/api/auth/oauth/request', { ...ASKED, ...more }, jwt);

export const allow = (send: Send, jwt: string, more: object = {}) =>
  post(send, '/api/auth/oauth/consent', { ...ASKED, level: 'write', types: null, ...more }, jwt);

/** Where a response sends the browser. */
export async function locationOf(response: Response | Promise<Response>): Promise<URL> {
  const { data } = (await (await response).json()) as { data: { location: string } };
  return new URL(data.location);
}

export const codeOf = async (response: Response | Promise<Response>): Promise<string> =>
  (await locationOf(response)).searchParams.get('code') ?? '';

export const form = (send: Send, path: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  send(path, { method: 'POST', body: new URLSearchParams(fields) });

export const redeem = (send: Send, code: string, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
  form(send, '/oauth/token', {
    ...{ grant_type: 'authorization_code', code, client_id: CLIENT, redirect_uri: REDIRECT },
    ...{ code_verifier: VERIFIER, resource: `${ISSUER}/mcp`, ...more },
  });

export const refresh = (send: Send, token: string, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
  form(send, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, client_id: CLIENT, ...more });

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
}

export const tokensOf = async (response: Response | Promise<Response>): Promise<Tokens> => (await response).json();

/** A new user who has connected the client. */
export async function connect(send: Send, username: string, more: object = {}) {
  const { jwt, user } = await register(send, username);
  const tokens = await tokensOf(redeem(send, await codeOf(allow(send, jwt, more))));
  return { jwt, user, tokens };
}

let count = 0;
/** A message to `/mcp`. */
export function rpc(send: Send, token: string, method: string, params: object = {}): Promise<Response> {
  count += 1;
  return post(send, '/mcp', { jsonrpc: '2.0', id: count, method, params }, token);
}

/** What a tool returns, or its error. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any tool
export async function use(send: Send, token: string, name: string, args: object = {}): Promise<any> {
  const response = await rpc(send, token, 'tools/call', { name, arguments: args });
  const { result, error } = (await response.json()) as { result?: { structuredContent: object }; error?: object };
  return result?.structuredContent ?? { status: response.status, error };
}

/** The status of a call of a tool that every grant has. */
export const statusOf = async (send: Send, token: string): Promise<number> =>
  (await rpc(send, token, 'tools/list')).status;

export const grantsIn = async (): Promise<readonly Record<string, unknown>[]> =>
  (await env.DB.prepare('select * from edgewise_oauth_grants order by created_at, id').run()).results;
