/**
 * @module Keeps the versions that a write makes, in its batch.
 */
import { EVERYTHING } from '../auth/grants.ts';
import type { RowRef, WriteOp, WritePlan } from '../plan/model/write-plan.ts';
import { removalsOf } from '../plan/write/changes.ts';
import type { Call, Notices } from '../runtime/call.ts';
import { keptVersions } from '../settings/derived.ts';
import {
  type Actor,
  deleteReplaced,
  keepFormerRow,
  keepFormerRows,
  keepRemoval,
  keepRow,
} from '../sql/write/history.ts';

function actorOf({ credential, isScheduled }: Call): Actor {
  if (credential.kind === 'user') return { kind: 'user', id: credential.id };
  if (credential.kind === 'token') return { kind: 'token', id: credential.key };
  if (isScheduled) return { kind: 'schedule' };
  return { kind: credential.grants === EVERYTHING ? 'code' : 'public' };
}

interface Made {
  readonly row: RowRef;
  readonly operation: string;
}

/** The version that an operation of a plan makes. */
function madeBy(op: WriteOp): readonly Made[] {
  if (op.kind === 'insert') return [{ row: op.row, operation: 'create' }];
  if (op.kind === 'update') return [{ row: op.row, operation: 'update' }];
  if (op.kind === 'publish') return [{ row: { ...op.draft, status: 'published' }, operation: 'publish' }];
  return op.kind === 'discard' ? [{ row: op.draft, operation: 'discardDraft' }] : [];
}

/** Returns the statements that keep what was there, if nothing is kept yet, and what the write makes of it. */
export function historyNotices(plan: WritePlan, call: Call): Notices {
  const { now, settings } = call;
  const actor = actorOf(call);
  const isKept = (uid: string) => keptVersions(settings, uid) !== undefined;
  const made = plan.flatMap(madeBy).filter(({ row }) => isKept(row.type.uid));
  const removals = removalsOf(plan).filter(({ rows }) => isKept(rows.type.uid));
  const changed = made.filter(({ operation }) => operation !== 'create');
  return {
    before: [
      ...changed.map(({ row }) => keepFormerRow(row, now)),
      ...removals.flatMap((removal) => [keepFormerRows(removal.rows, now), keepRemoval(removal, actor, now)]),
    ],
    after: made.flatMap(({ row, operation }) => {
      const { versions = 1 } = keptVersions(settings, row.type.uid) ?? {};
      const named = call.isRestoring && operation !== 'publish' ? 'restore' : operation;
      return [
        ...(operation === 'create' ? [] : [deleteReplaced(row, named, actor, versions, now)]),
        keepRow(row, named, actor, now),
      ];
    }),
    committed() {},
  };
}
