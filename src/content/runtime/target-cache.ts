/**
 * @module Cached preconditions of creates: the targets of their relations. A create with the targets of an earlier one
 * reads nothing before its batch, which asserts that they are unchanged. Bounded in bytes; the least recently
 * used are evicted first.
 */
import { SizedCache } from '../../common/cache.ts';
import type { Compiled } from '../sql/compiled.ts';
import type { Results } from '../sql/statement.ts';

/** Maximum characters of a query and its results. */
const MAX_SIZE = 8_000;
/** Bytes of a character, and of an entry without its texts. */
const [CHARACTER, OVERHEAD] = [2, 1_000];

export class TargetCache extends SizedCache<Results> {
  /**
   * Runs work with a read of cached results, if there are any. Concurrent work shares them. A failure evicts them, so that
   * a retry after a conflict reads the database.
   * @param now of the request, in milliseconds since 1970
   */
  async through<T, R>(read: Compiled<T>, now: number, work: (read: Compiled<T>) => Promise<R>): Promise<R> {
    const queries = read.statements.map(({ sql, params }) => sql + JSON.stringify(params));
    // With the time of a condition each request would have a key of its own. The batch asserts what depends on it.
    const forms = [String(now), new Date(now).toISOString()];
    const key = forms.reduce((text, form) => text.replaceAll(form, '$now'), queries.join('\n'));
    const cached = this.get(key);
    let latest: Results | undefined;
    const decode = (results: Results): T => {
      latest = results;
      return read.decode(results);
    };
    try {
      const value = await work(
        cached ? { statements: [], decode: () => read.decode(cached) } : { statements: read.statements, decode },
      );
      const size = latest ? key.length + JSON.stringify(latest).length : 0;
      if (latest && size <= MAX_SIZE) this.set(key, latest, CHARACTER * size + OVERHEAD);
      return value;
    } catch (failure) {
      this.evict(key);
      throw failure;
    }
  }
}
