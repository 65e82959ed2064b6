/**
 * @module A point in time for readers, in their time zone.
 */

/** @param time ISO time; nothing gives nothing */
export const timeText = (time: string | null | undefined): string =>
  time ? new Date(time).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }) : '';
