/**
 * @module HTTP servers that receive the messages of webhooks, and keep them in the order in which they came.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Webhook } from 'standardwebhooks';

export const SECRET = 'whsec_YSBrZXkgb2YgdHdlbnR5LWZvdXIgYnl0';

/** A message at its first arrival. */
export interface Received {
  readonly id: string;
  readonly event: string;
  readonly documentId: string;
}

/** Checks the signature. Returns what the message is about. */
function read(request: IncomingMessage, body: string): Received {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const { event, entry } = new Webhook(SECRET).verify(body, headers) as {
    readonly event: string;
    readonly entry: { readonly documentId: string };
  };
  if (headers['x-strapi-event'] !== event) throw new Error(`${event} came as ${headers['x-strapi-event']}`);
  return { id: headers['webhook-id'] ?? '', event, documentId: entry.documentId };
}

const BLOCK = Buffer.alloc(1_000_000, 'x');

/** An error, a redirect, a lost connection, or an error with a body of 1 GB. */
async function reject(number: number, response: ServerResponse): Promise<void> {
  const kind = number % 4;
  if (kind === 0) response.writeHead(503).end();
  else if (kind === 1) response.writeHead(307, { location: '/elsewhere' }).end();
  else if (kind === 2) response.destroy();
  else {
    const body = Readable.from(Array.from({ length: 1_000 }, () => BLOCK));
    await pipeline(body, response.writeHead(500)).catch(() => undefined);
  }
}

export async function openReceiver() {
  const state = {
    url: '',
    isDown: false,
    received: new Map<string, Received>(),
    figures: { arrived: 0, repeated: 0, rejected: 0 },
    complaints: [] as string[],
    close: () => server.close().closeAllConnections(),
  };
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      if (request.url !== '/') state.complaints.push(`a redirect to ${request.url} was followed`);
      if (state.isDown) return reject(state.figures.rejected++, response);
      const message = read(request, body);
      state.figures[state.received.has(message.id) ? 'repeated' : 'arrived'] += 1;
      if (!state.received.has(message.id)) state.received.set(message.id, message);
    } catch (error) {
      // A server that was killed has not sent its message to the end.
      if (request.complete) state.complaints.push(String(error));
    }
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return state;
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
