/**
 * @module A few statements for the database of a deployment, wherever it is: deployed, local, or open in `npm run dev`.
 */
import type { Results, Row } from '../../../src/content/sql/statement.ts';
import { missingBinding } from '../../../src/http/bindings.ts';
import { failureText } from '../failure-text.ts';
import { commandTexts, runBatch } from '../sql/statements.ts';
import { UserError } from '../terminal.ts';
import { LOGIN, parsed, type Target, targetArgs, type Wrangler, wordsOf, wrangler } from '../wrangler/wrangler.ts';
import type { Storage } from './bindings.ts';
import { servedDatabase } from './control.ts';

/** wrangler, about a binding that its file does not have. */
const UNBOUND = /Couldn't find a D1 DB with (the )?name or binding 'DB'/;

function rejection(message: string, { env }: Target): UserError {
  if (UNBOUND.test(message)) return new UserError(missingBinding('DB', env));
  const hint = /no such table/.test(message) ? '\nThe database has no tables yet: npx edgewise migrate' : '';
  return new UserError(`The database refused: ${message.replace(/^D1_ERROR: /, '')}${hint}`);
}

async function byWrangler(text: string, target: Target, run: Wrangler): Promise<Results> {
  const done = await run(['d1', 'execute', 'DB', ...targetArgs(target), '--json', '--command', text]);
  const results = done.code === 0 ? parsed(done.stdout) : undefined;
  if (Array.isArray(results)) return (results as readonly D1Result<Row>[]).map((each) => each.results);
  const words = wordsOf(done);
  throw words === LOGIN ? new UserError(LOGIN) : rejection(words, target);
}

async function locally(statements: readonly string[], target: Target): Promise<Results> {
  const root = process.cwd();
  const work = ({ db }: Pick<Storage, 'db'>) =>
    runBatch(db, statements).catch((error: Error) => {
      throw error instanceof UserError || failureText(error) !== undefined ? error : rejection(error.message, target);
    });
  const served = servedDatabase(root, target);
  return served ? work({ db: served }) : (await import('./storage.ts')).withStorage(root, target, work);
}

/**
 * Runs SQL on D1, all of it or none; what only reads may be several reads.
 * @returns the rows of each statement.
 * @throws UserError with what the database said.
 */
export async function executeSql(
  statements: readonly string[],
  target: Target,
  run: Wrangler = wrangler,
): Promise<Results> {
  if (run === wrangler && !target.remote) return locally(statements, target);
  const results: Results[] = [];
  for (const text of commandTexts(statements)) results.push(await byWrangler(text, target, run));
  return results.flat();
}
