/**
 * @module Caches of an isolate: the most recent entries, or values that are computed once.
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
