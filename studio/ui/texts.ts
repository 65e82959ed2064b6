/**
 * @module Values as texts for readers, and for the controls of HTML.
 */
import { formatLocale, language, text } from '../texts/text.ts';

/** A point in time, in the time zone of the reader. @param time ISO time; nothing gives nothing */
export const timeText = (time: string | null | undefined): string =>
  time ? new Date(time).toLocaleString(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' }) : '';

/** A point in time to come, short: `Nov 30, 9:00 AM`. @param time ISO time */
export function momentText(time: string, now = new Date()): string {
  const date = new Date(time);
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  const clock = { hour: 'numeric', minute: '2-digit' } as const;
  return date.toLocaleString(formatLocale(), { month: 'short', day: 'numeric', ...year, ...clock });
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns the day of a point in time, in the time zone of the reader, as a number of days. */
const dayOf = (time: Date): number => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / DAY;

/** Returns a point in time as one speaks of it: `2 hours ago`, `yesterday`, `Nov 3`. @param time ISO time */
export function relativeText(time: string, now = new Date()): string {
  const date = new Date(time);
  const since = now.getTime() - date.getTime();
  const ago = (count: number, unit: Intl.RelativeTimeFormatUnit) =>
    new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(-count, unit);
  if (Math.abs(since) < MINUTE) return text('just now');
  if (Math.abs(since) < HOUR) return ago(Math.trunc(since / MINUTE), 'minute');
  if (Math.abs(since) < DAY) return ago(Math.trunc(since / HOUR), 'hour');
  const days = dayOf(now) - dayOf(date);
  if (Math.abs(days) < 7) return ago(days, 'day');
  const year = date.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return date.toLocaleDateString(formatLocale(), { month: 'short', day: 'numeric', ...year });
}

/** ISO time → the value of an input for local time; '' for what is no time. */
export function localTime(value: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return '';
  const milliseconds = time.toISOString().slice(19, 23).replace('.000', '');
  // The way of Swedes to write a time is that of ISO.
  return time.toLocaleString('sv').replace(' ', 'T') + milliseconds;
}
