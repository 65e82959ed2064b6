/**
 * @module Runs work with a caller's permissions: optimistically with the cached ones, which its first batch confirms or
 * its write asserts. The work is retried if they have changed, and on a conflict. So a read is one round trip, and a
 * revoked token stops at once.
 */

import { effective, type Grants } from '../../access/grants.ts';
import { traced } from '../../access/permission-trace.ts';
import { ApiError, isProblem } from '../../common/errors.ts';
import {
  type Confirmation,
  type Credential,
  confirmationOf,
  invalidated,
  isClaimed,
} from '../credentials/credential.ts';
import { CREDENTIAL, guarded } from '../credentials/sql/credentials.ts';
import type { WritePlan } from '../plan/model/write-plan.ts';
import { rotatedStamps } from '../plan/write/invalidation.ts';
import { AssertionFailed, CONFLICT, type DatabaseSource, DuplicateValue, isTransient } from '../sql/batch.ts';
import type { Compiled } from '../sql/compiled.ts';
import { rotateStamps } from '../sql/stamps.ts';
import { isAssertion, isValue, type Results, type Statement } from '../sql/statement.ts';
import { isOverLimit, noRoom } from '../sql/statement-count.ts';
import type { Call } from './call.ts';
import { noticesOf } from './notices.ts';
import { type RequestContext, writeContextsOf } from './write-context.ts';

export interface AtomicChange<T> {
  /** Guards and changes, in order; empty if nothing changes. */
  readonly statements: readonly Statement[];
  /** The plan of `statements`: rotates its stamps, keeps versions, queues messages, calls `afterCommit`. Absent for users. */
  readonly effectsOf?: WritePlan;
  /** Read back in the same batch. */
  readonly result: Compiled<T>;
  /** Names of version stamps to rotate besides those of the plan; may repeat. */
  readonly stamps?: readonly string[];
  /** The error for a failure of the batch; others stay as they are. */
  explain?(failure: unknown): unknown;
  /** Does the result decode only after a commit, so that reading it resolves an unknown commit outcome? */
  readonly canRecoverOutcome?: boolean;
}

const MAX_ATTEMPTS = 10;
/** Milliseconds. */
const MAX_PAUSE = 40;

/** Waits for a random time, so that conflicting writers do not retry at the same moment. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(MAX_PAUSE, 2 ** attempt)));

/** Thrown to retry the work. */
class Restart extends Error {
  readonly credential: Credential;
  /** Was there a concurrent write? Otherwise the database has just returned the caller's permissions. */
  readonly isConflict: boolean;
  constructor(credential: Credential, isConflict: boolean) {
    super('retry');
    this.credential = credential;
    this.isConflict = isConflict;
  }
}

const isConflict = (failure: unknown): boolean =>
  failure instanceof AssertionFailed && (failure.code === CONFLICT || failure.code === CREDENTIAL);

const isUnguarded = (statement: Statement): boolean => isValue(statement) && statement.unguarded;

/** Returns the rows of the credential, and those of the statements. */
async function readGuarded(
  call: Call,
  { row, guard }: Confirmation,
  statements: readonly Statement[],
  source: DatabaseSource,
) {
  const own = row.statements.length;
  try {
    const condition = guard();
    const all = statements.map((each) => (isUnguarded(each) ? each : guarded(each, condition)));
    const results = await call.database.read([...row.statements, ...all], source);
    return [results.slice(0, own), results.slice(own)] as const;
  } catch (failure) {
    if (isTransient(failure) || statements.length === 0) throw failure;
    // Only a caller who may run the statements sees their error.
    const alone = await call.database.read(row.statements, source);
    if (row.decode(alone).holds) throw failure;
    return [alone, []] as const;
  }
}

