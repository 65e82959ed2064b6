/**
 * @module Empties the caches of `src/`, whose modules stay when the next test file begins. Evaluated once for each Worker.
 */
import { BoundedCache } from '../../src/common/cache.ts';

const { set } = BoundedCache.prototype;
let undo: (() => void)[] = [];

BoundedCache.prototype.set = function (key, value) {
  undo.push(() => this.evict(key));
  set.call(this, key, value);
};

/** Evicts what was cached since the last call. */
export function emptyCaches(): void {
  for (const evict of undo) evict();
  undo = [];
}
