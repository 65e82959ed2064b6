/**
 * @module Servers of this process for other processes of this machine. Their path is random, so that no page in a browser
 * can know it.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createProbe } from 'node:net';
import { text } from 'node:stream/consumers';
import { failureText } from './failure-text.ts';

/** Does nothing listen on a port of this machine at the moment? */
export async function isPortFree(port: number): Promise<boolean> {
  const probe = createProbe();
  const isOpen = new Promise<boolean>((resolve) => {
    probe.once('listening', () => resolve(true)).once('error', () => resolve(false));
  });
  probe.listen(port, '127.0.0.1');
  const isFree = await isOpen;
  probe.close();
  return isFree;
}

/** A port that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  const probe = createProbe().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Environment variable: the URL at which `npm run dev` prepares what wrangler bundles next, tables included. */
export const DEV_URL = 'EDGEWISE_DEV_URL';

export interface LocalServer {
  readonly url: string;
  close(): void;
}

/**
 * Responds to POST requests with the JSON of what a handler returns, with 500 for a failure of the machine, and with 400
 * for any other error.
 * @param handlers by what follows the URL; they get the body.
 */
export async function openLocalServer(
  handlers: Readonly<Record<string, (body: string) => unknown>>,
): Promise<LocalServer> {
  const secret = `/${randomBytes(16).toString('hex')}`;
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request;
    const handle = method === 'POST' && url.startsWith(secret) ? handlers[url.slice(secret.length)] : undefined;
    const respond = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    if (!handle) return respond(404, null);
    try {
      return respond(200, await handle(await text(request)));
    } catch (error) {
      const failure = failureText(error);
      return failure === undefined ? respond(400, (error as Error).message) : respond(500, failure);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}${secret}`, close: () => void server.close() };
}
