/**
 * @module Asks the database in somebody's name: work is planned with what is believed of the caller, who is confirmed in
 * the same batch, and planned again when that was wrong. So a read stays one round trip and a revoked token stops at once.
 */
import { type Answers, watched } from '../auth/answers.ts';
import { type Claimed, type Confirmed, type Credential, confirmationOf } from '../auth/credential.ts';
import { ApiError } from '../errors.ts';
import { isPassing, type Results, type Source } from '../sql/batch.ts';
import type { Compiled } from '../sql/compiled.ts';
import { guarded } from '../sql/credentials.ts';
import type { Statement } from '../sql/statement.ts';
import type { Call } from './call.ts';

/** Plans work for a caller, and throws what is refused. All that it depends on it asks of `credential.grants`. */
export type Planner<T> = (credential: Credential) => Compiled<T>;

export interface Asking {
  readonly source: Source;
  /** Is a known credential believed where nothing else has to be asked, since a write will assert it? */
  readonly trusting?: boolean;
}

/** What was asked, and for whom. */
export interface Asked<T> {
  readonly value: T;
  readonly credential: Credential;
  /** What planning was told of the caller's grants. */
  readonly answers: Answers;
  /** Has the database confirmed the credential? */
  readonly confirmed: boolean;
}

/** How often work is planned again because the caller's rights, or what was read, have changed meanwhile. */
export const ATTEMPTS = 10;

export const overloaded = (): ApiError => new ApiError({ kind: 'overloaded', retryAfter: 1 });

type Planned<T> = { readonly work: Compiled<T> } | { readonly refusal: unknown };

function attempt<T>(plan: Planner<T>, credential: Credential): Planned<T> {
  try {
    return { work: plan(credential) };
  } catch (refusal) {
    return { refusal };
  }
}

const statementsOf = <T>(planned: Planned<T>): readonly Statement[] =>
  'work' in planned ? planned.work.statements : [];

function settle<T>(planned: Planned<T>, results: Results): T {
  if ('refusal' in planned) throw planned.refusal;
  return planned.work.decode(results);
}

interface Confirmation {
  readonly confirmed: Confirmed;
  /** Rows of the work, if the credential is what it was taken for. */
  readonly results: Results;
}

const guardedBy = (guard: Statement, free: readonly Statement[], work: readonly Statement[]): readonly Statement[] => [
  ...free,
  ...work.map((statement) => (statement.open ? statement : guarded(statement, guard))),
];

async function confirm(
  call: Call,
  claimed: Claimed,
  answers: Answers,
  work: readonly Statement[],
  source: Source,
): Promise<Confirmation> {
  const { row, guard } = confirmationOf(claimed, answers, call.settings, call.now);
  const all = work.length > 0 ? guardedBy(guard(), row.statements, work) : row.statements;
  const results = await call.database.read(all, source).catch(async (error) => {
    if (work.length === 0 || isPassing(error)) throw error;
    // What the database has against the statements is for a caller alone who may run them.
    const alone = await call.database.read(row.statements, source);
    if (row.decode(alone).holds) throw error;
    return alone;
  });
  const own = row.statements.length;
  return { confirmed: row.decode(results.slice(0, own)), results: results.slice(own) };
}

async function askPublic<T>(call: Call, planned: Planned<T>, source: Source): Promise<T> {
  const statements = statementsOf(planned);
  return settle(planned, statements.length > 0 ? await call.database.read(statements, source) : []);
}

/**
 * Plans and asks, in one round trip unless the caller's rights are others than believed.
 * @throws ApiError 401 for a credential that is not valid, and only then whatever `plan` refuses with.
 */
export async function ask<T>(call: Call, assumed: Credential, plan: Planner<T>, asking: Asking): Promise<Asked<T>> {
  let believed = assumed;
  /** Have we just read what the caller may? Then what has no statements needs no look-up. */
  let isFresh = false;
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    const { grants, answers } = watched(believed.grants);
    const planned = attempt(plan, { ...believed, grants });
    const asked = { credential: believed, answers: answers() };
    if (believed.kind === 'public')
      return { ...asked, value: await askPublic(call, planned, asking.source), confirmed: true };
    const statements = statementsOf(planned);
    const isTrusted = asking.trusting === true && believed.known && 'work' in planned;
    if (statements.length === 0 && (isFresh || isTrusted))
      return { ...asked, value: settle(planned, []), confirmed: isFresh };
    const { confirmed, results } = await confirm(call, believed, asked.answers, statements, asking.source);
    const { credential, holds, note } = confirmed;
    if (note) call.waitUntil(call.database.write([note]).catch(() => undefined));
    if (holds) return { ...asked, value: settle(planned, results), credential, confirmed: true };
    believed = credential;
    isFresh = true;
  }
  throw overloaded();
}

/**
 * Runs a read for the caller.
 * @throws ApiError 401 for a credential that is not valid, and only then whatever `plan` refuses with.
 */
export async function read<T>(call: Call, plan: Planner<T>, source: Source = 'replica'): Promise<T> {
  return (await ask(call, call.credential, plan, { source })).value;
}
