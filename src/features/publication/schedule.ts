/**
 * @module Scheduled publication: actions at a time to come, their list, and the run that carries out what is due.
 */

import { type Action, actionId, forbiddenUnless } from '../../access/grants.ts';
import { ApiError, invalid, notFound, toErrorBody } from '../../common/errors.ts';
import { CODE } from '../../content/credentials/credential.ts';
import type { Body } from '../../content/document/format-v5.ts';
import { changeConditions, writeCheck } from '../../content/operations/grant-check.ts';
import { changeNow, changePublication, shownParams, withActionGrant } from '../../content/operations/publication.ts';
import { readBack } from '../../content/operations/write-parts.ts';
import { writtenLocale } from '../../content/plan/model/versions.ts';
import { isEmpty, type RawQuery } from '../../content/request/query-string.ts';
import { type Authorized, actorOf, type Call, type SystemCall } from '../../content/runtime/call.ts';
import { type Caller, withCredential } from '../../content/runtime/caller.ts';
import type { PublicationCall } from '../../content/runtime/content-call.ts';
import type { ShownBody } from '../../content/runtime/response-work.ts';
import { AssertionFailed, isTransient } from '../../content/sql/batch.ts';
import { constant } from '../../content/sql/compiled.ts';
import { assertFence } from '../../content/sql/stamps.ts';
import { isOverLimit } from '../../content/sql/statement-count.ts';
import { assertLocale } from '../../content/sql/write/granted.ts';
import { knownDocumentId, namedDocument, single } from '../../schema/document-ref.ts';
import { PUBLICATIONS, type PublicationAction, type PublicationBody } from '../../schema/publication.ts';
import { defaultLocale } from '../../schema/settings/derived.ts';
import { shownEntry } from './scheduled-entry.ts';
import {
  assertScheduled,
  type DueScope,
  deleteInScope,
  deleteScheduled,
  failScheduled,
  insertScheduled,
  type Scheduled,
  selectDue,
  selectScheduled,
} from './sql.ts';

/** Actions that may be scheduled. */
const ACTIONS = ['publish', 'unpublish'] as const satisfies readonly PublicationAction[];

/** Entries of a list. */
const MAX_LISTED = 1_000;

/** Entries of one run. The next run goes on. */
const MAX_DUE = 40;

/** A run begins an entry only with room for so many statements: half of what an invocation may send to D1. */
const ROOM = 500;

/** Returns what the caller may publish or unpublish. @throws ApiError 403 for nothing */
function dueScopes(call: Call, caller: Authorized): readonly DueScope[] {
  const types = [...call.registry.contentTypes.values()].filter(({ draftAndPublish }) => draftAndPublish);
  const scopes = types.flatMap((type) =>
    ACTIONS.filter((action) => caller.grants.allows(actionId(type.uid, action))).map((action: Action) => ({
      type,
      action,
      conditions: changeConditions({ ...call, type }, caller, action),
    })),
  );
  forbiddenUnless(scopes.length > 0);
  return scopes;
}

const NO_DOCUMENT = 'NO_DOCUMENT';

/** The stored documentId of the document of a single type. */
const SINGLE = '';

/**
 * @throws ApiError 400 for a time that is not to come and a query that the action rejects, 404 without a document in the
 * locale, 412 as `writeCheck`
 */
async function scheduleChange(call: PublicationCall, caller: Caller, time: string): Promise<ShownBody<Body>> {
  const { type, action, now, settings } = call;
  if (!PUBLICATIONS[action].isTimed) throw invalid('Invalid key data.at', { key: 'at', path: 'data', source: 'body' });
  const at = Date.parse(time);
  if (!(at > now))
    throw invalid('Invalid data.at. Expected a time in the future', { source: 'body', param: 'data.at' });
  const params = shownParams(call);
  // Its response shows the entry; unknown fields and populates are rejected as for the action itself.
  readBack(call, params, caller, action);
  const locale = writtenLocale(type, params, defaultLocale(settings));
  const entry = { type: type.uid, documentId: knownDocumentId(call.document) ?? SINGLE, locale, action, at };
  const { guards } = await caller.read(writeCheck(call, caller, action, locale, params.status));
  const inserted = await caller.write({
    statements: [
      ...guards(),
      assertFence(call.registry.fences),
      assertLocale({ type, document: call.document, locale }, NO_DOCUMENT),
    ],
    result: insertScheduled(entry, actorOf(call), now),
    explain: (failure) => (failure instanceof AssertionFailed && failure.code === NO_DOCUMENT ? notFound() : failure),
  });
  return { body: { data: inserted.map(shownEntry)[0] ?? null, meta: {} } };
}

