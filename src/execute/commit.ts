/**
 * @module Writes: what has to be known is asked of the primary, all changes are one batch that aborts when any of it, or
 * the caller, is no longer so, and then everything is planned again.
 */
import { watched } from '../auth/answers.ts';
import { type Credential, confirmationOf, doubted } from '../auth/credential.ts';
import { stampsOf, type Touched } from '../plan/touched.ts';
import { AssertionFailed, CONFLICT, isPassing, type Results } from '../sql/batch.ts';
import { type Compiled, known, together } from '../sql/compiled.ts';
import { CREDENTIAL } from '../sql/credentials.ts';
import { renewStamps } from '../sql/stamps.ts';
import type { Statement } from '../sql/statement.ts';
import { type Asked, ATTEMPTS, ask, overloaded, type Planner } from './ask.ts';
import type { Call } from './call.ts';
import { meansOf, type RequestMeans } from './means.ts';
import { NO_QUESTION, type Question, recalled } from './question-memory.ts';

/** All that a write will do. */
export interface Change<T> {
  /** Guards and changes, in order; none: nothing has to be written. */
  readonly statements: readonly Statement[];
  /** Read back in the same batch. */
  readonly result: Compiled<T>;
  readonly touched: readonly Touched[];
  /** How a failure of the batch is told; others are told as they are. */
  explain?(failure: unknown): unknown;
  /** Does the result decode only if the write was done, so that an answer that was lost can be asked for again? */
  readonly provable?: boolean;
}

/** Plans the change once everything is known. May be called again, so what it does beside must bear that. */
export type ChangePlanner<T> = (caller: Credential, means: RequestMeans) => Change<T> | Promise<Change<T>>;

/** What was assumed may be wrong: it has to be asked before anything is refused. */
export class Unsure extends Error {}

export interface Write<T> {
  /**
   * Refuses what the caller may not do, and asks what the change depends on.
   * @param assuming what the batch asserts need not be asked: planning and `explain` throw and tell `Unsure` where the
   * change fails then
   */
  ask(credential: Credential, assuming: boolean): Compiled<ChangePlanner<T>>;
  /** Is the caller looked up even where nothing else is asked, since planning the change has effects of its own? */
  readonly confirmsFirst?: boolean;
  /**
   * What is true of the answers when the write is done: the `same`, so that the next one may assume them, or something
   * that it has `changed`. Absent: they are never assumed.
   */
  readonly leaves?: 'same' | 'changed';
}

export interface Committed<T> {
  /** One for each write. */
  readonly results: readonly T[];
  readonly touched: readonly Touched[];
}

const LONGEST_PAUSE = 40;

/** Random, so that writers that met do not come at the same moment again. */
const pause = (attempt: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(LONGEST_PAUSE, 2 ** attempt)));

const isMeeting = (failure: unknown): boolean =>
  failure instanceof AssertionFailed && (failure.code === CONFLICT || failure.code === CREDENTIAL);

interface Plans<T> {
  readonly changes: readonly Change<T>[];
  /** Aborts the batch when the caller may not do it, or no longer. */
  readonly assertion: readonly Statement[];
}

async function planned<T>(
  call: Call,
  { value: planners, credential, answers }: Asked<readonly ChangePlanner<T>[]>,
  means: RequestMeans,
): Promise<Plans<T>> {
  const { grants, answers: later } = watched(credential.grants);
  const changes: Change<T>[] = [];
  for (const plan of planners) changes.push(await plan({ ...credential, grants }, means));
  if (credential.kind === 'public') return { changes, assertion: [] };
  const { granted, denied } = later();
  const all = { granted: [...answers.granted, ...granted], denied: [...answers.denied, ...denied] };
  return { changes, assertion: [confirmationOf(credential, all, call.settings, call.now).assertion()] };
}

const newStamps = (names: readonly string[]): readonly Statement[] => (names.length > 0 ? [renewStamps(names)] : []);

