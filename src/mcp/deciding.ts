/**
 * @module Tools that change what the public sees, or delete: they are confirmed. A person decides where the client can ask
 * one; elsewhere a first call returns what would happen. This guards against mistakes; rights guard against the rest.
 */
import type { Action } from '../auth/grants.ts';
import { sha256 } from '../common/digest.ts';
import { isObject, type JsonObject } from '../common/json.ts';
import type { ContentType } from '../registry/model.ts';
import { type PublicationAction, pathOfAction } from '../registry/publication.ts';
import { draftQuery, ifMatch, pathOf, send, type ToolCall, type ToolResult, typeOf, viewOf } from './call.ts';
import { allows, nameOf } from './describe.ts';
import { notGranted, ToolError } from './errors.ts';
import { seal, unseal } from './seal.ts';
import { readDifference } from './writing.ts';

const USE = 'confirm';
/** Milliseconds that a person has. */
const PATIENCE = 900_000;
const QUESTION = 'confirm';

interface Decision {
  readonly type: ContentType;
  readonly path: string;
  readonly args: JsonObject;
  /** `publish "Bread" of articles` */
  readonly would: string;
  readonly difference: JsonObject | null;
  /** Of the document as it was read. */
  readonly revision: string;
}

/** Stands for the caller, the call and the document. */
const digestOf = (
  { authorization }: ToolCall,
  { path, args: { revision: _, dryRun: __, ...args } }: Decision,
): string => sha256(JSON.stringify([authorization, path, Object.entries(args).sort()]));

async function ask(call: ToolCall, decision: Decision, secret: string): Promise<ToolResult> {
  const { would, revision } = decision;
  const state = await seal({ digest: digestOf(call, decision), revision }, USE, secret, call.now + PATIENCE);
  const requestedSchema = {
    type: 'object',
    properties: { [QUESTION]: { type: 'boolean', title: 'Yes', description: would } },
    required: [QUESTION],
  };
  const params = { mode: 'form', message: `Do you want to ${would}?`, requestedSchema };
  return {
    input: { inputRequests: { [QUESTION]: { method: 'elicitation/create', params } }, requestState: state },
  };
}

/** Returns the revision that the person confirmed; undefined for no. @throws ToolError for a state of another call */
async function confirmedRevision(call: ToolCall, decision: Decision, secret: string): Promise<string | undefined> {
  const { requestState, inputResponses, now } = call;
  const claims = await unseal(typeof requestState === 'string' ? requestState : '', USE, secret, now);
  if (claims?.digest !== digestOf(call, decision))
    throw new ToolError('Invalid requestState: it is of another call, or too old', 'requestState', {
      next: 'call again without it',
    });
  const response = isObject(inputResponses) ? inputResponses[QUESTION] : undefined;
  const isYes =
    isObject(response) &&
    response.action === 'accept' &&
    isObject(response.content) &&
    response.content[QUESTION] === true;
  return isYes ? String(claims.revision) : undefined;
}

/** Runs `act` once it is confirmed, on the revision that was confirmed. */
async function confirmed(
  call: ToolCall,
  decision: Decision,
  act: (revision: string) => Promise<JsonObject>,
): Promise<ToolResult> {
  const { args, would, difference, revision } = decision;
  const { secret } = call;
  if (call.canElicit && secret !== undefined && args.dryRun !== true) {
    if (call.requestState === undefined) return ask(call, decision, secret);
    const agreed = await confirmedRevision(call, decision, secret);
    return {
      content: agreed === undefined ? { done: false, would, declined: true } : { done: true, ...(await act(agreed)) },
    };
  }
  if (args.dryRun !== false)
    return {
      content: { done: false, would, difference, revision, next: 'Call again with "dryRun": false and this revision' },
    };
  if (typeof args.revision !== 'string')
    throw new ToolError('Missing revision: it is the one that the call with "dryRun": true returned', 'revision');
  return { content: { done: true, ...(await act(args.revision)) } };
}

const TITLES: readonly string[] = ['title', 'name', 'label', 'headline', 'slug'];

/** Reads the document as it is, and says in words what would happen. */
async function decide(call: ToolCall, args: JsonObject, action: Action, verb: string): Promise<Decision> {
  const { documentId, locale } = args;
  const type = await typeOf(call, args.type);
  const view = await viewOf(call);
  if (!allows(view, type, action)) throw notGranted(action, nameOf(type));
  const path = pathOf(type, documentId);
  const query = draftQuery(type, locale);
  const { body, revision = '' } = await send(call, { method: 'GET', path, query }, 'documentId', type);
  const title =
    TITLES.map((name) => body.data[name]).find((value) => typeof value === 'string') ?? body.data.documentId;
  const inLocale = body.data.locale ? ` in ${body.data.locale}` : '';
  const would = `${verb} ${JSON.stringify(String(title).slice(0, 80))} of ${nameOf(type)}${inLocale}`;
  return { type, path, args, would, difference: await readDifference(call, type, path, locale), revision };
}

const VERBS: Readonly<Record<PublicationAction, string>> = {
  publish: 'publish',
  unpublish: 'unpublish',
  discardDraft: 'discard the draft of',
};

export async function changePublication(call: ToolCall, args: JsonObject): Promise<ToolResult> {
  const action = args.action as PublicationAction;
  const { at, locale } = args;
  const decision = await decide(call, args, action, VERBS[action]);
  const { type, path } = decision;
  const own = at === undefined ? decision : { ...decision, would: `${decision.would} at ${at}` };
  return confirmed(call, own, async (revision) => {
    const target = `${path}/actions/${pathOfAction(action)}`;
    const body = at === undefined ? {} : { data: { at } };
    const response = await send(
      call,
      { method: 'POST', path: target, query: { locale }, body, ...ifMatch(revision) },
      'action',
      type,
    );
    return { data: response.body.data, ...(response.revision !== undefined && { revision: response.revision }) };
  });
}

export async function remove(call: ToolCall, args: JsonObject): Promise<ToolResult> {
  const decision = await decide(call, args, 'delete', 'delete');
  const { type, path } = decision;
  return confirmed(call, decision, async (revision) => {
    await send(
      call,
      { method: 'DELETE', path, query: { locale: args.locale }, ...ifMatch(revision) },
      'documentId',
      type,
    );
    return {};
  });
}
