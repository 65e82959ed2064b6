/**
 * @module What every handler of the hand-written Worker gets, and how it answers.
 */

export interface Visit {
  readonly db: D1Database;
  readonly url: URL;
  readonly request: Request;
  /** SHA-256 of the token. */
  readonly key: string;
  readonly context: ExecutionContext;
}

export type Handler = (visit: Visit) => Promise<Response>;

interface TokenRow {
  readonly expires_at: number | null;
  readonly last_used_at: number | null;
}

const HOUR = 3_600_000;
const HEADERS = { 'content-type': 'application/json; charset=utf-8' };

export const json = (body: unknown): Response => new Response(JSON.stringify(body), { headers: HEADERS });

export const refuse = (status: number, message: string): Response =>
  new Response(JSON.stringify({ data: null, error: { status, message } }), { status, headers: HEADERS });

/** The codes of assertions, as they stand in the message of a batch that was aborted. */
const REFUSALS: Readonly<Record<string, readonly [status: number, message: string]>> = {
  TOKEN: [401, 'Missing or invalid credentials'],
  MISSING: [404, 'Not Found'],
  SLUG: [400, 'This attribute must be unique'],
  TARGET: [400, 'A relation names a document that does not exist'],
};

/** The answer to what failed. */
export function refusalOf(error: unknown): Response {
  const code = Object.keys(REFUSALS).find((name) => String(error).includes(`'${name}'`));
  const [status, message] = REFUSALS[code ?? ''] ?? [500, 'Internal Server Error'];
  if (code === undefined) console.error(error);
  return refuse(status, message);
}

/** First statement of each reading batch. */
export const tokenStatement = ({ db, key }: Visit): D1PreparedStatement =>
  db
    .prepare(
      'select "type", "permissions", "expires_at", "last_used_at" from "strapi_api_tokens" where "access_key" = ?',
    )
    .bind(key);

/** First statement of each writing batch: aborts it when the token does not hold. */
export const tokenAssertion = ({ db, key }: Visit, now: number): D1PreparedStatement =>
  db
    .prepare(
      `select iif(exists (select 1 from "strapi_api_tokens" where "access_key" = ? and "type" = 'full-access' and ("expires_at" is null or "expires_at" > ?)), 1, json_extract('{}', 'TOKEN'))`,
    )
    .bind(key, now);

/** Is the token known and in time? Notes to the hour when it was last used. */
export function mayPass({ db, key, context }: Visit, result: D1Result | undefined): boolean {
  const [token] = (result?.results ?? []) as TokenRow[];
  const now = Date.now();
  if (!token || (token.expires_at !== null && token.expires_at <= now)) return false;
  if ((token.last_used_at ?? 0) <= now - HOUR)
    context.waitUntil(
      db.prepare('update "strapi_api_tokens" set "last_used_at" = ? where "access_key" = ?').bind(now, key).run(),
    );
  return true;
}

export async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** 304 for whoever has the answer already. It has to be made to be compared. */
export async function revalidated(request: Request, response: Response): Promise<Response> {
  const held = request.headers.get('if-none-match');
  if (held === null || !response.ok) return response;
  const body = await response.text();
  const etag = `"${await sha256(body)}"`;
  return held === etag
    ? new Response(null, { status: 304, headers: { etag } })
    : new Response(body, { headers: { ...HEADERS, etag } });
}
