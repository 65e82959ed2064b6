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
  keepFormerRows,
  keepFormerVersions,
  keepMade,
  keepRemoval,
  type MadeVersions,
} from '../sql/write/history.ts';

interface Made {
  readonly row: RowRef;
  readonly operation: string;
}

interface MadeOfPlan extends MadeVersions {
  /** Does the plan create the document? */
  readonly isNew: boolean;
}

/** The version that an operation of a plan makes. */
function madeBy(op: WriteOp): readonly Made[] {
  if (op.kind === 'insert') return [{ row: op.row, operation: 'create' }];
  if (op.kind === 'update') return [{ row: op.row, operation: 'update' }];
  if (op.kind === 'publish') return [{ row: { ...op.draft, status: 'published' }, operation: 'publish' }];
  return op.kind === 'discard' ? [{ row: op.draft, operation: 'discardDraft' }] : [];
}

/** The draft and the published version of a document, if a write makes both. */
function madeTogether(made: readonly Made[], plan: WritePlan): readonly MadeOfPlan[] {
  const ofDocuments = Map.groupBy(made, ({ row }) => `${row.type.uid} ${row.documentId} ${row.locale}`);
  return [...ofDocuments.values()].flatMap((versions) => {
    const [first] = versions;
    const operations = Object.fromEntries(versions.map(({ row, operation }) => [row.status, operation]));
    if (!first) return [];
    const { type, documentId } = first.row;
    // A new locale changes the totals of a document that is there.
    const isThere = plan.some((op) => op.kind === 'discount' && op.type === type && op.documentId === documentId);
    const isNew = Object.values(operations).includes('create') && !isThere;
    return [{ type, rows: versions.map(({ row }) => row), operations, isNew }];
  });
}

/** The row to which an operation attaches files: the plan need not know its version. */
function attachedBy(op: WriteOp): readonly MadeOfPlan[] {
  if (op.kind !== 'attach') return [];
  const operations = { draft: 'update', published: 'update' };
  return [{ type: op.table.source, rows: [op.row], operations, isNew: false }];
}

/** Returns the statements that keep what was there, if nothing is kept yet, and what the write makes of it. */
export function historyNotices(plan: WritePlan, call: Call): Notices {
  const { now, settings, registry } = call;
  const moment = { now, renames: registry.renames?.length ?? 0 };
  const actor = actorOf(call);
  const keptOf = (uid: string) => keptVersions(settings, uid);
  const nameOf = (operation: string) => (call.isRestoring && operation !== 'publish' ? 'restore' : operation);
  const named = plan.flatMap(madeBy).map(({ row, operation }) => ({ row, operation: nameOf(operation) }));
  const made = [...madeTogether(named, plan), ...plan.flatMap(attachedBy)].flatMap((each) => {
    const kept = keptOf(each.type.uid);
    return kept ? [{ ...each, kept }] : [];
  });
  const changed = made.filter((each) => !each.isNew);
  const removals = removalsOf(plan).filter(({ rows }) => keptOf(rows.type.uid));
  return {
    before: [
      ...changed.map((each) => keepFormerVersions(each, moment)),
      ...removals.flatMap((removal) => [keepFormerRows(removal.rows, moment), keepRemoval(removal, actor, now)]),
    ],
    after: [
      ...changed.map((each) => deleteReplaced(each, actor, each.kept.versions, now)),
      ...made.map((each) => keepMade(each, actor, moment)),
    ],
    committed() {},
  };
}
