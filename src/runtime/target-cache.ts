/**
 * @module Cached preconditions of creates: the targets of their relations. A create with the targets of an earlier one
 * reads nothing before its batch, which asserts that they are unchanged.
 */
import { BoundedCache } from '../common/cache.ts';
import type { Compiled } from '../sql/compiled.ts';
import type { Results } from '../sql/statement.ts';

const MAX_ENTRIES = 500;
/** Maximum characters of a query and its results. */
const MAX_SIZE = 8_000;

export class TargetCache {
  readonly #results = new BoundedCache<string, Results>(MAX_ENTRIES);

  /**
   * Runs work with a read of cached results, if there are any. Concurrent work shares them. A failure evicts them, so that
   * a retry after a conflict reads the database.
   * @param now of the request, in milliseconds since 1970
   */
  async through<T, R>(read: Compiled<T>, now: number, work: (read: Compiled<T>) => Promise<R>): Promise<R> {
    const queries = read.statements.map(({ sql, params }) => sql + JSON.stringify(params));
    // With the time of a condition each request would have a key of its own. The batch asserts what depends on it.
    const key = queries.join('\n').replaceAll(String(now), '$now');
    const cached = this.#results.get(key);
    // The cache drops what was kept longest ago.
    if (cached) this.#results.set(key, cached);
    let latest: Results | undefined;
    const decode = (results: Results): T => {
      latest = results;
      return read.decode(results);
    };
    try {
      const value = await work(
        cached ? { statements: [], decode: () => read.decode(cached) } : { statements: read.statements, decode },
      );
      if (latest && key.length + JSON.stringify(latest).length <= MAX_SIZE) this.#results.set(key, latest);
      return value;
    } catch (failure) {
      this.#results.evict(key);
      throw failure;
    }
  }
}
