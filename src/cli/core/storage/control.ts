/**
 * @module Commands in another terminal ask `npm run dev` for the local database: of two processes that have the file open
 * one may find it locked, and a reader would get an error for it.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Rendered, Results } from '../../../sql/statement.ts';
import { failureText } from '../failure-text.ts';
import { UserError } from '../terminal.ts';
import type { Target } from '../wrangler/wrangler.ts';
import { controlOf } from './lock.ts';
import type { RunStatements } from './relayed-database.ts';

export interface Control {
  /** Takes statements. Its path is random, so that no page in a browser can know it. */
  readonly url: string;
  /** Takes notice of a save, and responds when wrangler may bundle. */
  readonly buildUrl: string;
  close(): void;
}

async function answerOf(run: RunStatements, statements: unknown): Promise<readonly [number, unknown]> {
  try {
    return [200, await run(statements as readonly Rendered[])];
  } catch (error) {
    const failure = failureText(error);
    return failure === undefined ? [400, (error as Error).message] : [500, failure];
  }
}

export async function openControl(run: RunStatements, prepareBuild: () => Promise<void>): Promise<Control> {
  const path = `/${randomBytes(16).toString('hex')}`;
  const server = createServer(async (request, response) => {
    const respond = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
    const target = request.method === 'POST' ? request.url : undefined;
    if (target === path) return respond(...(await answerOf(run, await json(request))));
    if (target === `${path}/build`) return respond(200, await prepareBuild());
    return respond(404, null);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${path}`;
  return { url, buildUrl: `${url}/build`, close: () => void server.close() };
}

export type Asked =
  | { readonly kind: 'rows'; readonly rows: Results }
  | { readonly kind: 'refused'; readonly message: string };

/**
 * Asks the server of a local database; undefined if no server runs.
 * @throws UserError for a failure of its disk.
 */
export async function askServer(
  root: string,
  target: Target,
  statements: readonly Rendered[],
): Promise<Asked | undefined> {
  const url = target.remote ? undefined : controlOf(root, target);
  if (url === undefined) return undefined;
  const [status, body] = await fetch(url, { method: 'POST', body: JSON.stringify(statements) })
    .then(async (answer) => [answer.status, await answer.json()] as const)
    // It has just ended.
    .catch(() => [undefined, undefined] as const);
  if (status === undefined) return undefined;
  if (status === 500) throw new UserError(String(body));
  return status === 200 ? { kind: 'rows', rows: body as Results } : { kind: 'refused', message: String(body) };
}
