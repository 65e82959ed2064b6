/**
 * @module Cached reads: the batch that checks the version stamps of a cached response also recomputes it if they have
 * changed, since each of its statements carries that condition in its LIMIT. So a cached response costs one round trip
 * that reads almost nothing, and is never stale.
 */

import type { Grants } from '../auth/grants.ts';
import { traced } from '../auth/permission-trace.ts';
import { guarded } from '../sql/accounts/credentials.ts';
import { type Compiled, mapped, together } from '../sql/compiled.ts';
import { filled } from '../sql/render.ts';
import { currentStamps, stampsMoved } from '../sql/stamps.ts';
import type { Results } from '../sql/statement.ts';
import { MAX_SQL } from '../sql/statement.ts';
import type { CachedPlan } from './caches.ts';
import type { Authorized, Call } from './call.ts';
import { withCredential } from './caller.ts';
import { digestOf, fingerprintOf } from './fingerprint.ts';

/** A response with status 200. */
export interface ReadResponse {
  /** JSON in UTF-8; absent if the caller already holds it. */
  readonly bytes?: Uint8Array;
  /**
   * `"digest.stamps"`, or `"digest.documentId.stamps"` for a document. The digest is that of the query and the
   * permission trace. Absent: the response has no `ETag`.
   */
  readonly etag?: string;
  /** Names of the stamps that it depends on. */
  readonly names: readonly string[];
  /** Was the response in the cache, or held by the caller? Otherwise it was recomputed. */
  readonly cached: boolean;
}

/** The keys of a read in the caches. */
export interface CacheKeys {
  /** Of its response: everything that it depends on except content and permissions, as path, query string, format. */
  readonly responseKey: string;
  /** Of its plan: the same without the documentId. */
  readonly planKey: string;
  /** Absent for a list. */
  readonly documentId?: string;
}

/** The work that computes a response. */
export interface ResponseWork {
  /** Names of the stamps that it depends on. */
  readonly names: readonly string[];
  /** Computes the body, for `ANY_DOCUMENT` if it reads one. Cached, so it must not reference the request. */
  readonly work: Compiled<unknown>;
}

/** Plans a response from the query and the grants alone. @throws ApiError if it rejects the query */
export type ResponsePlanner = (caller: Authorized) => ResponseWork;

const encoder = new TextEncoder();

function planned(call: Call, { planKey }: CacheKeys, plan: ResponsePlanner, rights: Grants): CachedPlan {
  // HEAD computes less, and has the same tag.
  const key = call.bodiless ? `HEAD ${planKey}` : planKey;
  const cached = call.caches.plans.find(key, rights);
  if (cached) return cached;
  const { grants, trace } = traced(rights);
  const work = plan({ grants });
  const answers = trace();
  const digest = digestOf(fingerprintOf(call), planKey, answers);
  const made = { ...work, current: currentStamps(work.names), answers, digest };
  call.caches.plans.keep(key, made, rights);
  return made;
}

/** Returns the prefix of the tags of all responses to a query with the same permission trace. */
const tagPrefix = ({ documentId }: CacheKeys, { digest }: CachedPlan): string =>
  documentId === undefined ? `"${digest}.` : `"${digest}.${encodeURIComponent(documentId)}.`;

/** Returns the stamps of the response that the caller holds; other queries have other prefixes. */
const heldStamps = ({ held }: Call, prefix: string): string | undefined =>
  held.find((tag) => tag.startsWith(prefix))?.slice(prefix.length, -1);

interface Made {
  readonly stamps: string | undefined;
  /** Absent if the stamps match those of a cached response. */
  readonly bytes?: Uint8Array;
}

/**
 * Compiles the read of a response. If the current stamps match, it reads only them, unless the statements leave no room
 * for the condition.
 * @param still the stamps of the responses that are cached here or held by the caller.
 */
function making(
  { names, current, work }: CachedPlan,
  { documentId }: CacheKeys,
  still: readonly string[],
): Compiled<Made> {
  const all = documentId === undefined ? work.statements : work.statements.map((each) => filled(each, { documentId }));
  const hasRoom = still.length > 0 && all.every(({ sql }) => sql.length <= MAX_SQL);
  const moved = hasRoom ? stampsMoved(names, still) : undefined;
  const statements = moved ? all.map((statement) => guarded(statement, moved)) : all;
  const later = { statements, decode: (results: Results) => () => work.decode(results) };
  return mapped(together<[string | undefined, () => unknown]>([current, later]), ([stamps, body]) =>
    stamps !== undefined && still.includes(stamps)
      ? { stamps }
      : { stamps, bytes: encoder.encode(JSON.stringify(body())) },
  );
}

/**
 * Returns the cached response if its stamps still match, or recomputes it.
 * @throws ApiError 401 for an invalid credential; otherwise the error of `plan`.
 */
export const readResponse = (call: Call, keys: CacheKeys, plan: ResponsePlanner): Promise<ReadResponse> =>
  withCredential(call, {}, async (caller) => {
    const { grants } = caller;
    const work = planned(call, keys, plan, grants);
    const { names, answers } = work;
    const prefix = tagPrefix(keys, work);
    const found = call.caches.responses.find(keys.responseKey, grants);
    const still = [found?.stamps, heldStamps(call, prefix)].filter((stamps) => stamps !== undefined);
    const { bytes, stamps } = await caller.read(making(work, keys, still));
    const etag = `${prefix}${stamps}"`;
    if (!bytes && found && found.stamps === stamps) return { bytes: found.bytes, etag, names, cached: true };
    if (!bytes) return { etag, names, cached: true };
    // The body for HEAD is not the response to GET.
    if (stamps === undefined || call.bodiless) return { bytes, names, cached: false };
    call.caches.responses.keep(keys.responseKey, { bytes, stamps, answers }, grants);
    return { bytes, etag, names, cached: false };
  });
