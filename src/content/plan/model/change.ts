/**
 * @module What a write changes, as webhooks and code of a project get it.
 */
import type { Status } from '../../request/query-params.ts';
import type { DeletedRows, WrittenRow } from './write-plan.ts';

export type Operation = 'create' | 'update' | 'delete' | 'publish' | 'unpublish' | 'discardDraft';

/** A change of one version of a document, or of a file. */
export interface DocumentChange {
  readonly operation: Operation;
  readonly uid: string;
  readonly documentId: string;
  /** Null for types without locales. */
  readonly locale: string | null;
  /** Types without drafts have only published versions. */
  readonly version: Status;
}

/** Rows to delete; only the database knows which there are. */
export interface Removal {
  readonly operation: 'delete' | 'unpublish';
  readonly rows: DeletedRows;
}

/** Rows in the other locales that get the non-localized values of a row; only the database knows which there are. */
export interface SharedChange {
  readonly operation: 'update' | 'publish';
  readonly row: WrittenRow;
}

export function changeOf(operation: Operation, row: WrittenRow): DocumentChange {
  const { type, document, locale, status } = row;
  return {
    operation,
    uid: type.uid,
    documentId: document.documentId,
    locale: type.localized ? locale : null,
    version: status,
  };
}
