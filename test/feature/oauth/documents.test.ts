/**
 * @module Documents that clients publish about themselves: which are fetched, when, and what is believed; and clients that
 * register themselves.
 */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isFetchPublic } from '../../../src/features/oauth/client-document.ts';
import {
  ASKED,
  allow,
  ask,
  CLIENT,
  codeOf,
  connect,
  DOCUMENT,
  form,
  ISSUER,
  locationOf,
  REDIRECT,
  redeem,
  refresh,
  serveDocuments,
  serving,
  statusOf,
  tokensOf,
} from '../../support/oauth-world.ts';
import { bearer, createTables, sendJson } from '../../support/recorded.ts';
import { post, refusalOf, register, type SignedIn } from '../../support/users.ts';

const send = serving();
let ann: SignedIn;

beforeAll(async () => {
  await createTables();
  ann = await register(send, 'ann');
});
afterEach(() => {
  vi.restoreAllMocks();
});

const asked = (clientId: string, more: object = {}) => ask(send, ann.jwt, { clientId, ...more });
const served = (document: unknown, init?: ResponseInit) =>
  serveDocuments({ [CLIENT]: () => Response.json(document, init) });

describe('a document', () => {
  it.each([
    'http://client.example.com/client.json',
    'https://client.example.com',
    'https://client.example.com/',
    'https://client.example.com:8443/client.json',
    'https://ann:secret@client.example.com/client.json',
    'https://:secret@client.example.com/client.json',
    'https://client.example.com/client.json#x',
    'https://client.example.com/a/../client.json',
    'https://CLIENT.example.com/client.json',
    'https://client.example.com./client.json',
    'https://127.0.0.1/client.json',
    'https://127.1/client.json',
    'https://2130706433/client.json',
    'https://0x7f000001/client.json',
    'https://0177.0.0.1/client.json',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://192.168.1.1/client.json',
    'https://8.8.8.8/client.json',
    'https://[::1]/client.json',
    'https://[::ffff:127.0.0.1]/client.json',
    'https://[fd00::1]/client.json',
    'https://localhost/client.json',
    'https://app.localhost/client.json',
    'https://printer.local/client.json',
    'https://metadata.google.internal/client.json',
    'https://router.lan/client.json',
    'https://intranet/client.json',
    'https://1.0.0.127.in-addr.arpa/client.json',
    `${ISSUER}/uploads/client.json`,
    'https://other.example.com/uploads/client.json',
    'https://edgewise.test/client.json',
    'ftp://client.example.com/client.json',
    'javascript:alert(1)',
    'client',
    `https://client.example.com/${'a'.repeat(500)}`,
    '',
  ])('at %s is never fetched', async (clientId) => {
    const fetched = served(DOCUMENT);
    for (const response of [await asked(clientId), await allow(send, ann.jwt, { clientId })])
      expect(await refusalOf(response)).toBe(
        '400 ApplicationError: This server does not know the client. Remove the connection in the client, and add it again',
      );
    expect(fetched).not.toHaveBeenCalled();
  });

  it('of the server itself is never fetched, by none of its names', async () => {
    const clientId = 'https://api.example.com/client.json';
    const fetched = serveDocuments({ [clientId]: () => Response.json({ ...DOCUMENT, client_id: clientId }) });
    const named = serving({ server: { url: 'https://api.example.com' } });
    expect((await ask(named, ann.jwt, { clientId, resource: undefined })).status).toBe(400);
    const path = 'https://api.example.com/api/auth/oauth/request';
    expect((await send(path, sendJson('POST', ann.jwt, { ...ASKED, clientId }))).status).toBe(400);
    const media = serving({ upload: { publicUrl: 'https://api.example.com' } });
    expect((await ask(media, ann.jwt, { clientId })).status).toBe(400);
    expect(fetched).not.toHaveBeenCalled();
    expect((await ask(send, ann.jwt, { clientId })).status).toBe(200);
  });

  it.each<[string, () => ReturnType<typeof served>]>([
    ['is elsewhere', () => served(DOCUMENT, { status: 302, headers: { location: 'http://169.254.169.254/' } })],
    ['is of another client', () => served({ ...DOCUMENT, client_id: 'https://client.example.com/other.json' })],
    ['names no client', () => served({ ...DOCUMENT, client_id: undefined })],
    ['is no object', () => served([DOCUMENT])],
    [
      'is no JSON',
      () =>
        serveDocuments({ [CLIENT]: () => new Response('<html>', { headers: { 'content-type': 'application/json' } }) }),
    ],
    [
      'cannot be had',
      () =>
        serveDocuments({
          [CLIENT]: () => {
            throw new TypeError('connection lost');
          },
        }),
    ],
  ])('is not believed if it %s', async (_, serve) => {
    const fetched = serve();
    const error = '400 ApplicationError: client.example.com has no valid document about its client at';
    expect(await refusalOf(await asked(CLIENT))).toBe(`${error} ${CLIENT}`);
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(await refusalOf(await allow(send, ann.jwt))).toBe(`${error} ${CLIENT}`);
  });

  it('that grows without end is read to its limit, and no further', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new TextEncoder().encode(' '.repeat(1_000)));
      },
    });
    serveDocuments({ [CLIENT]: () => new Response(endless, { headers: { 'content-type': 'application/json' } }) });
    expect((await asked(CLIENT)).status).toBe(400);
    expect(sent).toBeLessThan(10);
  });

  it('is fetched without following, with a limit of time, and only for a signed-in user', async () => {
    const fetched = served(DOCUMENT);
    await send(`/oauth/authorize?client_id=${encodeURIComponent(CLIENT)}`, { redirect: 'manual' });
    for (const path of ['request', 'consent']) await post(send, `/api/auth/oauth/${path}`, ASKED);
    await form(send, '/oauth/token', { grant_type: 'refresh_token', refresh_token: 'x', client_id: CLIENT });
    await redeem(send, 'x');
    await form(send, '/oauth/revoke', { token: 'x', client_id: CLIENT });
    expect(fetched).not.toHaveBeenCalled();
    expect((await asked(CLIENT)).status).toBe(200);
    expect(fetched.mock.calls).toEqual([
      [CLIENT, { headers: { accept: 'application/json' }, redirect: 'manual', signal: expect.any(AbortSignal) }],
    ]);
  });

  it('is not fetched where the platform might send the request inside', async () => {
    expect(isFetchPublic()).toBe(true);
    const fetched = served(DOCUMENT);
    const { Cloudflare } = globalThis as unknown as { Cloudflare: object };
    vi.stubGlobal('Cloudflare', { ...Cloudflare, compatibilityFlags: {} });
    const response = await asked(CLIENT);
    vi.unstubAllGlobals();
    expect(response.status).toBe(503);
    expect(fetched).not.toHaveBeenCalled();
  });

  it('gives a name on one line, and a page on its own host', async () => {
    served({ ...DOCUMENT, client_name: `  Good\u202e\n${'x'.repeat(200)}`, client_uri: 'https://other.example/' });
    const { data } = (await (await asked(CLIENT)).json()) as { data: { client: { name: string } } };
    expect(data.client).toMatchObject({ host: 'client.example.com', name: expect.stringMatching(/^Good {2}x{94}$/) });
    expect(data.client).not.toHaveProperty('uri');
    served({ client_id: CLIENT, redirect_uris: DOCUMENT.redirect_uris });
    expect(
      ((await (await asked(CLIENT)).json()) as typeof data & { data: { client: object } }).data.client,
    ).toMatchObject({ name: '' });
  });
});

