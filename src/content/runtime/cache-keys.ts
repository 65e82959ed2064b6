/**
 * @module The keys of a read in the caches. Its `ETag` starts with a digest of the plan's key (`cached-plan.ts`).
 */
import { knownDocumentId } from '../../schema/document-ref.ts';
import type { ContentCall, DocumentCall } from './content-call.ts';

export interface CacheKeys {
  /** Everything that the response depends on except content and permissions: path, query string, format. */
  readonly responseKey: string;
  /** The same without the documentId, for the plan. */
  readonly planKey: string;
  /** Null for lists and single types. */
  readonly documentId: string | null;
  /** Has the response source maps? */
  readonly isMapped?: boolean | undefined;
}

const keysFor = (
  { format, pathname, search, type }: ContentCall,
  shape: 'list' | 'document',
  documentId: string | null,
): CacheKeys => ({
  responseKey: `${format} ${pathname}${search}`,
  planKey: `${format} ${type.uid} ${shape} ${search}`,
  documentId,
  ...(format === 'v5-mapped' && { isMapped: true }),
});

export const listKeys = (call: ContentCall): CacheKeys => keysFor(call, 'list', null);

export const documentKeys = (call: DocumentCall): CacheKeys =>
  keysFor(call, 'document', knownDocumentId(call.document));
