/**
 * @module A write of a document: its request, the read of its response, its errors.
 */
import { defaultLocale } from '../config.ts';
import type { ReadPlan } from '../plan/model/read-plan.ts';
import { effectiveStatus, writtenLocale } from '../plan/model/versions.ts';
import type { WriteRequest } from '../plan/model/write-request.ts';
import { planOne, refuseUnknownKeys } from '../plan/read/plan-read.ts';
import { refuseExcess } from '../plan/validate/body-size.ts';
import { duplicateValue, uniqueViolation } from '../plan/validate/unique-values.ts';
import { checkKeys } from '../plan/validate/validate-keys.ts';
import type { QueryParams } from '../request/query-params.ts';
import { AssertionFailed, DuplicateValue } from '../sql/batch.ts';
import { type Authorized, readerOf } from './call.ts';
import type { WriteCall } from './content-call.ts';

/** @throws ApiError 400 for a body that is too large or has unknown keys */
export function writeRequest(
  call: WriteCall,
  operation: 'create' | 'update',
  params: QueryParams,
  { grants }: Authorized,
): WriteRequest {
  const { registry, type, settings } = call;
  const locale = writtenLocale(type, params, defaultLocale(settings));
  const data = call.data();
  refuseExcess(data, type, registry, settings.api.rest.limits);
  checkKeys(data, type, registry, grants);
  return {
    registry,
    strictRelations: settings.api.documents.strictRelations,
    type,
    documentId: call.documentId ?? call.newDocumentId,
    locale,
    defaultLocale: defaultLocale(settings),
    status: effectiveStatus(type, params.status),
    operation: type.kind === 'singleType' ? 'update' : operation,
    data,
  };
}

/** Plans the read of the response; filters and sort have no effect there. */
export function planReadBack(call: WriteCall, params: QueryParams, caller: Authorized): ReadPlan {
  const documentId = call.type.kind === 'singleType' ? undefined : (call.documentId ?? call.newDocumentId);
  const { filters: _, search: __, publicationFilter: ___, ...rest } = params;
  const reader = { ...readerOf(call, caller), isWriter: true };
  refuseUnknownKeys(params, call.type, reader);
  return planOne({ ...rest, sort: [] }, call.type, documentId, reader);
}

/** Words a failed write: a duplicate value is an error of the body. */
export function writeFailure(failure: unknown, request: WriteRequest): unknown {
  if (failure instanceof AssertionFailed) return uniqueViolation(failure.code, request) ?? failure;
  return failure instanceof DuplicateValue ? duplicateValue(failure.index, request) : failure;
}
