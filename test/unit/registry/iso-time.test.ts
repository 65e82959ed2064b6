/**
 * @module ISO texts of times are those of the runtime.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isoTime } from '../../../src/schema/iso-time.ts';

const DAY = 86_400_000;
const expected = (time: number): string => new Date(time).toISOString();

describe('the ISO text of a time', () => {
  it('is refused for what is no time', () => {
    for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])
      expect(() => isoTime(time)).toThrow(RangeError);
  });

  it.each([0, -1, 0.5, -62_198_755_200_000, 253_402_300_799_999, 253_402_300_800_000, -30_610_224_000_000, 8.64e15])(
    'is that of the runtime at the edges: %d',
    (time) => {
      expect(isoTime(time)).toBe(expected(time));
    },
  );

  it('is that of the runtime on every day of four hundred years and more', () => {
    const first = Date.UTC(1599, 0, 1);
    const wrong = Array.from({ length: 160_000 }, (_, day) => first + day * DAY + (day % 997)).filter(
      (time) => isoTime(time) !== expected(time),
    );
    expect(wrong).toEqual([]);
  });

  it('is that of the runtime at any time', () => {
    fc.assert(
      fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (time) => {
        expect(isoTime(time)).toBe(expected(time));
      }),
    );
    fc.assert(
      fc.property(
        fc.date({ min: new Date(Date.UTC(900, 0, 1)), max: new Date(Date.UTC(10_100, 0, 1)), noInvalidDate: true }),
        (date) => {
          expect(isoTime(date.getTime())).toBe(date.toISOString());
        },
      ),
    );
  });
});
