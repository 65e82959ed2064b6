/**
 * @module A value that components follow.
 */
import { useSyncExternalStore } from 'react';

export function createStore<T>(initial: T) {
  const listeners = new Set<() => void>();
  let current = initial;
  const get = (): T => current;
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get,
    set(next: T): void {
      current = next;
      for (const listener of listeners) listener();
    },
    use: (): T => useSyncExternalStore(subscribe, get),
  };
}
