/**
 * @module `GET /api/:pluralApiId`
 */
import { readId, requireGrant } from '../../access/grants.ts';
import { planList } from '../plan/read/plan-read.ts';
import { parseQueryParams } from '../request/query-params.ts';
import { listKeys } from '../runtime/cache-keys.ts';
import { cachedRead } from '../runtime/cached-response.ts';
import { readerOf } from '../runtime/call.ts';
import type { ContentCall } from '../runtime/content-call.ts';
import { withGrantedSourceMaps } from '../runtime/granted-source-maps.ts';
import { listOfDocuments, responseWork } from './response.ts';

export const find = cachedRead({
  keysOf: listKeys,
  callFor: withGrantedSourceMaps,
  plan(call: ContentCall, caller) {
    const { type } = call;
    const id = readId(caller.grants, type.uid, 'find');
    requireGrant(caller.grants, id);
    const params = parseQueryParams(call.query(), 'list', call.settings);
    const rule = caller.grants.rule?.(id);
    // HEAD depends on the stamps of all that GET shows, so both have one tag.
    const plan = planList(params, type, { ...readerOf(call, caller), rule, bodiless: false });
    return responseWork(call, caller, plan, listOfDocuments);
  },
});
