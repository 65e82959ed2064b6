/**
 * @module What an isolate keeps in memory: the most recent entries, or values that are computed once.
 */

/**
 * Returns a function that computes the value of each key once; without a key, one value.
 * @param cache a `WeakMap` for keys that may be collected; else keys must be few, since none is evicted
 */
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

export class Memory<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #most: number;

  /** @param most so many of them. */
  constructor(most = 1_000) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  keep(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
  }

  forget(key: K): void {
    this.#entries.delete(key);
  }
}
