/**
 * @module Where a version of a document is.
 */
import type { ContentType } from '../model/model.ts';

/** Where a version is: a document of a single type has no id in its path. */
export interface Place {
  readonly type: ContentType;
  readonly documentId: string | undefined;
  /** Undefined for types that are not localized. */
  readonly locale: string | undefined;
}

/** Whether the place is that of a document which is not there yet. */
export const isNewAt = ({ type, documentId }: Place): boolean =>
  type.kind === 'collectionType' && documentId === undefined;

/** Returns the path of the document in the API. */
export const pathOf = ({ type, documentId }: Place): string =>
  documentId === undefined ? type.path : `${type.path}/${encodeURIComponent(documentId)}`;
