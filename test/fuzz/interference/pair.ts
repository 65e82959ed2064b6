/**
 * @module A sequence of requests to both worlds, and the first pair of responses that differ.
 */
import { lostOf, readKept, revealed } from './kept.ts';
import type { Change } from './secrets.ts';
import { begin, type Side, take } from './side.ts';
import { described, type Step } from './step.ts';

export interface Sequence {
  readonly caller: string;
  /** What is hidden in each world. */
  readonly secrets: readonly [readonly Change[], readonly Change[]];
  readonly steps: readonly Step[];
}

export interface Failure {
  readonly reason: string;
  /** The last one failed. */
  readonly steps: readonly Step[];
  readonly responses: readonly [string, string];
}

export type Sides = readonly [Side, Side];

/** Does a step leave what is hidden as it is? A discarded draft has the links of the published version. */
const isHarmless = (step: Step): boolean =>
  ['request', 'other', 'cron'].includes(step.kind) && !/discard-?draft/i.test(described(step));

/** Returns why a pair of responses is wrong. */
function wrongResponse(one: string, other: string, steps: readonly Step[]): string | undefined {
  if (one !== other) return 'the responses differ';
  if (one.startsWith('5')) return 'an internal error';
  const name = revealed(one, steps.map(described).join('\n'));
  return name && `the response names ${name}`;
}

/** @param seen is called with each pair of responses that are alike */
export async function firstFailure(
  sides: Sides,
  { caller, secrets, steps }: Sequence,
  seen: (step: Step, response: string) => void,
): Promise<Failure | undefined> {
  const [first, second] = sides;
  const read = () => [readKept(first.world, caller), readKept(second.world, caller)] as const;
  try {
    await begin(first, secrets[0]);
    await begin(second, secrets[1]);
    let kept = read();
    for (const [index, step] of steps.entries()) {
      const one = await take(first, step, index, caller, 0);
      const other = await take(second, step, index, caller, 1);
      const taken = steps.slice(0, index + 1);
      const responses = [one ?? '', other ?? ''] as const;
      const now = read();
      const reason = one !== undefined && other !== undefined ? wrongResponse(one, other, taken) : undefined;
      if (reason !== undefined) return { reason, steps: taken, responses };
      const lost = isHarmless(step)
        ? (lostOf(kept[0], now[0], first.world) ?? lostOf(kept[1], now[1], second.world))
        : undefined;
      if (lost !== undefined) return { reason: lost, steps: taken, responses };
      kept = now;
      if (one !== undefined) seen(step, one);
    }
    return undefined;
  } finally {
    first.world.end();
    second.world.end();
  }
}

const lines = (text: string): readonly string[] => text.split('\n');

/** The report of a failure: the request, the lines that differ, and what led there. */
export function report({ caller, secrets }: Sequence, { reason, steps, responses: [one, other] }: Failure): string {
  const [ofOne, ofOther] = [lines(one), lines(other)];
  const only = (own: readonly string[], others: readonly string[]) =>
    own.filter((line) => !others.includes(line)).join('\n');
  return [
    ...[`${reason}, of ${caller}:`, ...steps.map(described)],
    ...['in one world', only(ofOne, ofOther) || one, 'in the other', only(ofOther, ofOne)],
    ...['hidden', ...secrets.map((all) => JSON.stringify(all))],
  ].join('\n');
}
