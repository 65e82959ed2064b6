/**
 * @module What a plan has asked of the caller's grants. A plan is the right one for everybody who gets the same answers.
 */
import type { Grants } from './grants.ts';

/** Action ids that were asked for, by their answer. */
export interface Answers {
  readonly granted: readonly string[];
  readonly denied: readonly string[];
}

/** The same grants, which write down what they are asked. */
export function watched({ allows }: Grants): { readonly grants: Grants; answers(): Answers } {
  const asked = new Map<string, boolean>();
  const ask = (actionId: string): boolean => {
    const answer = asked.get(actionId) ?? allows(actionId);
    asked.set(actionId, answer);
    return answer;
  };
  const answered = (wanted: boolean) => [...asked].filter(([, answer]) => answer === wanted).map(([id]) => id);
  return { grants: { allows: ask }, answers: () => ({ granted: answered(true), denied: answered(false) }) };
}

/** Would these grants have answered the same? */
export const agree = ({ allows }: Grants, { granted, denied }: Answers): boolean =>
  granted.every((id) => allows(id)) && !denied.some((id) => allows(id));