describe('a redirect', () => {
  const redirectsTo = async (redirectUri: string, registered: readonly string[] = [redirectUri]) => {
    served({ ...DOCUMENT, redirect_uris: registered });
    return asked(CLIENT, { redirectUri });
  };

  it.each([
    'http://client.example.com/callback',
    'http://10.0.0.1/callback',
    'https://client.example.com/callback#x',
    'https://ann@client.example.com/callback',
    'javascript:alert(document.domain)//',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://client.example.com/x',
    'about:blank',
    'app:/callback',
    'https://client.example.com/call back',
    ' https://client.example.com/callback',
    'https://client.example.com/\ncallback',
    '/callback',
    '//client.example.com/callback',
    '',
  ])('may not be %j, even if the client has it', async (uri) => {
    expect((await redirectsTo(uri)).status).toBe(400);
  });

  it.each([
    [
      'http://127.0.0.1:49152/callback',
      ['http://127.0.0.1/callback'],
      { host: '127.0.0.1:49152', isLoopback: true, scheme: 'http' },
    ],
    [
      'http://localhost:3000/callback',
      ['http://localhost:1234/callback'],
      { host: 'localhost:3000', isLoopback: true, scheme: 'http' },
    ],
    ['http://[::1]:3000/callback', ['http://[::1]/callback'], { host: '[::1]:3000', isLoopback: true, scheme: 'http' }],
    [
      'https://localhost:8443/callback',
      ['https://localhost:8443/callback'],
      { host: 'localhost:8443', isLoopback: true, scheme: 'https' },
    ],
    [
      'com.example.client:/callback',
      ['com.example.client:/callback'],
      { host: '', isLoopback: false, scheme: 'com.example.client' },
    ],
    [
      'cursor://anysphere.cursor-mcp/oauth/callback',
      ['cursor://anysphere.cursor-mcp/oauth/callback'],
      { host: '', isLoopback: false, scheme: 'cursor' },
    ],
    [
      `${REDIRECT}?tenant=1`,
      [`${REDIRECT}?tenant=1`],
      { host: 'client.example.com', isLoopback: false, scheme: 'https' },
    ],
  ])('may be %s', async (uri, registered, redirect) => {
    const response = await redirectsTo(uri, registered);
    const { data } = (await response.json()) as { data: { client: object; redirect: object } };
    expect(data.redirect).toEqual(redirect);
    expect(data.client).toMatchObject({ isLoopback: redirect.isLoopback });
    const { href } = await locationOf(allow(send, ann.jwt, { redirectUri: uri }));
    expect(href.startsWith(`${uri}${uri.includes('?') ? '&' : '?'}code=`)).toBe(true);
  });
});

