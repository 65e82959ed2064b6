/**
 * @module The local database by way of the server that has it open. A second process that opened its file would now and
 * then find it locked, and would lock it for the server, even to read.
 */
import { type Asked, askServer, type Question } from '../dev/control.ts';
import { UserError } from '../terminal.ts';
import type { Target } from './wrangler.ts';

type Ask = (questions: readonly Question[]) => Promise<readonly D1Result[]>;

/** What the commands use of a prepared statement. */
interface Statement extends Pick<D1PreparedStatement, 'all' | 'run' | 'first'> {
  readonly question: Question;
  bind(...params: readonly unknown[]): Statement;
}

function statementOf(ask: Ask, question: Question): Statement {
  const one = async () => (await ask([question]))[0] as D1Result<never>;
  return {
    question,
    bind: (...params) => statementOf(ask, { ...question, params }),
    all: one,
    run: one,
    first: async (column?: string) => {
      const row = (await one()).results[0] as Readonly<Record<string, unknown>> | undefined;
      return (column === undefined ? row : row?.[column]) ?? null;
    },
  } as Statement;
}

function answersOf(asked: Asked | undefined): readonly D1Result[] {
  if (!asked) throw new UserError('npm run dev has just stopped; repeat the command');
  if (asked.kind === 'refused') throw new Error(asked.message);
  return asked.rows.map((results) => ({ results, success: true }) as unknown as D1Result);
}

/** The database that `npm run dev` serves: prepared statements, alone and in batches, and the rows of their answers. */
export function servedDatabase(root: string, target: Target): D1Database {
  const ask: Ask = async (questions) => answersOf(await askServer(root, target, questions));
  const database = {
    prepare: (sql: string) => statementOf(ask, { sql, params: [] }),
    batch: (statements: readonly Statement[]) => ask(statements.map(({ question }) => question)),
  };
  return database as unknown as D1Database;
}
