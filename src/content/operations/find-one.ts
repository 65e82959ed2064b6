/**
 * @module `GET /api/:pluralApiId/:documentId` and `GET /api/:singularApiId`
 */
import { type Action, actionId, readId, requireGrant } from '../../access/grants.ts';
import type { Rule } from '../../access/rule.ts';
import { PUBLICATION_ACTIONS } from '../../schema/publication.ts';
import type { ReadPlan } from '../plan/model/read-plan.ts';
import { planOne, type Reader } from '../plan/read/plan-read.ts';
import { parseQueryParams, type QueryParams } from '../request/query-params.ts';
import { documentKeys } from '../runtime/cache-keys.ts';
import { cachedRead } from '../runtime/cached-response.ts';
import { type Authorized, readerOf } from '../runtime/call.ts';
import type { ContentCall, DocumentCall } from '../runtime/content-call.ts';
import { withGrantedSourceMaps } from '../runtime/granted-source-maps.ts';
import type { ResponseWork } from '../runtime/response-work.ts';
import { plannedDocument } from '../sql/pieces.ts';
import { readRule } from './grant-check.ts';
import { oneDocument, oneWithoutRevision, responseWork } from './response.ts';

const WRITES: readonly Action[] = ['update', 'delete', ...PUBLICATION_ACTIONS];

/** A revision tells `updatedAt`. A caller who may not see it gets one only for `If-Match`. */
const seesRevision = ({ type }: ContentCall, { grants }: Authorized, rule: Rule | undefined): boolean =>
  rule?.fields?.has('updatedAt') !== false || WRITES.some((action) => grants.allows(actionId(type.uid, action)));

/** Its plan serves every document, and HEAD too, whose tag is that of GET. @param rule that of the read */
export function documentWork(
  call: ContentCall,
  caller: Authorized,
  rule: Rule | undefined,
  planFor: (params: QueryParams, reader: Reader) => ReadPlan,
): ResponseWork {
  const params = parseQueryParams(call.query(), 'one', call.settings);
  const plan = planFor(params, { ...readerOf(call, caller), rule, bodiless: false });
  const work = responseWork(call, caller, plan, seesRevision(call, caller, rule) ? oneDocument : oneWithoutRevision);
  return params.showsPrivate ? { ...work, isPrivate: true } : work;
}

export const findOne = cachedRead({
  keysOf: documentKeys,
  callFor: withGrantedSourceMaps,
  plan(call: DocumentCall, caller) {
    const { type } = call;
    requireGrant(caller.grants, readId(caller.grants, type.uid, type.kind === 'singleType' ? 'find' : 'findOne'));
    const document = plannedDocument(call.document);
    return documentWork(call, caller, readRule(call, caller), (params, reader) =>
      planOne(params, type, document, reader),
    );
  },
});
