/**
 * @module What comes late: the result of a request that was sent before another screen or dialog was opened.
 */
import { useEffect, useRef } from 'react';

/**
 * Returns a function that calls the one of the last rendering, and nothing once the component has gone. It says whether the
 * component is there.
 */
export function useWhileHere<A extends readonly unknown[]>(act: (...args: A) => void): (...args: A) => boolean {
  const last = useRef<typeof act>(undefined);
  useEffect(() => {
    last.current = act;
    return () => {
      last.current = undefined;
    };
  });
  return (...args) => {
    last.current?.(...args);
    return last.current !== undefined;
  };
}
