/**
 * @module One call of a tool: its caller, what it may see, and the API.
 */
import type { Grants } from '../auth/grants.ts';
import type { JsonObject } from '../common/json.ts';
import type { ContentType, Registry } from '../registry/model.ts';
import type { Settings } from '../settings/config.ts';
import { type Api, type ApiRequest, type ApiResponse, encoded } from './api.ts';
import { attributeNames, knownTypes, nameOf, type View } from './describe.ts';
import { apiError, ToolError, unknownName } from './errors.ts';

export interface ToolCall {
  readonly registry: Registry;
  readonly settings: Settings;
  readonly api: Api;
  /** Reads what the caller may do. */
  grants(): Promise<Grants>;
  /** Of this deployment; absent without users. */
  readonly secret: string | undefined;
  /** Stands for the caller in what is sealed. */
  readonly authorization: string;
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

/** A result; `input` in its place asks the person something. */
export type ToolResult = { readonly content: JsonObject } | { readonly input: JsonObject };

export const viewOf = async ({ registry, grants }: ToolCall): Promise<View> => ({ registry, grants: await grants() });

/** @throws ToolError with the names of the types that the caller may use */
export async function typeOf(call: ToolCall, name: unknown, path = 'type'): Promise<ContentType> {
  const given = String(name);
  const type = call.registry.routes.get(given.toLowerCase()) ?? call.registry.contentTypes.get(given);
  if (type && !type.system) return type;
  const names = knownTypes(await viewOf(call)).map(nameOf);
  throw unknownName(`There is no content type "${given.slice(0, 100)}"`, path, given, names, 'describe');
}

/** @throws ToolError for a missing documentId, and for that of a single type */
export function pathOf(type: ContentType, documentId: unknown, path = 'documentId'): string {
  const base = `/api/${nameOf(type)}`;
  if (type.kind === 'singleType') {
    if (documentId !== undefined)
      throw new ToolError(`${nameOf(type)} is a single type, which takes no documentId`, path);
    return base;
  }
  if (typeof documentId !== 'string' || documentId === '' || documentId === '.' || documentId === '..')
    throw new ToolError(`Missing documentId: ${nameOf(type)} has many documents`, path, { next: 'find' });
  return `${base}/${encoded(documentId)}`;
}

/** @throws ToolError for an error of the API, with the names that the caller may use instead */
export async function send(
  call: ToolCall,
  request: ApiRequest,
  fallback: string,
  type?: ContentType,
): Promise<ApiResponse> {
  const response = await call.api(request);
  if (response.status < 400) return response;
  const isAboutNames = response.status === 400 && type !== undefined;
  throw apiError(response, fallback, isAboutNames ? attributeNames(type, await viewOf(call)) : []);
}

/** What keeps a write from what the caller has not read: without a revision, it makes a new locale or single type. */
export const unread = (revision: unknown): { readonly headers?: Readonly<Record<string, string>> } =>
  typeof revision === 'string' ? ifMatch(revision) : { headers: { 'if-none-match': '*' } };

/** The header that a revision stands for. */
export const ifMatch = (revision: unknown): { readonly headers?: Readonly<Record<string, string>> } =>
  typeof revision === 'string' ? { headers: { 'if-match': `"${revision.replaceAll(/[^\x21\x23-\x7e]/g, '')}"` } } : {};

/** Only a draft is written; a type without drafts has live documents. */
export const draftQuery = ({ draftAndPublish }: ContentType, locale: unknown): JsonObject => ({
  ...(draftAndPublish && { status: 'draft' }),
  ...(locale !== undefined && { locale }),
});
