/**
 * @module Milliseconds since 1970 → ISO text, as `Date.prototype.toISOString` writes it and five times as fast: a list
 * shows two or three of them a row, mostly of the same days, and a row that is populated is shown again and again.
 *
 * Joined, since a text that is added up stays in pieces, and `JSON.stringify` takes twice the time over an answer that
 * has one of those (https://v8.dev/blog/json-stringify).
 */
import { Memory } from '../memory.ts';

const DAY = 86_400_000;
/** https://tc39.es/ecma262/#sec-time-values-and-time-range */
const LAST = 8.64e15;

/** `2026-01-31T`, by the number of the day. */
const dates = new Memory<number, string>();
/** `23:59:`, by the minute of the day; `.999Z`, by the millisecond. Each is made when it is first asked for. */
const minutes = new Array<string | undefined>(1440);
const milliseconds = new Array<string | undefined>(1000);
const seconds = Array.from({ length: 60 }, (_, second) => digits(second, 2));

/** The latest time of each slot, and its text. */
const SLOT_BITS = 12;
const times = new Float64Array(2 ** SLOT_BITS).fill(Number.NaN);
const texts = new Array<string>(2 ** SLOT_BITS).fill('');

/** By multiplication with what is the golden ratio to 2³²: times that are whole seconds apart are spread too. */
const slotOf = (number: number): number => Math.imul(number, 0x9e3779b1) >>> (32 - SLOT_BITS);

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}

const minuteOf = (minute: number): string => `${digits(Math.floor(minute / 60), 2)}:${digits(minute % 60, 2)}:`;

function dateOf(day: number): string {
  const known = dates.get(day);
  if (known !== undefined) return known;
  const [date] = new Date(day * DAY).toISOString().split('T');
  dates.keep(day, `${date}T`);
  return `${date}T`;
}

/** @param rest milliseconds since the day began */
function textOf(day: number, rest: number): string {
  const minute = Math.floor(rest / 60_000);
  const millisecond = rest % 1000;
  minutes[minute] ??= minuteOf(minute);
  milliseconds[millisecond] ??= `.${digits(millisecond, 3)}Z`;
  return [dateOf(day), minutes[minute], seconds[Math.floor(rest / 1000) % 60], milliseconds[millisecond]].join('');
}

/** @throws RangeError for what no Date holds. */
export function isoTime(time: number): string {
  if (!Number.isInteger(time) || Math.abs(time) > LAST) return new Date(time).toISOString();
  const day = Math.floor(time / DAY);
  const rest = time - day * DAY;
  const slot = slotOf(rest + day);
  if (times[slot] !== time) {
    texts[slot] = textOf(day, rest);
    times[slot] = time;
  }
  return texts[slot] as string;
}
