/**
 * @module Commands in another terminal ask `npm run dev` for the local database: of two processes that have the file open
 * one may find it locked, even to read, and a reader would get an error for it.
 */
import type { Rendered, Results } from '../../../src/content/sql/statement.ts';
import { type LocalServer, openLocalServer } from '../local-server.ts';
import { UserError } from '../terminal.ts';
import type { Target } from '../wrangler/wrangler.ts';
import { type RunStatements, relayedDatabase } from './relayed-database.ts';
import { holderOf } from './state-folder.ts';

/** Takes statements, and at `/build` notice of a save: it responds when wrangler may bundle. */
export const openControl = (run: RunStatements, prepareBuild: () => Promise<void>): Promise<LocalServer> =>
  openLocalServer({
    '': (body) => run(JSON.parse(body) as readonly Rendered[]),
    '/build': prepareBuild,
  });

/**
 * The local database by way of the server that has it open; undefined if no server runs.
 * @throws UserError while the server starts; its statements, for a failure of the server's disk.
 */
export function servedDatabase(root: string, target: Target): D1Database | undefined {
  const holder = target.remote || target.env !== undefined ? undefined : holderOf(root, target);
  if (!holder) return undefined;
  const { url, control } = holder;
  if (control === undefined) throw new UserError(`${url} is just starting; repeat the command when it answers`);
  return relayedDatabase(async (statements) => {
    const response = fetch(control, { method: 'POST', body: JSON.stringify(statements) });
    const [status, body] = await response
      .then(async (each) => [each.status, await each.json()] as const)
      .catch(() => {
        throw new UserError('npm run dev has just stopped; repeat the command');
      });
    if (status === 200) return body as Results;
    throw status === 500 ? new UserError(String(body)) : new Error(String(body));
  });
}
