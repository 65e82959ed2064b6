/**
 * @module WritePlan → what it changes.
 */
import { changeOf, type DocumentChange, type Operation, type Removal, type SharedChange } from '../model/change.ts';
import { isDelete, isDiscard, isPublish, isShare } from '../model/op-kinds.ts';
import type { DeletedRows, StoredValues, WriteOp, WritePlan, WrittenRow } from '../model/write-plan.ts';

interface MadeRow {
  readonly operation: Operation;
  readonly row: WrittenRow;
}

/** An operation that writes the values of a row. */
type RowOp = Extract<WriteOp, { readonly values: StoredValues }>;

const OPERATIONS: Readonly<Record<RowOp['kind'], Operation>> = {
  insert: 'create',
  update: 'update',
  publish: 'publish',
  discard: 'discardDraft',
};

const isRowOp = (op: WriteOp): op is RowOp => op.kind in OPERATIONS;

function rowOf(op: RowOp): WrittenRow {
  if (isPublish(op)) return { ...op.draft, status: 'published' };
  return isDiscard(op) ? op.draft : op.row;
}

/** Returns the rows that a plan creates and replaces, in order. */
export const rowsMade = (plan: WritePlan): readonly MadeRow[] =>
  plan.filter(isRowOp).map((op) => ({ operation: OPERATIONS[op.kind], row: rowOf(op) }));

export const changesOf = (plan: WritePlan): readonly DocumentChange[] =>
  rowsMade(plan).map(({ operation, row }) => changeOf(operation, row));

const isUnpublished = ({ type, status }: DeletedRows): boolean => type.draftAndPublish && status === 'published';

/** Returns the changes of other locales that follow a row. What they had published is replaced as by a publication. */
export const sharedChangesOf = (plan: WritePlan): readonly SharedChange[] =>
  plan.flatMap((op) => {
    if (!isShare(op)) return [];
    const { row } = op;
    const isPublication = row.type.draftAndPublish && row.status === 'published';
    return [{ operation: isPublication ? 'publish' : 'update', row }];
  });

export const removalsOf = (plan: WritePlan): readonly Removal[] =>
  plan.flatMap((op) => {
    if (!isDelete(op)) return [];
    return [{ operation: isUnpublished(op.rows) ? 'unpublish' : 'delete', rows: op.rows }];
  });
