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
  keepFormerRows,
  keepFormerVersions,
  keepMade,
  keepNamed,
  keepRemoval,
  type MadeVersions,
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

/** The draft and the published version of a document, if a write makes both. */
function madeTogether(made: readonly Made[]): readonly MadeVersions[] {
  const ofDocuments = Map.groupBy(made, ({ row }) => `${row.type.uid} ${row.documentId} ${row.locale}`);
  return [...ofDocuments.values()].flatMap((versions) => {
    const [first] = versions;
    const operations = Object.fromEntries(versions.map(({ row, operation }) => [row.status, operation]));
    return first ? [{ ...first.row, operations }] : [];
  });
}

/** Does the plan create the document? A new locale changes the totals of one that is there. */
const isNew = ({ type, documentId, operations }: MadeVersions, plan: WritePlan): boolean =>
  Object.values(operations).includes('create') &&
  !plan.some((op) => op.kind === 'discount' && op.type === type && op.documentId === documentId);

/** Returns the statements that keep what was there, if nothing is kept yet, and what the write makes of it. */
export function historyNotices(plan: WritePlan, call: Call): Notices {
  const { now, settings, registry } = call;
  const moment = { now, renames: registry.renames?.length ?? 0 };
  const actor = actorOf(call);
  const keptOf = (uid: string) => keptVersions(settings, uid);
  const nameOf = (operation: string) => (call.isRestoring && operation !== 'publish' ? 'restore' : operation);
  const named = plan.flatMap(madeBy).map(({ row, operation }) => ({ row, operation: nameOf(operation) }));
  const made = madeTogether(named).flatMap((each) => {
    const kept = keptOf(each.type.uid);
    return kept ? [{ ...each, isNew: isNew(each, plan), kept }] : [];
  });
  const changed = made.filter((each) => !each.isNew);
  const removals = removalsOf(plan).filter(({ rows }) => keptOf(rows.type.uid));
  const attached = plan.flatMap((op) => (op.kind === 'attach' && keptOf(op.table.source.uid) ? [op] : []));
  return {
    before: [
      ...changed.map((each) => keepFormerVersions(each, moment)),
      ...attached.map(({ row, table }) => keepFormerNamed(row, table.source, moment)),
      ...removals.flatMap((removal) => [keepFormerRows(removal.rows, moment), keepRemoval(removal, actor, now)]),
    ],
    after: [
      ...changed.map((each) => deleteReplaced(each, actor, each.kept.versions, now)),
      ...made.map((each) => keepMade(each, actor, moment)),
      ...attached.map(({ row, table }) => keepNamed(row, table.source, actor, moment)),
    ],
    committed() {},
  };
}
