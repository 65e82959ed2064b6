import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  dollarsOf,
  fitsFree,
  logDollarsOf,
  type Measured,
  type Month,
  monthOf,
  requestTable,
  SITES,
  siteTable,
} from '../../../bench/month.ts';

const ROOT = join(import.meta.dirname, '../../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const measured = JSON.parse(read('bench/results/cost.json')) as readonly Measured[];

const NOTHING: Month = {
  ...{ requests: 0, cpuMs: 0, rowsRead: 0, rowsWritten: 0 },
  ...{ databaseGb: 0, objectReads: 0, objectGb: 0 },
};
const INCLUDED: Month = {
  ...{ requests: 10e6, cpuMs: 30e6, rowsRead: 25e9, rowsWritten: 50e6 },
  ...{ databaseGb: 5, objectReads: 10e6, objectGb: 10 },
};

describe('the page of costs', () => {
  const page = read('docs/cost.md');

  it('has the tables of the kept figures, as npm run bench -- --cost prints them', () => {
    expect(page).toContain(requestTable(measured));
    expect(page).toContain(siteTable(measured));
  });

  it('names each price and each allowance that the tables are made from', () => {
    for (const text of ['$0.30 a million', '$0.02 a million', '$0.001 a million', '$1 a million', '$0.75 a GB'])
      expect(page).toContain(text);
    for (const text of ['10 million a month', '30 million ms', '25 billion', '50 million', '5 GB', '10 GB'])
      expect(page).toContain(text);
  });
});

describe('the price of a month', () => {
  it('is the base price up to what is included', () => {
    expect(dollarsOf(NOTHING)).toBe(5);
    expect(dollarsOf(INCLUDED)).toBe(5);
  });

  it.each([
    ['requests', 1e6, 0.3],
    ['cpuMs', 1e6, 0.02],
    ['rowsRead', 1e6, 0.001],
    ['rowsWritten', 1e6, 1],
    ['databaseGb', 1, 0.75],
    ['objectReads', 1e6, 0.36],
    ['objectGb', 1, 0.015],
  ] as const)('adds the price of a unit of %s beyond it', (name, unit, price) => {
    expect(dollarsOf({ ...INCLUDED, [name]: INCLUDED[name] + unit })).toBeCloseTo(5 + price, 6);
  });

  it('takes nothing for logs until 50 GB are written', () => {
    expect(logDollarsOf({ ...NOTHING, requests: 25e6 })).toBe(0);
    expect(logDollarsOf({ ...NOTHING, requests: 25.5e6 })).toBeCloseTo(0.25, 6);
  });

  it.each([
    ['requests', 3e6, 1],
    ['rowsRead', 150e6, 1],
    ['rowsWritten', 3e6, 1],
    ['databaseGb', 0.5, 0.001],
  ] as const)('leaves the free plan for one more of %s than it allows', (name, most, more) => {
    expect(fitsFree({ ...NOTHING, [name]: most })).toBe(true);
    expect(fitsFree({ ...NOTHING, [name]: most + more })).toBe(false);
  });
});

describe('a month of a site', () => {
  const rows = { recomputed: 100, cached: 1 };
  const figures: Measured = {
    ...{ size: 1, databaseBytes: 2e9 },
    reads: { front: rows, article: rows, tag: rows, search: rows },
    ...{ save: { read: 7, written: 3 }, cron: { read: 1, written: 0 } },
  };
  const site = { name: 'a', size: 1, views: 1000, saves: 10, pictureGb: 4 };
  const CRON = 43_200;

  it('adds up views, saves, pictures and the cron trigger', () => {
    expect(monthOf(site, figures, 0)).toMatchObject({
      requests: 1000 + 2000 + 10 * 21 + CRON,
      rowsRead: 1000 * 100 + 10 * (20 * 100 + 7) + CRON,
      rowsWritten: 30,
      ...{ databaseGb: 2, objectReads: 2000, objectGb: 4 },
    });
  });

  it('reads fewer rows for views alone where responses are cached', () => {
    const { rowsRead } = monthOf(site, figures, 60);
    expect(rowsRead).toBeCloseTo(1000 * (0.4 * 100 + 0.6 * 1) + 10 * (20 * 100 + 7) + CRON, 6);
  });

  it('is only shown for sizes that were measured', () => {
    expect(() => siteTable([figures])).toThrow(`${SITES[0]?.size} articles were not measured`);
  });
});
