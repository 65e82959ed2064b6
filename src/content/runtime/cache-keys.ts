/**
 * @module The keys of a read in the caches. Its `ETag` starts with a digest of the plan's key (`cached-plan.ts`).
 */
import { knownDocumentId } from '../../schema/document-ref.ts';
import type { ContentCall, DocumentCall, LookupCall } from './content-call.ts';

export interface CacheKeys {
  /** Everything that the response depends on except content and permissions: path, query string, format. */
  readonly responseKey: string;
  /** The same without what the path names, for the plan. */
  readonly planKey: string;
  /** A documentId, or a unique value. Null for lists and single types. */
  readonly named: string | number | null;
  /** Has the response source maps? */
  readonly isMapped?: boolean | undefined;
}

const keysFor = (
  { format, pathname, search, type }: ContentCall,
  shape: 'list' | 'document' | `by ${string}`,
  named: CacheKeys['named'],
): CacheKeys => ({
  responseKey: `${format} ${pathname}${search}`,
  planKey: `${format} ${type.uid} ${shape} ${search}`,
  named,
  ...(format === 'v5-mapped' && { isMapped: true }),
});

export const listKeys = (call: ContentCall): CacheKeys => keysFor(call, 'list', null);

export const documentKeys = (call: DocumentCall): CacheKeys =>
  keysFor(call, 'document', knownDocumentId(call.document));

/** What no document can have has a plan that is always rejected. */
export const lookupKeys = (call: LookupCall): CacheKeys =>
  keysFor(call, `by ${call.lookup?.attribute.name ?? ''}`, call.lookup?.value ?? null);
