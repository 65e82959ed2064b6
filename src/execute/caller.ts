/**
 * @module Work in a caller's name. It starts with the rights that the isolate believes the caller has; its first batch asks
 * the database to confirm them, or its write asserts them. Where they are others, or somebody else has written meanwhile,
 * the work starts again. So a read stays one round trip, and a revoked token stops at once.
 */
import { watched } from '../auth/answers.ts';
import { type Confirmation, type Credential, confirmationOf, doubted } from '../auth/credential.ts';
import type { Grants } from '../auth/grants.ts';
import { ApiError } from '../errors.ts';
import { stampsOf, type Touched } from '../plan/touched.ts';
import { AssertionFailed, CONFLICT, isPassing, type Results, type Source } from '../sql/batch.ts';
import type { Compiled } from '../sql/compiled.ts';
import { CREDENTIAL, guarded } from '../sql/credentials.ts';
import { renewStamps } from '../sql/stamps.ts';
import type { Statement } from '../sql/statement.ts';
import type { Call } from './call.ts';
import { meansOf, type RequestMeans } from './means.ts';

/** All that a write does. */
export interface Change<T> {
  /** Guards and changes, in order; none: nothing has to be written. */
  readonly statements: readonly Statement[];
  /** Read back in the same batch. */
  readonly result: Compiled<T>;
  readonly touched: readonly Touched[];
  /** The error for a failure of the batch; others stay as they are. */
  explain?(failure: unknown): unknown;
  /** Does the result decode only if the write was done, so that it can be read where the answer was lost? */
  readonly provable?: boolean;
}

/** How often work starts again because the caller's rights, or what was read, have changed meanwhile. */
const ATTEMPTS = 10;
const LONGEST_PAUSE = 40;

/** Random, so that writers that met do not come at the same moment again. Milliseconds. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(LONGEST_PAUSE, 2 ** attempt)));

/** The work is to start again. */
class Restart extends Error {
  readonly credential: Credential;
  /** Did another write come between? Otherwise the database has just named the caller's rights. */
  readonly isConflict: boolean;
  constructor(credential: Credential, isConflict: boolean) {
    super('the work starts again');
    this.credential = credential;
    this.isConflict = isConflict;
  }
}

const isConflict = (failure: unknown): boolean =>
  failure instanceof AssertionFailed && (failure.code === CONFLICT || failure.code === CREDENTIAL);

/** Every statement but those that anybody may run depends on the credential. */
const guardedBy = (guard: Statement, statements: readonly Statement[]): readonly Statement[] =>
  statements.map((statement) => (statement.open ? statement : guarded(statement, guard)));

/** The rows of the credential, and those of the statements. */
async function readGuarded(call: Call, { row, guard }: Confirmation, statements: readonly Statement[], source: Source) {
  const own = row.statements.length;
  if (statements.length === 0) return [await call.database.read(row.statements, source), []] as const;
  try {
    const results = await call.database.read([...row.statements, ...guardedBy(guard(), statements)], source);
    return [results.slice(0, own), results.slice(own)] as const;
  } catch (failure) {
    if (isPassing(failure)) throw failure;
    // An error of the statements is for a caller alone who may run them.
    const alone = await call.database.read(row.statements, source);
    if (row.decode(alone).holds) throw failure;
    return [alone, []] as const;
  }
}

/** The caller of one attempt. */
export class Caller {
  /** What the caller may do. What is asked of it is confirmed by the first batch, or asserted by the write. */
  readonly grants: Grants;
  readonly means: RequestMeans;
  readonly #call: Call;
  readonly #source: Source;
  readonly #answers: ReturnType<typeof watched>['answers'];
  #credential: Credential;
  /** Nothing has to be asked of the database before work that needs no statement. */
  readonly #isFresh: boolean;
  #isConfirmed: boolean;

