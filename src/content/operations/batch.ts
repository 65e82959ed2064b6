/**
 * @module `POST /api/batch`: several writes in one commit. Each is planned as alone, on the state that those before it leave;
 * their preconditions are one read, and their changes one batch.
 */

import { ApiError, inBatch, invalid } from '../../common/errors.ts';
import { readCurrent } from '../document/current.ts';
import type { Body } from '../document/format-v5.ts';
import { isFreeAssertion, isUniqueAssertion } from '../plan/model/op-kinds.ts';
import type { WritePlan } from '../plan/model/write-plan.ts';
import { EarlierWrites } from '../plan/write/earlier-writes.ts';
import { planWrite } from '../plan/write/plan-write.ts';
import { type Call, isSigned } from '../runtime/call.ts';
import { type Caller, withCredential } from '../runtime/caller.ts';
import { withoutLostMaps } from '../runtime/granted-source-maps.ts';
import { keyedRequest, responseNotStored } from '../runtime/idempotency.ts';
import { noticesOf } from '../runtime/notices.ts';
import { AssertionFailed, DuplicateValue } from '../sql/batch.ts';
import { type Compiled, constant, deferred, mapped, together } from '../sql/compiled.ts';
import type { StoredRequest } from '../sql/requests.ts';
import type { Statement } from '../sql/statement.ts';
import { abort, compileWrite } from '../sql/write/mutate.ts';
import { compileBatchPreconditions, type PreconditionRows } from '../sql/write/preconditions.ts';
import {
  type BatchRequest,
  codeOf,
  HIDDEN_REFERENCE,
  mapUntilError,
  type Prepared,
  prepareAll,
  readRepeated,
  rejectRepeated,
} from './batch-prepare.ts';
import { type CheckedGrant, rejectHiddenWrite } from './grant-check.ts';
import { hookedBatch } from './hooked-input.ts';
import { writeFailure } from './write-parts.ts';

/** D1 runs 1,000 statements for one request to a Worker. */
const MAX_STATEMENTS = 900;

function rejectStatements(count: number): void {
  if (count <= MAX_STATEMENTS) return;
  const message = `The batch takes ${count} statements of the database. Expected at most ${MAX_STATEMENTS}: send fewer requests`;
  throw invalid(message, { limit: 'statements', statements: count });
}

/** The code that ends a batch whose first failure may be one of an assertion: nothing is written in any case. */
const ABORTED = 'ABORTED';

const isAborted = (failure: unknown): boolean => failure instanceof AssertionFailed && failure.code === ABORTED;

/** Words a failure of the batch as that of its request. An index that was added by hand does not name the request. */
function batchFailure(failure: unknown, prepared: readonly Prepared[]): unknown {
  const [, named, code = ''] = (failure instanceof AssertionFailed && /^(\d+) (.*)$/s.exec(failure.code)) || [];
  const asked = prepared[Number(named)];
  if (asked?.kind === 'write') {
    const own = new AssertionFailed(code, { cause: failure });
    return inBatch(Number(named), code === HIDDEN_REFERENCE ? hiddenReference() : writeFailure(own, asked.request));
  }
  if (!(failure instanceof DuplicateValue)) return failure;
  const writers = prepared.flatMap((each, index) => (each.kind === 'write' ? [{ ...each, index }] : []));
  const ofTable = writers.filter(({ request }) => failure.index.startsWith(`${request.type.table}.`));
  // An index over an expression names no table.
  const [first, ...others] = ofTable.length > 0 ? ofTable : writers;
  if (!first) return failure;
  const worded = writeFailure(failure, first.request);
  return others.length > 0 ? worded : inBatch(first.index, worded);
}

const hiddenReference = () => invalid('A document that the batch creates was not found: its reference is not visible');

const coded = (plan: WritePlan, index: number): WritePlan =>
  plan.map((op) => (isUniqueAssertion(op) || isFreeAssertion(op) ? { ...op, code: codeOf(index, op.code) } : op));

/** What a request does in the batch. */
interface Planned {
  readonly guards: readonly Statement[];
  readonly changes: readonly Statement[];
  readonly plan: WritePlan;
  readonly result: Compiled<Body | null>;
}

/** Reads the checks of all requests, each decoded in its turn, and the preconditions of writes. */
const compileReads = (prepared: readonly Prepared[]) =>
  together([
    together(prepared.map(({ check }) => deferred(check))),
    compileBatchPreconditions(prepared.flatMap((each) => (each.kind === 'write' ? [each.preconditions] : []))),
  ]);

interface Found {
  readonly checks: readonly (() => CheckedGrant)[];
  /** Of writes. */
  readonly rows: readonly PreconditionRows[];
}

