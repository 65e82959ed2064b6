/**
 * @module The client that a request is counted for.
 */
import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { clientOf, forClient, networkOf } from '../../../src/http/client-address.ts';

type Headers_ = Record<string, string>;
const WORKERS = '2a06:98c0:3600::103';

/** Returns what a Worker makes of a request with these headers. */
async function made<T>(headers: Headers_, make: (context: never) => T): Promise<T> {
  const results: T[] = [];
  const app = new Hono().all('*', (context) => {
    results.push(make(context as never));
    return context.body(null);
  });
  await app.request('http://edgewise.test/', { headers });
  return results[0] as T;
}

it.each<readonly [Headers_, string | undefined]>([
  [{}, undefined],
  [{ 'cf-connecting-ip': '' }, undefined],
  [{ 'cf-worker': 'a.example' }, undefined],
  [{ 'cf-connecting-ip': '192.0.2.1' }, '192.0.2.1'],
  [{ 'cf-connecting-ip': '2001:db8:1:2::3', 'cf-worker': 'a.example' }, '2001:db8:1:2'],
  [{ 'cf-connecting-ip': 'unknown', 'cf-worker': 'a.example' }, 'unknown'],
  [{ 'cf-connecting-ip': WORKERS, 'cf-worker': 'a.example' }, 'worker a.example'],
  [{ 'cf-connecting-ip': WORKERS.toUpperCase(), 'cf-worker': 'b.example' }, 'worker b.example'],
  [{ 'cf-connecting-ip': WORKERS }, 'worker '],
  [{ 'cf-connecting-ip': `${WORKERS}x` }, `${WORKERS}x`],
])('the client of %j is %j', async (headers, client) => {
  expect(await made(headers, clientOf)).toBe(client);
});

it.each([
  ['::1]:80/[', '::1]:80/['],
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.129', '192.0.2.129'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['2001:db8:0:7::192.0.2.1', '2001:db8:0:7'],
  ['2001:0DB8:0000:0007::1', '2001:db8:0:7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8:1:2:3::', '2001:db8:1:2'],
  ['::1', '0:0:0:0'],
  ['1:2:3:4:5:6:7:8:9::', '1:2:3:4:5:6:7:8:9::'],
  ['1:2:3:4:5:6:7::192.0.2.1', '1:2:3:4:5:6:7::192.0.2.1'],
  ['', ''],
])('the network of %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it.each<Headers_>([{ 'cf-connecting-ip': '192.0.2.1' }, { 'cf-connecting-ip': WORKERS, 'cf-worker': 'a.example' }, {}])(
  'a request of the Worker to itself is counted for the client that caused it: %j',
  async (headers) => {
    const own = { accept: '*/*' };
    const request = await made({ ...headers, 'x-other': '1' }, (context) =>
      forClient(new Request('http://edgewise.test/', { headers: own }), context),
    );
    expect(Object.fromEntries(request.headers)).toEqual({ ...own, ...headers });
  },
);
