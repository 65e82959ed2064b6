/**
 * @module Keeps the versions that a write makes, in its batch.
 */
import { isAttach, isDiscount } from '../../content/plan/model/op-kinds.ts';
import type { WritePlan } from '../../content/plan/model/write-plan.ts';
import { removalsOf, rowsMade } from '../../content/plan/write/changes.ts';
import { actorOf, type Call, type Notices } from '../../content/runtime/call.ts';
import { knownDocumentId } from '../../schema/document-ref.ts';
import { historyBytes, keptVersions } from '../../schema/settings/derived.ts';
import { deleteOldest, keepFormerVersions, keepMade, keepRemoval, type MadeVersions } from './sql/keep.ts';

/** The versions that a plan makes, the draft and the published one of a document together. */
function madeBy(plan: WritePlan, isRestoring?: boolean): readonly MadeVersions[] {
  const documents = Map.groupBy(
    rowsMade(plan),
    ({ row }) => `${row.type.uid} ${row.document.documentId} ${row.locale}`,
  );
  return [...documents.values()].map((made) => {
    const [{ row }] = made as [(typeof made)[0]];
    const { type, document } = row;
    const rows = made.map((each) => ({ kind: 'version', ...each.row }) as const);
    const named = made.map(({ row, operation }) => [row.status, isRestoring ? 'restore' : operation]);
    const operations: MadeVersions['operations'] = Object.fromEntries(named);
    // A new locale changes the totals of a document that is there. No two content types have one of the same id.
    const isThere = plan.some(
      (op) =>
        isDiscount(op) && op.rows.kind === 'document' && knownDocumentId(op.rows.document) === document.documentId,
    );
    return { type, rows, operations, isNew: !isThere && Object.values(operations).includes('create') };
  });
}

/** The rows to which a plan attaches files: it need not know their versions. */
const attachedBy = (plan: WritePlan): readonly MadeVersions[] =>
  plan
    .filter((op) => isAttach(op))
    .map(({ table, row }) => ({
      type: table.source,
      rows: [row],
      operations: { draft: 'update', published: 'update' },
    }));

/** Returns the statements that keep what was there, unless it is kept, and what the write makes of it. */
export function historyNotices(plan: WritePlan, call: Call): Notices {
  const { now, settings, registry, isRestoring } = call;
  const moment = { now, actor: actorOf(call), renames: registry.renames?.length ?? 0 };
  const all = [...madeBy(plan, isRestoring), ...attachedBy(plan)];
  const removed = removalsOf(plan);
  const limits = new Map(
    [...all, ...removed.map(({ rows }) => rows)].flatMap(({ type }) => {
      const kept = keptVersions(settings, type.uid);
      return kept ? [[type, { versions: kept.versions, bytes: historyBytes(settings) }] as const] : [];
    }),
  );
  const made = all.filter(({ type }) => limits.has(type));
  const changed = made.filter(({ isNew }) => !isNew);
  const removals = removed.filter(({ rows }) => limits.has(rows.type));
  const changedRows = Map.groupBy(changed, ({ type }) => type);
  return {
    before: [
      ...changed.flatMap((each) => keepFormerVersions(each, moment)),
      ...removals.flatMap((removal) => keepRemoval(removal, moment)),
    ],
    after: [
      ...made.flatMap((each) => keepMade(each, moment)),
      ...[...limits].map(([type, limit]) =>
        deleteOldest(type, changedRows.get(type)?.flatMap(({ rows }) => rows) ?? [], limit, now),
      ),
    ],
    committed() {},
  };
}
