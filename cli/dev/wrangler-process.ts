/**
 * @module Runs `wrangler dev` as a child process behind the gate, and receives its e-mails.
 */
import type { ChildProcess } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { DEV_URL, freePort, type LocalServer, openLocalServer } from '../core/local-server.ts';
import { UserError } from '../core/terminal.ts';
import { spawnWrangler } from '../core/wrangler/wrangler.ts';
import { HOST } from './gate.ts';

/** Milliseconds until what hangs is given up: a busy machine takes minutes for what an idle one does in seconds. */
const PATIENCE = 300_000;

/** https://developers.cloudflare.com/workers/configuration/cron-triggers/#test-cron-triggers-locally */
const CRON_PATH = '/cdn-cgi/handler/scheduled';
const MINUTE = 60_000;

/** Otherwise wrangler's watcher (chokidar) misses a file that was replaced twice within a second, as by git and an editor. */
const POLLING = { CHOKIDAR_USEPOLLING: '1', CHOKIDAR_INTERVAL: '300' };

/** The requests with which `responds` waits for the server and `fireCron` fires, as wrangler logs them. */
const isPoll = (line: string): boolean => line.includes('HEAD /favicon.ico ') || line.includes(CRON_PATH);

const messageSchema = z.object({ to: z.array(z.string()), subject: z.string(), text: z.string() });

function fileText(json: unknown, now: Date): string {
  const { to, subject, text: body } = messageSchema.parse(json);
  return `--- ${now.toISOString()}\nTo: ${to.join(', ')}\nSubject: ${subject}\n\n${body.trimEnd()}\n\n`;
}

/** Opens a mailbox, which receives e-mails like the API of a provider and appends them to a file. */
export function openMailbox(file: string, onMessage: () => void): Promise<LocalServer> {
  mkdirSync(dirname(file), { recursive: true });
  return openLocalServer({
    '': (body) => {
      appendFileSync(file, fileText(JSON.parse(body), new Date()), { mode: 0o600 });
      onMessage();
    },
  });
}

async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(late);
}

interface ServerOptions extends Readonly<Record<'url' | 'mailbox' | 'buildUrl' | 'persistTo', string>> {
  readonly args: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
}

/** Starts `wrangler dev`. @param options URLs: of the API, of what receives e-mails, of what `edgewise build` calls. */
export async function startDevServer({ url, mailbox, buildUrl, persistTo, args: more, variables }: ServerOptions) {
  const port = await freePort();
  const vars = ['--var', `LOCAL_MAILBOX:${mailbox}`, '--var', `LOCAL_URL:${url}`];
  const address = ['--ip', HOST, '--port', String(port), '--inspector-port', '0'];
  const args = ['dev', ...address, '--show-interactive-dev-session=false', ...vars, '--persist-to', persistTo, ...more];
  const child = spawnWrangler(args, true, { ...POLLING, ...variables, [DEV_URL]: buildUrl });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 0));
  });
  let kept = '';
  let isVisible = false;
  const take = (line: string): void => {
    if (isPoll(line)) return;
    if (isVisible) process.stdout.write(`${line}\n`);
    else kept += `${line}\n`;
  };
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on('line', take);
  return {
    port,
    /** Resolves with the exit code. */
    ended,
    /** @param past shows also what it has written so far */
    show(past: boolean): void {
      if (past) process.stdout.write(kept);
      isVisible = true;
    },
    stop(): Promise<void> {
      isVisible = false;
      return stop(child, ended);
    },
  };
}

/** Fires the cron trigger each minute, since wrangler fires none locally. @returns how to end that */
export function fireCron({ port }: Pick<DevServer, 'port'>): () => void {
  const fire = () => fetch(`http://${HOST}:${port}${CRON_PATH}`).catch(() => undefined);
  const timer = setInterval(fire, MINUTE);
  return () => clearInterval(timer);
}

export type DevServer = Awaited<ReturnType<typeof startDevServer>>;

const responds = async (port: number): Promise<boolean> => {
  const options = { method: 'HEAD', signal: AbortSignal.timeout(5_000) };
  const response = await fetch(`http://${HOST}:${port}/favicon.ico`, options).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined;
};

/** @throws UserError when the server ends or does not respond; its output is shown then. */
export async function untilServed({ port, ended, show }: DevServer): Promise<void> {
  const end = ended.then(() => 'ended' as const);
  for (const limit = Date.now() + PATIENCE; Date.now() < limit; ) {
    if (await responds(port)) return;
    if ((await Promise.race([end, pause(100)])) === 'ended') break;
  }
  show(true);
  throw new UserError('The Worker did not start; see the output of wrangler above.');
}
