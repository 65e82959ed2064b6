/**
 * @module `GET /api/:pluralApiId/<attribute>:<value>`: the document with a unique value.
 */
import { readId, requireGrant } from '../../access/grants.ts';
import { notFound } from '../../common/errors.ts';
import { planLookup } from '../plan/read/plan-read.ts';
import { lookupKeys } from '../runtime/cache-keys.ts';
import { cachedRead } from '../runtime/cached-response.ts';
import type { LookupCall } from '../runtime/content-call.ts';
import { withGrantedSourceMaps } from '../runtime/granted-source-maps.ts';
import { ANY_VALUE } from '../sql/pieces.ts';
import { documentWork } from './find-one.ts';

/** It takes the grants of both reads: who may not list documents does not find one by what it could guess. */
export const lookUp = cachedRead({
  keysOf: lookupKeys,
  callFor: withGrantedSourceMaps,
  plan(call: LookupCall, caller) {
    const { type, lookup } = call;
    const { grants } = caller;
    const read = readId(grants, type.uid, 'findOne');
    const list = readId(grants, type.uid, 'find');
    requireGrant(grants, read);
    requireGrant(grants, list);
    return documentWork(call, caller, grants.rule?.(read), (params, reader) => {
      if (!lookup) throw notFound();
      const { attribute } = lookup;
      return planLookup(params, type, { attribute, value: ANY_VALUE }, reader, grants.rule?.(list));
    });
  },
});
