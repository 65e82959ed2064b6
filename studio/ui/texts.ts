/**
 * @module Values as texts for readers, and for the controls of HTML.
 */
import { formatLocale } from '../texts/text.ts';

/** A point in time, in the time zone of the reader. @param time ISO time; nothing gives nothing */
export const timeText = (time: string | null | undefined): string =>
  time ? new Date(time).toLocaleString(formatLocale(), { dateStyle: 'medium', timeStyle: 'short' }) : '';

/** ISO time → the value of an input for local time; '' for what is no time. */
export function localTime(value: string): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return '';
  const milliseconds = time.toISOString().slice(19, 23).replace('.000', '');
  // The way of Swedes to write a time is that of ISO.
  return time.toLocaleString('sv').replace(' ', 'T') + milliseconds;
}
