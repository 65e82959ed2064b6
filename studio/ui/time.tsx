/**
 * @module A point in time as one speaks of it.
 */
import { attempt } from '../api/query-string.ts';
import { createStore } from '../api/session.ts';
import { relativeText, timeText } from './texts.ts';

/** All times are drawn again each minute, and when the tab is seen again. */
const now = createStore(Date.now());
const tick = () => now.set(Date.now());
setInterval(tick, 60_000);
document.addEventListener('visibilitychange', tick);

const KEY = 'studio.times';
const exact = createStore(attempt(() => localStorage.getItem(KEY) === 'exact', false));

/** Whether all times are shown with date and hour. */
export const useExactTimes = exact.use;

/** Keeps the choice of the reader in this browser. */
export function showExactTimes(isOn: boolean): void {
  localStorage.setItem(KEY, isOn ? 'exact' : '');
  exact.set(isOn);
}

/** `2 hours ago`, with date and time when the pointer rests; or these at once. */
export function Time({ of }: { readonly of: string | null | undefined }) {
  now.use();
  const isExact = useExactTimes();
  return of ? (
    <time dateTime={of} title={timeText(of)}>
      {isExact ? timeText(of) : relativeText(of)}
    </time>
  ) : null;
}
