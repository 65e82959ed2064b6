/**
 * @module One round of load on one server.
 */
import { Agent, request } from 'node:http';
import { median } from './median.ts';
import { cpuTime } from './processes.ts';
import { type BenchRequest, bodyOf, headersOf, pathOf } from './rows.ts';
import type { Server } from './server.ts';

export interface Round {
  readonly requests: number;
  readonly perSecond: number;
  /** Median latency, milliseconds. */
  readonly p50: number;
  /** Of the runtime's process, milliseconds; undefined where the kernel does not tell. */
  readonly cpu: number | undefined;
}

/** On a local address the product tells what an answer costs (`Server-Timing`), which no deployed Worker does. */
const PUBLIC_HOST = 'api.example.com';

let unique = 0;

/** A number that no request of this run has had: titles and slugs are made from it. */
export function nextUnique(): number {
  unique += 1;
  return unique;
}

function optionsOf(request: BenchRequest, held: string | undefined) {
  const number = nextUnique();
  return {
    method: request.method,
    path: pathOf(request, number),
    headers: { ...headersOf(request, held), host: PUBLIC_HOST },
    body: bodyOf(request, number),
  };
}

/** What is sent, without an end. */
function* inTurn(requests: readonly BenchRequest[], held: string | undefined): Generator<Options, never> {
  if (requests.length === 0) throw new Error('no requests');
  for (;;) for (const request of requests) yield optionsOf(request, held);
}

/** The tag of the answer to a request that asks whether it still holds. */
async function heldTag({ url }: Server, [request]: readonly BenchRequest[]): Promise<string | undefined> {
  if (!request?.revalidates) return undefined;
  const response = await fetch(url + request.path, { headers: headersOf(request, '""') });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? undefined;
}

const SILENCE = 60_000;

type Options = ReturnType<typeof optionsOf>;

/**
 * Sends one request, and reads the response to its end.
 * @throws Error for a status that is no success: what is rejected is not worth measuring.
 */
function send(agent: Agent, { url }: Server, { path, body, ...options }: Options, held: string | undefined) {
  return new Promise<void>((resolve, reject) => {
    const sent = request(url + path, { ...options, agent }, (response) => {
      const { statusCode = 0 } = response;
      if (statusCode < 300 || (statusCode === 304 && held !== undefined)) response.on('end', resolve);
      else reject(new Error(`${options.method} ${path}: status ${statusCode}`));
      response.on('error', reject).resume();
    });
    sent.on('timeout', () => sent.destroy(new Error(`${options.method} ${path}: no response in ${SILENCE / 1000} s`)));
    sent.on('error', reject).end(body);
  });
}

export interface Pressure {
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Sends `requests` in turn for so many seconds, and waits for the responses that are outstanding then, so that CPU time
 * and requests are of the same work. The connections take turns, so that no two of them ask for the same document at the
 * same time.
 * @throws Error for a response that is no success.
 */
export async function runRound(
  server: Server,
  requests: readonly BenchRequest[],
  { connections, seconds }: Pressure,
): Promise<Round> {
  const held = await heldTag(server, requests);
  const agent = new Agent({ keepAlive: true, timeout: SILENCE });
  const sendings = inTurn(requests, held);
  const times: number[] = [];
  const cpuBefore = server.pid && cpuTime(server.pid);
  const start = performance.now();
  const connection = async () => {
    for (let sent = start; sent < start + seconds * 1000; ) {
      await send(agent, server, sendings.next().value, held);
      times.push(performance.now() - sent);
      sent = performance.now();
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, connection));
  } finally {
    agent.destroy();
  }
  const cpuAfter = server.pid && cpuTime(server.pid);
  return {
    requests: times.length,
    perSecond: (times.length * 1000) / (performance.now() - start),
    p50: median(times),
    cpu: cpuBefore !== undefined && cpuAfter !== undefined ? cpuAfter - cpuBefore : undefined,
  };
}
