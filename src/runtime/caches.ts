/**
 * @module The caches of an isolate: plans, responses, targets of creates, times of logged advice. All but the last are
 * bounded in bytes; the least recently used query is evicted first.
 */
import type { Grants } from '../auth/grants.ts';
import { agree, type PermissionTrace } from '../auth/permission-trace.ts';
import { BoundedCache } from '../common/cache.ts';
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
  readonly #limits: CacheLimits;
  readonly #sizeOf: (key: string, value: T) => number;
  /** The least recently used query comes first. */
  readonly #entries = new Map<string, readonly T[]>();
  /** Estimated bytes of all entries. */
  bytes = 0;

  constructor(limits: CacheLimits, sizeOf: (key: string, value: T) => number) {
    this.#limits = limits;
    this.#sizeOf = sizeOf;
  }

  /** Returns the value that was cached for the same permission trace. */
  find(key: string, grants: Grants): T | undefined {
    const entries = this.#entries.get(key);
    if (!entries) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entries);
    return entries.find(({ trace }) => agree(grants, trace));
  }

  /** Replaces the value for the same permission trace. Caches no value that is too large. */
  keep(key: string, value: T, grants: Grants): void {
    const before = this.#entries.get(key) ?? [];
    const others = before.filter(({ trace }) => !agree(grants, trace)).slice(1 - MAX_VARIANTS);
    const size = this.#sizeOf(key, value);
    const fits = size <= this.#limits.answerBytes;
    this.#evict(key);
    if (fits || others.length > 0) this.#entries.set(key, fits ? [...others, value] : others);
    for (const other of others) this.bytes += this.#sizeOf(key, other);
    if (fits) this.bytes += size;
    for (const [oldest] of this.#entries) {
      if (this.bytes <= this.#limits.totalBytes) break;
      this.#evict(oldest);
    }
  }

  #evict(key: string): void {
    for (const entry of this.#entries.get(key) ?? []) this.bytes -= this.#sizeOf(key, entry);
    this.#entries.delete(key);
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
