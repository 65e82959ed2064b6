/**
 * @module Which differences of a scenario count, given the list of those that are known.
 */
import type { Difference } from './compare.ts';
import type { Deliberate, Expected, Pending, StepKey } from './expected.ts';
import type { Scenario, Step } from './recording.ts';
import type { ScenarioResult, StepResult } from './run.ts';

/** `bug`: the reference's own, replayed and not counted. `deliberate` is not counted either, `pending` is a failure. */
export type Outcome = 'passed' | 'failed' | 'bug' | 'deliberate' | 'pending';

export interface JudgedStep extends StepResult {
  readonly outcome: Outcome;
}

export interface Verdict {
  readonly name: string;
  readonly steps: readonly JudgedStep[];
  /** Entries of the list that say "differs" of something that does not. */
  readonly stale: readonly string[];
}

const isStep = (key: StepKey, { index, step }: StepResult): boolean => key === index || key === step.name;

const within = (differences: readonly Difference[], { differs }: Deliberate): boolean =>
  differences.every(({ path }) => differs.some((beginning) => path.startsWith(beginning)));

function outcomeOf(result: StepResult, deliberate: readonly Deliberate[], pending: readonly Pending[]): Outcome {
  if (result.step.reference_bug === true) return 'bug';
  if (result.differences.length === 0) return 'passed';
  if (deliberate.some((entry) => isStep(entry.step, result) && within(result.differences, entry))) return 'deliberate';
  const isPending = pending.some(({ step }) => step === undefined || isStep(step, result));
  return isPending ? 'pending' : 'failed';
}

const describe = ({ scenario, step = '(whole scenario)' }: Pending | Deliberate): string => `${scenario}: ${step}`;

/** Judges the steps of one scenario. `key` is the scenario's name in the list, e.g. `lenient/pagination`. */
export function judge(result: ScenarioResult, expected: Expected, key: string = result.name): Verdict {
  const here = <T extends Pending | Deliberate>(entries: readonly T[]) => entries.filter((e) => e.scenario === key);
  const deliberate = here(expected.deliberate);
  const pending = here(expected.pending);
  const steps = result.steps.map((step) => ({ ...step, outcome: outcomeOf(step, deliberate, pending) }));
  const isOpen = ({ step }: Pending) =>
    steps.some((judged) => judged.outcome === 'pending' && (step === undefined || isStep(step, judged)));
  const holds = ({ step }: Deliberate) =>
    steps.some((judged) => isStep(step, judged) && judged.outcome !== 'passed' && judged.outcome !== 'bug');
  const stale = [...deliberate.filter((entry) => !holds(entry)), ...pending.filter((entry) => !isOpen(entry))];
  return { name: result.name, steps, stale: stale.map(describe) };
}

/** Entries that name a scenario or step which no recording has, or a step that is not counted anyway. */
export function unknownEntries(expected: Expected, scenarios: ReadonlyMap<string, Scenario>): readonly string[] {
  const counts = (step: Step) => step.reference_bug !== true;
  const isKnown = ({ scenario, step: key }: Pending | Deliberate) => {
    const steps = scenarios.get(scenario)?.steps;
    return steps?.some((step, index) => counts(step) && (key === undefined || key === index || key === step.name));
  };
  return [...expected.deliberate, ...expected.pending].filter((entry) => isKnown(entry) !== true).map(describe);
}

export interface Totals {
  readonly passed: number;
  readonly failed: number;
  readonly deliberate: number;
  readonly bugs: number;
  /** Reference bugs that were answered as recorded all the same. */
  readonly bugsAlike: number;
}

/** What is not built yet fails like anything else. */
export function totals(verdicts: readonly Verdict[]): Totals {
  const steps = verdicts.flatMap((verdict) => verdict.steps);
  const count = (...outcomes: Outcome[]) => steps.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return {
    passed: count('passed'),
    failed: count('failed', 'pending'),
    deliberate: count('deliberate'),
    bugs: count('bug'),
    bugsAlike: steps.filter(({ outcome, differences }) => outcome === 'bug' && differences.length === 0).length,
  };
}
