/**
 * @module Tools that change what the public sees, or delete: they are confirmed. A person decides where the client can ask
 * one; elsewhere a first call returns what would happen. This guards against mistakes; rights guard against the rest.
 */
import type { Action } from '../auth/grants.ts';
import { sha256 } from '../common/digest.ts';
import { isObject, type JsonObject } from '../common/json.ts';
import { PUBLICATION_BODY, type PublicationAction, pathOfAction } from '../registry/publication.ts';
import type { ApiRequest } from './api.ts';
import { draftQuery, ifMatch, send, type Target, type ToolCall, targetOf, viewOf } from './call.ts';
import { allows, nameOf, titleOf } from './describe.ts';
import { notGranted, ToolError } from './errors.ts';
import { seal, unseal } from './seal.ts';
import { readDifference } from './writing.ts';

const USE = 'confirm';
/** Milliseconds that a person has. */
const PATIENCE = 900_000;

interface Document extends Target {
  /** `"Bread" of articles in fr` */
  readonly name: string;
  readonly revision: string | undefined;
}

/** Reads the document as it is. @throws ToolError for a caller who may not do it */
async function readDocument(call: ToolCall, args: JsonObject, action: Action): Promise<Document> {
  if (args.locale === '*') throw new ToolError('Invalid locale. Expected one locale', 'locale');
  const target = await targetOf(call, args);
  const { type, path } = target;
  if (!allows(await viewOf(call), type, action)) throw notGranted(action, nameOf(type));
  const query = draftQuery(type, args.locale);
  const { body, revision } = await send(call, { path, query }, 'documentId', type);
  const { locale } = body.data;
  const title = JSON.stringify(titleOf(body.data, type, 80));
  return { ...target, revision, name: `${title} of ${nameOf(type)}${locale ? ` in ${locale}` : ''}` };
}

/** Makes the result that asks a person. It seals the call, and the revision that the person is shown. */
async function question(would: string, digest: string, revision: unknown, secret: string, until: number) {
  const confirm = { type: 'boolean', title: 'Yes', description: would };
  const requestedSchema = { type: 'object', properties: { confirm }, required: ['confirm'] };
  const params = { mode: 'form', message: `Do you want to ${would}?`, requestedSchema };
  return {
    resultType: 'input_required',
    inputRequests: { confirm: { method: 'elicitation/create', params } },
    requestState: await seal({ digest, revision }, USE, secret, until),
  };
}

/** Did the person say yes? */
function isAccepted(responses: unknown): boolean {
  const response = isObject(responses) && isObject(responses.confirm) ? responses.confirm : {};
  return response.action === 'accept' && isObject(response.content) && response.content.confirm === true;
}

/** Sends a request once it is confirmed, for the revision that was confirmed. @param verb what would happen */
async function confirmed(
  call: ToolCall,
  args: JsonObject,
  { name, type, path, revision: current }: Document,
  verb: string,
  request: ApiRequest,
): Promise<JsonObject> {
  const { secret, requestState, now } = call;
  const { revision = current, dryRun, ...others } = args;
  const would = `${verb} ${name}${args.at === undefined ? '' : ` at ${args.at}`}`;
  const act = async (agreed: unknown) => {
    const query = { locale: args.locale };
    const { body, revision } = await send(call, { ...request, query, headers: ifMatch(agreed) }, 'documentId', type);
    return { done: true, data: body?.data, revision };
  };
  if (call.canElicit && secret !== undefined && dryRun !== true) {
    const digest = sha256(JSON.stringify([call.authorization, request.path, Object.entries(others).sort()]));
    if (requestState === undefined) return question(would, digest, revision, secret, now + PATIENCE);
    const claims = await unseal(typeof requestState === 'string' ? requestState : '', USE, secret, now);
    if (claims?.digest === digest)
      return isAccepted(call.inputResponses) ? act(claims.revision) : { done: false, would, declined: true };
    const next = 'call again without it';
    throw new ToolError('Invalid requestState: it is of another call, or too old', 'requestState', { next });
  }
  if (dryRun === false && args.revision !== undefined) return act(revision);
  if (dryRun === false)
    throw new ToolError('Missing revision: it is the one that the call with "dryRun": true returned', 'revision');
  const difference = await readDifference(call, { type, path }, args.locale);
  const next = 'Call again with "dryRun": false and this revision';
  return { done: false, would, difference, revision: current, next };
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
