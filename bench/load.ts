/**
 * @module One round of load on one server.
 */
import autocannon, { type Instance, type RequestOptions } from 'autocannon';
import { median } from './median.ts';
import { cpuTime } from './processes.ts';
import { type BenchRequest, headersOf, pathOf } from './rows.ts';
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
    ...(request.body && { body: JSON.stringify(request.body(number)) }),
  };
}

/** The connections take turns, so that no two of them ask for the same document at the same time. */
function inTurn(requests: readonly BenchRequest[], held: string | undefined): RequestOptions {
  const [first] = requests;
  if (!first) throw new Error('no requests');
  if (requests.length === 1 && first.again) return optionsOf(first, held);
  let turn = 0;
  const setupRequest = (sent: RequestOptions) => ({
    ...sent,
    ...optionsOf(requests[turn++ % requests.length] ?? first, held),
  });
  return { ...optionsOf(first, held), setupRequest };
}

/** The tag of the answer to a request that asks whether it still holds. */
async function heldTag({ url }: Server, [request]: readonly BenchRequest[]): Promise<string | undefined> {
  if (!request?.revalidates) return undefined;
  const response = await fetch(url + request.path, { headers: headersOf(request, '""') });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? undefined;
}

function collectTimes(instance: Instance): readonly number[] {
  const times: number[] = [];
  instance.on('response', (_client, _status, _bytes, milliseconds) => times.push(milliseconds));
  return times;
}

const LONGEST = 16;

export interface Pressure {
  readonly connections: number;
  readonly seconds: number;
}

/**
 * Sends `requests` in turn for so many seconds; for longer when that is too short for a single answer.
 * @throws Error when there is none in the end, or any that is not a success: what is refused is not worth measuring.
 */
export async function runRound(
  server: Server,
  requests: readonly BenchRequest[],
  { connections, seconds }: Pressure,
): Promise<Round> {
  const held = await heldTag(server, requests);
  const cpuBefore = server.pid && cpuTime(server.pid);
  const instance = autocannon({ url: server.url, connections, duration: seconds, requests: [inTurn(requests, held)] });
  const times = collectTimes(instance);
  const { errors, timeouts, duration, ...counts } = await instance;
  const non2xx = counts.non2xx - (held === undefined ? 0 : counts['3xx']);
  const cpuAfter = server.pid && cpuTime(server.pid);
  if (non2xx + errors + timeouts > 0)
    throw new Error(`${requests[0]?.path}: ${non2xx} refusals, ${errors} errors and ${timeouts} timeouts`);
  if (times.length === 0) {
    if (seconds >= LONGEST) throw new Error(`${requests[0]?.path}: no answer in ${seconds} s`);
    return runRound(server, requests, { connections, seconds: seconds * 4 });
  }
  return {
    requests: times.length,
    perSecond: times.length / duration,
    p50: median(times),
    cpu: cpuBefore !== undefined && cpuAfter !== undefined ? cpuAfter - cpuBefore : undefined,
  };
}
