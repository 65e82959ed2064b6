/**
 * @module Tools that write drafts: create, update, restore, batch. None of them publishes.
 */
import { isObject, type JsonObject } from '../../common/json.ts';
import type { ContentType } from '../../schema/model.ts';
import { previewedType } from '../../schema/settings/derived.ts';
import { type ApiResponse, encoded, searchOf } from './api.ts';
import { draftQuery, ifMatch, send, type Target, type ToolCall, targetIn, targetOf, typeOf, unread } from './call.ts';
import { nameOf } from './describe.ts';
import { ToolError } from './errors.ts';

/** What each version has of its own. */
const OWN = new Set(['id', 'createdAt', 'updatedAt', 'publishedAt', 'localizations']);
const MAX_SHOWN = 300;

/** Values without the numbers of their rows; of related documents only the documentId. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  const { id: _, documentId, ...others } = value;
  if (typeof documentId === 'string') return documentId;
  return Object.fromEntries(Object.entries(others).map(([key, each]) => [key, comparable(each)]));
}

const brief = (text = 'null'): unknown => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : JSON.parse(text));

/** What differs, by attribute. */
function differenceOf(published: JsonObject, draft: JsonObject): JsonObject {
  const names = new Set([...Object.keys(published), ...Object.keys(draft)].filter((name) => !OWN.has(name)));
  const changed = [...names].flatMap((name) => {
    const [before, after] = [published, draft].map((version) => JSON.stringify(comparable(version[name] ?? null)));
    return before === after ? [] : [[name, { published: brief(before), draft: brief(after) }] as const];
  });
  return Object.fromEntries(changed);
}

/** Returns the draft's difference to the published version; null without one, or without the right to read both. */
export async function readDifference({ api }: ToolCall, { type, path }: Target, locale: unknown) {
  if (!type.draftAndPublish) return null;
  const versions = ['published', 'draft'].map((status) => api({ path, query: { status, locale, populate: '*' } }));
  const [published, draft] = (await Promise.all(versions)).map(({ body }) => body?.data);
  return isObject(published) && isObject(draft) ? differenceOf(published, draft) : null;
}

async function previewOf({ api, settings }: ToolCall, { type, path }: Target, locale: unknown): Promise<unknown> {
  if (!previewedType(settings, type.uid)) return undefined;
  const { body } = await api({ method: 'POST', path: `${path}/actions/preview-link`, query: { locale }, body: {} });
  return body?.data?.url;
}

/** Returns what a tool says about a document that it has written. @param given the locale, if the call names one */
async function written(call: ToolCall, type: ContentType, response: ApiResponse, given?: unknown): Promise<JsonObject> {
  const { data } = response.body;
  const target = targetIn(type, type.kind === 'singleType' ? undefined : data.documentId);
  const locale = given ?? data.locale ?? undefined;
  const [{ revision }, difference, preview] = await Promise.all([
    response.revision === undefined ? call.api({ path: target.path, query: draftQuery(type, locale) }) : response,
    readDifference(call, target, locale),
    previewOf(call, target, locale),
  ]);
  return { data, revision, difference, isLive: !type.draftAndPublish, preview };
}

export async function create(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const { data, locale, idempotencyKey } = args;
  const type = await typeOf(call, args.type);
  const path = `/api/${nameOf(type)}`;
  if (type.kind === 'singleType')
    throw new ToolError(`${nameOf(type)} is a single type: update writes it`, 'type', { next: 'update' });
  // A header has visible ASCII characters alone.
  const headers: Readonly<Record<string, string>> =
    typeof idempotencyKey === 'string' ? { 'idempotency-key': encoded(idempotencyKey) } : {};
  const request = { method: 'POST', path, query: draftQuery(type, locale), body: { data }, headers } as const;
  return written(call, type, await send(call, request, 'data', type), locale);
}

export async function update(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const { data, revision, locale } = args;
  const target = await targetOf(call, args);
  const { type, path } = target;
  const request = { method: 'PUT', path, query: draftQuery(type, locale), body: { data } } as const;
  return written(call, type, await send(call, { ...request, headers: unread(revision) }, 'data', type), locale);
}

export async function restore(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const target = await targetOf(call, args);
  const path = `${target.path}/actions/restore`;
  const request = { method: 'POST', path, body: { data: { revision: args.version } } } as const;
  const headers = ifMatch(args.revision);
  const response = await send(call, { ...request, headers }, 'version', target.type);
  return { ...(await written(call, target.type, response)), meta: response.body.meta };
}

/** Makes a request of a batch from one of its steps. */
async function requestOf(call: ToolCall, step: JsonObject, index: number) {
  const { action, documentId, data, revision, locale } = step;
  const at = `requests.${index}`;
  const type = await typeOf(call, step.type, `${at}.type`);
  const isCreate = action === 'create';
  if (isCreate && (documentId !== undefined || type.kind === 'singleType'))
    throw new ToolError('create takes no documentId, and no single type', `${at}.action`, { nearest: 'update' });
  const path = isCreate ? `/api/${nameOf(type)}` : targetIn(type, documentId, `${at}.documentId`).path;
  const { 'if-match': match, 'if-none-match': noMatch } = isCreate ? ifMatch(revision) : unread(revision);
  return {
    type,
    method: isCreate ? 'POST' : 'PUT',
    path: `${path}${searchOf(draftQuery(type, locale))}`,
    body: { data },
    ...{ ifMatch: match, ifNoneMatch: noMatch },
  };
}

/** Documents of a batch about which it says all that a single write does: each takes a few reads. */
const MAX_COMPARED = 10;

export async function batch(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const steps = args.requests as readonly JsonObject[];
  const all = await Promise.all(steps.map((step, index) => requestOf(call, step, index)));
  const requests = all.map(({ type: _, ...request }) => request);
  const types = all.map(({ type }) => type);
  const { body } = await send(call, { method: 'POST', path: '/api/batch', body: { requests } }, 'requests', ...types);
  const compared = types.slice(0, MAX_COMPARED).map(async (type, index) => {
    const response = { ...body.data[index], revision: undefined };
    const { data, ...about } = await written(call, type, response, steps[index]?.locale);
    return { documentId: (data as JsonObject).documentId, ...about };
  });
  const data = body.data.map((each: { readonly body: JsonObject }) => each.body.data);
  return { data, written: await Promise.all(compared) };
}
