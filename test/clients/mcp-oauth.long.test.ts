/**
 * @module `@modelcontextprotocol/sdk` connects to `/mcp` from nothing, by OAuth: it finds the server's documents, a person allows
 * it in a browser, and it calls tools until that ends.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowserServer, chromium, startBrowser } from './browser.ts';
import { type Connectable, serveConnectable, TOKEN } from './connectable.ts';

const DOCUMENT = 'https://agent.example.com/oauth/client.json';
const PASSWORD = 'a long secret';

let server: Connectable;
let browser: BrowserServer | undefined;
let missing = '';
/** Takes the codes, as a program on the person's computer does. */
let listener: Listener;

beforeAll(async () => {
  const started = await startBrowser();
  if ('missing' in started) {
    missing = started.missing;
    return;
  }
  browser = started;
  [server, listener] = await Promise.all([serveConnectable(), listen()]);
  const metadata = { client_id: DOCUMENT, client_name: 'An Agent', redirect_uris: ['http://127.0.0.1/callback'] };
  server.web.set(DOCUMENT, JSON.stringify(metadata));
});

afterAll(async () => {
  await Promise.all([browser?.close(), server?.stop(), listener?.stop()]);
});

interface Listener {
  readonly redirectUrl: string;
  /** What came to the redirect. */
  readonly received: URLSearchParams[];
  stop(): void;
}

async function listen(): Promise<Listener> {
  const received: URLSearchParams[] = [];
  const http = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://listener');
    if (pathname === '/callback') received.push(searchParams);
    response.setHeader('content-type', 'text/html').end('<title>Connected</title><p>The program goes on.');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  return { redirectUrl: `http://127.0.0.1:${port}/callback`, received, stop: () => http.close() };
}

/** What the SDK needs of a program: it keeps things, and opens the browser. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = listener.redirectUrl;
  readonly clientMetadata = { client_name: 'A Program', redirect_uris: [listener.redirectUrl] };
  readonly clientMetadataUrl?: string;
  information: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  /** Addresses that it has opened in the browser. */
  readonly opened: URL[] = [];
  #verifier = '';

  /** @param document the address of its document; without one it registers itself */
  constructor(document?: string) {
    if (document !== undefined) this.clientMetadataUrl = document;
  }

  state = (): string => 'a state of the program';
  clientInformation = () => this.information;
  tokens = () => this.kept;
  codeVerifier = (): string => this.#verifier;

  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  redirectToAuthorization(address: URL): void {
    this.opened.push(address);
  }

  invalidateCredentials(): void {
    this.kept = undefined;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the API
type Json = any;

async function api(method: string, path: string, body: object, token = ''): Promise<Json> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(server.origin + path, { method, headers, body: JSON.stringify(body) });
  expect(response.status, path).toBeLessThan(300);
  return response.json();
}

const register = (username: string) =>
  api('POST', '/api/auth/local/register', { username, email: `${username}@example.com`, password: PASSWORD });

const transportOf = (program: Program) =>
  new StreamableHTTPClientTransport(new URL('/mcp', server.origin), { authProvider: program });

async function connected(program: Program): Promise<Client> {
  const client = new Client({ name: 'a program', version: '1.0.0' });
  await client.connect(transportOf(program) as never);
  return client;
}

/** The person signs in, chooses a level, and allows it. Returns what came to the program. */
async function allow(address: URL, username: string, level: string): Promise<URLSearchParams> {
  const connection = await chromium.connect(browser?.wsEndpoint() ?? '');
  try {
    const page = await connection.newPage();
    const before = listener.received.length;
    await page.goto(address.href);
    await page.getByLabel('User name or e-mail address').fill(username);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('any program here can call itself this').waitFor();
    await page.getByRole('radio', { name: level }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await expect.poll(() => listener.received.length).toBe(before + 1);
    return listener.received.at(-1) as URLSearchParams;
  } finally {
    await connection.close();
  }
}

/** From nothing to a connected client. */
async function connect(program: Program, username: string, level: string): Promise<Client> {
  await expect(connected(program)).rejects.toThrow(UnauthorizedError);
  const received = await allow(program.opened.at(-1) as URL, username, level);
  expect(received.get('iss')).toBe(server.origin);
  expect(received.get('state')).toBe('a state of the program');
  await transportOf(program).finishAuth(received.get('code') ?? '');
  return connected(program);
}

async function use(client: Client, name: string, args: Record<string, unknown>): Promise<Json> {
  const result: Json = await client.callTool({ name, arguments: args });
  return result.structuredContent;
}

const create = (client: Client, title: string) => use(client, 'create', { type: 'articles', data: { title } });

describe('the SDK for the Model Context Protocol', () => {
  test('connects by its document, refreshes, and ends with the rights and the grant', async ({ skip }) => {
    if (missing) skip(missing);
    const { user } = await register('anna');
    const program = new Program(DOCUMENT);
    const client = await connect(program, 'anna', 'Read content, and write drafts');
    expect(server.fetched).toContain(DOCUMENT);
    expect(program.information?.client_id).toBe(DOCUMENT);
    const { data } = await create(client, 'A draft');
    const document = { type: 'articles', documentId: data.documentId };
    expect((await use(client, 'change_publication', { ...document, action: 'publish' })).error).toBeDefined();

    const { refresh_token: first, ...expired } = program.kept as OAuthTokens;
    program.kept = { ...expired, refresh_token: first, access_token: 'ewa_expired' };
    expect((await create(client, 'Another draft')).data.title).toBe('Another draft');
    expect(program.kept.access_token).not.toBe('ewa_expired');
    expect(program.kept.refresh_token).not.toBe(first);

    await api('PUT', `/api/users/${user.id}`, { role: 'reader' }, TOKEN);
    expect((await create(client, 'Too much')).error).toBeDefined();
    expect((await use(client, 'find', { type: 'articles' })).error).toBeUndefined();

    const opened = program.opened.length;
    const { refresh_token: token = '' } = program.kept as OAuthTokens;
    const body = new URLSearchParams({ token, client_id: DOCUMENT });
    expect((await fetch(`${server.origin}/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
    await expect(client.callTool({ name: 'find', arguments: { type: 'articles' } })).rejects.toThrow(UnauthorizedError);
    expect(program.opened.length).toBe(opened + 1);
    expect(program.kept).toBeUndefined();
  });

  test('connects by a registration of its own', async ({ skip }) => {
    if (missing) skip(missing);
    await register('bert');
    const program = new Program();
    const client = await connect(program, 'bert', 'All that you may do with content');
    const { data } = await create(client, 'Soon public');
    const document = { type: 'articles', documentId: data.documentId };
    const { revision } = await use(client, 'change_publication', { ...document, action: 'publish' });
    const publish = { ...document, action: 'publish', dryRun: false, revision };
    expect((await use(client, 'change_publication', publish)).done).toBe(true);
  });
});
