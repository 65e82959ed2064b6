/**
 * @module Publishes a document, unpublishes it, or discards its draft, in one locale.
 */
import { actionId, requireGrant } from '../auth/grants.ts';
import { defaultLocale } from '../config.ts';
import { readCurrent } from '../document/current.ts';
import type { Body } from '../document/format-v5.ts';
import { invalid, notFound } from '../errors.ts';
import { writtenLocale } from '../plan/model/versions.ts';
import type { WriteRequest } from '../plan/model/write-request.ts';
import { rotatedStamps } from '../plan/write/invalidation.ts';
import { planPublication, publicationPreconditions } from '../plan/write/plan-publication.ts';
import { parseQueryParams, type QueryParams, type Status } from '../request/query-params.ts';
import { together } from '../sql/compiled.ts';
import { compileWrite } from '../sql/write/mutate.ts';
import { compilePreconditions } from '../sql/write/preconditions.ts';
import type { Shown } from './caches.ts';
import type { Authorized } from './call.ts';
import { withCredential } from './caller.ts';
import type { PublicationCall } from './content-call.ts';
import { readBack, writeFailure } from './content-write.ts';
import { grantCheck, responseRule } from './grant-check.ts';
import { compileMatch } from './revision.ts';

/** @throws ApiError 400 for the version that the document no longer has */
function shownParams({ action, query, settings }: PublicationCall): QueryParams {
  const params = parseQueryParams(query(), 'write', settings);
  if (action === 'unpublish' && params.status === 'published')
    throw invalid("Invalid parameter at 'status'. An unpublished document has no published version", {
      source: 'query',
      param: 'status',
    });
  const status: Status = params.status ?? (action === 'publish' ? 'published' : 'draft');
  return { ...params, status };
}

function publicationRequest(call: PublicationCall, params: QueryParams, caller: Authorized): WriteRequest {
  const { registry, settings, type, action } = call;
  return {
    registry,
    strictRelations: settings.api.documents.strictRelations,
    type,
    documentId: call.documentId ?? '',
    locale: writtenLocale(type, params, defaultLocale(settings)),
    defaultLocale: defaultLocale(settings),
    status: action === 'publish' ? 'published' : 'draft',
    operation: 'update',
    data: {},
    shown: responseRule(call, caller, action)?.fields,
  };
}

/** `POST …/actions/:action` */
export function changePublication(call: PublicationCall): Promise<Shown<Body>> {
  const { type, action } = call;
  if (!type.draftAndPublish) throw notFound();
  return withCredential(call, { source: 'primary' }, async (caller) => {
    requireGrant(caller.grants, actionId(type.uid, action));
    await call.body();
    const params = shownParams(call);
    const result = readBack(call, params, caller, action);
    const request = publicationRequest(call, params, caller);
    const preconditions = publicationPreconditions(request, action);
    const check = grantCheck(call, caller, action, request.locale);
    const read = together([check, compilePreconditions(preconditions), compileMatch(call, request.locale)]);
    const [granted, rows, requireMatch] = await caller.read(read);
    const plan = planPublication(request, action, readCurrent(preconditions, rows), caller.writeContext);
    return caller.write({
      statements: [...granted, ...requireMatch(params.status), ...rows.unchanged, ...compileWrite(plan)],
      result,
      stamps: rotatedStamps(plan),
      explain: (failure) => writeFailure(failure, request),
    });
  });
}
