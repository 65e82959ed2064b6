/**
 * @module Cached plans: a query is parsed, planned and compiled once for callers with the same permissions.
 */
import type { Grants } from '../../access/grants.ts';
import { traced } from '../../access/permission-trace.ts';
import { hasAnyTime, valuesOfName, valuesOfTime } from '../sql/pieces.ts';
import { filled } from '../sql/render.ts';
import type { CacheKeys } from './cache-keys.ts';
import type { CachedPlan } from './caches.ts';
import type { Authorized, Call } from './call.ts';
import { digestOf, fingerprintOf } from './fingerprint.ts';
import type { ResponseWork } from './response-work.ts';

/** Plans a response from the query and the grants alone. @throws ApiError if it rejects the query */
export type ResponsePlanner = (caller: Authorized) => ResponseWork;

/** Returns grants whose rules leave the time to each request. */
const atAnyTime = ({ rule, ...grants }: Grants): Grants => ({
  ...grants,
  rule:
    rule &&
    ((id) => {
      const found = rule(id);
      return found && { ...found, caller: { ...found.caller, isAnyTime: true } };
    }),
});

/** @param planKey everything that the plan depends on except permissions and what the path names */
export function cachedPlan(call: Call, planKey: string, plan: ResponsePlanner, rights: Grants): CachedPlan {
  // HEAD computes less, and has the same tag.
  const key = call.bodiless ? `HEAD ${planKey}` : planKey;
  const cached = call.caches.plans.find(key, rights);
  if (cached) return cached;
  const { grants, trace } = traced(rights);
  const work = plan({ grants: atAnyTime(grants) });
  const isTimed = work.work.statements.some(hasAnyTime);
  const made = { ...work, isTimed, trace: trace(), digest: digestOf(fingerprintOf(call), planKey, trace()) };
  call.caches.plans.keep(key, made, rights);
  return made;
}

/** What a cached plan leaves to each request. */
interface Filling {
  /** Null for lists and single types, which have no place for it. */
  readonly named: CacheKeys['named'];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the work of a plan for one request. */
export function filledWork({ work, isTimed }: CachedPlan, { named, now }: Filling): CachedPlan['work'] {
  if (named === null && !isTimed) return work;
  const values = { ...valuesOfName(named), ...(isTimed && valuesOfTime(now)) };
  return { ...work, statements: work.statements.map((each) => filled(each, values)) };
}
