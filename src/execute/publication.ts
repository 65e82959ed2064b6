/**
 * @module Publishes a document, unpublishes it, or discards its draft, in one locale.
 */
import { actionId, requireGrant } from '../auth/grants.ts';
import { readCurrent } from '../document/current.ts';
import type { Body } from '../document/format-v5.ts';
import { shownEntry } from '../document/scheduled-entry.ts';
import { invalid, notFound } from '../errors.ts';
import { writtenLocale } from '../plan/model/versions.ts';
import type { WriteRequest } from '../plan/model/write-request.ts';
import { planPublication, publicationPreconditions } from '../plan/write/plan-publication.ts';
import { parseQueryParams, type QueryParams, type Status } from '../request/query-params.ts';
import { defaultLocale } from '../settings.ts';
import { AssertionFailed } from '../sql/batch.ts';
import { together } from '../sql/compiled.ts';
import type { Statement } from '../sql/statement.ts';
import { assertLocale } from '../sql/write/granted.ts';
import { compileWrite } from '../sql/write/mutate.ts';
import { compilePreconditions } from '../sql/write/preconditions.ts';
import { insertScheduled } from '../sql/write/scheduled.ts';
import type { Shown } from './caches.ts';
import { type Caller, withCredential } from './caller.ts';
import type { PublicationCall } from './content-call.ts';
import { readBack, requestParts, writeFailure } from './content-write.ts';
import { rejectHidden, writeCheck } from './grant-check.ts';

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

/** What a batch asserts and changes beside the document. */
interface AlsoWritten {
  readonly guards: readonly Statement[];
  readonly after: readonly Statement[];
}

const NO_DOCUMENT = 'NO_DOCUMENT';

/** @throws ApiError 400 for a time that is not to come, 404 without a document in the locale, 412 as `writeCheck` */
async function scheduleChange(call: PublicationCall, caller: Caller, time: string): Promise<Shown<Body>> {
  const { type, action, now, settings } = call;
  if (action === 'discardDraft') throw invalid('Invalid key data.at', { key: 'at', path: 'data', source: 'body' });
  const at = Date.parse(time);
  if (!(at > now))
    throw invalid('Invalid data.at. Expected a time in the future', { source: 'body', param: 'data.at' });
  const params = parseQueryParams(call.query(), 'write', settings);
  const locale = writtenLocale(type, params, defaultLocale(settings));
  const entry = { type: type.uid, documentId: call.documentId ?? '', locale, action, at };
  const status = action === 'publish' ? 'published' : 'draft';
  const { guards } = await caller.read(writeCheck(call, caller, action, locale, params.status ?? status));
  const inserted = await caller.write({
    statements: [...guards(), assertLocale({ type, documentId: call.documentId, locale }, NO_DOCUMENT)],
    result: insertScheduled(entry, now),
    explain: (failure) => (failure instanceof AssertionFailed && failure.code === NO_DOCUMENT ? notFound() : failure),
  });
  return { body: { data: inserted.map(shownEntry)[0] ?? null, meta: {} } };
}

/** `POST …/actions/:action` */
export function changePublication(
  call: PublicationCall,
  { guards, after }: AlsoWritten = { guards: [], after: [] },
): Promise<Shown<Body>> {
  const { type, action } = call;
  if (!type.draftAndPublish) throw notFound();
  return withCredential(call, { source: 'primary' }, async (caller) => {
    requireGrant(caller.grants, actionId(type.uid, action));
    const { data } = await call.body();
    if (data?.at !== undefined) return scheduleChange(call, caller, data.at);
    const params = shownParams(call);
    const result = readBack(call, params, caller, action);
    const request: WriteRequest = {
      ...requestParts(call, params, caller, action),
      documentId: call.documentId ?? '',
      status: action === 'publish' ? 'published' : 'draft',
      operation: 'update',
      data: {},
    };
    const preconditions = publicationPreconditions(request, action);
    const check = writeCheck(call, caller, action, request.locale, params.status);
    const [checked, rows] = await caller.read(together([check, compilePreconditions(preconditions)]));
    rejectHidden(checked);
    const current = readCurrent(preconditions, rows, checked.seen);
    const plan = planPublication(request, action, current, caller.writeContext);
    return caller.write({
      statements: [...guards, ...checked.guards(), ...rows.unchanged, ...compileWrite(plan), ...after],
      result,
      plan,
      explain: (failure) => writeFailure(failure, request),
    });
  });
}
