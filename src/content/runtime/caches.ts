/**
 * @module The caches of an isolate: plans, responses, targets of creates, times of logged advice. All but the last are
 * bounded in bytes; the least recently used query is evicted first.
 */
import type { Grants } from '../../access/grants.ts';
import { agree, type PermissionTrace } from '../../access/permission-trace.ts';
import { BoundedCache, SizedCache } from '../../common/cache.ts';
import type { ResponseWork } from './response-work.ts';
import { TargetCache } from './target-cache.ts';

/** A cached value is reusable by every caller with the same permission trace. */
interface ForPermissions {
  readonly trace: PermissionTrace;
}

export interface CachedPlan extends ForPermissions, ResponseWork {
  /** Digest of the query and the permission trace. */
  readonly digest: string;
  /** Does a condition depend on the time of each request? */
  readonly isTimed: boolean;
}

/** A cached response, valid while its stamps match. */
export interface CachedResponse extends ForPermissions {
  readonly bytes: Uint8Array;
  /** The text of the stamps when it was computed. */
  readonly stamps: string;
  readonly revision?: string | undefined;
  /** The window of time of its signed addresses; absent without any. */
  readonly window?: number | undefined;
  /** The second in which it was computed, if a condition depends on the time; absent otherwise. */
  readonly second?: number | undefined;
  /** Of the body, where the caller's rules hide documents. */
  readonly bodyHash?: string | undefined;
}

/** Maximum values for one query, each for a permission trace. */
const MAX_VARIANTS = 8;

/** Maximum bytes of all values, and of one. */
export interface CacheLimits {
  readonly totalBytes: number;
  readonly answerBytes: number;
}

export class PermissionCache<T extends ForPermissions> {
  readonly #maxBytes: number;
  readonly #sizeOf: (key: string, value: T) => number;
  readonly #variants: SizedCache<readonly T[]>;

  constructor({ totalBytes, answerBytes }: CacheLimits, sizeOf: (key: string, value: T) => number) {
    this.#maxBytes = answerBytes;
    this.#sizeOf = sizeOf;
    this.#variants = new SizedCache(totalBytes);
  }

  /** Estimated, of all values. */
  get bytes(): number {
    return this.#variants.bytes;
  }

  /** Returns the value that was cached for the same permission trace. */
  find(key: string, grants: Grants): T | undefined {
    return this.#variants.get(key)?.find(({ trace }) => agree(grants, trace));
  }

  /** Replaces the value for the same permission trace. Caches no value that is too large. */
  keep(key: string, value: T, grants: Grants): void {
    const before = this.#variants.get(key) ?? [];
    const others = before.filter(({ trace }) => !agree(grants, trace)).slice(1 - MAX_VARIANTS);
    const kept = this.#sizeOf(key, value) <= this.#maxBytes ? [...others, value] : others;
    const bytes = kept.reduce((sum, each) => sum + this.#sizeOf(key, each), 0);
    if (kept.length > 0) this.#variants.set(key, kept, bytes);
    else this.#variants.evict(key);
  }
}

/** Bytes of an entry without its texts. */
const OVERHEAD = 1_000;
/** Bytes of a parameter that is not a text. */
const NUMBER = 8;

/** Estimates the bytes of a plan from its statements. */
function sizeOfPlan(key: string, { work }: CachedPlan): number {
  let size = key.length;
  for (const { sql, params } of work.statements) {
    size += sql.length;
    for (const param of params) size += typeof param === 'string' ? param.length : NUMBER;
  }
  return 4 * size + OVERHEAD;
}

const sizeOfResponse = (key: string, { bytes, stamps }: CachedResponse): number =>
  bytes.length + key.length + stamps.length + OVERHEAD;

export interface Caches {
  readonly plans: PermissionCache<CachedPlan>;
  readonly responses: PermissionCache<CachedResponse>;
  /** The time when each advice was last logged, in milliseconds since 1970. */
  readonly advised: BoundedCache<string, number>;
  readonly targets: TargetCache;
}

export function createCaches({ totalBytes, answerBytes }: CacheLimits): Caches {
  const forPlans = Math.floor(totalBytes / 4);
  const forTargets = Math.floor(totalBytes / 16);
  return {
    plans: new PermissionCache({ totalBytes: forPlans, answerBytes }, sizeOfPlan),
    responses: new PermissionCache({ totalBytes: totalBytes - forPlans - forTargets, answerBytes }, sizeOfResponse),
    advised: new BoundedCache(),
    targets: new TargetCache(forTargets),
  };
}
