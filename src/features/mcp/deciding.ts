/**
 * @module Tools that change what the public sees, or delete: they are confirmed. A person decides where the client can ask
 * one; elsewhere a first call returns what would happen. This guards against mistakes; rights guard against the rest.
 */
import type { Action } from '../../access/grants.ts';
import { isObject, type JsonObject } from '../../common/json.ts';
import { PUBLICATION_BODY, type PublicationAction, pathOfAction } from '../../schema/publication.ts';
import type { ApiRequest } from './api.ts';
import { draftQuery, ifMatch, send, type Target, type ToolCall, targetOf, viewOf } from './call.ts';
import { makeConfirmation, readConfirmation } from './confirmation.ts';
import { allows, nameOf, titleOf } from './describe.ts';
import { apiError, changedSince, leftToPerson, notGranted, ToolError, usedUp } from './errors.ts';
import { readDifference } from './writing.ts';

interface Document extends Target {
  /** `"Bread" of articles in fr` */
  readonly name: string;
  readonly locale: unknown;
  readonly revision: string;
  /** The tag of both versions as they are. */
  readonly versions: string;
}

/** The last part of a tag is the revision. */
const revisionIn = (tag = ''): string => tag.slice(tag.lastIndexOf('.') + 1);

/** Reads the revision of the published version; empty without one. @throws ToolError */
async function publishedRevision(call: ToolCall, { path }: Target, locale: unknown): Promise<string> {
  const response = await call.api({ path, query: { status: 'published', locale, fields: ['documentId'] } });
  if (response.status >= 400 && response.status !== 404) throw apiError(response, 'documentId', []);
  // A 404 has no tag.
  return revisionIn(response.revision);
}

/** Reads the document as it is. @throws ToolError for a caller who may not do it */
async function readDocument(call: ToolCall, args: JsonObject, action: Action): Promise<Document> {
  if (args.locale === '*') throw new ToolError('Invalid locale. Expected one locale', 'locale');
  const target = await targetOf(call, args);
  const { type, path } = target;
  if (!allows(await viewOf(call), type, action)) throw notGranted(action, nameOf(type));
  const query = draftQuery(type, args.locale);
  const [draft, published] = await Promise.all([
    send(call, { path, query }, 'documentId', type),
    type.draftAndPublish ? publishedRevision(call, target, args.locale) : undefined,
  ]);
  const { data } = draft.body;
  const { locale = null } = data;
  const revision = revisionIn(draft.revision);
  const title = JSON.stringify(titleOf(data, type, 80));
  return {
    ...{ ...target, locale, revision },
    versions: published === undefined ? revision : `${published}&${revision}`,
    name: `${title} of ${nameOf(type)}${locale ? ` in ${locale}` : ''}`,
  };
}

/** Makes the result that asks a person, and has the confirmation that a yes makes valid. */
function question(would: string, requestState: string): JsonObject {
  const confirm = { type: 'boolean', title: 'Yes', description: would };
  const requestedSchema = { type: 'object', properties: { confirm }, required: ['confirm'] };
  const params = { mode: 'form', message: `Do you want to ${would}?`, requestedSchema };
  return {
    resultType: 'input_required',
    inputRequests: { confirm: { method: 'elicitation/create', params } },
    requestState,
  };
}

/** Did the person say yes? */
function isAccepted(responses: unknown): boolean {
  const response = isObject(responses) && isObject(responses.confirm) ? responses.confirm : {};
  return response.action === 'accept' && isObject(response.content) && response.content.confirm === true;
}

/** Sends a request once it is confirmed, for the versions that were confirmed. @param verb what would happen */
async function confirmed(
  call: ToolCall,
  { revision, dryRun, locale, at }: JsonObject,
  document: Document,
  verb: string,
  request: ApiRequest,
): Promise<JsonObject> {
  const { name, type, path, versions } = document;
  const would = `${verb} ${name}${at === undefined ? '' : ` at ${at}`}`;
  const confirmable = [request.method, request.path, document.locale, request.body];
  const act = async (text: unknown, argument: string, next: string) => {
    const agreed = readConfirmation(call, text, confirmable);
    if (!agreed) throw new ToolError(`Invalid ${argument}: it is of another call, or too old`, argument, { next });
    if (agreed.versions !== versions) throw changedSince();
    if (!(await call.useOnce(agreed.id)))
      throw new ToolError(`Invalid ${argument}: it was used before`, argument, { next });
    const sent = { ...request, query: { locale }, headers: ifMatch(versions) };
    const { body, revision } = await send(call, sent, 'documentId', type).catch((error) => {
      throw usedUp(leftToPerson(error), next);
    });
    return { done: true, data: body?.data, revision };
  };
  const makeFor = (given: unknown): string => {
    if (given !== undefined && ![document.revision, versions].includes(revisionIn(String(given)))) throw changedSince();
    return makeConfirmation(call, confirmable, versions);
  };
  if (call.canElicit && call.secret !== undefined && dryRun !== true) {
    const state = call.requestState ?? undefined;
    if (state === undefined) return question(would, makeFor(revision));
    if (!isAccepted(call.inputResponses)) return { done: false, would, declined: true };
    return act(state, 'requestState', 'Call again without it');
  }
  if (dryRun === false) {
    const next = 'Call with "dryRun": true, and then with the revision that it returns';
    if (revision === undefined) throw new ToolError('Missing revision', 'revision', { next });
    return act(revision, 'revision', next);
  }
  const confirmation = makeFor(revision);
  const difference = await readDifference(call, { type, path }, locale);
  const next = 'Call again with "dryRun": false and this revision';
  return { done: false, would, difference, revision: confirmation, next };
}

const VERBS: Readonly<Record<PublicationAction, string>> = {
  publish: 'publish',
  unpublish: 'unpublish',
  discardDraft: 'discard the draft of',
};

export async function changePublication(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const { at } = args;
  const action = args.action as PublicationAction;
  const body = at === undefined ? {} : { data: { at } };
  // A person is shown the time.
  if (!PUBLICATION_BODY.safeParse(body).success)
    throw new ToolError('Invalid at. Expected a time: 2027-01-01T09:00:00Z', 'at');
  const document = await readDocument(call, args, action);
  const path = `${document.path}/actions/${pathOfAction(action)}`;
  return confirmed(call, args, document, VERBS[action], { method: 'POST', path, body });
}

export async function remove(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const document = await readDocument(call, args, 'delete');
  return confirmed(call, args, document, 'delete', { method: 'DELETE', path: document.path });
}
