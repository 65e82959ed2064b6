/**
 * @module Runs work under a credential: planned with what is believed of the caller, confirmed in the same batch, and
 * planned again when that was wrong. So a read stays one round trip and a revoked token stops at once.
 */
import { AssertionFailed, type Database, type Row } from '../sql/batch.ts';
import type { Statement } from '../sql/statement.ts';
import {
  CREDENTIAL,
  type Credential,
  confirm,
  credentialAssertion,
  credentialQuery,
  sameRights,
  usedStatement,
} from './credential.ts';

export interface Session {
  readonly database: Database;
  readonly now: number;
  /** Lets work go on after the answer. */
  waitUntil(work: Promise<unknown>): void;
}

/** Statements, and what to make of their rows. */
export interface Work<T> {
  readonly statements: readonly Statement[];
  /** A write follows that asserts the credential, so that without statements nothing has to be asked before it. */
  readonly asserted?: boolean;
  finish(rows: readonly (readonly Row[])[]): T;
}

export interface Performed<T> {
  readonly value: T;
  /** The credential under which the value was planned. */
  readonly credential: Credential;
}

type Planned<T> = { readonly work: Work<T> } | { readonly failure: unknown };

function attempt<T>(plan: (credential: Credential) => Work<T>, credential: Credential): Planned<T> {
  try {
    return { work: plan(credential) };
  } catch (failure) {
    return { failure };
  }
}

function settle<T>(planned: Planned<T>, rows: readonly (readonly Row[])[]): T {
  if ('failure' in planned) throw planned.failure;
  return planned.work.finish(rows);
}

const needsNoQuery = <T>(planned: Planned<T>, credential: Credential): boolean => {
  if (!('work' in planned) || planned.work.statements.length > 0) return false;
  return credential.kind === 'public' || (credential.known && planned.work.asserted === true);
};

const sameStatements = (a: readonly Statement[], b: readonly Statement[]): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);

/**
 * Plans and reads in one round trip. A refusal by `plan` is told only once the credential is confirmed: a caller with
 * a bad token learns nothing but 401.
 * @throws ApiError 401 for a token that is not valid, and whatever `plan` refuses with.
 */
export async function performRead<T>(
  session: Session,
  assumed: Credential,
  plan: (credential: Credential) => Work<T>,
): Promise<Performed<T>> {
  const planned = attempt(plan, assumed);
  const statements = 'work' in planned ? planned.work.statements : [];
  if (assumed.kind === 'public' || needsNoQuery(planned, assumed)) {
    const rows = statements.length > 0 ? await session.database.run(statements, 'read') : [];
    return { value: settle(planned, rows), credential: assumed };
  }
  const [[row] = [], ...rows] = await session.database.run([credentialQuery(assumed), ...statements], 'read');
  const actual = confirm(assumed, row, session.now);
  const settled = sameRights(assumed, actual) ? planned : attempt(plan, actual);
  if ('work' in settled && !sameStatements(settled.work.statements, statements))
    return performRead(session, actual, plan);
  const used = usedStatement(actual, row, session.now);
  if (used) session.waitUntil(session.database.run([used], 'write').catch(() => undefined));
  return { value: settle(settled, rows), credential: actual };
}

/**
 * Runs a write batch that aborts when the credential is no longer what the plan was made with.
 * @returns rows of the statements; undefined when the credential has changed and the write must be planned again.
 */
export async function performWrite(
  session: Session,
  credential: Credential,
  statements: readonly Statement[],
): Promise<readonly (readonly Row[])[] | undefined> {
  if (credential.kind === 'public') return session.database.run(statements, 'write');
  try {
    const rows = await session.database.run([credentialAssertion(credential, session.now), ...statements], 'write');
    return rows.slice(1);
  } catch (error) {
    if (error instanceof AssertionFailed && error.code === CREDENTIAL) return undefined;
    throw error;
  }
}
