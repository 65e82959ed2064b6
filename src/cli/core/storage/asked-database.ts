/**
 * @module A D1 database of which somebody else runs the statements: prepared here as data, and asked in one message.
 */

/** A statement with its values. */
export interface Question {
  readonly sql: string;
  readonly params: readonly unknown[];
}

export type Rows = readonly Readonly<Record<string, unknown>>[];

/** Runs all of some questions or none. */
export type Ask = (questions: readonly Question[]) => Promise<readonly Rows[]>;

/** What the commands use of a prepared statement. */
interface Statement extends Pick<D1PreparedStatement, 'all' | 'run' | 'first'> {
  readonly question: Question;
  bind(...params: readonly unknown[]): Statement;
}

async function answersTo(ask: Ask, questions: readonly Question[]): Promise<readonly D1Result[]> {
  return (await ask(questions)).map((results) => ({ results, success: true }) as unknown as D1Result);
}

function statementOf(ask: Ask, question: Question): Statement {
  const one = async () => (await answersTo(ask, [question]))[0] as D1Result<never>;
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

/** Prepared statements, alone and in batches, and the rows of their answers. */
export function askedDatabase(ask: Ask): D1Database {
  const database = {
    prepare: (sql: string) => statementOf(ask, { sql, params: [] }),
    batch: (statements: readonly Statement[]) =>
      answersTo(
        ask,
        statements.map(({ question }) => question),
      ),
  };
  return database as unknown as D1Database;
}
