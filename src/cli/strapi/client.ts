/**
 * @module Requests to a running Strapi. The token goes to the API of the address that was given, and nowhere else: no
 * redirect is followed with it, and files are asked for without it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { jsonDepth } from '../../request/json-depth.ts';
import { UserError } from '../terminal.ts';
import { fileAddresses } from './file-address.ts';
import { insistently, Passing, type Pause, retryAfter } from './retry.ts';

/** An answer is in memory as a whole. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Of an answer as a whole; of a file from one piece to the next. */
const TIMEOUT = 120_000;
const MOST_HOPS = 5;
/** SQLite reads no JSON of more than a thousand levels. */
const MOST_LEVELS = 500;

/** The API says more than there is room for: ask for less at once. */
export class TooLarge extends UserError {}

/** What a path comes to. */
export type Look = 'readable' | 'forbidden' | 'absent';

export interface StrapiClient {
  readonly base: string;
  /** The earliest `Date` of its answers, in milliseconds; undefined while none has had one. */
  earliest(): number | undefined;
  /**
   * What the API says to a path and query; undefined for 404.
   * @param grant what the token must be allowed to read this.
   * @throws UserError for a token that is not valid or not allowed, a redirect, and what is no JSON; TooLarge.
   */
  json(path: string, grant: string): Promise<unknown>;
  /** Is there something that the token may read? @throws UserError as `json` does. */
  look(path: string): Promise<Look>;
  /** May a file be asked for at this address? */
  mayAsk(url: string): Promise<boolean>;
  /**
   * The bytes of a file, handed to `take` anew with each try; undefined where there are none.
   * @throws UserError when it fails again and again.
   */
  file<T>(url: string, take: (bytes: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T | undefined>;
}

export interface ClientOptions {
  readonly base: string;
  readonly token: string;
  readonly pause?: Pause;
  readonly mostBytes?: number;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** The query may hold much that is nobody's concern. */
const named = (url: string): string => url.replace(/[?#].*$/s, '').slice(0, 300);

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & {
    readonly cause?: { readonly code?: unknown; readonly message?: string };
  };
  return String(cause?.code ?? cause?.message ?? message);
}

/** What goes wrong on the way may go right the next time. */
const passing =
  (url: string) =>
  (error: unknown): never => {
    if (error instanceof UserError || error instanceof Passing) throw error;
    throw new Passing(`${named(url)} cannot be reached: ${reasonOf(error)}`);
  };

const isPassing = (status: number): boolean => status === 429 || status === 408 || status >= 500;

/** No redirect is followed by itself. */
async function ask(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual' });
  if (!isPassing(response.status)) return response;
  await discard(response);
  const wait = retryAfter(response.headers.get('retry-after'), Date.now());
  throw new Passing(`${named(url)} answers ${response.status}`, wait);
}

async function textOf(url: string, body: Response['body'], most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > most) throw new TooLarge(`${named(url)} answers with more than ${most} bytes at once`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The token may not read this. */
class Forbidden extends UserError {}

function refuse(url: string, { status, headers }: Response, grant: string): never {
  const path = named(url);
  if (status === 401) throw new UserError(`${path}: the token is not valid there, or no longer`);
  if (status === 403) throw new Forbidden(`${path}: the token may not read this: grant it ${grant}`);
  if (status >= 300 && status < 400) {
    const location = headers.get('location') ?? '';
    const target = URL.canParse(location, url) ? new URL(location, url).origin : 'somewhere else';
    throw new UserError(
      `${path} leads to ${target}, and the token is not sent on: give the address that answers itself`,
    );
  }
  throw new UserError(`${path} answers ${status}`);
}

function parsed(url: string, text: string): unknown {
  if (jsonDepth(text) > MOST_LEVELS)
    throw new UserError(`${named(url)} answers with JSON of more than ${MOST_LEVELS} levels`);
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(`${named(url)} answers with something that is no JSON: is it a Strapi?`);
  }
}

async function discard({ body }: Response): Promise<void> {
  await body?.cancel();
}

/** A file, wherever the address leads, as far as it may be asked; undefined where there is none. */
async function askFile(
  url: string,
  signal: AbortSignal,
  mayAsk: StrapiClient['mayAsk'],
): Promise<Response | undefined> {
  let address = url;
  for (let hops = 0; hops <= MOST_HOPS && (await mayAsk(address)); hops += 1) {
    const response = await ask(address, { signal });
    if (response.ok) return response;
    await discard(response);
    const location = response.headers.get('location');
    if (response.status < 300 || response.status >= 400 || location === null) return undefined;
    if (!URL.canParse(location, address)) return undefined;
    address = new URL(location, address).href;
  }
  return undefined;
}

/** Ends when nothing has come for a while. */
function stalled(timeout: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`nothing came for ${timeout / 1000} s`)), timeout);
  async function* watched(body: Response['body']): AsyncGenerator<Uint8Array> {
    for await (const chunk of body ?? []) {
      timer.refresh();
      yield chunk;
    }
  }
  return { signal: controller.signal, watched, done: () => clearTimeout(timer) };
}

/** A client of one server. */
export function strapiClient({
  base,
  token,
  pause: wait = pause,
  mostBytes = MOST_BYTES,
  timeout = TIMEOUT,
}: ClientOptions): StrapiClient {
  const mayAsk = fileAddresses(base);
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const again = <T>(url: string, attempt: () => Promise<T>) => insistently(() => attempt().catch(passing(url)), wait);
  let earliest: number | undefined;
  const noteTime = (date: string | null): void => {
    const time = Date.parse(date ?? '');
    if (!Number.isNaN(time)) earliest = Math.min(time, earliest ?? time);
  };
  const json: StrapiClient['json'] = (path, grant) => {
    const url = `${base}${path}`;
    return again(url, async () => {
      const response = await ask(url, { headers, signal: AbortSignal.timeout(timeout) });
      noteTime(response.headers.get('date'));
      if (response.ok) return parsed(url, await textOf(url, response.body, mostBytes));
      await discard(response);
      return response.status === 404 ? undefined : refuse(url, response, grant);
    });
  };
  return {
    base,
    mayAsk,
    earliest: () => earliest,
    json,
    async look(path) {
      try {
        return (await json(path, '')) === undefined ? 'absent' : 'readable';
      } catch (error) {
        if (error instanceof Forbidden) return 'forbidden';
        throw error;
      }
    },
    file: (url, take) =>
      again(url, async () => {
        const { signal, watched, done } = stalled(timeout);
        try {
          const response = await askFile(url, signal, mayAsk);
          return response && (await take(watched(response.body)));
        } finally {
          done();
        }
      }),
  };
}
