/**
 * @module Which document a request or a statement is about. No value of it means every document of a type.
 */
import type { ContentType } from './model.ts';

export interface NamedDocument {
  readonly kind: 'named';
  readonly documentId: string;
}

export type DocumentRef = NamedDocument | { readonly kind: 'single' };

/** The document of a single type. @throws Error for a collection type, whose rows are those of many documents */
export function single({ uid, kind }: ContentType): DocumentRef {
  if (kind !== 'singleType') throw new Error(`${uid} is no single type: which of its documents?`);
  return { kind: 'single' };
}

export const namedDocument = (documentId: string): NamedDocument => ({ kind: 'named', documentId });

/** Returns the documentId; null for the document of a single type, which the database knows. */
export const knownDocumentId = (document: DocumentRef): string | null =>
  document.kind === 'named' ? document.documentId : null;
