/**
 * @module Cached preconditions of creates: the targets of their relations. A create with the targets of an earlier one
 * reads nothing before its batch, which asserts that they are unchanged.
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
   * Returns a read of cached results. An entry serves one read, and `done` keeps it again after the write, so a retry
   * after a conflict reads the database.
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
