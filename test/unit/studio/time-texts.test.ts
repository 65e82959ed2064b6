import { describe, expect, it } from 'vitest';
import type { FileEntry } from '../../../studio/model/file-entry.ts';
import { sizeOf } from '../../../studio/model/file-entry.ts';
import { relativeText } from '../../../studio/ui/texts.ts';

const at = (...parts: [number, number, number, number?, number?]): Date => new Date(...parts);
const NOW = at(2026, 10, 29, 12, 0);

describe('a point in time', () => {
  it.each([
    [at(2026, 10, 29, 12, 0), 'just now'],
    [at(2026, 10, 29, 11, 59), '1 minute ago'],
    [at(2026, 10, 29, 11, 1), '59 minutes ago'],
    [at(2026, 10, 29, 11, 0), '1 hour ago'],
    [at(2026, 10, 28, 12, 1), '23 hours ago'],
    [at(2026, 10, 28, 12, 0), 'yesterday'],
    [at(2026, 10, 28, 0, 0), 'yesterday'],
    [at(2026, 10, 27, 23, 59), '2 days ago'],
    [at(2026, 10, 23, 0, 0), '6 days ago'],
    [at(2026, 10, 22, 23, 59), 'Nov 22'],
    [at(2025, 11, 31, 23, 59), 'Dec 31, 2025'],
    [at(2026, 10, 29, 13, 0), 'in 1 hour'],
    [at(2026, 10, 30, 13, 0), 'tomorrow'],
  ])('%s is what one says of it: %s', (time, words) => {
    expect(relativeText(time.toISOString(), NOW)).toBe(words);
  });
});

describe('a size of a file', () => {
  it.each([
    [0.003, '< 1 kB'],
    [1, '1 kB'],
    [345.67, '350 kB'],
    [999.4, '1,000 kB'],
    [1000, '1 MB'],
    [12_345.6, '12 MB'],
  ])('of %d thousand bytes has two digits: %s', (size, words) => {
    expect(sizeOf({ size } as FileEntry)).toBe(words);
  });
});
