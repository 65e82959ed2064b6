/**
 * @module `wrangler dev` as a child process behind the gate: started, waited for, stopped.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { DEV_URL } from '../build/dev-url.ts';
import { freePort } from '../core/free-port.ts';
import { UserError } from '../core/terminal.ts';
import { spawnWrangler } from '../core/wrangler/wrangler.ts';
import { HOST } from './gate.ts';

const PATIENCE = 60_000;

export interface DevServer {
  readonly port: number;
  /** Settles with the exit code when the server ends, by itself or by `stop`. */
  readonly ended: Promise<number>;
  /** From now on what the server writes goes to the terminal, with what it has written so far if asked. */
  show(past: boolean): void;
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Where the API is reached, for links. */
  readonly url: string;
  /** URL that takes what the server would send by e-mail. */
  readonly mailbox: string;
  /** URL that `edgewise build` calls. */
  readonly buildUrl: string;
  readonly persistTo: string;
}

interface Output {
  show(past: boolean): void;
  hide(): void;
}

/** The requests with which `responds` waits for the server, as wrangler logs them. */
const isPoll = (line: string): boolean => line.includes('HEAD /favicon.ico ');

/** The lines of a stream, each as soon as it is complete, without the polls. */
function eachLine(stream: Readable | null, take: (line: string) => void): void {
  let rest = '';
  const takeLine = (line: string): void => {
    if (!isPoll(line)) take(line);
  };
  stream?.setEncoding('utf8');
  stream?.on('data', (chunk: string) => {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) takeLine(`${line}\n`);
  });
  stream?.once('end', () => takeLine(rest));
}

function outputOf(child: ChildProcess): Output {
  let kept = '';
  let visible = false;
  const take = (line: string): void => {
    if (visible) process.stdout.write(line);
    else kept += line;
  };
  eachLine(child.stdout, take);
  eachLine(child.stderr, take);
  const show = (past: boolean) => {
    if (past) process.stdout.write(kept);
    visible = true;
  };
  return {
    show,
    hide() {
      visible = false;
    },
  };
}

async function stop(child: ChildProcess, ended: Promise<number>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(late);
}

/** Starts `wrangler dev` on the local database; its output is kept back until `show`. */
export async function startDevServer({ url, mailbox, buildUrl, persistTo }: ServerOptions): Promise<DevServer> {
  const port = await freePort();
  const vars = ['--var', `LOCAL_MAILBOX:${mailbox}`, '--var', `LOCAL_URL:${url}`];
  const address = ['--ip', HOST, '--port', String(port), '--inspector-port', '0'];
  const args = ['dev', ...address, '--show-interactive-dev-session=false', ...vars, '--persist-to', persistTo];
  const child = spawnWrangler(args, true, { [DEV_URL]: buildUrl });
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 0));
  });
  const output = outputOf(child);
  return {
    port,
    ended,
    show: output.show,
    stop() {
      output.hide();
      return stop(child, ended);
    },
  };
}

const responds = (port: number): Promise<boolean> =>
  fetch(`http://${HOST}:${port}/favicon.ico`, { method: 'HEAD', signal: AbortSignal.timeout(5_000) }).then(
    async (response) => {
      await response.body?.cancel();
      return true;
    },
    () => false,
  );

/** @throws UserError when the server ends, or does not respond for a minute; its output is shown then. */
export async function untilServed({ port, ended, show }: DevServer): Promise<void> {
  const end = ended.then(() => 'ended' as const);
  for (const limit = Date.now() + PATIENCE; Date.now() < limit; ) {
    if (await responds(port)) return;
    if ((await Promise.race([end, pause(100)])) === 'ended') break;
  }
  show(true);
  throw new UserError('The Worker did not start; wrangler says why above.');
}
