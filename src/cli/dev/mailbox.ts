/**
 * @module Catches the messages that a local server would send, and writes them to a file.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';

const HOST = '127.0.0.1';

const messageSchema = z.object({ to: z.array(z.string()), subject: z.string(), text: z.string() });

export interface Mailbox {
  /** Takes messages as an e-mail provider would. */
  readonly url: string;
  close(): void;
}

/** A message as it stands in the file. */
function written(json: unknown, now: Date): string {
  const { to, subject, text: body } = messageSchema.parse(json);
  return `--- ${now.toISOString()}\nTo: ${to.join(', ')}\nSubject: ${subject}\n\n${body.trimEnd()}\n\n`;
}

async function take(request: IncomingMessage, file: string): Promise<number> {
  try {
    appendFileSync(file, written(JSON.parse(await text(request)), new Date()), { mode: 0o600 });
    return 200;
  } catch {
    return 400;
  }
}

/**
 * Opens a mailbox for this process. Its path is random, so that a page in a browser cannot write to the file.
 * @param file new messages are appended to it.
 * @param onMessage called for each message that was written.
 */
export async function openMailbox(file: string, onMessage: () => void): Promise<Mailbox> {
  mkdirSync(dirname(file), { recursive: true });
  const path = `/${randomBytes(16).toString('hex')}`;
  const server = createServer(async (request, response) => {
    const status = request.method === 'POST' && request.url === path ? await take(request, file) : 404;
    if (status === 200) onMessage();
    response.writeHead(status).end();
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://${HOST}:${port}${path}`, close: () => void server.close() };
}
