/**
 * @module WritePlan → what it changes.
 */
import { changeOf, type DocumentChange, type Removal } from '../model/change.ts';
import type { DeletedRows, WritePlan } from '../model/write-plan.ts';

/** Returns what a plan creates and replaces, in order. */
export const changesOf = (plan: WritePlan): readonly DocumentChange[] =>
  plan.flatMap((op) => {
    if (op.kind === 'insert') return [changeOf('create', op.row)];
    if (op.kind === 'update') return [changeOf('update', op.row)];
    if (op.kind === 'publish') return [changeOf('publish', { ...op.draft, status: 'published' })];
    return op.kind === 'discard' ? [changeOf('discardDraft', op.draft)] : [];
  });

const isUnpublished = ({ type, status }: DeletedRows): boolean => type.draftAndPublish && status === 'published';

export const removalsOf = (plan: WritePlan): readonly Removal[] =>
  plan.flatMap((op) => {
    if (op.kind !== 'delete') return [];
    return [{ operation: isUnpublished(op.rows) ? 'unpublish' : 'delete', rows: op.rows }];
  });
