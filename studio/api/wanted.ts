/**
 * @module The screen that a person wanted before a sign-in that begins with a message: its link opens another tab.
 */
import { attempt } from './query-string.ts';

const KEY = 'studio.wanted';
/** Milliseconds after which the person wants something else. */
const AGE = 3_600_000;

/** @param path of the router, with its query */
export const rememberWanted = (path: string): void =>
  localStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() }));

export const forgetWanted = (): void => localStorage.removeItem(KEY);

/** Returns the path, or that of the overview. */
export function wanted(): string {
  const kept: { readonly path: string; readonly at: number } | null = attempt(
    () => JSON.parse(localStorage.getItem(KEY) ?? 'null'),
    null,
  );
  return kept && Date.now() - kept.at < AGE ? kept.path : '/';
}
