/**
 * @module WritePlan → what it changes.
 */
import { changeOf, type DocumentChange, type Operation, type Removal, type SharedChange } from '../model/change.ts';
import { isDelete, isShare } from '../model/op-kinds.ts';
import type { DeletedRows, WritePlan, WrittenRow } from '../model/write-plan.ts';

interface MadeRow {
  readonly operation: Operation;
  readonly row: WrittenRow;
}

/** Returns the rows that a plan creates and replaces, in order. */
export const rowsMade = (plan: WritePlan): readonly MadeRow[] =>
  plan.flatMap((op): readonly MadeRow[] => {
    switch (op.kind) {
      case 'insert':
        return [{ operation: 'create', row: op.row }];
      case 'update':
        return [{ operation: 'update', row: op.row }];
      case 'publish':
        return [{ operation: 'publish', row: { ...op.draft, status: 'published' } }];
      case 'discard':
        return [{ operation: 'discardDraft', row: op.draft }];
      case 'link':
      case 'unlink':
      case 'leave-links':
      case 'share':
      case 'inherit':
      case 'attach':
      case 'delete':
      case 'discount':
      case 'recount':
      case 'assert-unique':
      case 'assert-free':
        return [];
      default:
        return op satisfies never;
    }
  });

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
