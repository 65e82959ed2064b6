/**
 * @module Replays scenarios step by step and counts.
 */
import type { Answer } from './answer.ts';
import { Captures } from './captures.ts';
import { type Client, send } from './client.ts';
import { compare, type Difference, type Level, type Observed } from './compare.ts';
import { normalise } from './normalise.ts';
import type { Scenario, Step } from './recording.ts';
import { valueAt } from './recording.ts';

export interface StepResult {
  readonly index: number;
  readonly step: Step;
  readonly differences: readonly Difference[];
}

export interface ScenarioResult {
  readonly name: string;
  readonly steps: readonly StepResult[];
}

/**
 * Brings an answer into the form of a recording. `same` is decided before the answer's own captures are taken, the
 * body is normalised after.
 */
export function observe(step: Step, answer: Answer, captures: Captures): Observed {
  const { headers = {}, same = {} } = step.response;
  const equal = Object.entries(same).map(([path, { as }]) => [path, captures.equals(as, valueAt(answer.body, path))]);
  captures.keep(step.capture, answer.body);
  return {
    status: answer.status,
    contentType: answer.contentType,
    headers: Object.fromEntries(Object.keys(headers).map((name) => [name, answer.headers.get(name)])),
    body: normalise(answer.body, captures),
    same: Object.fromEntries(equal),
  };
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
};

/** Sends a step and compares. A step that cannot be sent differs as a whole. */
async function runStep(client: Client, step: Step, captures: Captures, level: Level): Promise<readonly Difference[]> {
  try {
    const observed = observe(step, await send(client, step, captures), captures);
    return compare(step.response, observed, level, step.unordered);
  } catch (error) {
    return [{ path: 'error', expected: 'a response', actual: messageOf(error) }];
  }
}

/** Replays one scenario on a server that has been emptied; never throws. */
export async function runScenario(
  client: Client,
  scenario: Scenario,
  level: Level = 'strict',
): Promise<ScenarioResult> {
  const captures = new Captures();
  const steps: StepResult[] = [];
  for (const [index, step] of scenario.steps.entries())
    steps.push({ index, step, differences: await runStep(client, step, captures, level) });
  return { name: scenario.name, steps };
}
