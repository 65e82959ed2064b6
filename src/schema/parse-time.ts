/**
 * @module Dates and times in requests → their stored form: texts, and milliseconds since 1970.
 */
import { invalid } from '../common/errors.ts';

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])/;
const TIME = /^((?:2[0-3]|[01]\d):[0-5]\d:[0-5]\d)(?:\.(\d{1,3}))?$/;
/** A day, month, year, day of a year (`2026-045`) or century (`20`) of ISO 8601. */
const DAY = /^(?:(\d{2}|[+-]\d{4})|(\d{4}|[+-]\d{6})-?(?:(\d{3})|(\d{2})(?:-?(\d{2}))?)?)(?=$|[TZ ])/;
/** The last of hours, minutes and seconds may have a fraction. */
const CLOCK = /^(?:[T ](?:(\d{2})(?::?(\d{2})(?::?(\d{2}))?)?(?:[.,](\d*))?)?)?(?:Z|([+-])(\d{2})(?::?([0-5]\d))?)?$/;

/** Returns the day of a date or ISO date-time text. @throws ApiError for another value */
export function parseDate(value: unknown): string {
  const day = typeof value === 'string' ? DATE.exec(value)?.[0] : undefined;
  if (day === undefined) throw invalid('Invalid format, expected yyyy-MM-dd');
  const time = Date.parse(day);
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) throw invalid('Invalid date');
  return day;
}

/** Returns a time of day with three digits of its fraction. @throws ApiError for another value */
export function parseTime(value: unknown): string {
  if (typeof value !== 'string') throw invalid(`Expected a string, got a ${typeof value}`);
  const [, seconds, fraction = ''] = TIME.exec(value) ?? [];
  if (seconds === undefined) throw invalid('Invalid time format, expected HH:mm:ss.SSS');
  return `${seconds}.${fraction.padEnd(3, '0')}`;
}

/** Returns the milliseconds from 1970 to the day of an ISO text; NaN if there is no such day. */
function midnight([, century, year, dayOfYear, month = '01', day = '01']: readonly (string | undefined)[]): number {
  const whole = century === undefined ? Number(year) : Number(century) * 100;
  const date = new Date(0);
  date.setUTCFullYear(whole, Number(month) - 1, Number(dayOfYear ?? day));
  const isSameMonth = dayOfYear !== undefined || date.getUTCMonth() + 1 === Number(month);
  return date.getUTCFullYear() === whole && isSameMonth ? date.getTime() : Number.NaN;
}

/** Returns milliseconds since midnight, in UTC without an offset. */
function sinceMidnight(parts: readonly (string | undefined)[]): number {
  const [, hour = '00', minute, second, fraction = '', sign, hours = '0', minutes = '0'] = parts;
  const unit = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000;
  const rest = Math.floor((Number(fraction.slice(0, 6).padEnd(6, '0')) * unit) / 1e6);
  // 24:00 is the end of the day.
  if (hour === '24' && rest > 0) return Number.NaN;
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  return Date.parse(`1970-01-01T${hour}:${minute ?? '00'}:${second ?? '00'}Z`) + rest - offset;
}

/** Returns NaN for other texts. */
function isoMilliseconds(text: string): number {
  const date = DAY.exec(text);
  const clock = date && CLOCK.exec(text.slice(date[0].length));
  return date && clock ? midnight(date) + sinceMidnight(clock) : Number.NaN;
}

/** Returns the milliseconds since 1970 of an ISO text or of a text of milliseconds, else NaN. */
export function milliseconds(text: string): number {
  const time = isoMilliseconds(text);
  return Number.isNaN(time) && /^-?\d+$/.test(text) ? Number(text) : time;
}