/** Plans requests in order, up to the first failure. `isUncertain`: an assertion may fail although planning found nothing. */
function planAll(prepared: readonly Prepared[], { checks, rows }: Found, caller: Caller, { registry }: Call) {
  const earlier = new EarlierWrites(registry);
  const next = rows.values();
  const planned = mapUntilError(prepared, (each, index): Planned => {
    const checked = (checks[index] as () => CheckedGrant)();
    if (each.kind === 'delete') {
      const plan = checked.isHidden ? [] : each.plan;
      earlier.add(index, plan, false);
      return { guards: checked.guards(), changes: compileWrite(plan), plan, result: constant(null) };
    }
    rejectHiddenWrite(checked);
    const { request, preconditions, result } = each;
    const found = next.next().value;
    if (!found) throw new Error('no preconditions of a request');
    const current = earlier.before(request, preconditions, readCurrent(preconditions, found, checked.seen));
    const plan = planWrite(request, current, caller.writeContext);
    earlier.add(index, plan, request.operation === 'create', current);
    const changes = [...each.before, ...compileWrite(coded(plan, index)), ...each.after];
    return { guards: checked.guards(), changes, plan, result };
  });
  const asserts = prepared.some((each) => each.kind === 'write' && each.before.length + each.after.length > 0);
  return { ...planned, isUncertain: earlier.isUncertain || asserts };
}

/** The changes of a request, then its response. */
const partOf = ({ changes, result }: Planned): Compiled<Body | null> => ({
  statements: [...changes, ...result.statements],
  decode: (results) => result.decode(results.slice(changes.length)),
});

export interface BatchResult {
  /** Null for a delete. */
  readonly bodies: readonly (Body | null)[];
  /** Were they written by an earlier batch with the same `Idempotency-Key`? */
  readonly replayed?: true;
}

/** All that the response to a request depends on. */
const partsOf = ({ type: _, document: __, newDocumentId: ___, ...sent }: BatchRequest) => sent;

/** Milliseconds after a commit in which the response may still be stored. */
const MAX_DELAY = 10_000;

/** @throws ApiError 400 for a response that is not stored, 409 for one that may not be stored yet */
function replayedBodies({ response, createdAt }: StoredRequest, now: number): BatchResult['bodies'] {
  if (response !== null) return JSON.parse(response) as BatchResult['bodies'];
  if (now - createdAt < MAX_DELAY) throw new ApiError({ kind: 'key-in-use', retryAfter: 1 });
  throw responseNotStored('batch');
}

/** @throws the error for a confirmed caller; otherwise theirs */
export const rejectBatch = (call: Call, error: unknown): Promise<never> =>
  withCredential(call, {}, async () => {
    throw error;
  });

/**
 * Each body is read back after the changes of its request, before those of the next.
 * @param requestsOf throws ApiError for a malformed batch; only a confirmed caller gets it
 * @throws ApiError the first failure in order, with the index of its request; 400 for more than 900 statements
 */
export function batch(
  call: Call,
  requestsOf: () => readonly BatchRequest[],
  idempotencyKey: string | undefined,
): Promise<BatchResult> {
  const hooked = hookedBatch(call);
  let requested: readonly BatchRequest[] | undefined;
  return withCredential(call, { source: 'primary', optimistic: true }, async (caller, isOptimistic) => {
    // The ids of new documents are those that hooks got in an earlier attempt.
    requested ??= requestsOf();
    const sent = requested;
    rejectRepeated(sent);
    const keyed = keyedRequest(call, idempotencyKey, () => ['batch', ...sent.map(partsOf)]);
    // A repeat is not for hooks, which might decide otherwise.
    const first = call.hooks && (await caller.read(keyed.earlier));
    const requests = first ? sent : await hooked(sent, caller);
    const { done: prepared, ...rejected } = prepareAll(requests, { call, caller, unique: !isOptimistic });
    const read = compileReads(prepared);
    rejectStatements(read.statements.length);
    const [[checks, { rows, unchanged }], earlier] = await caller.read(together([read, keyed.earlier]));
    if (earlier && rejected.failure === undefined) {
      const stored = replayedBodies(earlier, call.now);
      const bodies = sent.map((each, index) => withoutLostMaps(each, caller, stored[index] ?? null));
      // Signed addresses end: the documents are read again.
      const isOver = isSigned(earlier.response ?? '');
      return {
        bodies: isOver ? await caller.read(readRepeated(requests, bodies, call, caller)) : bodies,
        replayed: true,
      };
    }
    const { done: planned, isUncertain, ...failed } = planAll(prepared, { checks, rows }, caller, call);
    const reason = failed.failure ?? rejected.failure;
    const guards = [...planned.flatMap((each) => each.guards), ...unchanged];
    const plan = planned.flatMap((each) => each.plan);
    const explain = (thrown: unknown) => (isAborted(thrown) ? reason : batchFailure(thrown, prepared));
    if (reason !== undefined) {
      const statements = [...guards, ...planned.flatMap(({ changes }) => changes), abort(ABORTED)];
      if (isOptimistic || !isUncertain || statements.length > MAX_STATEMENTS) throw reason;
      await caller.write({ statements, result: constant([]), explain });
      throw reason;
    }
    const result = mapped(together(planned.map(partOf)), (bodies): readonly (Body | null)[] => bodies);
    const statements = [...guards, ...keyed.store('')];
    // Only counted: `caller.write` adds them.
    const { before, after } = noticesOf(plan, call);
    const all = [...read.statements, ...before, ...statements, ...after, ...result.statements];
    // Two more: the credential, and the version stamps.
    rejectStatements(all.length + 2);
    const bodies = await caller.write({ statements, effectsOf: plan, result, explain });
    await keyed.keep(bodies);
    return { bodies };
  });
}
