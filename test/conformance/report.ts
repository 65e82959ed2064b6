/**
 * @module Verdicts → lines for a terminal: one a scenario, a short list of differences a failing step, the totals last.
 */
import type { Difference } from './compare.ts';
import { type JudgedStep, type Totals, totals, type Verdict } from './verdict.ts';

const VALUE_WIDTH = 220;
const REQUEST_WIDTH = 200;
const DIFFERENCES_SHOWN = 6;
const DIFFERENCES_SHOWN_VERBOSE = 60;
const INDENT = ' '.repeat(5);

const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 3)}...` : text);
const show = (value: unknown): string => (value === undefined ? '(absent)' : cut(JSON.stringify(value), VALUE_WIDTH));

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function uncounted({ bugs, deliberate }: Totals): string {
  const parts = [
    ...(bugs > 0 ? [plural(bugs, 'reference bug')] : []),
    ...(deliberate > 0 ? [plural(deliberate, 'deliberate difference')] : []),
  ];
  return parts.length > 0 ? `, ${parts.join(' and ')} not counted` : '';
}

function differenceLines(differences: readonly Difference[], most: number): string[] {
  const lines = differences
    .slice(0, most)
    .map(({ path, expected, actual }) => `${path}: expected ${show(expected)}, got ${show(actual)}`);
  if (differences.length > most) lines.push(`... ${differences.length - most} more`);
  return lines;
}

/** The lines of one step that differs: its name, its request, and where the answers part. */
export function stepLines({ step, outcome, differences }: JudgedStep, verbose = false): readonly string[] {
  const { as = 'public', request, name } = step;
  const label = outcome === 'deliberate' ? 'known' : 'FAIL ';
  const details = [
    `${as} ${cut(`${request.method} ${request.path}`, REQUEST_WIDTH)}`,
    ...differenceLines(differences, verbose ? DIFFERENCES_SHOWN_VERBOSE : DIFFERENCES_SHOWN),
  ];
  const pending = outcome === 'pending' ? ' [not built yet]' : '';
  return [`${label} ${name}${pending}`, ...details.map((line) => `      ${line}`)];
}

const isFailure = ({ outcome }: JudgedStep): boolean => outcome === 'failed' || outcome === 'pending';

/** `ok   sort: 72/72, 1 reference bug not counted`, then what failed; `verbose` also what passed or is known. */
export function scenarioLines(verdict: Verdict, verbose = false): readonly string[] {
  const sum = totals([verdict]);
  const counted = sum.passed + sum.failed;
  const head = `${sum.failed === 0 ? 'ok  ' : 'FAIL'} ${verdict.name}: ${sum.passed}/${counted}${uncounted(sum)}`;
  const steps = verdict.steps.flatMap((judged) => {
    if (isFailure(judged) || (verbose && judged.outcome === 'deliberate')) return stepLines(judged, verbose);
    return verbose && judged.outcome === 'passed' ? [`pass  ${judged.step.name}`] : [];
  });
  return [head, ...steps.map((line) => INDENT + line)];
}

/** The last lines; the very last is `N passed, N failed`. */
export function totalLines(sum: Totals): readonly string[] {
  const { passed, failed, deliberate, bugs, bugsAlike } = sum;
  return [
    '',
    `not counted: ${plural(deliberate, 'deliberate difference')}, ${plural(bugs, 'reference bug')} (${bugsAlike} answered alike)`,
    `${passed} passed, ${failed} failed`,
  ];
}
