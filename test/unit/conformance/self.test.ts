/**
 * @module The runner itself: it passes recorded answers, and catches every alteration of them.
 */
import { describe, expect, it } from 'vitest';
import { ALTERATIONS, type Alteration } from '../../conformance/alterations.ts';
import { Captures } from '../../conformance/captures.ts';
import type { Fetch } from '../../conformance/client.ts';
import { compare } from '../../conformance/compare.ts';
import { fixture, MAGAZINE, WRITES } from '../../conformance/embedded.ts';
import { type Alter, Recollection, recordedServer, type Wire } from '../../conformance/fake-server.ts';
import { normalise } from '../../conformance/normalise.ts';
import type { Json, Scenario, Step } from '../../conformance/recording.ts';
import { observe, runScenario } from '../../conformance/run.ts';
import { oneIn } from '../../support/tier.ts';

/** The short tier takes a sample: the runner is the tests' own, and changes seldom. */
const SAMPLE = 6;

const ALL = [MAGAZINE, WRITES].flatMap(({ scenarios, lenientScenarios }) => [...scenarios, ...lenientScenarios]);

const replay = (scenario: Scenario, server: Fetch) =>
  runScenario(
    { fetch: server, base: 'http://fake.test', tokens: { full: 'f', readonly: 'r', custom: 'c' }, fixture },
    scenario,
  );

/** Step and path of every difference between a scenario and an altered replay of it. */
async function failuresOf(scenario: Scenario, alter?: Alter): Promise<readonly (readonly [string, string])[]> {
  const { steps } = await replay(scenario, recordedServer(scenario, alter));
  return steps.flatMap(({ step, differences }) => differences.map(({ path }) => [step.name, path] as const));
}

function withOppositeRules(step: Step): Step {
  const rules = Object.entries(step.response.same ?? {});
  const same = Object.fromEntries(rules.map(([path, { as, equal }]) => [path, { as, equal: !equal }]));
  return { ...step, response: { ...step.response, same } };
}

