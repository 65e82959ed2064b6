/**
 * @module What the isolate remembers: the most recent things, so that memory stays small.
 */

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
