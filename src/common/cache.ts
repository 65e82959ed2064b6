/**
 * @module Caches of an isolate: the most recent entries, of a number or of a size, or values that are computed once.
 */

/** Computes the value of each key once. @param cache a `WeakMap` or `BoundedCache` unless keys are few */
export function memoized<V, K = void>(
  make: (key: K) => V,
  cache: { get(key: K): V | undefined; set(key: K, value: V): unknown } = new Map<K, V>(),
): (key: K) => V {
  return (key) => {
    let made = cache.get(key);
    if (made === undefined) {
      made = make(key);
      cache.set(key, made);
    }
    return made;
  };
}

/** The entries that were set last. */
export class BoundedCache<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;

  constructor(max = 1_000) {
    this.#max = max;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#max && oldest !== undefined) this.#entries.delete(oldest);
  }

  evict(key: K): void {
    this.#entries.delete(key);
  }
}

/** The entries that were used last, with so many bytes in all. */
export class SizedCache<V> {
  readonly #entries = new Map<string, { readonly value: V; readonly bytes: number }>();
  readonly #maxBytes: number;
  bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, bytes: number): void {
    this.evict(key);
    this.#entries.set(key, { value, bytes });
    this.bytes += bytes;
    for (const [oldest] of this.#entries) {
      if (this.bytes <= this.#maxBytes) break;
      this.evict(oldest);
    }
  }

  evict(key: string): void {
    this.bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
