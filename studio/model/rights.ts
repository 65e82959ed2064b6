/**
 * @module What the caller may do with a content type.
 */
import type { ContentType, Model } from './model.ts';

const WRITES: readonly string[] = ['create', 'update', 'delete', 'publish', 'unpublish', 'discardDraft'];

/** @param action `find`, `findOne`, `create`, `update`, `delete`, `readDrafts`, `publish`, `unpublish` or `discardDraft` */
export const mayDo = (model: Model, type: ContentType, action: string): boolean =>
  type.actions.has(action) && !(model.isReadOnly && WRITES.includes(action));

/** The version that lists and forms show: the draft where there are drafts that the caller may read. */
export const editedStatus = ({ hasDrafts, actions }: ContentType): 'draft' | 'published' =>
  hasDrafts && actions.has('readDrafts') ? 'draft' : 'published';