  constructor(call: Call, credential: Credential, isFresh: boolean, source: Source, means: RequestMeans) {
    const { grants, answers } = watched({ allows: (id) => this.#credential.grants.allows(id) });
    this.grants = grants;
    this.#answers = answers;
    this.means = means;
    this.#call = call;
    this.#source = source;
    this.#credential = credential;
    this.#isFresh = isFresh;
    this.#isConfirmed = credential.kind === 'public';
  }

  get credential(): Credential {
    return this.#credential;
  }

  /** Reads, in one round trip or none; the first batch carries the confirmation. @throws ApiError 401 */
  async read<T>({ statements, decode }: Compiled<T>): Promise<T> {
    if (statements.length === 0 && this.#isTrusted()) return decode([]);
    if (!this.#isConfirmed) return decode(await this.#confirmWith(statements));
    return decode(await this.#call.database.read(statements, this.#source));
  }

  /** Asks the database, unless it has said already who the caller is. @throws ApiError 401 */
  async confirm(): Promise<void> {
    if (!this.#isConfirmed && !this.#isFresh) await this.#confirmWith([]);
    this.#isConfirmed = true;
  }

  /** May work that reads nothing go on, since its write or the end of the block asks who the caller is? */
  #isTrusted(): boolean {
    return this.#isConfirmed || this.#isFresh || (this.#credential.kind !== 'public' && this.#credential.known);
  }

  async #confirmWith(statements: readonly Statement[]): Promise<Results> {
    const { database, settings, now, waitUntil } = this.#call;
    const claimed = this.#credential;
    if (claimed.kind === 'public') return database.read(statements, this.#source);
    const confirmation = confirmationOf(claimed, this.#answers(), settings, now);
    const [own, results] = await readGuarded(this.#call, confirmation, statements, this.#source).catch((failure) => {
      // The database has confirmed who may see it.
      this.#isConfirmed = !isPassing(failure);
      throw failure;
    });
    // What decoding throws is a refusal by the database, and needs no other one.
    this.#isConfirmed = true;
    const { credential, holds, note } = confirmation.row.decode(own);
    if (note) waitUntil(database.write([note]).catch(() => undefined));
    if (!holds) throw new Restart(credential, false);
    this.#credential = credential;
    return results;
  }

  /** Does all of a change or nothing of it, if the caller may still do what was asked of the grants. */
  async write<T>({ statements, result, touched, explain, provable = false }: Change<T>): Promise<T> {
    const { database, purge } = this.#call;
    const stamps = stampsOf(touched);
    const renewed = stamps.length > 0 ? [renewStamps(stamps)] : [];
    const all = [...statements, ...renewed, ...result.statements];
    if (all.length === 0) return result.decode([]);
    if (!this.#isTrusted()) await this.#confirmWith([]);
    try {
      const results = await database.write([...this.#assertion(), ...all]);
      this.#isConfirmed = true;
      purge(stamps);
      return result.decode(results.slice(results.length - result.statements.length));
    } catch (failure) {
      if (isConflict(failure)) throw new Restart(doubted(this.#credential), true);
      const done = provable ? await this.#recovered(result) : undefined;
      // It may have been done.
      if (done || isPassing(failure)) purge(stamps);
      if (done) return done.value;
      throw explain?.(failure) ?? failure;
    }
  }

  #assertion(): readonly Statement[] {
    if (this.#credential.kind === 'public') return [];
    const { settings, now } = this.#call;
    return [confirmationOf(this.#credential, this.#answers(), settings, now).assertion()];
  }

  /** The result of a write whose answer was lost; undefined unless it was done. */
  async #recovered<T>({ statements, decode }: Compiled<T>): Promise<{ readonly value: T } | undefined> {
    try {
      return { value: decode(await this.#call.database.read(statements, 'primary')) };
    } catch {
      return undefined;
    }
  }
}

/** Errors of values may be others once everything was read. */
const isOfValues = (failure: unknown): boolean =>
  !(failure instanceof ApiError) || failure.problem.kind === 'validation';

/**
 * What comes after a failure: another start, or the same without optimism.
 * @throws the failure, which is for a caller alone whom the database has confirmed.
 */
async function nextStart(failure: unknown, caller: Caller, isOptimistic: boolean): Promise<Restart | 'all read'> {
  if (failure instanceof Restart) return failure;
  if (isPassing(failure)) throw failure;
  if (isOptimistic && isOfValues(failure)) return 'all read';
  try {
    await caller.confirm();
  } catch (other) {
    if (other instanceof Restart) return other;
    throw other;
  }
  throw failure;
}

export interface Asking {
  /** Which database reads: any that is new enough, or the one that has every write. */
  readonly source?: Source;
  /** Does the block take something for granted at first that the write asserts? */
  readonly optimistic?: boolean;
}

/**
 * Runs a block of work for the caller; it may run several times, so what it does beside must bear that. Where it is
 * optimistic and fails, it runs once more without.
 * @throws ApiError 401 for a credential that is not valid, and only then what the block throws; 503 when others come
 * between ten times.
 */
export async function withCredential<T>(
  call: Call,
  { source = 'replica', optimistic = false }: Asking,
  block: (caller: Caller, isOptimistic: boolean) => Promise<T>,
): Promise<T> {
  const nextMeans = meansOf(call);
  let believed = call.credential;
  let isFresh = false;
  let isOptimistic = optimistic;
  for (let attempts = 1; attempts <= ATTEMPTS; attempts += 1) {
    const caller = new Caller(call, believed, isFresh, source, nextMeans());
    try {
      const value = await block(caller, isOptimistic);
      await caller.confirm();
      return value;
    } catch (failure) {
      const next = await nextStart(failure, caller, isOptimistic);
      if (next === 'all read') {
        isOptimistic = false;
        believed = caller.credential;
        continue;
      }
      believed = next.credential;
      isFresh = !next.isConflict;
      if (next.isConflict) await pause(attempts);
    }
  }
  throw new ApiError({ kind: 'overloaded', retryAfter: 1 });
}
