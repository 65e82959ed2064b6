/**
 * @module The results that are kept, and the page that counts them by room.
 */
import type { Mutant } from './sample.ts';
import type { Verdict } from './tree.ts';

export interface Result extends Mutant, Verdict {
  readonly seconds: number;
}

/** Did its tests run? */
export const isRun = ({ outcome }: Result): boolean => outcome !== 'rejected';
const isSurvivor = ({ outcome }: Result): boolean => outcome === 'survived';

const COLUMNS: Readonly<Record<string, (result: Result) => boolean>> = {
  'rejected by the compiler': (result) => !isRun(result),
  run: isRun,
  'killed by `unit`': ({ killers }) => killers.some((file) => file.startsWith('test/unit/')),
  'by `node`': ({ killers }) => killers.some((file) => file.startsWith('test/node/')),
  'by `worker`': ({ killers }) => killers.some((file) => !/^test\/(unit|node)\//.test(file)),
  'hung or crashed': ({ outcome }) => outcome === 'timeout' || outcome === 'crashed',
  survived: isSurvivor,
};

const code = (text: string): string => `\`${text.replaceAll(/\s+/g, ' ').replaceAll('`', "'")}\``;

/** Writes the page. A mutant that two projects kill counts for both. */
export function summaryOf(intro: string, results: readonly Result[]): string {
  const headings = ['room', ...Object.keys(COLUMNS)];
  const rooms = [...Map.groupBy(results, ({ room }) => `\`${room}\``)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const rows = [...rooms, ['all', results] as const].map(([room, some]) => {
    return [room, ...Object.values(COLUMNS).map((isCounted) => some.filter(isCounted).length)];
  });
  const table = [headings, headings.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  const survivors = results.filter(isSurvivor).map(({ file, line, kind, from, to }) => {
    return `- \`${file}:${line}\` ${kind}: ${code(from)} → ${code(to)}`;
  });
  return ['# Mutants', '', intro, '', ...table, '', '## Survivors', '', ...survivors, ''].join('\n');
}
