/**
 * @module The keys of a read in the caches. Its `ETag` starts with a digest of the plan's key (`cached-plan.ts`).
 */
import type { ContentCall } from './content-call.ts';

export interface CacheKeys {
  /** Everything that the response depends on except content and permissions: path, query string, format. */
  readonly responseKey: string;
  /** The same without the documentId, for the plan. */
  readonly planKey: string;
  /** Absent for a list. */
  readonly documentId?: string;
  /** Has the response source maps? */
  readonly isMapped?: boolean | undefined;
}

export const cacheKeysOf = ({ format, pathname, search, type, documentId }: ContentCall): CacheKeys => ({
  responseKey: `${format} ${pathname}${search}`,
  planKey: `${format} ${type.uid} ${documentId === undefined ? 'list' : 'document'} ${search}`,
  ...(documentId !== undefined && { documentId }),
  ...(format === 'v5-mapped' && { isMapped: true }),
});
