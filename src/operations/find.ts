/**
 * @module `GET /api/:pluralApiId`
 */
import { actionId, requireGrant, ruleOf } from '../auth/grants.ts';
import { planList } from '../plan/read/plan-read.ts';
import { parseQueryParams } from '../request/query-params.ts';
import { cachedRead } from '../runtime/cached-response.ts';
import { readerOf } from '../runtime/call.ts';
import { type ContentCall, cacheKeysOf, forCaller } from '../runtime/content-call.ts';
import { listOfDocuments, responseWork } from './response.ts';

export const find = cachedRead(
  cacheKeysOf,
  (call: ContentCall, caller) => {
    const { type } = call;
    requireGrant(caller.grants, actionId(type.uid, 'find'));
    const params = parseQueryParams(call.query(), 'list', call.settings);
    const rule = ruleOf(caller.grants, type.uid, 'find');
    const plan = planList(params, type, { ...readerOf(call, caller), rule, bodiless: false });
    return responseWork(call, plan, listOfDocuments);
  },
  forCaller,
);
