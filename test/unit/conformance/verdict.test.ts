/**
 * @module What counts and what is printed: reference bugs, deliberate differences, features not built yet, stale entries.
 */
import { describe, expect, it } from 'vitest';
import type { Difference } from '../../conformance/compare.ts';
import { MAGAZINE, MORPH, WRITES } from '../../conformance/embedded.ts';
import { EXPECTED, type Expected } from '../../conformance/expected.ts';
import type { Scenario, Step } from '../../conformance/recording.ts';
import { scenarioLines, totalLines } from '../../conformance/report.ts';
import type { ScenarioResult } from '../../conformance/run.ts';
import { judge, totals, unknownEntries } from '../../conformance/verdict.ts';

const differing = (path: string): Difference => ({ path, expected: 1, actual: undefined });

const stepOf = (name: string, more: Partial<Step> = {}): Step => ({
  name,
  request: { method: 'GET', path: '/api/tags' },
  response: { status: 200, contentType: null, body: null },
  ...more,
});

const RESULT: ScenarioResult = {
  name: 'tags',
  steps: [
    { index: 0, step: stepOf('good'), differences: [] },
    { index: 1, step: stepOf('bad'), differences: [differing('body.data[0].name')] },
    { index: 2, step: stepOf('bug', { reference_bug: true }), differences: [differing('status')] },
  ],
};

const expectedOf = (more: Partial<Expected>): Expected => ({ deliberate: [], pending: [], ...more });
const deliberate = (step: string | number, ...differs: string[]) =>
  expectedOf({ deliberate: [{ scenario: 'tags', step, differs, why: 'safer' }] });
const pending = (step?: string | number) =>
  expectedOf({ pending: [{ scenario: 'tags', ...(step !== undefined && { step }), why: 'later' }] });
const outcomes = (expected: Expected, key?: string) => judge(RESULT, expected, key).steps.map(({ outcome }) => outcome);

describe('a difference', () => {
  it('fails when nothing is known of it', () => {
    expect(outcomes(expectedOf({}))).toEqual(['passed', 'failed', 'bug']);
  });

  it('fails outside of the paths that may differ', () => {
    expect(outcomes(deliberate('bad', 'status', 'body.meta'))).toEqual(['passed', 'failed', 'bug']);
  });

  it('fails when it is listed for another scenario', () => {
    expect(outcomes(deliberate('bad', 'body'), 'lenient/tags')).toEqual(['passed', 'failed', 'bug']);
  });

  it('is deliberate within the paths that may differ, by name or index', () => {
    expect(outcomes(deliberate('bad', 'body.data'))).toEqual(['passed', 'deliberate', 'bug']);
    expect(outcomes(deliberate(1, 'body.data'))).toEqual(['passed', 'deliberate', 'bug']);
  });

  it('is pending with its step or its scenario', () => {
    expect(outcomes(pending('bad'))).toEqual(['passed', 'pending', 'bug']);
    expect(outcomes(pending())).toEqual(['passed', 'pending', 'bug']);
  });
});

describe('an entry', () => {
  it('is stale when its step is answered as recorded', () => {
    expect(judge(RESULT, deliberate('good', 'body')).stale).toEqual(['tags: good']);
    expect(judge(RESULT, pending('good')).stale).toEqual(['tags: good']);
  });

  it('is stale when its whole scenario passes', () => {
    const passing = { ...RESULT, steps: RESULT.steps.slice(0, 1) };
    expect(judge(passing, pending()).stale).toEqual(['tags: (whole scenario)']);
  });

  it('is not stale while its step differs', () => {
    expect(judge(RESULT, deliberate('bad', 'body')).stale).toEqual([]);
    expect(judge(RESULT, pending()).stale).toEqual([]);
  });

  it('is unknown when no counted step has its name', () => {
    const scenario: Scenario = { name: 'tags', about: '', steps: RESULT.steps.map(({ step }) => step) };
    const known = new Map([['tags', scenario]]);
    expect(unknownEntries(deliberate('nope', 'body'), known)).toEqual(['tags: nope']);
    expect(unknownEntries(pending('bug'), known)).toEqual(['tags: bug']);
    expect(unknownEntries(pending(), new Map())).toEqual(['tags: (whole scenario)']);
    expect(unknownEntries(pending(1), known)).toEqual([]);
  });

  it('of the real list names a recorded step', () => {
    const known = new Map([
      ...[...MAGAZINE.scenarios, ...WRITES.scenarios, ...MORPH.scenarios].map(
        (scenario) => [scenario.name, scenario] as const,
      ),
      ...MAGAZINE.lenientScenarios.map((scenario) => [`lenient/${scenario.name}`, scenario] as const),
    ]);
    expect(unknownEntries(EXPECTED, known)).toEqual([]);
  });
});

describe('the report', () => {
  it('counts what is not built yet as failed, and neither bugs nor deliberate differences', () => {
    expect(totalLines(totals([judge(RESULT, pending())])).at(-1)).toBe('1 passed, 1 failed');
    expect(totalLines(totals([judge(RESULT, deliberate('bad', 'body'))])).at(-1)).toBe('1 passed, 0 failed');
  });

  it('shows a failing step with its request and its differences', () => {
    expect(scenarioLines(judge(RESULT, expectedOf({})))).toEqual([
      'FAIL tags: 1/2, 1 reference bug not counted',
      '     FAIL  bad',
      '           public GET /api/tags',
      '           body.data[0].name: expected 1, got (absent)',
    ]);
  });

  it('is one line for a scenario in which nothing fails', () => {
    expect(scenarioLines(judge(RESULT, deliberate('bad', 'body')))).toEqual([
      'ok   tags: 1/1, 1 reference bug and 1 deliberate difference not counted',
    ]);
  });
});
