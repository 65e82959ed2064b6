/**
 * @module The port of `npm run dev`. It passes every request on to the Worker behind it, and lets requests wait while the
 * Worker or its tables are being changed, so that nobody meets a Worker that does not fit the tables.
 */
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http';
import { UserError } from '../core/terminal.ts';

/** Where the Worker listens, and the gate if nothing else is asked for. */
export const HOST = '127.0.0.1';

const WILDCARDS: readonly string[] = ['0.0.0.0', '::'];

/** A URL of this machine that reaches a server on `host`. */
function urlOf(host: string, port: number): string {
  const reached = WILDCARDS.includes(host) ? HOST : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}

/** Longer than the default of `api.rest.limits.queryLength`, which is the one to refuse. */
const HEADER_BYTES = 262_144;
/** Milliseconds. Requests that wait for a build of wrangler end only after it, and do not use the database. */
const DRAIN = 3_000;

export interface Gate {
  readonly url: string;
  /** Can other machines reach it? */
  readonly isPublic: boolean;
  /** Passes requests on to this port from now on. */
  open(port: number): void;
  /** Does some work while no request is on its way; new ones wait. Work that is held at the same time follows. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Headers of one connection, which are not passed on. */
const HOP = new Set(['connection', 'keep-alive', 'expect']);

const answerHeaders = (raw: readonly string[]): string[] =>
  raw.filter((_, index) => !HOP.has((raw[index - (index % 2)] ?? '').toLowerCase()));

const requestHeaders = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP.has(name)));

/** Passes one request on, and settles when its answer has ended in one way or another. */
function pass(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
  if (response.destroyed) return Promise.resolve();
  const { method, url } = request;
  const headers = requestHeaders(request.headers);
  return new Promise((resolve) => {
    const options = {
      host: HOST,
      port,
      method,
      path: url,
      headers,
      agent: false,
      maxHeaderSize: HEADER_BYTES,
    } as const;
    const onward = send(options, (answer) => {
      const { statusCode = 502, statusMessage, rawHeaders } = answer;
      response.writeHead(statusCode, statusMessage, answerHeaders(rawHeaders));
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    onward.on('error', () => {
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end('The Worker does not answer; see the terminal of npm run dev.\n');
    });
    response.on('close', () => {
      onward.destroy();
      resolve();
    });
    request.pipe(onward);
  });
}

/** The work that is under way, at most for a while: a stream that nobody reads holds up no change. */
async function drained(running: ReadonlySet<Promise<void>>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, DRAIN);
  });
  await Promise.race([Promise.all(running), late]);
  clearTimeout(timer);
}

function whyNot({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `--host ${host}: this machine has no such address; for every address: --host 0.0.0.0`;
  const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be used (${message})`;
  return `Port ${port} ${why}; try another one: npm run dev -- --port ${port + 1}`;
}

/**
 * Listens on a port of this machine. Requests wait until the gate is opened.
 * @param host an address of this machine, a name of it, or `0.0.0.0` or `::` for every address.
 * @throws UserError when the address or the port cannot be used.
 */
export async function openGate(port: number, host: string = HOST): Promise<Gate> {
  const running = new Set<Promise<void>>();
  let behind = 0;
  let start: () => void = () => {};
  let held: Promise<unknown> = new Promise<void>((resolve) => {
    start = resolve;
  });
  const server = createServer({ maxHeaderSize: HEADER_BYTES }, async (request, response) => {
    for (let waited: unknown; waited !== held; ) {
      waited = held;
      await waited;
    }
    const passed = pass(request, response, behind);
    running.add(passed);
    await passed;
    running.delete(passed);
  });
  server.requestTimeout = 0;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new UserError(whyNot(error as NodeJS.ErrnoException, host, port));
  }
  return {
    url: urlOf(host, port),
    isPublic: !/^(127\.|::1$|localhost$)/.test(host),
    open(next) {
      behind = next;
      start();
    },
    hold(work) {
      const before = held;
      const result = before.then(() => drained(running)).then(work);
      held = result.catch(() => {});
      return result;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
