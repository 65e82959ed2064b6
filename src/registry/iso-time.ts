/**
 * @module Milliseconds since 1970 → ISO text, as `Date.prototype.toISOString` writes it and more than twice as fast: a
 * list shows two or three of them a row.
 */

const DAY = 86_400_000;
/** The years of four digits, which need no sign. */
const FIRST = Date.UTC(1000, 0, 1);
const BEHIND = Date.UTC(10_000, 0, 1);
const DAYS_OF_400_YEARS = 146_097;
/** Days from 0000-03-01, where leap days come last in their year, to 1970-01-01. */
const DAYS_TO_1970 = 719_468;

const two = (value: number): string => (value < 10 ? `0${value}` : `${value}`);
const three = (value: number): string => (value < 100 ? `0${two(value)}` : `${value}`);

/** https://howardhinnant.github.io/date_algorithms.html#civil_from_days, for days after 0000-03-01 */
function dateOf(day: number): string {
  const days = day + DAYS_TO_1970;
  const era = Math.floor(days / DAYS_OF_400_YEARS);
  const dayOfEra = days % DAYS_OF_400_YEARS;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  const year = era * 400 + yearOfEra + Number(month <= 2);
  return `${year}-${two(month)}-${two(dayOfMonth)}`;
}

/** @throws RangeError for what no Date holds. */
export function isoTime(time: number): string {
  if (!(Number.isInteger(time) && time >= FIRST && time < BEHIND)) return new Date(time).toISOString();
  const day = Math.floor(time / DAY);
  const rest = time - day * DAY;
  const seconds = Math.floor(rest / 1000);
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${dateOf(day)}T${clock}.${three(rest % 1000)}Z`;
}
