/**
 * @module The link of `npm run dev` that signs in to Studio, and what must not sign in with it.
 */
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../cli/core/local-server.ts';
import { type Gate, openGate } from '../../../../cli/dev/gate.ts';
import { isLoopback, SIGN_IN_PATH, signInLink } from '../../../../cli/dev/sign-in-link.ts';

/** An address of this machine that others reach. */
const outer = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

let worker: Server;
let gate: Gate;
let link: ReturnType<typeof signInLink>;
let printed: string[];
const open = () => {
  link = signInLink(gate.url, 'the token', (next) => printed.push(next));
  gate.handle(SIGN_IN_PATH, link.respond);
};
beforeEach(async () => {
  worker = createServer((_, response) => response.end('of the Worker')).listen(0, '127.0.0.1');
  await once(worker, 'listening');
  gate = await openGate(await freePort());
  printed = [];
  open();
  gate.open((worker.address() as AddressInfo).port);
});
afterEach(() => {
  gate.close();
  worker.close();
});

const secretIn = (address: string): string => address.split('#sign-in=')[1] ?? '';
const own = () => new URL(gate.url).host;

interface Sent {
  readonly body?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Sends what the page of Studio sends, but for what is given. */
async function send({ body = secretIn(link.address()), method = 'POST', headers = {} }: Sent = {}) {
  const all = { host: own(), origin: gate.url, 'content-length': String(body.length), ...headers };
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const sent = request(`${gate.url}${SIGN_IN_PATH}`, { method, headers: given as Record<string, string> });
  sent.end(body);
  const [response] = await once(sent, 'response');
  return [response.statusCode, await text(response)] as const;
}

const SIGNED_IN = [200, '{"token":"the token"}'];
const REJECTED = [403, '{}'];

describe('the link that signs in', () => {
  it('is of this run, with 256 bits in the fragment', () => {
    expect(link.address()).toMatch(new RegExp(`^${gate.url}/studio/#sign-in=[\\w-]{43}$`));
  });

  it.each<[string, Sent]>([
    ['a page of another origin', { headers: { origin: 'http://localhost:3000' } }],
    ['a page of another port', { headers: { origin: 'http://127.0.0.1:1' } }],
    ['a page of another site', { headers: { origin: 'https://evil.example' } }],
    ['a sandboxed page', { headers: { origin: 'null' } }],
    ['a request without Origin', { headers: { origin: undefined } }],
    ['a name that leads here', { headers: { host: 'evil.example', origin: 'http://evil.example' } }],
    [
      'a name like an address',
      { headers: { host: '127.0.0.1.evil.example', origin: 'http://127.0.0.1.evil.example' } },
    ],
    ['a tunnel', { headers: { host: 'x.trycloudflare.com', origin: 'https://x.trycloudflare.com' } }],
    ['a tunnel that keeps the host', { headers: { 'x-forwarded-for': '203.0.113.9' } }],
    ['a tunnel of Cloudflare', { headers: { 'cf-connecting-ip': '203.0.113.9' } }],
    ['a proxy', { headers: { forwarded: 'for=203.0.113.9' } }],
    ['another secret', { body: 'x'.repeat(43) }],
    ['no secret', { body: '' }],
    ['a secret of unknown length', { headers: { 'content-length': undefined, 'transfer-encoding': 'chunked' } }],
  ])('rejects %s, and still works afterwards', async (_, sent) => {
    expect(await send(sent)).toEqual(REJECTED);
    expect(await send()).toEqual(SIGNED_IN);
  });

  it('works once, and is followed by another one', async () => {
    const body = secretIn(link.address());
    expect(await send({ body })).toEqual(SIGNED_IN);
    expect(await send({ body })).toEqual(REJECTED);
    expect(printed).toEqual([link.address()]);
    expect(await send({ body: secretIn(printed[0] ?? '') })).toEqual(SIGNED_IN);
  });

  it('works once for requests at the same time', async () => {
    const body = secretIn(link.address());
    const all = await Promise.all(Array.from({ length: 8 }, () => send({ body })));
    expect(all.filter(([status]) => status === 200)).toHaveLength(1);
  });

  it('ends with the run', async () => {
    const body = secretIn(link.address());
    open();
    expect(await send({ body })).toEqual(REJECTED);
  });

  it.skipIf(outer === undefined)('rejects another machine, whatever it says of itself', async () => {
    gate.close();
    gate = await openGate(await freePort(), '0.0.0.0');
    gate.open((worker.address() as AddressInfo).port);
    open();
    const path = `http://${outer}:${new URL(gate.url).port}${SIGN_IN_PATH}`;
    const headers = { host: own(), origin: gate.url, 'content-length': '43' };
    const sent = request(path, { method: 'POST', headers });
    sent.end(secretIn(link.address()));
    const [response] = await once(sent, 'response');
    expect(response.statusCode).toBe(403);
    expect(await send()).toEqual(SIGNED_IN);
  });

  it('takes no other method', async () => {
    expect(await send({ method: 'PUT' })).toEqual([200, 'of the Worker']);
    expect(await send()).toEqual(SIGNED_IN);
  });
});

it.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['::', false],
  ['192.168.1.5', false],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['', false],
])('%j is an address of this machine alone: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
