/**
 * @module A value that follows another one after a pause.
 */
import { useEffect, useState } from 'react';

/** Milliseconds without a change until a text counts as typed. */
export const PAUSE = 350;

export function useDelayed<T>(value: T): T {
  const [late, setLate] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setLate(value), PAUSE);
    return () => window.clearTimeout(timer);
  }, [value]);
  return late;
}
