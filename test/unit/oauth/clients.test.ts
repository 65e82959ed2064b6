/**
 * @module What a client says of itself: how much of it is read, what is believed, and what it gets when it registers itself.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { FETCH_FLAG, fetchDocument } from '../../../src/features/oauth/client-document.ts';
import { clientFor } from '../../../src/features/oauth/clients.ts';
import { register } from '../../../src/features/oauth/registration.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const ID = 'https://client.example.com/client.json';
const REDIRECT = 'https://client.example.com/callback';
const SECRET = 'a secret';
const settings = parseSettings({
  ...{ server: { url: 'https://api.example.com' }, mcp: true, oauth: { registration: true } },
});
const context = { settings, secret: SECRET, now: 0, own: [] };

const serve = (body: BodyInit, init: ResponseInit = {}) =>
  vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async () => new Response(body, { headers: { 'content-type': 'application/json' }, ...init }));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the document of a client', () => {
  it.each([
    [5_120, true],
    [5_121, false],
  ])('of %i bytes is read: %j', async (bytes, isRead) => {
    serve(JSON.stringify({ client_id: ID }).padEnd(bytes));
    expect((await fetchDocument(new URL(ID))) !== undefined).toBe(isRead);
  });

  it.each<[string, ResponseInit]>([
    ['an error', { status: 404 }],
    ['a page', { headers: { 'content-type': 'text/html' } }],
  ])('is not read where there is %s, and its connection ends before the request goes on', async (_, init) => {
    let isEnded = false;
    const source = {
      pull: (controller: ReadableStreamDefaultController) => controller.close(),
      async cancel() {
        await new Promise((resolve) => setTimeout(resolve));
        isEnded = true;
      },
    };
    serve(new ReadableStream(source, { highWaterMark: 0 }), init);
    expect(await fetchDocument(new URL(ID))).toBeUndefined();
    expect(isEnded).toBe(true);
  });

  const about = (length: number) => 'https://client.example.com/'.padEnd(length, 'a');
  it.each([
    [about(500), about(500)],
    [about(501), undefined],
    ['http://client.example.com/', undefined],
    ['https://client.example.com:444/', undefined],
    ['about', undefined],
    [1, undefined],
  ])('may name a page on its own host, of at most 500 characters: %j', async (uri, shown) => {
    vi.stubGlobal('Cloudflare', { compatibilityFlags: { [FETCH_FLAG]: true } });
    serve(JSON.stringify({ client_id: ID, redirect_uris: [REDIRECT], client_uri: uri }));
    expect((await clientFor(ID, REDIRECT, context)).uri).toBe(shown);
  });
});

describe('a registration', () => {
  const registered = (metadata: object) => register(JSON.stringify(metadata), SECRET, 1_500);

  it('has no name if the client has sent none', async () => {
    expect(await registered({ redirect_uris: [REDIRECT] })).toEqual({
      ...{ client_id: expect.stringMatching(/^ewc_/), client_id_issued_at: 1, redirect_uris: [REDIRECT] },
      ...{ token_endpoint_auth_method: 'none', response_types: ['code'] },
      grant_types: ['authorization_code', 'refresh_token'],
    });
  });

  const redirect = (length: number) => `${REDIRECT}/`.padEnd(length, 'a');
  it.each([
    [Array.from({ length: 5 }, (_, at) => `${REDIRECT}/${at}`), true],
    [Array.from({ length: 6 }, (_, at) => `${REDIRECT}/${at}`), false],
    [[redirect(750), redirect(750)], true],
    [[redirect(750), redirect(751)], false],
  ])('has at most five redirects, of 1,500 characters: %j', async (uris, isTaken) => {
    const outcome = await registered({ redirect_uris: uris }).then(
      () => 'taken',
      ({ code }) => code,
    );
    expect(outcome).toBe(isTaken ? 'taken' : 'invalid_redirect_uri');
  });

  it('gives no redirect but those that it has, and the client no host', async () => {
    const { client_id: id } = await registered({ redirect_uris: [REDIRECT] });
    await expect(clientFor(String(id), `${REDIRECT}/other`, context)).rejects.toThrow(
      'The client asks to send you to an address that is not one of its own',
    );
  });
});
