/**
 * @module One call of a tool: its caller, what it may see, and the API.
 */
import type { Grants } from '../../access/grants.ts';
import type { JsonObject } from '../../common/json.ts';
import type { Claims } from '../../content/credentials/jwt.ts';
import type { ContentType, Registry } from '../../schema/model.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { type Api, type ApiRequest, type ApiResponse, segmentOf } from './api.ts';
import { attributeNames, knownTypes, nameOf, type View } from './describe.ts';
import { apiError, ToolError, unknownName } from './errors.ts';

export interface ToolCall {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly api: Api;
  /** Reads what the caller may do. */
  grants(): Promise<Grants>;
  /** Of this deployment; absent if JWT_SECRET is not set. */
  readonly secret: string | undefined;
  /** Stands for the caller in what is confirmed: the same with each of a client's tokens; empty for the public. */
  readonly caller: string;
  /** Goes with later requests of the same caller: a header, or the claims of a client of OAuth. */
  readonly credential: { readonly authorization: string | undefined; readonly claims: Claims | undefined };
  /** Uses a key up. Returns false if it was used before. */
  useOnce(key: string): Promise<boolean>;
  /** Where addresses for one upload lie. */
  readonly uploads: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** May the server ask the person something? */
  readonly canElicit: boolean;
  /** What the client sends back with a person's response. */
  readonly requestState: unknown;
  readonly inputResponses: unknown;
}

export const viewOf = async ({ registry, grants }: ToolCall): Promise<View> => ({ registry, grants: await grants() });

/** Returns the error of a type that is not there, or not for the caller. */
export async function unknownType(call: ToolCall, name: string, path = 'type'): Promise<ToolError> {
  const names = knownTypes(await viewOf(call)).map(nameOf);
  return unknownName(`There is no content type "${name.slice(0, 100)}"`, path, name, names, 'describe');
}

/** @throws ToolError with the names of the types that the caller may use */
export async function typeOf(call: ToolCall, name: unknown, path = 'type'): Promise<ContentType> {
  const given = String(name);
  const type = call.registry.routes.get(given.toLowerCase()) ?? call.registry.contentTypes.get(given);
  if (!type || type.system) throw await unknownType(call, given, path);
  return type;
}

/** A document, or a single type: where the API has it. */
export interface Target {
  readonly type: ContentType;
  /** `/api/articles/znrlzntu9ei5onjvwfaalu2v` */
  readonly path: string;
}

/** @throws ToolError for a missing documentId, and for that of a single type */
export function targetIn(type: ContentType, documentId: unknown, at = 'documentId'): Target {
  const name = nameOf(type);
  if (type.kind !== 'singleType') {
    const message = `Missing documentId: ${name} has many documents`;
    return { type, path: `/api/${name}/${segmentOf(documentId, at, message, 'find')}` };
  }
  if (documentId !== undefined) throw new ToolError(`${name} is a single type, which takes no documentId`, at);
  return { type, path: `/api/${name}` };
}

export const targetOf = async (call: ToolCall, { type, documentId }: JsonObject): Promise<Target> =>
  targetIn(await typeOf(call, type), documentId);

/**
 * @param fallback the path of an error that names none @param types of the request, or of each one of a batch
 * @throws ToolError for an error of the API, with the names that the caller may use instead
 */
export async function send(
  call: ToolCall,
  request: ApiRequest,
  fallback: string,
  ...types: readonly ContentType[]
): Promise<ApiResponse> {
  const response = await call.api(request);
  if (response.status < 400) return response;
  const type = types[response.body?.error?.details?.request ?? 0];
  throw apiError(response, fallback, type && response.status === 400 ? attributeNames(type, await viewOf(call)) : []);
}

/** The header that a revision stands for. */
export const ifMatch = (revision: unknown): Readonly<Record<string, string>> =>
  typeof revision === 'string' ? { 'if-match': `"${revision.replaceAll(/[^\x21\x23-\x7e]/g, '')}"` } : {};

/** Keeps a write from what the caller has not read: without a revision, it makes a new locale or single type. */
export const unread = (revision: unknown): Readonly<Record<string, string>> =>
  revision === undefined ? { 'if-none-match': '*' } : ifMatch(revision);

/** Only a draft is written; a type without drafts has live documents. */
export const draftQuery = ({ draftAndPublish }: ContentType, locale: unknown): JsonObject => ({
  status: draftAndPublish ? 'draft' : undefined,
  locale,
});
