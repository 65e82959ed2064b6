/**
 * @module Permission traces. A cached plan is reusable by every caller with the same permission trace.
 */
import type { Grants } from './grants.ts';

/** A permission trace: the queried action ids, by their result. */
export interface PermissionTrace {
  readonly granted: readonly string[];
  readonly denied: readonly string[];
}

/** Returns the same grants, which record each query. */
export function watched({ allows }: Grants): { readonly grants: Grants; answers(): PermissionTrace } {
  const asked = new Map<string, boolean>();
  const ask = (actionId: string): boolean => {
    const answer = asked.get(actionId) ?? allows(actionId);
    asked.set(actionId, answer);
    return answer;
  };
  const answered = (wanted: boolean) => [...asked].filter(([, answer]) => answer === wanted).map(([id]) => id);
  return { grants: { allows: ask }, answers: () => ({ granted: answered(true), denied: answered(false) }) };
}

/** Do these grants yield the same permission trace? */
export const agree = ({ allows }: Grants, { granted, denied }: PermissionTrace): boolean =>
  granted.every((id) => allows(id)) && !denied.some((id) => allows(id));
