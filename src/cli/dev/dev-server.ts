/**
 * @module `wrangler dev` as a child process: started, waited for, stopped.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { spawnWrangler } from '../platform/wrangler.ts';
import { UserError } from '../terminal.ts';

export const HOST = '127.0.0.1';

const PATIENCE = 60_000;

export interface DevServer {
  readonly url: string;
  /** Settles with the exit code when the server ends, by itself or by `stop`. */
  readonly ended: Promise<number>;
  /** From now on what the server writes goes to the terminal, with what it has written so far if asked. */
  show(past: boolean): void;
  stop(): Promise<void>;
}

/** @throws UserError when something listens there. */
export async function assertFree(port: number): Promise<void> {
  const probe = createServer();
  try {
    probe.listen(port, HOST);
    await once(probe, 'listening');
  } catch (error) {
    throw new UserError(
      `Port ${port} cannot be used (${(error as Error).message}); try npm run dev -- --port ${port + 1}`,
    );
  }
  await new Promise((resolve) => probe.close(resolve));
}

function outputOf(child: ChildProcess): (past: boolean) => void {
  let kept = '';
  let visible = false;
  const take = (chunk: unknown): void => {
    if (visible) process.stdout.write(String(chunk));
    else kept += chunk;
  };
  child.stdout?.on('data', take);
  child.stderr?.on('data', take);
  return (past) => {
    if (past) process.stdout.write(kept);
    visible = true;
  };
}

async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(late);
}

/**
 * Starts `wrangler dev` on the local database; its output is kept back until `show`.
 * @param mailbox URL that takes what the server would send by e-mail.
 */
export function startDevServer(port: number, persistTo: string | undefined, mailbox: string): DevServer {
  const state = persistTo === undefined ? [] : ['--persist-to', persistTo];
  const url = `http://${HOST}:${port}`;
  const vars = ['--var', `LOCAL_MAILBOX:${mailbox}`, '--var', `LOCAL_URL:${url}`];
  const options = ['--ip', HOST, '--port', String(port), '--show-interactive-dev-session=false'];
  const child = spawnWrangler(['dev', ...options, ...vars, ...state], true);
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 0));
  });
  return { url, ended, show: outputOf(child), stop: () => stop(child, ended) };
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return true;
  } catch {
    return false;
  }
}

/** @throws UserError when the server ends, or stays silent for a minute; its output is shown then. */
export async function untilReady({ url, ended, show }: DevServer): Promise<void> {
  const end = ended.then(() => 'ended' as const);
  for (const limit = Date.now() + PATIENCE; Date.now() < limit; ) {
    if (await answers(url)) return;
    if ((await Promise.race([end, pause(150)])) === 'ended') break;
  }
  show(true);
  throw new UserError('wrangler dev did not start');
}
