/**
 * @module What the isolate remembers of callers: the most recent ones, so that memory stays small.
 */
const MOST = 1_000;

export class Memory<K, V> {
  readonly #entries = new Map<K, V>();

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  keep(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MOST && oldest !== undefined) this.#entries.delete(oldest);
  }

  forget(key: K): void {
    this.#entries.delete(key);
  }
}
