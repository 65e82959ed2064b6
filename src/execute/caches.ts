/**
 * @module The caches of an isolate: plans, responses, the times of logged advice, and the targets of creates. Plans and responses are
 * bounded in bytes, advice in number; the least recently used entry is evicted first.
 */

import type { Grants } from '../auth/grants.ts';
import { agree, type PermissionTrace } from '../auth/permission-trace.ts';
import { BoundedCache } from '../cache.ts';
import type { Compiled } from '../sql/compiled.ts';
import { TargetCache } from './target-cache.ts';

/** A cached value that is reusable by every caller with the same permission trace. */
interface ForPermissions {
  /** The permission trace: the action ids that planning queried, with the results. */
  readonly answers: PermissionTrace;
}

/** A cached plan; documents share it. */
export interface CachedPlan extends ForPermissions {
  /** Names of the version stamps that its responses depend on. */
  readonly names: readonly string[];
  /** Reads the current text of these stamps. */
  readonly current: Compiled<string | undefined>;
  readonly work: Compiled<unknown>;
  /** Digest of the query and the permission trace. */
  readonly digest: string;
}

/** A cached response, valid while its stamps match. */
export interface CachedResponse extends ForPermissions {
  readonly bytes: Uint8Array;
  /** The text of the stamps when it was computed. */
  readonly stamps: string;
}

interface Entry<T> {
  readonly value: T;
  readonly size: number;
}

/** Maximum number of values for one query, for callers with different permission traces. */
const MAX_VARIANTS = 8;

const sizeOfAll = (entries: readonly Entry<unknown>[]): number => entries.reduce((all, { size }) => all + size, 0);

/** Maximum bytes of all values, and of one. */
export interface CacheLimits {
  readonly totalBytes: number;
  readonly answerBytes: number;
}

export class PermissionCache<T extends ForPermissions> {
  readonly #limits: CacheLimits;
  readonly #sizeOf: (key: string, value: T) => number;
  /** The least recently used query comes first. */
  readonly #entries = new Map<string, readonly Entry<T>[]>();
  #bytes = 0;

  constructor(limits: CacheLimits, sizeOf: (key: string, value: T) => number) {
    this.#limits = limits;
    this.#sizeOf = sizeOf;
  }

  /** Estimated bytes of all entries. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the value that was cached for the same permission trace. */
  find(key: string, grants: Grants): T | undefined {
    const entries = this.#entries.get(key);
    if (!entries) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entries);
    return entries.find(({ value }) => agree(grants, value.answers))?.value;
  }

  /** Caches a value, in place of that for the same permission trace. Does not cache a value that is too large. */
  keep(key: string, value: T, grants: Grants): void {
    const before = this.#entries.get(key) ?? [];
    const others = before.filter((entry) => !agree(grants, entry.value.answers)).slice(1 - MAX_VARIANTS);
    const size = this.#sizeOf(key, value);
    const entries = size <= this.#limits.answerBytes ? [...others, { value, size }] : others;
    this.#evict(key);
    if (entries.length > 0) this.#entries.set(key, entries);
    this.#bytes += sizeOfAll(entries);
    for (const [oldest] of this.#entries) {
      if (this.#bytes <= this.#limits.totalBytes) break;
      this.#evict(oldest);
    }
  }

  #evict(key: string): void {
    const entries = this.#entries.get(key) ?? [];
    this.#entries.delete(key);
    this.#bytes -= sizeOfAll(entries);
  }
}

/** Bytes of an entry without its texts. */
const OVERHEAD = 1_000;
/** Bytes of a parameter that is not a text. */
const NUMBER = 8;
/** Plans take one part in this many of the cached bytes. */
const PLANS_SHARE = 4;

const weightOf = (param: unknown): number => (typeof param === 'string' ? param.length : NUMBER);

/** Estimates the bytes of a plan from its statements. */
function sizeOfPlan(key: string, { work }: CachedPlan): number {
  let size = key.length;
  for (const { sql, params } of work.statements) {
    size += sql.length;
    for (const param of params) size += weightOf(param);
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
  const forPlans = Math.floor(totalBytes / PLANS_SHARE);
  return {
    plans: new PermissionCache({ totalBytes: forPlans, answerBytes }, sizeOfPlan),
    responses: new PermissionCache({ totalBytes: totalBytes - forPlans, answerBytes }, sizeOfResponse),
    advised: new BoundedCache(),
    targets: new TargetCache(),
  };
}
