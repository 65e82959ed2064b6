/**
 * @module Permission traces. A cached plan is reusable by every caller with the same one.
 */
import { memoized } from '../common/cache.ts';
import type { Grants } from './grants.ts';

/** The queried action ids by result. */
export interface PermissionTrace {
  readonly granted: readonly string[];
  readonly denied: readonly string[];
  /** The keys of the rules of granted action ids, each `''` without one; absent if the caller has no rules. */
  readonly rules?: readonly (readonly [id: string, key: string])[];
  /** The type of a preview, whose own document has other ids than those of the public role. */
  readonly previewed?: string | undefined;
  /** The role of the caller, null without one; absent if it was not queried. */
  readonly role?: string | null;
}

interface Traced {
  readonly grants: Grants;
  trace(): PermissionTrace;
  /** Lets later queries ask these grants: those of the database, which may have rules. */
  follow(confirmed: Grants): void;
}

const roleIn = ({ role }: Grants): string | null => role?.() ?? null;

/** Returns the same grants, which record each query. */
export function traced(given: Grants): Traced {
  let own = given;
  const results = new Map<string, boolean>();
  const allows = memoized((id: string) => own.allows(id), results);
  const rule = (id: string) => (allows(id) ? own.rule?.(id) : undefined);
  let isRoleQueried = false;
  const role = () => {
    isRoleQueried = true;
    return own.role?.();
  };
  // A property that changes, and no getter, which would give each object a shape of its own.
  const grants = { allows, rule: own.rule && rule, previewed: own.previewed, role };
  const idsWith = (wanted: boolean) => [...results].filter(([, result]) => result === wanted).map(([id]) => id);
  const trace = (): PermissionTrace => {
    const granted = idsWith(true);
    const denied = idsWith(false);
    const { previewed } = own;
    const queried = { granted, denied, previewed, ...(isRoleQueried && { role: roleIn(own) }) };
    if (!own.rule) return queried;
    return { ...queried, rules: granted.map((id) => [id, own.rule?.(id)?.key ?? ''] as const) };
  };
  const follow = (confirmed: Grants) => {
    own = confirmed;
    grants.rule = own.rule && rule;
  };
  return { grants, trace, follow };
}

/** Do these grants yield the same permission trace? */
export function agree(grants: Grants, trace: PermissionTrace): boolean {
  const { allows, rule, previewed } = grants;
  const { granted, denied, rules } = trace;
  if (!rule !== !rules || previewed !== trace.previewed) return false;
  if (trace.role !== undefined && trace.role !== roleIn(grants)) return false;
  const keys = new Map(rules);
  const isSame = (id: string) => allows(id) && (rule?.(id)?.key ?? '') === (keys.get(id) ?? '');
  return granted.every(isSame) && !denied.some((id) => allows(id));
}
