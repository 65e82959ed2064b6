/**
 * @module `node test/studio/first-row.ts`: when the first row of a list is there, on a slow line (1.6 Mbit/s, 150 ms), with
 * the compression that Cloudflare applies. It is measured by hand: a test would depend on the machine.
 */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createGzip } from 'node:zlib';
import { bundleStudio } from '../../cli/studio/bundle-studio.ts';
import { type Browser, chromium, startBrowser } from '../clients/browser.ts';
import { PROJECT } from '../conformance/scratch.ts';
import { serveProject } from '../support/served-project.ts';
import { MODELS, SETTINGS } from './settings.ts';
import { signIn } from './sign-in.ts';

const RUNS = 5;
const ROWS = 100;
/** Bytes per second, and milliseconds. */
const LINE = { offline: false, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8, latency: 150 };

/** Passes requests to a server, and compresses what Cloudflare would. */
async function compressed(origin: string) {
  const server = createServer((incoming, outgoing) => {
    const sent = { ...incoming.headers, 'accept-encoding': 'identity' };
    const onward = request(`${origin}${incoming.url}`, { method: incoming.method, headers: sent }, (answer) => {
      const { 'content-length': _, ...headers } = answer.headers;
      const isText = /^(text|application)\/(html|css|javascript|json)/.test(headers['content-type'] ?? '');
      outgoing.writeHead(answer.statusCode ?? 502, isText ? { ...headers, 'content-encoding': 'gzip' } : headers);
      if (isText) answer.pipe(createGzip()).pipe(outgoing);
      else answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.closeAllConnections(),
  };
}

/** Milliseconds from the address to the first row, with nothing in the cache. */
async function measure(browser: Browser, url: string, token: string): Promise<number> {
  const context = await browser.newContext();
  await signIn(context, token);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', LINE);
  const start = performance.now();
  await page.goto(`${url}/studio/#/content/articles`, { waitUntil: 'commit' });
  await page.locator('tbody tr').first().waitFor();
  const took = performance.now() - start;
  await context.close();
  return took;
}

async function fill(url: string, token: string): Promise<void> {
  const requests = Array.from({ length: ROWS }, (_, index) => ({
    method: 'POST',
    path: '/api/articles',
    body: { data: { title: `Article ${index}`, facts: [{ label: 'one' }] } },
  }));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/batch`, { method: 'POST', headers, body: JSON.stringify({ requests }) });
  if (!response.ok) throw new Error(await response.text());
}

const server = await startBrowser();
if ('missing' in server) throw new Error(server.missing);
await bundleStudio(PROJECT);
const { url, token, stop } = await serveProject(MODELS, SETTINGS);
const proxy = await compressed(url);
try {
  await fill(url, token);
  const browser = await chromium.connect(server.wsEndpoint());
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) times.push(await measure(browser, proxy.url, token));
  // The first run warms the Worker.
  const seconds = times.slice(1).map((time) => (time / 1000).toFixed(2));
  process.stdout.write(`first row after ${seconds.join(', ')} s\n`);
} finally {
  proxy.close();
  await server.close();
  await stop();
}
process.exit();
