/**
 * @module Permission traces. A cached plan is reusable by every caller with the same one.
 */
import { memoized } from '../cache.ts';
import type { Grants } from './grants.ts';

/** The queried action ids by result. */
export interface PermissionTrace {
  readonly granted: readonly string[];
  readonly denied: readonly string[];
}

/** Returns the same grants, which record each query. */
export function traced({ allows }: Grants): { readonly grants: Grants; trace(): PermissionTrace } {
  const results = new Map<string, boolean>();
  const allowsTraced = memoized(allows, results);
  const idsWith = (wanted: boolean) => [...results].filter(([, result]) => result === wanted).map(([id]) => id);
  return { grants: { allows: allowsTraced }, trace: () => ({ granted: idsWith(true), denied: idsWith(false) }) };
}

/** Do these grants yield the same permission trace? */
export const agree = ({ allows }: Grants, { granted, denied }: PermissionTrace): boolean =>
  granted.every((id) => allows(id)) && !denied.some((id) => allows(id));
