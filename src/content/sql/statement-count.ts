/**
 * @module The statements that D1 runs for one invocation of a Worker, counted before they are sent.
 */
import { memoized } from '../../common/cache.ts';
import { MAX_STATEMENTS } from '../../common/d1-limits.ts';
import { ApiError, isProblem } from '../../common/errors.ts';

/** Left for the note that a piece of work takes too many. */
const NOTES = 1;

/** Of an invocation, by its execution context: the statements that were sent. */
export const sentBy = memoized((_: object) => ({ statements: 0 }), new WeakMap());

type Sent = ReturnType<typeof sentBy>;

export const hasRoom = (count: number, { statements }: Sent): boolean => statements + count <= MAX_STATEMENTS - NOTES;

/** @throws ApiError 503 before an invocation passes the limit */
export function countStatements(count: number, sent: Sent, isNote: boolean): void {
  if (!hasRoom(isNote ? count - NOTES : count, sent)) {
    const message = `The request takes more than ${MAX_STATEMENTS} statements of the database, retries included`;
    throw new ApiError({ kind: 'overloaded', message, details: { limit: 'statements' }, retryAfter: 1 });
  }
  sent.statements += count;
}

/** Was an invocation about to pass the limit? */
export const isOverLimit = (error: unknown): error is ApiError =>
  isProblem(error, 'overloaded') && error.problem.details?.limit === 'statements';

/** For a write that meets another one. */
export const noRoom = (): ApiError =>
  new ApiError({
    kind: 'overloaded',
    message: `Content or rights have changed meanwhile, and another attempt would take more than ${MAX_STATEMENTS} statements of the database in all. Send the request again, or in parts`,
    retryAfter: 1,
  });
