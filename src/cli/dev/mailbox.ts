/**
 * @module Writes the e-mails of a local server to a file.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { HOST } from './gate.ts';

const messageSchema = z.object({ to: z.array(z.string()), subject: z.string(), text: z.string() });

export interface Mailbox {
  /** Receives e-mails like the API of a provider. */
  readonly url: string;
  close(): void;
}

function fileText(json: unknown, now: Date): string {
  const { to, subject, text: body } = messageSchema.parse(json);
  return `--- ${now.toISOString()}\nTo: ${to.join(', ')}\nSubject: ${subject}\n\n${body.trimEnd()}\n\n`;
}

async function take(request: IncomingMessage, file: string): Promise<number> {
  try {
    appendFileSync(file, fileText(JSON.parse(await text(request)), new Date()), { mode: 0o600 });
    return 200;
  } catch {
    return 400;
  }
}

/**
 * Opens a mailbox for this process. Its path is random, so that a page in a browser cannot write to the file.
 * @param file e-mails are appended to it
 * @param onMessage is called for each of them
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
