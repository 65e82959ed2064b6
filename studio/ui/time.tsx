/**
 * @module A point in time as one speaks of it.
 */
import { createStore } from '../api/session.ts';
import { relativeText, timeText } from './texts.ts';

/** All times are drawn again each minute, and when the tab is seen again. */
const now = createStore(Date.now());
const tick = () => now.set(Date.now());
setInterval(tick, 60_000);
document.addEventListener('visibilitychange', tick);

/** `2 hours ago`, with date and time when the pointer rests. */
export function Time({ of }: { readonly of: string | null | undefined }) {
  now.use();
  return of ? (
    <time dateTime={of} title={timeText(of)}>
      {relativeText(of)}
    </time>
  ) : null;
}