/** `POST …/actions/:action`. @param body validates the body: only after the grant was checked. It throws ApiError 400 */
export const changeOrSchedule = (call: PublicationCall, body: () => PublicationBody): Promise<ShownBody<Body>> =>
  withActionGrant(call, (caller) => {
    const { at } = body().data ?? {};
    return at === undefined ? changeNow(call, caller) : scheduleChange(call, caller, at);
  });

/** Returns a parameter of the list. An empty one is none. @throws ApiError 400 for what is no text */
function namedIn(query: RawQuery, name: 'type' | 'documentId'): string | undefined {
  const value = query[name];
  if (isEmpty(value)) return undefined;
  if (typeof value === 'string') return value;
  throw invalid(`Invalid parameter at '${name}'. Expected a string`, { source: 'query', param: name });
}

/**
 * `GET /api/scheduled`, of all documents, or of the type and the document that the query names.
 * @throws ApiError 400 for several of either
 */
export const listScheduled = (call: Call) =>
  withCredential(call, {}, async (caller) => {
    const scopes = dueScopes(call, caller);
    const [uid, documentId] = [namedIn(call.query(), 'type'), namedIn(call.query(), 'documentId')];
    const named = scopes.filter(({ type }) => uid === undefined || type.uid === uid);
    const entries = await caller.read(selectScheduled(named, documentId, MAX_LISTED));
    return entries.map(shownEntry);
  });

/** The code of a batch whose entry is carried out, cancelled or, for who cancels it, out of scope. */
const GONE = 'SCHEDULE';

const isGone = (failure: unknown): boolean => failure instanceof AssertionFailed && failure.code === GONE;

/** `DELETE /api/scheduled/:id` */
export const cancelScheduled = (call: Call, id: string): Promise<void> =>
  withCredential(call, { source: 'primary' }, (caller) =>
    caller.write({
      statements: deleteInScope(id, dueScopes(call, caller), GONE),
      result: constant(undefined),
      explain: (failure) => (isGone(failure) ? notFound() : failure),
    }),
  );

/** The error to keep; undefined for one after which the next run tries again. */
function errorOf(failure: unknown): string | undefined {
  if (isOverLimit(failure)) return failure.message;
  if (isTransient(failure)) return undefined;
  if (!(failure instanceof ApiError)) return 'Internal Server Error';
  const { status, message } = toErrorBody(failure.problem).error;
  return status < 500 ? message : undefined;
}

/** Changes the document and deletes the entry in one batch, so each is carried out once. */
async function carryOut(entry: Scheduled, call: Call): Promise<void> {
  const { id, documentId } = entry;
  const type = call.registry.contentTypes.get(entry.type);
  const action = ACTIONS.find((name) => name === entry.action);
  if (!type?.draftAndPublish || !action) throw invalid('The content type has no draft and publish any more');
  const isOfSingle = documentId === SINGLE;
  if (isOfSingle !== (type.kind === 'singleType'))
    throw invalid(`The content type is ${isOfSingle ? 'no' : 'a'} single type now`);
  const document = isOfSingle ? single(type) : namedDocument(documentId);
  const own = { ...call, type, document, action, format: 'v5' } as const;
  // Queries ignore an empty locale.
  const query = () => ({ locale: entry.locale });
  await changePublication({ ...own, query }, { guards: [assertScheduled(id, GONE)], after: [deleteScheduled(id)] });
}

/**
 * Carries out what is due, the earliest first. What cannot be published keeps its error, as does what takes more statements
 * than a whole run has.
 * @param call without a caller
 * @param report logs unexpected errors
 */
export async function runDue(call: SystemCall, report: (error: unknown) => void): Promise<void> {
  const system: Call = { ...call, credential: CODE };
  const { database } = call;
  const { statements, decode } = selectDue(call.now, MAX_DUE);
  for (const [index, entry] of decode(await database.read(statements, 'primary')).entries()) {
    if (!database.hasRoom(ROOM)) return;
    try {
      await carryOut(entry, { ...system, schedule: entry });
    } catch (failure) {
      if (isGone(failure)) continue;
      // As the first one of a run it has more room.
      if (isOverLimit(failure) && index > 0) return;
      if (!(failure instanceof ApiError)) report(failure);
      const error = errorOf(failure);
      if (error !== undefined) await database.note(failScheduled(entry.id, error));
    }
  }
}
