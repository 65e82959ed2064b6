/**
 * @module Conditional grants of the settings → rules: the documents and attributes that a grant of an action is limited
 * to.
 */
import { memoized } from '../common/cache.ts';
import type { ConditionalGrant } from '../schema/settings/grant-setting.ts';

/** The caller whose values a rule names: `$user`, `$user.<attribute>`, `$now`. */
export interface RuleCaller {
  /** The numeric id of the user; undefined for other callers. */
  readonly user: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Is it for a plan that is cached, which each request fills with its own time? */
  readonly isAnyTime?: true;
}

/** An action id, or a grant with conditions. */
export type Grant = string | ConditionalGrant;

type Filters = NonNullable<ConditionalGrant['where']>;

/** What a grant of an action is limited to. Absent parts limit nothing. */
export interface Rule {
  /** Equal for callers that the rule limits to the same at one time. */
  readonly key: string;
  readonly caller: RuleCaller;
  /** Alternatives. */
  readonly where?: readonly Filters[];
  /** Attributes that a response shows, or a body may have. */
  readonly fields?: ReadonlySet<string>;
  /** Values that replace those of a body. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** A filter that the written document must match. */
  readonly validate?: Filters;
  /** Are only drafts written? */
  readonly status?: 'draft';
  /** Is it that of a preview, which shows the drafts of its document? */
  readonly drafts?: boolean;
}

/** A rule without its caller. */
type Limits = Omit<Rule, 'key' | 'caller' | 'drafts'>;

export const actionsOf = (grant: Grant): readonly string[] =>
  typeof grant === 'string' ? [grant] : [grant.action].flat();

/** What all grants of one action must have in common: a union of columns would show more than each of them. */
export const commonPart = ({ fields, set, validate, status }: Partial<ConditionalGrant>): string =>
  JSON.stringify([fields ? [...fields].sort() : null, set ?? null, validate ?? null, status ?? null]);

/** Returns undefined if one of the grants is unlimited. The grants of an action are alternatives. */
function limitsOf(grants: readonly Grant[]): Limits | undefined {
  const limited = grants.filter((grant) => typeof grant !== 'string');
  const [first] = limited;
  if (!first || limited.length < grants.length) return undefined;
  const where = limited.flatMap((grant) => (grant.where ? [grant.where] : []));
  const { fields, set, validate } = first;
  const limits = {
    ...(where.length === limited.length && { where }),
    ...(fields && { fields: new Set(fields) }),
    ...(set && { set }),
    ...(validate && { validate }),
    ...(limited.some(({ status }) => status) && { status: 'draft' as const }),
  };
  return Object.keys(limits).length > 0 ? limits : undefined;
}

/** Returns grants that limit an action, without the actions that another grant gives all the same. */
export function limitingGrants(grants: readonly Grant[]): readonly ConditionalGrant[] {
  const idsOf = (isMeant: (grant: Grant) => boolean) => new Set(grants.filter(isMeant).flatMap(actionsOf));
  const unlimited = idsOf((grant) => !limitsOf([grant]));
  const everywhere = idsOf((grant) => typeof grant === 'string' || !grant.where);
  return grants.flatMap((grant) => {
    if (typeof grant === 'string') return [];
    const action = actionsOf(grant).filter((id) => !(grant.where ? everywhere : unlimited).has(id));
    return action.length > 0 ? [{ ...grant, action }] : [];
  });
}

const NAMES_USER = /"\$user(\.[^"]*)?"/;

/** Binds limits to a caller. The key has the user only if the limits name it, so that other callers share what is cached. */
function bind(limits: Limits, caller: RuleCaller): Rule {
  const { where, fields, set, validate, status } = limits;
  const parts = { where, fields: fields && [...fields], set, validate, status };
  const user = NAMES_USER.test(JSON.stringify(parts)) ? (caller.user ?? null) : undefined;
  return { ...limits, caller, key: JSON.stringify([parts, user]) };
}

export type RuleOf = (actionId: string) => Rule | undefined;

/** Returns the rules of conditional grants; undefined without any. */
export function rulesOf(grants: readonly Grant[]): ((caller: RuleCaller) => RuleOf) | undefined {
  if (grants.every((grant) => typeof grant === 'string')) return undefined;
  // A token may name all actions of 300 types, and its grants are read at each request.
  const ofAction = new Map<string, Set<Grant>>();
  for (const grant of grants)
    for (const id of actionsOf(grant)) ofAction.set(id, (ofAction.get(id) ?? new Set()).add(grant));
  return (caller) =>
    memoized((id: string) => {
      const limits = limitsOf([...(ofAction.get(id) ?? [])]);
      return limits && bind(limits, caller);
    });
}
