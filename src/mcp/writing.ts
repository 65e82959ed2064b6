/**
 * @module Tools that write drafts: create, update, restore, batch. None of them publishes.
 */
import { isObject, type JsonObject } from '../common/json.ts';
import type { ContentType } from '../registry/model.ts';
import { previewedType } from '../settings/derived.ts';
import { type ApiResponse, searchOf } from './api.ts';
import { draftQuery, ifMatch, pathOf, send, type ToolCall, typeOf, unread } from './call.ts';
import { nameOf } from './describe.ts';
import { ToolError } from './errors.ts';

/** What each version has of its own. */
const OWN = new Set(['id', 'createdAt', 'updatedAt', 'publishedAt', 'localizations']);
const MAX_SHOWN = 300;

/** Values without the numbers of their rows; of related documents only the documentId. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isObject(value)) return value;
  if (typeof value.documentId === 'string') return value.documentId;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) => (key === 'id' ? [] : [[key, comparable(each)]])),
  );
}

const brief = (value: unknown): unknown => {
  const text = JSON.stringify(value) ?? '';
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : value;
};

/** What differs, by attribute. */
function differenceOf(published: JsonObject, draft: JsonObject): JsonObject {
  const names = [...new Set([...Object.keys(published), ...Object.keys(draft)])].filter((name) => !OWN.has(name));
  const changed = names.flatMap((name) => {
    const [before, after] = [comparable(published[name]), comparable(draft[name])];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    return [[name, { published: brief(before), draft: brief(after) }] as const];
  });
  return Object.fromEntries(changed);
}

/** Returns the draft's difference to the published version; null without one, or without the right to read both. */
export async function readDifference(
  { api }: ToolCall,
  type: ContentType,
  path: string,
  locale: unknown,
): Promise<JsonObject | null> {
  if (!type.draftAndPublish) return null;
  const [published, draft] = await Promise.all(
    ['published', 'draft'].map((status) => api({ method: 'GET', path, query: { status, locale, populate: '*' } })),
  );
  const isRead = (response: ApiResponse | undefined) => response?.status === 200 && isObject(response.body?.data);
  return isRead(published) && isRead(draft) ? differenceOf(published?.body.data, draft?.body.data) : null;
}

async function previewOf(
  { api, settings }: ToolCall,
  type: ContentType,
  path: string,
  locale: unknown,
): Promise<string | undefined> {
  if (!previewedType(settings, type.uid)) return undefined;
  const { status, body } = await api({
    method: 'POST',
    path: `${path}/actions/preview-link`,
    query: { locale },
    body: {},
  });
  return status === 200 ? body.data.url : undefined;
}

/** What a tool returns about a document that it has written. */
async function written(
  call: ToolCall,
  type: ContentType,
  { body, revision }: ApiResponse,
  locale: unknown,
): Promise<JsonObject> {
  const { data, meta } = body;
  const path = pathOf(type, type.kind === 'singleType' ? undefined : data.documentId);
  const shown = locale ?? data.locale ?? undefined;
  const [difference, preview] = await Promise.all([
    readDifference(call, type, path, shown),
    previewOf(call, type, path, shown),
  ]);
  return {
    ...{ data, revision, difference, isLive: !type.draftAndPublish },
    ...(preview !== undefined && { preview }),
    ...(isObject(meta) && Object.keys(meta).length > 0 && { meta }),
  };
}

export async function create(
  call: ToolCall,
  { type: name, data, locale, idempotencyKey }: JsonObject,
): Promise<JsonObject> {
  const type = await typeOf(call, name);
  if (type.kind === 'singleType')
    throw new ToolError(`${nameOf(type)} is a single type: update writes it`, 'type', { next: 'update' });
  const headers = typeof idempotencyKey === 'string' && {
    headers: { 'idempotency-key': idempotencyKey.replaceAll(/[^\x21-\x7e]/g, '') },
  };
  const query = draftQuery(type, locale);
  const response = await send(
    call,
    { method: 'POST', path: `/api/${nameOf(type)}`, query, body: { data }, ...headers },
    'data',
    type,
  );
  return written(call, type, response, locale);
}

export async function update(
  call: ToolCall,
  { type: name, documentId, data, revision, locale }: JsonObject,
): Promise<JsonObject> {
  const type = await typeOf(call, name);
  const path = pathOf(type, documentId);
  const query = draftQuery(type, locale);
  const response = await send(call, { method: 'PUT', path, query, body: { data }, ...unread(revision) }, 'data', type);
  return written(call, type, response, locale);
}

export async function restore(
  call: ToolCall,
  { type: name, documentId, version, revision }: JsonObject,
): Promise<JsonObject> {
  const type = await typeOf(call, name);
  const path = `${pathOf(type, documentId)}/actions/restore`;
  const body = { data: { revision: version } };
  return written(
    call,
    type,
    await send(call, { method: 'POST', path, body, ...ifMatch(revision) }, 'version', type),
    undefined,
  );
}

interface Step extends JsonObject {
  readonly action: 'create' | 'update';
}

async function requestOf(
  call: ToolCall,
  { action, type: name, documentId, data, revision, locale }: Step,
  index: number,
) {
  const at = `requests.${index}`;
  const type = await typeOf(call, name, `${at}.type`);
  const isCreate = action === 'create';
  if (isCreate && (documentId !== undefined || type.kind === 'singleType'))
    throw new ToolError('create takes no documentId, and no single type', `${at}.action`, { nearest: 'update' });
  const path = isCreate ? `/api/${nameOf(type)}` : pathOf(type, documentId, `${at}.documentId`);
  return {
    method: isCreate ? 'POST' : 'PUT',
    path: `${path}${searchOf(draftQuery(type, locale))}`,
    body: { data },
    ...(typeof revision === 'string' ? { ifMatch: `"${revision}"` } : !isCreate && { ifNoneMatch: '*' }),
  };
}

export async function batch(call: ToolCall, { requests }: JsonObject): Promise<JsonObject> {
  const steps = await Promise.all((requests as readonly Step[]).map((step, index) => requestOf(call, step, index)));
  const { body } = await send(call, { method: 'POST', path: '/api/batch', body: { requests: steps } }, 'requests');
  return { data: body.data.map((each: { readonly body: JsonObject }) => each.body.data) };
}
