/**
 * @module A sequence of requests to both worlds, and the first pair of responses that differ.
 */

import type { CallerName } from './names.ts';
import type { Change } from './secrets.ts';
import { begin, type Side, take } from './side.ts';
import { described, type Step } from './step.ts';

export interface Sequence {
  readonly caller: CallerName;
  /** What is hidden in each world. */
  readonly secrets: readonly [readonly Change[], readonly Change[]];
  readonly steps: readonly Step[];
}

export interface Difference {
  readonly step: Step;
  readonly before: readonly Step[];
  readonly responses: readonly [string, string];
}

export type Sides = readonly [Side, Side];

/** @param seen is called with each pair of responses that are alike */
export async function firstDifference(
  [first, second]: Sides,
  { caller, secrets, steps }: Sequence,
  seen: (step: Step, response: string) => void,
): Promise<Difference | undefined> {
  first.seen.clear();
  second.seen.clear();
  await begin(first, secrets[0]);
  await begin(second, secrets[1]);
  try {
    for (const [index, step] of steps.entries()) {
      const one = await take(first, step, index, caller, 0);
      const other = await take(second, step, index, caller, 1);
      if (one === undefined || other === undefined) continue;
      if (one !== other || one.startsWith('5')) return { step, before: steps.slice(0, index), responses: [one, other] };
      seen(step, one);
    }
    return undefined;
  } finally {
    first.world.end();
    second.world.end();
  }
}

const lines = (text: string): readonly string[] => text.split('\n');

/** The report of a difference: the request, the lines that differ, and what led there. */
export function report({ caller, secrets }: Sequence, { step, before, responses: [one, other] }: Difference): string {
  const [ofOne, ofOther] = [lines(one), lines(other)];
  const only = (own: readonly string[], others: readonly string[]) =>
    own.filter((line) => !others.includes(line)).join('\n');
  return [
    ...[`${caller}: ${described(step)}`, 'in one world', only(ofOne, ofOther), 'in the other', only(ofOther, ofOne)],
    ...['after', ...before.map(described), 'hidden', ...secrets.map((all) => JSON.stringify(all))],
  ].join('\n');
}
