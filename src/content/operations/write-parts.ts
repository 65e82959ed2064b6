/**
 * @module A write of a document: its request, the read of its response, its errors.
 */
import { type Action, actionId, isDraftsOnly, requireGrant, ruleOf } from '../../access/grants.ts';
import { forbidden } from '../../common/errors.ts';
import { knownDocumentId } from '../../schema/document-ref.ts';
import { defaultLocale, defaultStatus } from '../../schema/settings/derived.ts';
import type { Body } from '../document/format-v5.ts';
import { effectiveStatus, writtenLocale } from '../plan/model/versions.ts';
import type { WriteRequest } from '../plan/model/write-request.ts';
import { canReadDrafts, scopeOf } from '../plan/read/name-scope.ts';
import { planOne, rejectUnknownKeys } from '../plan/read/plan-read.ts';
import { rejectExcess } from '../plan/validate/body-size.ts';
import { rejectMixed } from '../plan/validate/mixed-relations.ts';
import { duplicateValue, uniqueViolation } from '../plan/validate/unique-values.ts';
import { checkKeys } from '../plan/validate/validate-keys.ts';
import { parseQueryParams, type QueryParams } from '../request/query-params.ts';
import { cachedPlan, filledWork } from '../runtime/cached-plan.ts';
import { type Authorized, readerOf, rejectsMixedRelations } from '../runtime/call.ts';
import type { ContentCall, DocumentCall, WriteCall } from '../runtime/content-call.ts';
import { withGrantedSourceMaps } from '../runtime/granted-source-maps.ts';
import type { ShownBody } from '../runtime/response-work.ts';
import { AssertionFailed, DuplicateValue } from '../sql/batch.ts';
import type { Compiled } from '../sql/compiled.ts';
import { plannedDocument } from '../sql/pieces.ts';
import { invalidByGrant, mayRead, responseRule, valuesSet, visibleTargets, withoutSet } from './grant-check.ts';
import { oneWritten, responseWork } from './response.ts';

/**
 * Returns the parameters of a create or update that is granted, `status` included.
 * @throws ApiError 403 without the grant, and for a published version if the grant is for drafts only
 */
export function writeParams(
  { type, settings, query }: Pick<ContentCall, 'type' | 'settings' | 'query'>,
  { grants }: Authorized,
  operation: 'create' | 'update',
): QueryParams {
  const id = actionId(type.uid, operation);
  requireGrant(grants, id);
  const params = parseQueryParams(query(), 'write', settings);
  const status = params.status ?? defaultStatus(settings, type.uid);
  if (status === 'published' && isDraftsOnly(grants, id))
    throw forbidden('This caller may only write drafts. Add status=draft to the query');
  return { ...params, status };
}

/** The parts that every write of a document has. @throws ApiError 400 for several locales */
export const requestParts = (call: DocumentCall, params: QueryParams, caller: Authorized, action: Action) => ({
  registry: call.registry,
  strictRelations: call.settings.api.documents.strictRelations,
  allIssues: call.settings.api.rest.errorDetails === 'documented',
  emptySetClears: rejectsMixedRelations(call) || call.isRestoring === true,
  type: call.type,
  document: call.document,
  locale: writtenLocale(call.type, params, defaultLocale(call.settings)),
  defaultLocale: defaultLocale(call.settings),
  shown: responseRule(call, caller, action)?.fields,
  visible: visibleTargets(call, caller),
});

/** @throws ApiError 400 for a body that is too large, unless it is a former version, for unknown keys, and for mixed relations */
export function writeRequest(
  call: WriteCall,
  operation: 'create' | 'update',
  params: QueryParams,
  caller: Authorized,
): WriteRequest {
  const { registry, type, settings, isRestoring } = call;
  const parts = requestParts(call, params, caller, operation);
  const { grants } = caller;
  const written = call.data();
  if (!isRestoring) rejectExcess(written, type, registry, settings.api.rest.limits);
  const rule = ruleOf(grants, type.uid, operation);
  const sent = rule ? withoutSet(written, rule) : written;
  checkKeys(sent, scopeOf(type, rule), registry, grants, { isRestoring, emptySetClears: parts.emptySetClears });
  if (rejectsMixedRelations(call)) rejectMixed(sent, type.attributes, registry);
  return {
    ...parts,
    documentId: knownDocumentId(call.document) ?? call.newDocumentId,
    status: effectiveStatus(type, params.status),
    operation,
    data: rule ? { ...sent, ...valuesSet(rule) } : sent,
    ...(rule?.set && { sent }),
  };
}

interface ReadBackOptions {
  /** The responses of a batch share the limits of one: each may take one part. */
  readonly parts?: number;
  /** Others may have changed the document since, so the caller sees what a read shows. */
  readonly isRepeat?: boolean;
}

/** The read of the response; filters and sort have no effect there. Writes with the same parameters share its plan. */
export function readBack(
  sent: DocumentCall,
  params: QueryParams,
  caller: Authorized,
  action: Action,
  { parts = 1, isRepeat = false }: ReadBackOptions = {},
): Compiled<ShownBody<Body>> {
  const call = withGrantedSourceMaps(sent, caller);
  // Of the parameters, and not of the query string: a schedule and a restoration have some that are not in theirs.
  const cached = cachedPlan(
    call,
    `${call.format} ${call.type.uid} ${action} ${parts}${isRepeat ? ' repeat' : ''} ${JSON.stringify(params)}`,
    (authorized) => {
      const { filters: _, search: __, publicationFilter: ___, ...rest } = params;
      const rule = responseRule(call, authorized, action);
      const reader = { ...readerOf(call, authorized), rule, isWriter: !isRepeat };
      rejectUnknownKeys(params, call.type, reader);
      const plan = planOne({ ...rest, sort: [] }, call.type, plannedDocument(call.document), reader);
      const { rows, bytes } = plan.ceiling;
      const ceiling = { rows: Math.floor(rows / parts), bytes: Math.floor(bytes / parts) };
      return responseWork(call, authorized, { ...plan, ceiling }, oneWritten);
    },
    caller.grants,
  );
  // The plan of this key was made above.
  return filledWork(cached, { named: knownDocumentId(call.document), now: call.now }) as Compiled<ShownBody<Body>>;
}

/** May the caller read the document that a write shows? */
export const mayReadBack = ({ type }: ContentCall, { status }: QueryParams, caller: Authorized): boolean =>
  mayRead({ type }, caller) && (effectiveStatus(type, status) === 'published' || canReadDrafts(type, caller));

/** Words a failed write: a duplicate value is an error of the body. */
export function writeFailure(failure: unknown, request: WriteRequest): unknown {
  if (failure instanceof AssertionFailed) return uniqueViolation(failure.code, request) ?? invalidByGrant(failure);
  return failure instanceof DuplicateValue ? duplicateValue(failure.index, request) : failure;
}
