/**
 * @module Counts content in the same units for import, export, backup and restore, so that what is read is what is written
 * and what is left out.
 */
import { counted, listed } from './counted.ts';
import { print } from './terminal.ts';

/** A version is a row: a document has one for each locale and status. Files are objects: uploads and their formats. */
export interface ContentCounts {
  readonly documents: number;
  readonly versions: number;
  readonly links: number;
  readonly files: number;
}

export const NO_CONTENT: ContentCounts = { documents: 0, versions: 0, links: 0, files: 0 };

const UNITS = ['document', 'version', 'link', 'file'] as const;

const pairsOf = (counts: Partial<ContentCounts>): readonly (readonly [number, string])[] =>
  UNITS.map((unit) => [counts[`${unit}s`] ?? 0, unit]);

/** "1 document, 2 versions, 3 links and 0 files". */
export const contentText = (counts: ContentCounts): string => listed(pairsOf(counts).map((pair) => counted(...pair)));

/** Counts by reasons, such as those of what was left out. */
export function newTally() {
  const reasons = new Map<string, ContentCounts>();
  const unneeded = new Set<string>();
  /** Adds to a reason; nothing if all counts are 0. */
  const add = (reason: string, more: Partial<ContentCounts>): void => {
    if (pairsOf(more).every(([count]) => count === 0)) return;
    const before = reasons.get(reason);
    const sums = UNITS.map((unit) => [`${unit}s`, (before?.[`${unit}s`] ?? 0) + (more[`${unit}s`] ?? 0)]);
    reasons.set(reason, Object.fromEntries(sums) as unknown as ContentCounts);
  };
  return {
    add,
    /** Adds to a reason for which nothing is lost: the same is said elsewhere. */
    addUnneeded(reason: string, more: Partial<ContentCounts>): void {
      unneeded.add(reason);
      add(reason, more);
    },
    reasons: reasons as ReadonlyMap<string, ContentCounts>,
    unneeded: unneeded as ReadonlySet<string>,
  };
}

/** Adds up the counts of all reasons. */
export function tallySum({ reasons }: Tally): ContentCounts {
  const sum = (unit: (typeof UNITS)[number]) =>
    [...reasons.values()].reduce((total, counts) => total + counts[`${unit}s`], 0);
  return { documents: sum('document'), versions: sum('version'), links: sum('link'), files: sum('file') };
}

export type Tally = ReturnType<typeof newTally>;

function tallyLine([reason, counts]: readonly [string, ContentCounts]): string {
  const some = pairsOf(counts).filter(([count]) => count > 0);
  return `${listed(some.map((pair) => counted(...pair)))}: ${reason}`;
}

/** "2 links: the reason", for each reason. */
export const tallyLines = ({ reasons }: Tally): readonly string[] => [...reasons].map(tallyLine);

/** The same for reasons that lose something, or that lose nothing. */
export const tallyLinesWhere = ({ reasons, unneeded }: Tally, isUnneeded: boolean): readonly string[] =>
  [...reasons].filter(([reason]) => unneeded.has(reason) === isUnneeded).map(tallyLine);

/** Prints a title and the lines below it; nothing without lines. */
export function printTally(title: string, tally: Tally): void {
  const lines = tallyLines(tally);
  if (lines.length > 0) print(title);
  for (const line of lines) print(`  ${line}`);
}
