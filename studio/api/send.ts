/**
 * @module One request to the API of this server. Each is noted, so that every screen can show them.
 */
import { text } from '../texts/text.ts';
import { address, type Query } from './query-string.ts';
import { createStore, onOtherPerson, personCheck, session } from './session.ts';

/** One issue of a validation error. `path`: the attribute, and the way into components. */
export interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A response of the API that is an error, or no response at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly issues: readonly Issue[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.status = status;
    this.details = details;
    this.issues = Array.isArray(details.errors) ? details.errors : [];
  }
}

export interface RequestOptions {
  readonly method?: string;
  readonly query?: Query;
  /** Sent as JSON; a form is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Is called with the share of the body that is sent, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
}

export interface Exchange {
  readonly id: number;
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  /** 0 when the server was not reached. */
  readonly status: number;
  readonly milliseconds: number;
  /** `Server-Timing`, as the server sent it. */
  readonly cost: string | null;
  /** The JSON that was sent; that of a request about users is not kept. */
  readonly body: unknown;
}

const MOST = 60;
const exchanges = createStore<readonly Exchange[]>([]);
let count = 0;

// Who signs in next does not see them.
onOtherPerson(() => exchanges.set([]));

export const useExchanges = exchanges.use;

/** Requests for a credential, in which an old one is rejected. */
export const ASKS_CREDENTIAL: readonly string[] = [
  'local',
  'access',
  'refresh',
  'forgot-password',
  'reset-password',
].map((name) => `/api/auth/${name}`);

/** Paths whose bodies may have passwords and codes. */
const HAS_SECRETS = /^\/api\/(auth|users)(\/|$)/;

/** Names the state of the database: a read that sends it is at least as new, whichever copy of the database serves it. */
const BOOKMARK = 'x-d1-bookmark';
let newest = '';

/** Remembers the newest state that a response names; they are in the order of their texts. */
function noteState(headers: Headers): void {
  const state = headers.get(BOOKMARK) ?? '';
  if (state > newest) newest = state;
}

function init({ method = 'GET', body, headers, signal }: RequestOptions, token: string | undefined): RequestInit {
  const isForm = body instanceof FormData;
  return {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(newest && { [BOOKMARK]: newest }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

/** Sends a form and reports its progress, which `fetch` does not. */
function upload(url: string, { method, headers, body }: RequestInit, onProgress: (share: number) => void) {
  const call = new XMLHttpRequest();
  call.open(method ?? 'POST', url);
  for (const [name, value] of new Headers(headers)) call.setRequestHeader(name, value);
  call.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(total, 1));
  return new Promise<Response>((resolve, reject) => {
    call.onload = () => {
      const shown = ['server-timing', BOOKMARK].map((name) => [name, call.getResponseHeader(name) ?? ''] as const);
      resolve(new Response(call.responseText, { status: call.status, headers: shown.map((entry) => [...entry]) }));
    };
    call.onerror = reject;
    call.send(body as FormData);
  });
}

/** @throws ApiError where there is no response */
export async function sendRequest(path: string, options: RequestOptions): Promise<Response> {
  const { method = 'GET', query = {}, body, onProgress } = options;
  const url = address(path, query);
  const asksCredential = ASKS_CREDENTIAL.includes(path);
  const started = performance.now();
  const isSamePerson = personCheck();
  const note = (status: number, cost: string | null) => {
    if (!isSamePerson()) return;
    const sent = HAS_SECRETS.test(path) || body instanceof FormData ? undefined : body;
    const milliseconds = Math.round(performance.now() - started);
    count += 1;
    const exchange = { id: count, method, address: url, status, milliseconds, cost, body: sent };
    exchanges.set([exchange, ...exchanges.get()].slice(0, MOST));
  };
  try {
    const request = init(options, asksCredential ? undefined : session()?.token);
    const response = await (onProgress ? upload(url, request, onProgress) : fetch(url, request));
    note(response.status, response.headers.get('server-timing') || null);
    noteState(response.headers);
    return response;
  } catch (error) {
    if (options.signal?.aborted) throw error;
    note(0, null);
    throw new ApiError(0, text('The server cannot be reached.'));
  }
}
