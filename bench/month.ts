/**
 * @module A month of three sites: requests, rows and dollars, from what each request reads and writes. Prices are those that
 * docs/cost.md names with their sources.
 */
/** What one request reads: recomputed, and from the cache of the isolate. */
export interface ReadCost {
  readonly recomputed: number;
  readonly cached: number;
}

export interface WriteCost {
  readonly read: number;
  readonly written: number;
}

/** Rows of the database that each kind of request takes at one size. */
export interface Measured {
  /** Articles. */
  readonly size: number;
  readonly databaseBytes: number;
  readonly reads: Readonly<Record<ReadName, ReadCost>>;
  readonly save: WriteCost;
  /** One run of the cron trigger with nothing to do. */
  readonly cron: WriteCost;
}

/** Requests of the site for one hundred views of its pages. */
const READS_OF_VIEWS = { front: 25, article: 60, tag: 12, search: 3 } as const;
export type ReadName = keyof typeof READS_OF_VIEWS;

export const READ_TITLES: Readonly<Record<ReadName, string>> = {
  front: 'front page: 25 articles, 4 relations and pictures each',
  article: 'an article by its slug, with the same',
  tag: 'articles of a tag, by a filter',
  search: 'a search, with an index',
};

/** Of 100 requests that the cache may keep, so many find their response there. */
const CACHED_OF_HUNDRED = 60;
/** Of Studio for one save: lists, the form, its relations. As expensive as a front page that is not cached. */
const READS_OF_A_SAVE = 20;
const PICTURES_OF_A_VIEW = 2;
/** Milliseconds of the Worker; docs/performance.md says how that is measured. */
const CPU_OF_A_REQUEST = 2;
const CRON_RUNS = 30 * 24 * 60;

export interface Site {
  readonly name: string;
  readonly size: number;
  readonly views: number;
  readonly saves: number;
  readonly pictureGb: number;
}

export const SITES: readonly Site[] = [
  { name: 'blog', size: 100, views: 20_000, saves: 100, pictureGb: 1 },
  { name: 'magazine', size: 10_000, views: 1_000_000, saves: 3_000, pictureGb: 20 },
  { name: 'archive', size: 100_000, views: 20_000_000, saves: 20_000, pictureGb: 200 },
];

/** What is used in a month. */
export interface Month {
  readonly requests: number;
  readonly cpuMs: number;
  readonly rowsRead: number;
  readonly rowsWritten: number;
  readonly databaseGb: number;
  readonly objectReads: number;
  readonly objectGb: number;
}

/** Included in Workers Paid (R2: in each account), and dollars for a unit beyond it. */
const PRICES: Readonly<
  Record<keyof Month, { readonly included: number; readonly unit: number; readonly price: number }>
> = {
  requests: { included: 10e6, unit: 1e6, price: 0.3 },
  cpuMs: { included: 30e6, unit: 1e6, price: 0.02 },
  rowsRead: { included: 25e9, unit: 1e6, price: 0.001 },
  rowsWritten: { included: 50e6, unit: 1e6, price: 1 },
  databaseGb: { included: 5, unit: 1, price: 0.75 },
  objectReads: { included: 10e6, unit: 1e6, price: 0.36 },
  objectGb: { included: 10, unit: 1, price: 0.015 },
};
const BASE = 5;

/** Dollars of a month on Workers Paid. */
export function dollarsOf(month: Month): number {
  const beyond = Object.entries(PRICES).map(([name, { included, unit, price }]) => {
    const used = month[name as keyof Month];
    return (Math.max(0, used - included) / unit) * price;
  });
  return beyond.reduce((sum, part) => sum + part, BASE);
}

/** Assumed: what one weighs was not seen. The cron trigger and each request write one. */
const LOG_EVENT_GB = 2e-6;
const LOG_PRICES = { ingestedGb: 50, ingestedPrice: 0.25, storedGb: 12, storedPrice: 0.1, days: 7 } as const;

/** Dollars of a month for logs, beyond what is included. */
export function logDollarsOf({ requests }: Month): number {
  const { ingestedGb, ingestedPrice, storedGb, storedPrice, days } = LOG_PRICES;
  const ingested = requests * LOG_EVENT_GB;
  const stored = (ingested * days) / 30;
  return Math.max(0, ingested - ingestedGb) * ingestedPrice + Math.max(0, stored - storedGb) * storedPrice;
}

/** Workers Free, for a day. */
const FREE_DAY = { requests: 100_000, rowsRead: 5_000_000, rowsWritten: 100_000 } as const;
const FREE_DATABASE_GB = 0.5;

