/**
 * @module Receives the e-mails of a local server like the API of a provider, and writes them to a file.
 */
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { type LocalServer, openLocalServer } from '../core/local-server.ts';

const messageSchema = z.object({ to: z.array(z.string()), subject: z.string(), text: z.string() });

function fileText(json: unknown, now: Date): string {
  const { to, subject, text: body } = messageSchema.parse(json);
  return `--- ${now.toISOString()}\nTo: ${to.join(', ')}\nSubject: ${subject}\n\n${body.trimEnd()}\n\n`;
}

/**
 * Opens a mailbox for this process.
 * @param file e-mails are appended to it
 * @param onMessage is called for each of them
 */
export function openMailbox(file: string, onMessage: () => void): Promise<LocalServer> {
  mkdirSync(dirname(file), { recursive: true });
  return openLocalServer({
    '': (body) => {
      appendFileSync(file, fileText(JSON.parse(body), new Date()), { mode: 0o600 });
      onMessage();
    },
  });
}
