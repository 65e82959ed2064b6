/**
 * @module The mailbox of a local server: what it writes, and what it does not take.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LocalServer } from '../../../../cli/core/local-server.ts';
import { openMailbox } from '../../../../cli/dev/wrangler-process.ts';

let folder: string;
let file: string;
let mailbox: LocalServer;
const onMessage = vi.fn();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-mail-'));
  file = join(folder, 'state', 'emails.txt');
  onMessage.mockClear();
  mailbox = await openMailbox(file, onMessage);
});

afterEach(() => {
  mailbox.close();
  rmSync(folder, { recursive: true });
});

const send = (url: string, body: string) => fetch(url, { method: 'POST', body });
const message = (to: string) => JSON.stringify({ from: 'a@b.c', to: [to], subject: 'Hello', text: 'One.\n\nTwo.\n' });

describe('a mailbox', () => {
  it('takes nothing at another path, and nothing that is no message', async () => {
    const { origin } = new URL(mailbox.url);
    expect((await send(origin, message('x@y.z'))).status).toBe(404);
    expect((await fetch(mailbox.url)).status).toBe(404);
    expect((await send(mailbox.url, 'not JSON')).status).toBe(400);
    expect((await send(mailbox.url, '{"to":"x@y.z"}')).status).toBe(400);
    expect(existsSync(file)).toBe(false);
    expect(onMessage).not.toHaveBeenCalled();
  });

  it('writes one message after the other, for the eyes of its owner', async () => {
    for (const to of ['anna@example.com', 'bert@example.com'])
      expect((await send(mailbox.url, message(to))).status).toBe(200);
    const parts = readFileSync(file, 'utf8').split(/^--- .*\n/m);
    expect(parts[1]).toBe('To: anna@example.com\nSubject: Hello\n\nOne.\n\nTwo.\n\n');
    expect(parts[2]).toContain('To: bert@example.com');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(onMessage).toHaveBeenCalledTimes(2);
  });

  it('listens to this machine alone', () => {
    expect(new URL(mailbox.url).hostname).toBe('127.0.0.1');
  });
});
