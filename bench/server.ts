/**
 * @module `wrangler dev` as a child process: started, found out about, and stopped whatever happens.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../src/cli/core/local-server.ts';
import { descendants, listeningPorts } from './processes.ts';

const WRANGLER = join(dirname(import.meta.dirname), 'node_modules', 'wrangler', 'bin', 'wrangler.js');
const START_TIMEOUT = 60_000;
const STOP_TIMEOUT = 5_000;
const KEPT_LOG = 4_000;
/** Another process may take a free port before Wrangler does. */
const PORT_TAKEN = 'Address already in use';

/** Tracing for Wrangler's own inspector costs more than the requests do, and no deployed Worker has it. */
const ENVIRONMENT = {
  WRANGLER_SEND_METRICS: 'false',
  X_LOCAL_OBSERVABILITY: 'false',
  X_LOCAL_EXPLORER: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  NO_COLOR: '1',
};

/** For the Wrangler that runs inside this process too. */
export const quietWrangler = (): unknown => Object.assign(process.env, ENVIRONMENT);

export interface Server {
  readonly url: string;
  /** Is `url` the runtime itself, without Wrangler's proxy before it? */
  readonly direct: boolean;
  /** The runtime's process: Worker, D1 and SQLite. Undefined where the kernel does not tell. */
  readonly pid: number | undefined;
}

interface Running {
  readonly child: ChildProcess;
  log: string;
}

const running = new Set<Running>();

const isAlive = ({ child }: Running): boolean => child.exitCode === null && child.signalCode === null;

function signal({ child }: Running, name: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, name);
  } catch {
    // Gone already.
  }
}

/** Stops every server that was started. */
export async function stopServers(): Promise<void> {
  const all = [...running];
  running.clear();
  for (const server of all) signal(server, 'SIGTERM');
  for (const end = Date.now() + STOP_TIMEOUT; Date.now() < end && all.some(isAlive); ) await sleep(50);
  for (const server of all) signal(server, 'SIGKILL');
}

/** For the end of this process, when nothing can be waited for. */
export function killServers(): void {
  for (const server of running) signal(server, 'SIGKILL');
}

/** Wrangler in a process group of its own, so that one signal reaches the runtimes too. */
function spawnWrangler(config: string, state: string, port: number): Running {
  const options = ['--config', config, '--persist-to', state, '--ip', '127.0.0.1', '--port', String(port)];
  const quiet = ['--inspector-port', '0', '--show-interactive-dev-session=false'];
  const child = spawn(process.execPath, [WRANGLER, 'dev', ...options, ...quiet], {
    cwd: dirname(config),
    env: { ...process.env, ...ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const server: Running = { child, log: '' };
  const keep = (chunk: Buffer) => {
    server.log = (server.log + chunk.toString()).slice(-KEPT_LOG);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  running.add(server);
  return server;
}

async function answers(url: string, headers: Readonly<Record<string, string>>): Promise<boolean> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** The runtime behind the proxy listens on a port of its own; which one, it shows by its answer. */
async function findRuntime(
  child: ChildProcess,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Server | undefined> {
  const runtime = descendants(child.pid ?? 0).find(({ command }) =>
    command.includes('--socket-addr=entry=127.0.0.1:0'),
  );
  if (!runtime) return undefined;
  for (const port of listeningPorts(runtime.pid)) {
    const url = `http://127.0.0.1:${port}`;
    if (await answers(url + path, headers)) return { url, direct: true, pid: runtime.pid };
  }
  return undefined;
}

/** Wrangler goes on after a failed build, waiting for the source to change. */
const isUsable = (server: Running): boolean =>
  isAlive(server) && !server.log.includes('Build failed') && !server.log.includes(PORT_TAKEN);

export interface Start {
  readonly config: string;
  readonly state: string;
  /** A path that answers 200 once the server is ready, and headers that it needs. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Starts a Worker and waits until it answers.
 * @throws Error with the end of Wrangler's log when it does not come up.
 */
export async function startServer(start: Start): Promise<Server> {
  const { config, state, path, headers } = start;
  const port = await freePort();
  const server = spawnWrangler(config, state, port);
  const url = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + START_TIMEOUT; Date.now() < end && isUsable(server); await sleep(200)) {
    if (!(await answers(url + path, headers))) continue;
    return (await findRuntime(server.child, path, headers)) ?? { url, direct: false, pid: undefined };
  }
  if (server.log.includes(PORT_TAKEN)) return startServer(start);
  throw new Error(`wrangler dev --config ${config} does not answer:\n${server.log}`);
}
