/**
 * @module A step of a scenario → a request through any fetch-like function → what came back, read.
 */
import { type Answer, readAnswer } from './answer.ts';
import type { Captures } from './captures.ts';
import type { Part, RecordedRequest, Step } from './recording.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface Client {
  readonly fetch: Fetch;
  /** Origin of the server, without a slash at the end. */
  readonly base: string;
  /** Alias of `setup.json` → API token. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The bytes of a file of `fixtures/`. */
  readonly fixture: (name: string) => Uint8Array<ArrayBuffer>;
}

const TOKEN_NOBODY_ISSUED = '0'.repeat(40);

/** The credential that an alias stands for; undefined for a caller without one. */
function credential(alias: string | undefined, client: Client, captures: Captures): string | undefined {
  if (alias === undefined || alias === 'public' || alias === 'none') return undefined;
  if (alias === 'bad') return TOKEN_NOBODY_ISSUED;
  if (alias === 'user') return String(captures.get('jwt'));
  if (alias.startsWith('user:')) return String(captures.get(alias.slice('user:'.length)));
  const token = client.tokens[alias];
  if (token === undefined) throw new Error(`no token was given for '${alias}'`);
  return token;
}

function formOf(parts: readonly Part[], client: Client, captures: Captures): FormData {
  const form = new FormData();
  for (const { name, value, file, type = '', as } of parts) {
    if (file === undefined) form.append(name, captures.fill(String(value)));
    else form.append(name, new Blob([client.fixture(file)], { type }), as ?? file);
  }
  return form;
}

/** Sets the body; bytes instead of text where `fetch` would add a content type of its own. */
function bodyOf(request: RecordedRequest, headers: Headers, client: Client, captures: Captures) {
  if (request.multipart) return formOf(request.multipart, client, captures);
  if (request.rawBody !== undefined) return new TextEncoder().encode(captures.fill(request.rawBody));
  if (request.body === undefined) return undefined;
  const body = captures.fillBody(request.body);
  captures.remember(body);
  headers.set('content-type', 'application/json');
  return new TextEncoder().encode(JSON.stringify(body));
}

/**
 * Sends one step with the values captured so far.
 * @throws Error when a capture or token that the step needs is missing, or the server does not answer.
 */
export async function send(client: Client, step: Pick<Step, 'as' | 'request'>, captures: Captures): Promise<Answer> {
  const { request } = step;
  const headers = new Headers();
  const token = credential(step.as, client, captures);
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  const body = bodyOf(request, headers, client, captures);
  for (const [name, value] of Object.entries(request.headers ?? {})) headers.set(name, captures.fill(value));
  const path = captures.fill(request.path);
  const url = /^https?:/.test(path) ? path : client.base + path;
  const init: RequestInit = {
    method: request.method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  };
  return readAnswer(await client.fetch(url, init));
}
