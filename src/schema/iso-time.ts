/**
 * @module Milliseconds since 1970 → ISO text, as `Date.prototype.toISOString` returns it, several times as fast: a list
 * shows two or three times per row, mostly of the same days, and populated rows repeat them.
 */
import { BoundedCache, memoized } from '../common/cache.ts';

const DAY = 86_400_000;
/** https://tc39.es/ecma262/#sec-time-values-and-time-range */
const MAX_TIME = 8.64e15;

/** The latest time of each slot, and its text. */
const SLOT_BITS = 12;
const times = new Float64Array(2 ** SLOT_BITS).fill(Number.NaN);
const texts = new Array<string>(2 ** SLOT_BITS).fill('');

/** Fibonacci hashing, which spreads times that are whole seconds apart. */
const slotOf = (number: number): number => Math.imul(number, 0x9e3779b1) >>> (32 - SLOT_BITS);

const digitsOf = (count: number) => memoized((value: number) => String(value).padStart(count, '0'));
const twoDigits = digitsOf(2);
const threeDigits = digitsOf(3);

/** `2026-01-31T`, by the number of the day. */
const dateOf = memoized(
  (day: number) => new Date(day * DAY).toISOString().replace(/T.*/, 'T'),
  new BoundedCache<number, string>(),
);

/** Joins: `JSON.stringify` takes twice as long with concatenated texts (https://v8.dev/blog/json-stringify). */
function textOf(day: number, rest: number): string {
  const [hour, minute, second] = [3_600_000, 60_000, 1000].map((unit) => twoDigits(Math.floor(rest / unit) % 60));
  return [dateOf(day), hour, ':', minute, ':', second, '.', threeDigits(rest % 1000), 'Z'].join('');
}

/** @throws RangeError for a number that is no time. */
export function isoTime(time: number): string {
  if (!Number.isInteger(time) || Math.abs(time) > MAX_TIME) return new Date(time).toISOString();
  const day = Math.floor(time / DAY);
  const rest = time - day * DAY;
  const slot = slotOf(rest + day);
  if (times[slot] !== time) {
    texts[slot] = textOf(day, rest);
    times[slot] = time;
  }
  return texts[slot] as string;
}
