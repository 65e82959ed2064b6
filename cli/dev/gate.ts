/**
 * @module The port of `npm run dev`. Proxies requests to the Worker, and holds them back until the demo content is planted
 * and while another command uses the database.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { UserError } from '../core/terminal.ts';
import { isLocal, isLoopback } from './sign-in-link.ts';

/** Where the Worker listens, and by default the gate. */
export const HOST = '127.0.0.1';

const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** Returns a URL that reaches a server on `host` from this machine. */
function urlOf(host: string, port: number): string {
  const reached = WILDCARDS.includes(host) ? HOST : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** More than the default of `api.rest.limits.queryLength`, so that the Worker rejects long queries. */
const HEADER_BYTES = 262_144;
/** Milliseconds that `hold` waits for requests: those that wait for a build do not use the database. */
const DRAIN = 3_000;

/** Headers of a single connection. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'expect']);

const proxiedHeaders = ({ headers }: IncomingMessage): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)));

/** Proxies a request. Resolves when its response has ended or failed. */
async function pass(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
  if (response.destroyed) return;
  const target = { host: HOST, port, path: request.url, agent: false, maxHeaderSize: HEADER_BYTES } as const;
  const onward = send({ ...target, method: request.method, headers: proxiedHeaders(request) });
  // Reported by the two steps below, if they wait; else of no interest.
  onward.on('error', () => undefined);
  response.on('close', () => onward.destroy());
  request.pipe(onward);
  try {
    const [served]: IncomingMessage[] = await once(onward, 'response');
    if (!served) return;
    response.writeHead(served.statusCode ?? 502, served.statusMessage, proxiedHeaders(served));
    await pipeline(served, response);
  } catch {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end('The Worker does not respond; see the terminal of npm run dev.\n');
  }
}

/** Where a gate says whose it is, to programs of this machine. */
const ABOUT_PATH = '/_dev/about';
/** Milliseconds that another program on the port is given. */
const ABOUT_PATIENCE = 1_000;

const aboutSchema = z.object({ project: z.string(), pid: z.number() });

function respondAbout(response: ServerResponse): void {
  const about = { project: process.cwd(), pid: process.pid } satisfies z.output<typeof aboutSchema>;
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(about));
}

/** Names what listens on a port, as far as it says so. */
export async function listenerOn(host: string, port: number): Promise<string> {
  try {
    const signal = AbortSignal.timeout(ABOUT_PATIENCE);
    const response = await fetch(`${urlOf(host, port)}${ABOUT_PATH}`, { signal, redirect: 'error' });
    const { project, pid } = aboutSchema.parse(await response.json());
    return `npm run dev of ${JSON.stringify(project)} (process ${pid})`;
  } catch {
    return 'another program';
  }
}

async function listenError(error: NodeJS.ErrnoException, host: string, port: number): Promise<string> {
  const { code, message } = error;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `--host ${host}: this machine has no such address; for every address: --host 0.0.0.0`;
  const why = code === 'EADDRINUSE' ? `is taken by ${await listenerOn(host, port)}` : `cannot be used (${message})`;
  return `Port ${port} ${why}; try another one: npm run dev -- --port ${port + 1}`;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** @param host an address or name of this machine; `0.0.0.0`, `::`: every one. @throws UserError if it cannot listen */
export async function openGate(port: number, host: string = HOST) {
  const running = new Set<Promise<void>>();
  const opened = Promise.withResolvers<void>();
  let held: Promise<unknown> = opened.promise;
  const handlers = new Map<string, Handler>();
  let workerPort = 0;
  const server = createServer({ maxHeaderSize: HEADER_BYTES }, async (request, response) => {
    if (request.url === ABOUT_PATH && isLocal(request)) return respondAbout(response);
    for (let waited: unknown; waited !== held; ) {
      waited = held;
      await waited;
    }
    const own = request.method === 'POST' ? handlers.get(request.url ?? '') : undefined;
    // A client may leave in the middle of its request.
    if (own) return void own(request, response).catch(() => response.destroy());
    const passed = pass(request, response, workerPort);
    running.add(passed);
    await passed;
    running.delete(passed);
  });
  server.requestTimeout = 0;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new UserError(await listenError(error as NodeJS.ErrnoException, host, port));
  }
  return {
    url: urlOf(host, port),
    /** Can other machines reach it? */
    isPublic: !isLoopback(host),
    /** Proxies requests to this port from now on. */
    open(next: number): void {
      workerPort = next;
      opened.resolve();
    },
    /** Responds to POST requests to a path in place of the Worker. */
    handle: (path: string, handler: Handler) => void handlers.set(path, handler),
    /** Calls `work` while no request is processed; new requests and other calls wait. */
    hold<T>(work: () => Promise<T>): Promise<T> {
      const drained = async () => Promise.race([Promise.all(running), pause(DRAIN, undefined, { ref: false })]);
      const result = held.then(drained).then(work);
      held = result.catch(() => {});
      return result;
    },
    /** Is there a Worker, so that requests are proxied? */
    isOpen: () => workerPort !== 0,
    close(): void {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Gate = Awaited<ReturnType<typeof openGate>>;
