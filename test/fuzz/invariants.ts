/**
 * @module What must hold for every answer, whatever was asked.
 */

/** Planted in private attributes and passwords; no request holds it. */
export const CANARY = 'canary7f3a19';
export const CANARY_NUMBER = 770_319_770_319;

/** The number as a `datetime` shows it. */
const CANARY_MOMENT = new Date(CANARY_NUMBER).toISOString();

/** Planted in documents that conditions hide from all but tokens that find everything. */
export const FORBIDDEN = 'forbidden9c41';
/** What the same attributes have in documents that every condition shows. */
export const SHOWN = 'Said';
/** Planted in drafts. */
export const DRAFT = 'unpublished5e2';

/** Who asks, as far as it decides what an answer may hold: who finds everything, who reads drafts, or another. */
export type Caller = 'everything' | 'drafts' | 'stranger';

const SECRETS = [CANARY, String(CANARY_NUMBER), CANARY_MOMENT];
const HIDDEN_FROM: Readonly<Record<Caller, readonly string[]>> = {
  everything: SECRETS,
  drafts: [...SECRETS, FORBIDDEN],
  stranger: [...SECRETS, FORBIDDEN, DRAFT],
};

/** Parts of what is hidden, as somebody might guess them; whole they would come back in errors. */
export const GUESSES = ['cana', 'canary7f', '770319', 'forb', 'unpub', 'scryp'];

/** What only the inside of the server knows. */
const INSIDE =
  /D1_ERROR|SQLITE|json_each|json_extract|strapi_api_tokens|strapi_sessions|key_hash|edgewise_counters|_lnk"|scrypt\$|\/src\/|\.ts:\d|node_modules/;

interface ErrorBody {
  readonly data?: unknown;
  readonly error?: { status?: unknown; name?: unknown; message?: unknown; details?: unknown };
}

function errorProblem(status: number, text: string): string | undefined {
  let body: ErrorBody;
  try {
    body = JSON.parse(text) as ErrorBody;
  } catch {
    return 'an error that is no JSON';
  }
  const { data, error } = body;
  // Tools have errors of JSON-RPC.
  if ('jsonrpc' in body && status < 500) return undefined;
  if (data !== null || Object.keys(body).join() !== 'data,error') return 'an envelope that is none';
  if (error?.status !== status) return 'a status that differs from that of the answer';
  if (typeof error.name !== 'string' || !error.name.endsWith('Error')) return 'no name of an error';
  if (typeof error.message !== 'string') return 'no message';
  const unknown = Object.keys(error).find((key) => !['status', 'name', 'message', 'details'].includes(key));
  return unknown && `an unknown key ${unknown}`;
}

/** Refusals that are no errors of the API: of methods, and of ranges and conditions on bytes. */
const PLAIN = new Set([405, 412, 416, 501]);

/** The headers of an answer are part of it. */
const headersOf = (response: Response): string => [...response.headers].map((pair) => pair.join(': ')).join('\n');

/** What is wrong with an answer; undefined when nothing is. */
export async function problemWith(response: Response, method: string, caller: Caller): Promise<string | undefined> {
  const { status } = response;
  const text = await response.text();
  const whole = `${headersOf(response)}\n${text}`;
  if (status >= 500 && status !== 501) return `status ${status}`;
  const secret = HIDDEN_FROM[caller].find((hidden) => whole.includes(hidden));
  if (secret) return `${secret} in ${text.slice(0, 500)}`;
  // Descriptions of content types name their tables, as Strapi's do.
  if (INSIDE.test(whole.replaceAll(/"collectionName":"\w+"/g, '')))
    return `the inside of the server in ${text.slice(0, 500)}`;
  if (response.headers.has('x-injected')) return 'a header that was injected';
  if (method === 'HEAD') return text === '' ? undefined : 'a body in answer to HEAD';
  if (status < 400 || PLAIN.has(status)) return undefined;
  return errorProblem(status, text);
}
