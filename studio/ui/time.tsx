/**
 * @module A point in time as one speaks of it.
 */
import { relativeText, timeText } from './texts.ts';

/** `2 hours ago`, with date and time when the pointer rests. */
export const Time = ({ of }: { readonly of: string | null | undefined }) =>
  of ? (
    <time dateTime={of} title={timeText(of)}>
      {relativeText(of)}
    </time>
  ) : null;