/** The caller in one attempt. */
export class Caller {
  /** The caller's permissions. The first batch confirms, or the write asserts, those that were queried. */
  readonly grants: Grants;
  readonly writeContext: RequestContext;
  readonly #call: Call;
  readonly #source: DatabaseSource;
  readonly #traced: ReturnType<typeof traced>;
  /** Has the database just returned the permissions? Then work without statements needs no confirmation. */
  readonly #isFresh: boolean;
  #isConfirmed: boolean;
  credential: Credential;
  /** Did the write violate a unique index that no precondition covers? */
  hitUniqueConflict = false;
  /** Did the batch of the write fail? */
  hasFailedWrite = false;

  constructor(
    call: Call,
    credential: Credential,
    isFresh: boolean,
    source: DatabaseSource,
    writeContext: RequestContext,
  ) {
    this.#traced = traced(effective(credential.grants, call.registry));
    this.grants = this.#traced.grants;
    this.writeContext = writeContext;
    this.#call = call;
    this.#source = source;
    this.credential = credential;
    this.#isFresh = isFresh;
    this.#isConfirmed = !isClaimed(credential);
  }

  /** Reads, in one round trip or none; the first batch carries the confirmation. @throws ApiError 401 */
  async read<T>({ statements, decode }: Compiled<T>): Promise<T> {
    if (statements.length === 0 && this.#isTrusted()) return decode([]);
    if (!this.#isConfirmed) return decode(await this.#confirmWith(statements));
    return decode(await this.#call.database.read(statements, this.#source));
  }

  /** Confirms the credential, unless that was done. @throws ApiError 401 */
  async confirm(): Promise<void> {
    if (!this.#isConfirmed && !this.#isFresh) await this.#confirmWith([]);
    this.#isConfirmed = true;
  }

  /** Confirms a credential that this isolate has not confirmed before. @throws ApiError 401 */
  async trust(): Promise<void> {
    if (!this.#isTrusted()) await this.#confirmWith([]);
  }

  /** May work continue without a read? Its write, or the end of the block, confirms the credential. */
  #isTrusted(): boolean {
    return this.#isConfirmed || (isClaimed(this.credential) && this.credential.isCached);
  }

  async #confirmWith(statements: readonly Statement[]): Promise<Results> {
    const { database, waitUntil } = this.#call;
    const confirmation = this.#confirmation();
    if (!confirmation) return database.read(statements, this.#source);
    const [own, results] = await readGuarded(this.#call, confirmation, statements, this.#source).catch((failure) => {
      // The error is for this caller: the database has confirmed the credential.
      this.#isConfirmed = !isTransient(failure);
      throw failure;
    });
    // An error of `decode` is final: the database has rejected the credential.
    this.#isConfirmed = true;
    const { credential, holds, note } = confirmation.row.decode(own);
    if (note) waitUntil(database.write([note]).catch(() => undefined));
    if (!holds) throw new Restart(credential, false);
    this.credential = credential;
    this.#traced.follow(effective(credential.grants, this.#call.registry));
    return results;
  }

  /** Applies a change atomically, if the caller still has the queried permissions. */
  async write<T>({
    statements,
    effectsOf = [],
    result,
    stamps: more = [],
    explain,
    canRecoverOutcome,
  }: AtomicChange<T>): Promise<T> {
    const { database, purge, registry } = this.#call;
    const stamps = [...new Set([...rotatedStamps(effectsOf), ...more])].sort();
    const rotation = stamps.length > 0 ? [rotateStamps(stamps, registry.fences)] : [];
    const notices = noticesOf(effectsOf, this.#call);
    // The guards follow that of the credential, with which they are one statement. Of a batch of writes, the result has the changes.
    const change = statements.findIndex((each) => !isAssertion(each));
    const guards = statements.slice(0, change < 0 ? statements.length : change);
    const changes = statements.slice(guards.length);
    const all = [...guards, ...notices.before, ...changes, ...rotation, ...result.statements, ...notices.after];
    if (all.length === 0) return result.decode([]);
    await this.trust();
    try {
      const assertion = this.#confirmation()?.assertion();
      const results = await database.write(assertion ? [assertion, ...all] : all);
      this.#isConfirmed = true;
      purge(stamps);
      notices.committed(results.slice(guards.length + (assertion ? 1 : 0)), this.credential);
      const end = results.length - notices.after.length;
      return result.decode(results.slice(end - result.statements.length, end));
    } catch (failure) {
      if (isConflict(failure)) throw new Restart(invalidated(this.credential), true);
      this.hasFailedWrite = true;
      this.hitUniqueConflict = failure instanceof DuplicateValue;
      const done = canRecoverOutcome ? await this.#recovered(result) : undefined;
      // The commit outcome may be unknown.
      if (done || isTransient(failure)) purge(stamps);
      if (done) {
        notices.committed(undefined, this.credential);
        return done.value;
      }
      throw explain?.(failure) ?? failure;
    }
  }

  /** Returns undefined for callers without a credential. */
  #confirmation(): Confirmation | undefined {
    if (!isClaimed(this.credential)) return undefined;
    return confirmationOf(this.credential, this.#traced.trace(), this.#call.settings, this.#call.now);
  }

  /** Returns the result of a write whose commit outcome is unknown; undefined if it was not committed. */
  async #recovered<T>({ statements, decode }: Compiled<T>): Promise<{ readonly value: T } | undefined> {
    try {
      return { value: decode(await this.#call.database.read(statements, 'primary')) };
    } catch {
      return undefined;
    }
  }
}

/** Only errors of values can change once all preconditions were read; in a batch, such an error may come before another. */
const isOfValues = (failure: unknown): boolean =>
  !(failure instanceof ApiError) || isProblem(failure, 'validation') || isProblem(failure, 'in-batch');

/** Returns how to retry. @throws the failure, once the database has confirmed the caller */
async function retryModeFor(failure: unknown, caller: Caller, isOptimistic: boolean): Promise<Restart | 'pessimistic'> {
  if (failure instanceof Restart) return failure;
  if (isTransient(failure)) throw failure;
  if (isOptimistic && !caller.hitUniqueConflict && isOfValues(failure)) return 'pessimistic';
  try {
    await caller.confirm();
    throw failure;
  } catch (error) {
    if (error instanceof Restart) return error;
    throw error;
  }
}

export interface CallerOptions {
  /** The database of reads. */
  readonly source?: DatabaseSource;
  /** Does the first attempt assume preconditions, which only the write asserts? */
  readonly optimistic?: boolean;
}

/**
 * Runs a block of work for the caller. It may run several times, so its side effects must be repeatable. An optimistic
 * attempt that fails is retried without optimism.
 * @throws ApiError 401 for an invalid credential, 503 after ten conflicts or without room for another attempt, otherwise the error of the block
 */
export async function withCredential<T>(
  call: Call,
  { source = 'replica', optimistic = false }: CallerOptions,
  block: (caller: Caller, isOptimistic: boolean) => Promise<T>,
): Promise<T> {
  const nextContext = writeContextsOf(call);
  const { database } = call;
  /** The failure of the optimistic attempt, if it is that of its batch. */
  let rejected: unknown;
  let credential = call.credential;
  let isFresh = false;
  let isOptimistic = optimistic;
  for (let attempts = 1; attempts <= MAX_ATTEMPTS; attempts += 1) {
    const caller = new Caller(call, credential, isFresh, source, nextContext());
    const sent = database.spent.statements;
    try {
      const value = await block(caller, isOptimistic);
      await caller.confirm();
      return value;
    } catch (failure) {
      if (isOverLimit(failure) && rejected !== undefined) throw rejected;
      const next = await retryModeFor(failure, caller, isOptimistic);
      if (next === 'pessimistic') {
        rejected = caller.hasFailedWrite ? failure : undefined;
        isOptimistic = false;
        credential = caller.credential;
        continue;
      }
      if (!database.hasRoom(database.spent.statements - sent)) throw noRoom();
      credential = next.credential;
      isFresh = !next.isConflict;
      if (next.isConflict) await pause(attempts);
    }
  }
  throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
}
