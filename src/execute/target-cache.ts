/**
 * @module Cached preconditions of creates: the targets of their relations. A create that links to the targets of an
 * earlier one reads nothing beforehand; its batch asserts that the targets are as they were.
 */
import { BoundedCache } from '../cache.ts';
import type { Compiled } from '../sql/compiled.ts';
import type { Results } from '../sql/statement.ts';

const MAX_ENTRIES = 500;
/** Maximum characters of a query and its results. */
const MAX_SIZE = 8_000;

export class TargetCache {
  readonly #results = new BoundedCache<string, Results>(MAX_ENTRIES);

  /**
   * Returns a read that takes cached results in place of a round trip. An entry serves one read at a time and is kept
   * again by `done`, so a write that conflicts reads the database when it is retried.
   */
  through<T>(read: Compiled<T>): { readonly read: Compiled<T>; done(): void } {
    const key = read.statements.map(({ sql, params }) => sql + JSON.stringify(params)).join('\n');
    const cached = this.#results.get(key);
    this.#results.evict(key);
    let latest = cached;
    const decode = (results: Results): T => {
      latest = results;
      return read.decode(results);
    };
    return {
      read: cached ? { statements: [], decode: () => read.decode(cached) } : { statements: read.statements, decode },
      done: () => {
        if (latest && key.length + JSON.stringify(latest).length <= MAX_SIZE) this.#results.keep(key, latest);
      },
    };
  }
}