describe('a client that registers itself', () => {
  const open = serving({ oauth: { registration: true } });
  const metadata = { client_name: 'Cursor', redirect_uris: ['http://127.0.0.1/callback'] };
  const registers = (body: unknown, by = open) => post(by, '/oauth/register', body);

  it('is not known where the setting is off, and is told of no way', async () => {
    expect((await registers(metadata, send)).status).toBe(404);
    const documents = await Promise.all(
      [send, open].map(async (by) => (await by('/.well-known/oauth-authorization-server')).json()),
    );
    expect(documents.map((each) => (each as { registration_endpoint?: string }).registration_endpoint)).toEqual([
      undefined,
      `${ISSUER}/oauth/register`,
    ]);
  });

  it('gets an id that has all of it, and tokens by that', async () => {
    const response = await registers({ ...metadata, token_endpoint_auth_method: 'client_secret_basic', scope: 'x' });
    expect([response.status, response.headers.get('cache-control')]).toEqual([201, 'no-store']);
    const registered = (await response.json()) as { client_id: string };
    expect(registered).toEqual({
      ...{ ...metadata, client_id: expect.stringMatching(/^ewc_/), client_id_issued_at: expect.any(Number) },
      ...{ token_endpoint_auth_method: 'none', response_types: ['code'] },
      grant_types: ['authorization_code', 'refresh_token'],
    });
    const own = { clientId: registered.client_id, redirectUri: 'http://127.0.0.1:4000/callback' };
    const { data } = (await (await ask(open, ann.jwt, own)).json()) as { data: { client: object } };
    expect(data.client).toEqual({
      ...{ id: registered.client_id, host: '127.0.0.1:4000', name: 'Cursor', isVerified: false, isLoopback: true },
    });
    const code = await codeOf(allow(open, ann.jwt, own));
    const sent = { client_id: registered.client_id, redirect_uri: own.redirectUri };
    expect((await redeem(open, code)).status).toBe(400);
    const tokens = await tokensOf(redeem(open, code, sent));
    expect(await statusOf(open, tokens.access_token)).toBe(200);
    expect((await ask(send, ann.jwt, own)).status).toBe(400);
    expect((await refresh(send, tokens.refresh_token, { client_id: registered.client_id })).status).toBe(200);
    for (const clientId of [`${registered.client_id}A`, 'ewc_', tokens.access_token.replace('ewa_', 'ewc_')])
      expect((await ask(open, ann.jwt, { ...own, clientId })).status).toBe(400);
  });

  it.each([
    [undefined, 'invalid_client_metadata'],
    [[], 'invalid_client_metadata'],
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: 'https://client.example.com/' }, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [REDIRECT, 'http://client.example.com/callback'] }, 'invalid_redirect_uri'],
    [
      { redirect_uris: Array.from({ length: 6 }, (_, at) => `https://client.example.com/${at}`) },
      'invalid_redirect_uri',
    ],
    [
      { redirect_uris: [REDIRECT, REDIRECT].map((uri, at) => `${uri}/${at}${'x'.repeat(800)}`) },
      'invalid_redirect_uri',
    ],
  ])('may not send %j', async (body, error) => {
    const response = await registers(body);
    expect([response.status, ((await response.json()) as { error: string }).error]).toEqual([400, error]);
  });

  it('is limited by the address of who sends it, as are tokens and what users ask', async () => {
    served(DOCUMENT);
    const none = { limit: async () => ({ success: false }) };
    const limited = serving({ oauth: { registration: true }, rateLimit: { auth: { enabled: true } } }, {
      AUTH_ADDRESS_RATE_LIMIT: none,
    } as never);
    const from = { 'cf-connecting-ip': '192.0.2.1' };
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/register']) {
      const response = await limited(path, { method: 'POST', headers: from });
      expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
        ...[429, '60', { error: 'temporarily_unavailable', error_description: 'Too many requests' }],
      ]);
    }
    for (const path of ['request', 'consent']) {
      const init = sendJson('POST', ann.jwt, ASKED);
      const response = await limited(`/api/auth/oauth/${path}`, { ...init, headers: { ...init.headers, ...from } });
      expect(response.status).toBe(429);
    }
    const { headers } = bearer(ann.jwt);
    const list = await limited('/api/auth/oauth/grants', { headers: { ...headers, ...from } as HeadersInit });
    expect(list.status).toBe(200);
  });
});

it('a client is connected twice by two grants, each of which ends alone', async () => {
  serveDocuments();
  const { jwt, tokens } = await connect(send, 'twofold');
  const other = await tokensOf(redeem(send, await codeOf(allow(send, jwt))));
  await form(send, '/oauth/revoke', { token: tokens.access_token });
  expect([await statusOf(send, tokens.access_token), await statusOf(send, other.access_token)]).toEqual([401, 200]);
});
