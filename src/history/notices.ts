/**
 * @module Keeps the versions that a write makes, in its batch.
 */
import type { RowRef, WriteOp, WritePlan } from '../plan/model/write-plan.ts';
import { removalsOf } from '../plan/write/changes.ts';
import { actorOf } from '../runtime/actor.ts';
import type { Call, Notices } from '../runtime/call.ts';
import { keptVersions } from '../settings/derived.ts';
import {
  deleteReplaced,
  keepFormerNamed,
  keepFormerRow,
  keepFormerRows,
  keepNamed,
  keepRemoval,
  keepRow,
} from '../sql/write/history.ts';

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
  const { now, settings, registry } = call;
  const moment = { now, renames: registry.renames?.length ?? 0 };
  const actor = actorOf(call);
  const keptOf = (uid: string) => keptVersions(settings, uid);
  const made = plan.flatMap(madeBy).filter(({ row }) => keptOf(row.type.uid));
  const removals = removalsOf(plan).filter(({ rows }) => keptOf(rows.type.uid));
  const attached = plan.flatMap((op) => (op.kind === 'attach' && keptOf(op.table.source.uid) ? [op] : []));
  const changed = made.filter(({ operation }) => operation !== 'create');
  const nameOf = ({ operation }: Made) => (call.isRestoring && operation !== 'publish' ? 'restore' : operation);
  return {
    before: [
      ...changed.map(({ row }) => keepFormerRow(row, moment)),
      ...attached.map(({ row, table }) => keepFormerNamed(row, table.source, moment)),
      ...removals.flatMap((removal) => [keepFormerRows(removal.rows, moment), keepRemoval(removal, actor, now)]),
    ],
    after: [
      ...changed.flatMap((each) => {
        const kept = keptOf(each.row.type.uid);
        return kept ? [deleteReplaced(each.row, nameOf(each), actor, kept.versions, now)] : [];
      }),
      ...made.map((each) => keepRow(each.row, nameOf(each), actor, moment)),
      ...attached.map(({ row, table }) => keepNamed(row, table.source, actor, moment)),
    ],
    committed() {},
  };
}