function compareAltered(step: Step, wire: Wire, captures: Captures): number {
  const headers = Object.entries(wire.headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const answer = { ...wire, headers: new Headers(headers) };
  return compare(step.response, observe(step, answer, captures), 'strict', step.unordered).length;
}

/** Offers each step altered, one step at a time; the ones before it are as recorded. */
function tryEverywhere(scenario: Scenario, alteration: Alteration | undefined) {
  const recollection = new Recollection();
  const captures = new Captures();
  const tally = { tried: 0, unnoticed: [] as string[] };
  for (const step of scenario.steps) {
    captures.remember(step.request.body ?? null);
    const wire = recollection.answer(step);
    const altered = alteration?.(wire, step);
    if (altered) {
      tally.tried += 1;
      if (compareAltered(step, altered, new Captures(captures)) === 0) tally.unnoticed.push(step.name);
    }
    compareAltered(step, wire, captures);
  }
  return tally;
}

const stepOf = (name: string, body: Json, more: Partial<Step> = {}): Step => ({
  name,
  as: 'full',
  request: { method: 'GET', path: '/api/tags' },
  response: { status: 200, contentType: 'application/json', body },
  ...more,
});

const scenarioOf = (...steps: Step[]): Scenario => ({ name: 'made-up', about: '', steps });

describe('an altered answer', () => {
  it.each(oneIn(SAMPLE, Object.keys(ALTERATIONS)))('is noticed at every step: %s', (name) => {
    const tallies = ALL.map((scenario) => tryEverywhere(scenario, ALTERATIONS[name]));
    expect(tallies.flatMap(({ unnoticed }) => unnoticed)).toEqual([]);
    expect(tallies.reduce((sum, { tried }) => sum + tried, 0)).toBeGreaterThan(0);
  });

  it('fails its own step and no other', async () => {
    const scenario = ALL.find(({ name }) => name === 'crud-basics') as Scenario;
    const last = scenario.steps.length - 1;
    const failures = await failuresOf(scenario, (wire, _, index) => (index === last ? { ...wire, status: 418 } : wire));
    expect(failures).toEqual([[scenario.steps[last]?.name, 'status']]);
  });

  it('fails when a row is another than it must be, or the same as it must not be', async () => {
    const withRules = ALL.flatMap((scenario) =>
      scenario.steps.flatMap((step, index) => (step.response.same ? [{ scenario, step, index }] : [])),
    );
    expect(withRules.length).toBeGreaterThan(0);
    for (const { scenario, step, index } of oneIn(SAMPLE, withRules)) {
      const opposite = { ...scenario, steps: scenario.steps.with(index, withOppositeRules(step)) };
      const { steps } = await replay(opposite, recordedServer(scenario));
      const rules = Object.entries(step.response.same ?? {}).map(([path, { as }]) => `same(${path}, ${as})`);
      expect(steps[index]?.differences.map(({ path }) => path)).toEqual(rules);
    }
  });

  it('fails as a whole when the server does not answer', async () => {
    const scenario = scenarioOf(stepOf('one', { data: [] }));
    const failures = await failuresOf(scenario, () => {
      throw new Error('connection lost');
    });
    expect(failures).toEqual([['one', 'error']]);
  });

  it('leaves nothing to call by name where the captured value was missing', async () => {
    const first = stepOf('first', { data: { documentId: '{{a}}' } }, { capture: { a: 'data.documentId' } });
    const second = stepOf('second', null, { request: { method: 'GET', path: '/api/tags/{{a}}' } });
    const failures = await failuresOf(scenarioOf(first, second), (wire, _, index) =>
      index === 0 ? { ...wire, body: { data: {} } } : wire,
    );
    expect(failures).toEqual([
      ['first', 'body.data.documentId'],
      ['second', 'error'],
    ]);
  });
});

describe('a recorded answer', () => {
  it.each(
    oneIn(
      SAMPLE,
      ALL.map((scenario, index) => ({ scenario, name: `${index} ${scenario.name}` })),
    ),
  )('passes: $name', async ({ scenario }) => {
    expect(await failuresOf(scenario)).toEqual([]);
  });

  it('passes in another order where the order does not count', async () => {
    const ids = [{ name: 'a' }, { name: 'b' }];
    const reversed: Alter = (wire) => ({ ...wire, body: { data: ids.toReversed() } });
    const step = stepOf('list', { data: ids });
    expect(await failuresOf(scenarioOf(step), reversed)).not.toEqual([]);
    expect(await failuresOf(scenarioOf({ ...step, unordered: true }), reversed)).toEqual([]);
  });

  it('keeps literally what the client sent', async () => {
    const publishedAt = '2024-01-10T10:00:00.000Z';
    const request = { method: 'POST', path: '/api/tags', body: { data: { publishedAt, url: 'https://a.example' } } };
    const step = stepOf('create', { data: { publishedAt, url: 'https://a.example' } }, { request });
    expect(await failuresOf(scenarioOf(step))).toEqual([]);
    const now = '2031-01-01T00:00:00.000Z';
    const failures = await failuresOf(scenarioOf(step), (wire) => ({
      ...wire,
      body: { data: { publishedAt: now, url: '/x' } },
    }));
    expect(failures.map(([, path]) => path)).toEqual(['body.data.publishedAt', 'body.data.url']);
  });

  it('hides ids in the wording of an error, and nowhere else', () => {
    const text = `id 17 of ${'a1'.repeat(12)}`;
    const body = { data: { title: text }, error: { message: text } };
    const hidden = { data: { title: text }, error: { message: 'id <id> of <documentId>' } };
    expect(normalise(body, new Captures())).toEqual(hidden);
  });

  it('calls a value by the first name under which it was captured', () => {
    const captures = new Captures();
    const documentId = 'a1'.repeat(12);
    captures.keep({ first: 'data.documentId', second: 'data.documentId' }, { data: { documentId } });
    expect(normalise([documentId, `/files/${documentId}`], captures)).toEqual(['{{first}}', '/files/{{first}}']);
  });
});
