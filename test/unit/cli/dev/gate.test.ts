import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../cli/core/local-server.ts';
import { type Gate, openGate } from '../../../../cli/dev/gate.ts';

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

/** A Worker that says what it was asked; `/slow` waits until it is let go. */
function startWorker(name: string, release: Promise<void>): Server {
  return createServer(async (asked, answer) => {
    let body = '';
    for await (const chunk of asked) body += chunk;
    if (asked.url === '/slow') await release;
    answer.setHeader('x-worker', name).end(`${name} ${asked.method} ${asked.url} ${asked.headers.host} ${body}`);
  }).listen(0, '127.0.0.1');
}

let gate: Gate;
let letGo: () => void;
let [first, second]: Server[] = [];
beforeEach(async () => {
  const release = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  [first, second] = [startWorker('first', release), startWorker('second', release)];
  await Promise.all([once(first, 'listening'), once(second, 'listening')]);
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const port = portOf(probe);
  await new Promise((resolve) => probe.close(resolve));
  gate = await openGate(port);
});
afterEach(() => {
  letGo();
  gate.close();
  first?.close();
  second?.close();
});

const textOf = async (path: string, init: RequestInit = {}): Promise<string> =>
  (await fetch(`${gate.url}${path}`, init)).text();
const soon = () => new Promise((resolve) => setTimeout(resolve, 100));

describe('the gate', () => {
  it('refuses a port that is taken, in one line that names another', async () => {
    const port = portOf(first as Server);
    await expect(openGate(port)).rejects.toThrow(
      `Port ${port} is taken by another program; try another one: npm run dev -- --port ${port + 1}`,
    );
  });

  it('names the project that has its port, also while it is held', async () => {
    const port = Number(new URL(gate.url).port);
    await expect(openGate(port)).rejects.toThrow(
      `Port ${port} is taken by npm run dev of "${process.cwd()}" (process ${process.pid}); try another one`,
    );
  });

  it.each<readonly [object, boolean]>([
    [{}, true],
    [{ host: 'example.com' }, false],
    [{ forwarded: 'for=1.2.3.4' }, false],
    [{ 'cf-ray': '1' }, false],
  ])('names its project to programs of this machine alone, with the headers %j: %s', async (headers, isNamed) => {
    gate.open(portOf(first as Server));
    const sent = request(`${gate.url}/_dev/about`, { headers: headers as Record<string, string> });
    sent.end();
    const [response] = await once(sent, 'response');
    expect((await text(response)).includes(process.cwd())).toBe(isNamed);
  });

  it.each([
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['localhost', 'localhost'],
    ['127.0.0.2', '127.0.0.2'],
    ['::1', '[::1]'],
  ])('listens on %s', async (host, reached) => {
    const port = await freePort();
    const other = await openGate(port, host);
    other.open(portOf(first as Server));
    expect(other.url).toBe(`http://${reached}:${port}`);
    expect(await (await fetch(`${other.url}/a`)).text()).toContain('first GET /a');
    other.close();
  });

  it('refuses a host that is no address of this machine', async () => {
    const port = await freePort();
    await expect(openGate(port, '192.0.2.1')).rejects.toThrow(
      '--host 192.0.2.1: this machine has no such address; for every address: --host 0.0.0.0',
    );
  });

  it('lets requests wait until there is something behind it, and passes them on as they are', async () => {
    const waiting = textOf('/a?b[c]=d', { method: 'PUT', body: 'text' });
    await soon();
    gate.open(portOf(first as Server));
    expect(await waiting).toBe(`first PUT /a?b[c]=d ${new URL(gate.url).host} text`);
  });

  it('works only when nothing is on its way, and lets what comes meanwhile wait', async () => {
    gate.open(portOf(first as Server));
    const slow = textOf('/slow');
    await soon();
    const order: string[] = [];
    const held = gate.hold(async () => {
      order.push('work');
      gate.open(portOf(second as Server));
    });
    const late = textOf('/late').then((text) => order.push(text.slice(0, 6)));
    await soon();
    expect(order).toEqual([]);
    letGo();
    expect(await slow).toMatch(/^first/);
    await Promise.all([held, late]);
    expect(order).toEqual(['work', 'second']);
  });

  it('goes on after work that fails', async () => {
    gate.open(portOf(first as Server));
    await expect(gate.hold(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await textOf('/')).toMatch(/^first/);
  });

  it('is not held up by somebody who has gone', async () => {
    gate.open(portOf(first as Server));
    const gone = request(`${gate.url}/slow`).on('error', () => {});
    gone.end();
    await soon();
    gone.destroy();
    await soon();
    expect(await gate.hold(async () => 'done')).toBe('done');
  });

  it('has room for query strings that only the API may refuse', async () => {
    gate.open(portOf(first as Server));
    expect((await fetch(`${gate.url}/?q=${'x'.repeat(15_000)}`)).status).toBe(200);
  });

  it('answers 502 where nothing listens', async () => {
    gate.open(1);
    expect((await fetch(gate.url)).status).toBe(502);
  });
});
