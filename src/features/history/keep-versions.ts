/**
 * @module Keeps the versions that a write makes, in its batch.
 */
import type { WritePlan } from '../../content/plan/model/write-plan.ts';
import { removalsOf, rowsMade } from '../../content/plan/write/changes.ts';
import { actorOf, type Call, type Notices } from '../../content/runtime/call.ts';
import { knownDocumentId } from '../../schema/document-ref.ts';
import { historyBytes, keptVersions } from '../../schema/settings/derived.ts';
import { deleteOldest, keepFormerVersions, keepMade, keepRemoval, type MadeVersions } from './sql/keep.ts';
import { deleteSome } from './sql/prune.ts';

interface MadeOfPlan extends MadeVersions {
  /** Does the plan create the document, which has no versions yet? */
  readonly isNew?: boolean;
}

/** The versions that a plan makes, the draft and the published one of a document together. */
function madeBy(plan: WritePlan, isRestoring?: boolean): readonly MadeOfPlan[] {
  const documents = Map.groupBy(
    rowsMade(plan),
    ({ row }) => `${row.type.uid} ${row.document.documentId} ${row.locale}`,
  );
  return [...documents.values()].map((made) => {
    const rows = made.map(({ row }) => row);
    const [{ type, document }] = rows as [(typeof rows)[0]];
    const named = made.map(({ row, operation }) => [
      row.status,
      isRestoring && operation !== 'publish' ? 'restore' : operation,
    ]);
    const operations: MadeVersions['operations'] = Object.fromEntries(named);
    // A new locale changes the totals of a document that is there.
    const isThere = plan.some(
      (op) =>
        op.kind === 'discount' &&
        op.rows.type === type &&
        op.rows.kind === 'document' &&
        knownDocumentId(op.rows.document) === document.documentId,
    );
    return { type, rows, operations, isNew: !isThere && Object.values(operations).includes('create') };
  });
}

/** The rows to which a plan attaches files: it need not know their versions. */
const attachedBy = (plan: WritePlan): readonly MadeOfPlan[] =>
  plan
    .filter((op) => op.kind === 'attach')
    .map(({ table, row }) => ({
      type: table.source,
      rows: [row],
      operations: { draft: 'update', published: 'update' },
    }));

/** Returns the statements that keep what was there, unless it is kept, and what the write makes of it. */
export function historyNotices(plan: WritePlan, call: Call): Notices {
  const { now, settings, registry, isRestoring } = call;
  const moment = { now, actor: actorOf(call), renames: registry.renames?.length ?? 0 };
  const made = [...madeBy(plan, isRestoring), ...attachedBy(plan)].flatMap((each) => {
    const kept = keptVersions(settings, each.type.uid);
    return kept ? [{ ...each, versions: kept.versions }] : [];
  });
  const changed = made.filter(({ isNew }) => !isNew);
  const removals = removalsOf(plan).filter(({ rows }) => keptVersions(settings, rows.type.uid));
  const uids = new Set([...made.map(({ type }) => type.uid), ...removals.map(({ rows }) => rows.type.uid)]);
  const bytes = historyBytes(settings);
  return {
    before: [
      ...changed.flatMap((each) => keepFormerVersions(each, moment)),
      ...removals.flatMap((removal) => keepRemoval(removal, moment)),
    ],
    after: [
      ...made.flatMap((each) => keepMade(each, moment)),
      ...changed.map((each) => deleteOldest(each, each.versions)),
      ...[...uids].map((uid) => deleteSome(uid, bytes, now)),
    ],
    committed() {},
  };
}
