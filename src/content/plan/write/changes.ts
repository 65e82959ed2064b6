/**
 * @module WritePlan → what it changes.
 */
import { changeOf, type DocumentChange, type Operation, type Removal, type SharedChange } from '../model/change.ts';
import type { DeletedRows, WritePlan, WrittenRow } from '../model/write-plan.ts';

interface MadeRow {
  readonly operation: Operation;
  readonly row: WrittenRow;
}

/** Returns the rows that a plan creates and replaces, in order. */
export const rowsMade = (plan: WritePlan): readonly MadeRow[] =>
  plan.flatMap((op): readonly MadeRow[] => {
    if (op.kind === 'insert') return [{ operation: 'create', row: op.row }];
    if (op.kind === 'update') return [{ operation: 'update', row: op.row }];
    if (op.kind === 'publish') return [{ operation: 'publish', row: { ...op.draft, status: 'published' } }];
    return op.kind === 'discard' ? [{ operation: 'discardDraft', row: op.draft }] : [];
  });

export const changesOf = (plan: WritePlan): readonly DocumentChange[] =>
  rowsMade(plan).map(({ operation, row }) => changeOf(operation, row));

const isUnpublished = ({ type, status }: DeletedRows): boolean => type.draftAndPublish && status === 'published';

/** Returns the changes of other locales that follow a row. What they had published is replaced as by a publication. */
export const sharedChangesOf = (plan: WritePlan): readonly SharedChange[] =>
  plan.flatMap((op) => {
    if (op.kind !== 'share') return [];
    const { row } = op;
    const isPublication = row.type.draftAndPublish && row.status === 'published';
    return [{ operation: isPublication ? 'publish' : 'update', row }];
  });

export const removalsOf = (plan: WritePlan): readonly Removal[] =>
  plan.flatMap((op) => {
    if (op.kind !== 'delete') return [];
    return [{ operation: isUnpublished(op.rows) ? 'unpublish' : 'delete', rows: op.rows }];
  });
