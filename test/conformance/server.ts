/**
 * @module Edgewise as a process: prepares a scratch copy with the project's own commands and serves it by wrangler.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TokenSetup } from './settings.ts';

const HOST = '127.0.0.1';
const WRANGLER = createRequire(import.meta.url).resolve('wrangler');
const READY_WITHIN = 60_000;
const STOPPED_WITHIN = 5_000;

interface Running {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly output: () => { readonly stdout: string; readonly all: string };
}

/** Every process that has been started and has not ended. */
const alive = new Set<ChildProcess>();

/** Starts a script of Node in a folder, in a process group of its own. */
function start(folder: string, args: readonly string[]): Running {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true', NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  alive.add(child);
  child.once('close', () => alive.delete(child));
  let stdout = '';
  let all = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
    all += chunk;
  });
  child.stderr.on('data', (chunk) => {
    all += chunk;
  });
  return { child, output: () => ({ stdout, all }) };
}

/**
 * Runs a command of the project to its end.
 * @returns what it printed on stdout.
 * @throws Error with everything that it printed, when it fails.
 */
export async function runCommand(folder: string, ...args: readonly string[]): Promise<string> {
  const { child, output } = start(folder, ['cli/edgewise.mjs', ...args]);
  const [code] = await once(child, 'close');
  const { stdout, all } = output();
  if (code !== 0) throw new Error(`edgewise ${args.join(' ')} failed:\n${all.trim()}`);
  return stdout;
}

/** Creates an API token; it is the last line that the command prints. */
export async function createToken(folder: string, name: string, { type, permissions = [] }: TokenSetup) {
  const granted = permissions.flatMap((permission) => ['--permission', permission]);
  const stdout = await runCommand(folder, 'token', 'create', '--name', name, '--type', type, ...granted);
  const token = stdout.trim().split('\n').at(-1)?.trim();
  if (!token) throw new Error(`edgewise token printed no token for '${name}'`);
  return token;
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  const outcome = new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false));
    probe.once('listening', () => resolve(true));
  });
  probe.listen(port, HOST);
  const free = await outcome;
  if (free) await new Promise((resolve) => probe.close(resolve));
  return free;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** Does anything come back, to its end, within two seconds? */
async function answers(base: string): Promise<boolean> {
  try {
    const response = await fetch(base, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

async function waitUntilReady({ child, output }: Running, base: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN;
  while (Date.now() < deadline) {
    if (hasEnded(child)) break;
    if (await answers(base)) return;
    await sleep(100);
  }
  throw new Error(`the server did not start:\n${output().all.trim()}`);
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // The whole group has ended already.
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = hasEnded(child) ? Promise.resolve() : once(child, 'close');
  signal(child, 'SIGTERM');
  await Promise.race([closed, sleep(STOPPED_WITHIN, undefined, { ref: false })]);
  signal(child, 'SIGKILL');
}

/** Ends every process that this module has started, and what those have started. */
export async function stopEverything(): Promise<void> {
  await Promise.all([...alive].map(stop));
}

/** The same without waiting, for a process that is about to exit. */
export function killEverything(): void {
  for (const child of alive) signal(child, 'SIGKILL');
}

/**
 * Serves a prepared scratch copy until `stopEverything`.
 * @returns the origin to send requests to.
 * @throws Error when the port is taken, or the server does not answer within a minute.
 */
export async function startServer(folder: string, port: number): Promise<string> {
  if (!(await isFree(port))) throw new Error(`port ${port} is taken; choose another with --port`);
  const base = `http://${HOST}:${port}`;
  const args = ['dev', '--ip', HOST, '--port', String(port), '--inspector-port', '0', '--log-level', 'error'];
  await waitUntilReady(start(folder, ['--no-warnings', WRANGLER, ...args]), base);
  return base;
}