async function run<T>(
  call: Call,
  { changes, assertion }: Plans<T>,
  touched: readonly Touched[],
  { key, again }: Question,
): Promise<readonly T[]> {
  const result = together<readonly T[]>(changes.map((change) => change.result));
  const changing = [...changes.flatMap((change) => change.statements), ...newStamps(stampsOf(touched))];
  const statements = [...changing, ...result.statements];
  if (statements.length === 0) return result.decode([]);
  const results: Results = await call.database.write([...assertion, ...statements, ...again]);
  const end = results.length - again.length;
  if (again.length > 0) call.questions.keep(key, results.slice(end));
  return result.decode(results.slice(end - result.statements.length, end));
}

/** The results of writes whose answer was lost. @throws whatever, unless all of them were done. */
async function recovered<T>(call: Call, changes: readonly Change<T>[]): Promise<readonly T[]> {
  if (!changes.every(({ provable }) => provable)) throw new Error('nobody knows whether it was done');
  const result = together<readonly T[]>(changes.map((change) => change.result));
  return result.decode(await call.database.read(result.statements, 'primary'));
}

/** @returns undefined when somebody else came between. */
async function runOnce<T>(call: Call, plans: Plans<T>, question: Question): Promise<Committed<T> | undefined> {
  const { changes } = plans;
  const touched = changes.flatMap((change) => change.touched);
  try {
    return { results: await run(call, plans, touched, question), touched };
  } catch (failure) {
    if (isMeeting(failure)) return undefined;
    const results = await recovered(call, changes).catch(() => undefined);
    if (results) return { results, touched };
    // Nobody knows whether it was done.
    if (isPassing(failure)) call.purge(stampsOf(touched));
    throw changes.reduce((told: unknown, { explain }) => explain?.(told) ?? told, failure);
  }
}

/** A failure is told only to a caller who has been confirmed, and may do what failed. */
async function tell(call: Call, asked: Asked<unknown>, plan: Planner<unknown>, failure: unknown): Promise<never> {
  const mayFail: Planner<undefined> = (credential) => {
    plan(credential);
    return known(undefined);
  };
  if (!asked.confirmed && !isPassing(failure)) await ask(call, asked.credential, mayFail, { source: 'primary' });
  throw failure;
}

/**
 * Does the writes together or not at all, in two round trips at most, in one where nothing has to be known first, or
 * where an earlier write of the isolate has asked the same.
 * @throws ApiError 401 for a credential that is not valid, whatever the writes refuse with, and 503 when others come
 * between ten times.
 */
export async function commit<T>(call: Call, writes: readonly Write<T>[]): Promise<Committed<T>> {
  let assuming = true;
  let question = NO_QUESTION;
  const leaves = writes.length === 1 ? writes[0]?.leaves : undefined;
  const plan: Planner<readonly ChangePlanner<T>[]> = (credential) => {
    const work = together<readonly ChangePlanner<T>[]>(writes.map((write) => write.ask(credential, assuming)));
    if (!assuming || !leaves) return work;
    const [asked, about] = recalled(call.questions, work, leaves);
    question = about;
    return asked;
  };
  const asking = { source: 'primary', trusting: !writes.some(({ confirmsFirst }) => confirmsFirst) } as const;
  const nextMeans = meansOf(call);
  let believed = call.credential;
  for (let attempts = 0; attempts < ATTEMPTS; attempts += 1) {
    if (attempts > 0) await pause(attempts);
    question = NO_QUESTION;
    const asked = await ask(call, believed, plan, asking);
    const committed = await planned(call, asked, nextMeans())
      .catch((cause) => {
        // What was assumed may be why.
        throw question.assumed ? new Unsure('planned on what was remembered', { cause }) : cause;
      })
      .then((plans) => runOnce(call, plans, question))
      .catch((failure) => {
        if (!(failure instanceof Unsure)) return tell(call, asked, plan, failure);
        assuming = false;
        return undefined;
      });
    if (committed) {
      call.purge(stampsOf(committed.touched));
      return committed;
    }
    if (question.assumed) call.questions.forget(question.key);
    believed = doubted(asked.credential);
  }
  throw overloaded();
}

/** One write, and its result. */
export async function commitOne<T>(call: Call, write: Write<T>): Promise<T> {
  const { results } = await commit(call, [write]);
  return results[0] as T;
}
