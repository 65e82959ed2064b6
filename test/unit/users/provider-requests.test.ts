/**
 * @module Requests to providers: to whom, and how much is read of a response.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isInsecure, readJson, readThrough } from '../../../src/features/users/providers/provider-requests.ts';

const MAX_BODY = 512 * 1024;

afterEach(() => vi.restoreAllMocks());

const answering = (response: () => Response) =>
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => response());

describe('a response', () => {
  it('is read to its longest length, and no further', async () => {
    const longest = `${'ä'.repeat(MAX_BODY / 2 - 1)}xy`;
    expect(await (await readThrough(new Response(longest))).text()).toBe(longest);
    await expect(readThrough(new Response(`${longest}z`))).rejects.toThrow(`more than ${MAX_BODY} bytes`);
  });

  it('keeps its status and headers, but for those of the bytes that were read', async () => {
    const headers = { 'content-type': 'text/x', 'content-encoding': 'gzip', 'content-length': '9' };
    const read = await readThrough(new Response('text', { status: 418, headers }));
    expect([read.status, Object.fromEntries(read.headers)]).toEqual([418, { 'content-type': 'text/x' }]);
  });

  it('may be split within a letter, or empty', async () => {
    const bytes = new TextEncoder().encode('ä');
    const chunks = new Response(
      new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          controller.close();
        },
      }),
    );
    expect(await (await readThrough(chunks)).text()).toBe('ä');
    expect(await (await readThrough(new Response(null))).text()).toBe('');
  });
});

describe('JSON of a provider', () => {
  it.each([
    ['https://sso.example.com', 'https://sso.example.com/user', true],
    ['http://localhost:8080', 'http://localhost:8080/user', true],
    ['http://localhost:8080', 'https://elsewhere.example.com/user', true],
    ['https://sso.example.com', 'http://sso.example.com/user', false],
    [undefined, 'http://api.example.com/user', false],
    [undefined, 'https://api.example.com/user', true],
  ])('of the issuer %s is read from %s: %s', async (issuer, url, isRead) => {
    const fetched = answering(() => Response.json({ id: 1 }));
    const provider = issuer === undefined ? {} : { issuer };
    const read = readJson(provider, url, 'token');
    await (isRead ? expect(read).resolves.toEqual({ id: 1 }) : expect(read).rejects.toThrow(`${url} is without TLS`));
    expect(fetched).toHaveBeenCalledTimes(isRead ? 1 : 0);
    expect(isInsecure(provider)).toBe(issuer?.startsWith('http:') === true);
  });

  it('is asked for with the token, if there is one, and follows no redirection with it', async () => {
    const fetched = answering(() => Response.json({}));
    const named = { accept: 'application/json', 'user-agent': 'edgewise' };
    await readJson({}, 'https://api.example.com/user', 'token');
    await readJson({}, 'https://api.example.com/keys');
    expect(fetched.mock.calls.map(([, init]) => [init?.headers, init?.redirect])).toEqual([
      [{ ...named, authorization: 'Bearer token' }, 'manual'],
      [named, 'manual'],
    ]);
  });

  it.each([302, 404, 500])('is in no response with the status %i, whose body is left', async (status) => {
    const cancel = vi.fn();
    answering(() => new Response(new ReadableStream({ cancel }), { status }));
    await expect(readJson({}, 'https://api.example.com/user')).rejects.toThrow(
      `api.example.com responded with ${status}`,
    );
    expect(cancel).toHaveBeenCalledTimes(1);
  });
});
