/**
 * @module Cached plans: a query is parsed, planned and compiled once for callers with the same permissions.
 */
import type { Grants } from '../auth/grants.ts';
import { traced } from '../auth/permission-trace.ts';
import type { Compiled } from '../sql/compiled.ts';
import { filled } from '../sql/render.ts';
import type { CachedPlan } from './caches.ts';
import type { Authorized, Call } from './call.ts';
import { digestOf, fingerprintOf } from './fingerprint.ts';
import type { ResponseWork } from './response-work.ts';

/** Plans a response from the query and the grants alone. @throws ApiError if it rejects the query */
export type ResponsePlanner = (caller: Authorized) => ResponseWork;

/** @param planKey everything that the plan depends on except permissions and the documentId */
export function cachedPlan(call: Call, planKey: string, plan: ResponsePlanner, rights: Grants): CachedPlan {
  // HEAD computes less, and has the same tag.
  const key = call.bodiless ? `HEAD ${planKey}` : planKey;
  const cached = call.caches.plans.find(key, rights);
  if (cached) return cached;
  const { grants, trace } = traced(rights);
  const work = plan({ grants });
  const made = { ...work, trace: trace(), digest: digestOf(fingerprintOf(call), planKey, trace()) };
  call.caches.plans.keep(key, made, rights);
  return made;
}

/** Fills in the documentId of a read of one document. @param documentId null for lists and single types, which have no place for it */
export const forDocument = <T>(work: Compiled<T>, documentId: string | null): Compiled<T> =>
  documentId === null ? work : { ...work, statements: work.statements.map((each) => filled(each, { documentId })) };
