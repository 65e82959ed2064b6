/**
 * @module A call of a tool whose requests to the API are kept, and get the responses that a test has for them.
 */
import type { Grants } from '../../../src/access/grants.ts';
import type { Api, ApiRequest, ApiResponse } from '../../../src/features/mcp/api.ts';
import type { ToolCall } from '../../../src/features/mcp/call.ts';
import type { Registry } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { magazine } from '../describe/fixture.ts';

export const ALL: Grants = { allows: () => true };
export const SETTINGS = parseSettings({ mcp: true, history: true });

type Respond = (request: ApiRequest) => Partial<ApiResponse> | undefined;

interface Fake {
  readonly call: ToolCall;
  readonly requests: ApiRequest[];
}

/** @param respond what it does not have is 200, with an empty body and no revision */
export function fakeCall(respond: Respond = () => undefined, more: Partial<ToolCall> = {}, grants = ALL): Fake {
  const requests: ApiRequest[] = [];
  const api: Api = async (request) => {
    requests.push(request);
    return { status: 200, body: {}, revision: undefined, ...respond(request) };
  };
  const used = new Set<string>();
  const call: ToolCall = {
    ...{ registry: magazine() as Registry, settings: SETTINGS, api, grants: async () => grants, secret: 'a secret' },
    ...{ caller: 'caller', credential: { authorization: 'Bearer x', claims: undefined } },
    useOnce: async (key) => !used.has(key) && Boolean(used.add(key)),
    ...{ uploads: 'https://api.example.com/up', now: 1_000, canElicit: false },
    ...{ requestState: undefined, inputResponses: undefined, ...more },
  };
  return { call, requests };
}

/** What a tool throws; a promise is no error. */
export const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error) => (error instanceof Promise ? 'a promise' : error),
  );

/** An API with one document, in both versions. */
export const versions = (published: object | undefined, draft: object) => (request: ApiRequest) => {
  const isPublished = request.query?.status === 'published';
  if (isPublished && !published) return { status: 404, body: { error: {} } };
  const data = { documentId: 'x', title: 'Bread', locale: 'en', ...(isPublished ? published : draft) };
  return { body: { data }, revision: `tag.${isPublished ? 'p' : 'd'}` };
};