/** Is an even thirtieth of the month within the free plan, and its database? R2 is billed apart from the plan. */
export const fitsFree = (month: Month): boolean =>
  month.databaseGb <= FREE_DATABASE_GB &&
  Object.entries(FREE_DAY).every(([name, most]) => month[name as keyof typeof FREE_DAY] / 30 <= most);

/** @param hits of 100 reads of the site, so many are in the cache of the isolate */
export function monthOf({ views, saves, pictureGb }: Site, measured: Measured, hits: number): Month {
  const { reads, save, cron, databaseBytes } = measured;
  const names = Object.keys(READS_OF_VIEWS) as ReadName[];
  const rowsOfView = names.reduce((sum, name) => {
    const { recomputed, cached } = reads[name];
    return sum + (READS_OF_VIEWS[name] * ((100 - hits) * recomputed + hits * cached)) / 10_000;
  }, 0);
  const ofSaves = saves * (READS_OF_A_SAVE * reads.front.recomputed + save.read);
  const objectReads = views * PICTURES_OF_A_VIEW;
  const ofWorker = views + saves * (READS_OF_A_SAVE + 1) + CRON_RUNS;
  return {
    requests: ofWorker + objectReads,
    cpuMs: (ofWorker + objectReads) * CPU_OF_A_REQUEST,
    rowsRead: views * rowsOfView + ofSaves + CRON_RUNS * cron.read,
    rowsWritten: saves * save.written + CRON_RUNS * cron.written,
    databaseGb: databaseBytes / 1e9,
    objectReads,
    objectGb: pictureGb,
  };
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');

const SCALES = [
  [1e9, 'billion'],
  [1e6, 'million'],
] as const;

/** "1.3 million". */
function rounded(value: number): string {
  const scale = SCALES.find(([size]) => value >= size);
  return scale ? `${(value / scale[0]).toFixed(1)} ${scale[1]}` : whole(value);
}

const dollars = (value: number): string => `$${value.toFixed(2)}`;

const markdown = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ['---', ...head.slice(1).map(() => '---:')], ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** The table of what a request reads, a column for each size. */
export function requestTable(all: readonly Measured[]): string {
  const cells = (pair: (measured: Measured) => readonly [number, number]) =>
    all.map((measured) => pair(measured).map(whole).join(' / '));
  const reads = Object.entries(READ_TITLES).map(([name, title]) => [
    title,
    ...cells(({ reads: { [name as ReadName]: cost } }) => [cost.recomputed, cost.cached]),
  ]);
  return markdown(
    ['rows', ...all.map(({ size }) => `${whole(size)} articles`)],
    [
      ...reads,
      ['a save of a published article: read / written', ...cells(({ save }) => [save.read, save.written])],
      ['a run of the cron trigger: read / written', ...cells(({ cron }) => [cron.read, cron.written])],
      ['size of the database', ...all.map(({ databaseBytes }) => `${(databaseBytes / 1e6).toFixed(1)} MB`)],
    ],
  );
}

/** The table of the three sites. @throws Error for a size that was not measured */
export function siteTable(all: readonly Measured[]): string {
  const months = SITES.map((site) => {
    const measured = all.find(({ size }) => size === site.size);
    if (!measured) throw new Error(`${site.size} articles were not measured`);
    return { site, none: monthOf(site, measured, 0), some: monthOf(site, measured, CACHED_OF_HUNDRED) };
  });
  const row = (title: string, cell: (month: (typeof months)[number]) => string) => [title, ...months.map(cell)];
  return markdown(
    ['a month', ...SITES.map(({ name }) => name)],
    [
      row('articles', ({ site }) => whole(site.size)),
      row('views of pages', ({ site }) => rounded(site.views)),
      row('saves', ({ site }) => whole(site.saves)),
      row('pictures in the bucket', ({ site }) => `${site.pictureGb} GB`),
      row('requests', ({ some }) => rounded(some.requests)),
      row('rows read, nothing cached', ({ none }) => rounded(none.rowsRead)),
      row(`rows read, ${CACHED_OF_HUNDRED} % cached`, ({ some }) => rounded(some.rowsRead)),
      row('rows written', ({ some }) => rounded(some.rowsWritten)),
      row('within Workers Free, nothing cached', ({ none }) => (fitsFree(none) ? 'yes' : 'no')),
      row(`within Workers Free, ${CACHED_OF_HUNDRED} % cached`, ({ some }) => (fitsFree(some) ? 'yes' : 'no')),
      row('Workers Paid, nothing cached', ({ none }) => dollars(dollarsOf(none))),
      row(`Workers Paid, ${CACHED_OF_HUNDRED} % cached`, ({ some }) => dollars(dollarsOf(some))),
      row('and its logs, all of them', ({ some }) => dollars(logDollarsOf(some))),
    ],
  );
}
