/**
 * @module Tools that read: describe, find, get, search, history, preview_link.
 */
import type { JsonObject } from '../../common/json.ts';
import type { ContentType } from '../../schema/model.ts';
import { segmentOf } from './api.ts';
import { send, type ToolCall, targetIn, targetOf, typeOf, unknownType, viewOf } from './call.ts';
import { allows, describeType, knownComponents, knownTypes, nameOf, summaryOf, titleOf } from './describe.ts';
import { notGranted, ToolError, unknownName } from './errors.ts';

/** Characters of a result. */
const MAX_RESULT = 100_000;
/** Types of a list, and types that are searched. */
const MAX_TYPES = 200;
const MAX_SEARCHED = 20;

/** Says which types are left out, if there are more than `shown`. */
const cutTypes = (types: readonly ContentType[], shown: number) =>
  types.length > shown ? { shown, of: types.length, next: { types: types.slice(shown).map(nameOf) } } : undefined;

export async function describe(call: ToolCall, { type, component }: JsonObject): Promise<JsonObject> {
  const view = await viewOf(call);
  const known = knownTypes(view);
  if (component !== undefined) {
    const components = knownComponents(view);
    const uid = String(component);
    const attributes = components.get(uid);
    if (attributes) return { component: uid, attributes };
    throw unknownName(`There is no component "${uid.slice(0, 100)}"`, 'component', uid, [...components.keys()]);
  }
  if (type === undefined)
    return {
      types: known.slice(0, MAX_TYPES).map((each) => summaryOf(each, view)),
      cut: cutTypes(known, MAX_TYPES),
    };
  const found = await typeOf(call, type);
  if (!known.includes(found)) throw await unknownType(call, String(type));
  return describeType(found, view);
}

const NARROW = 'Name fewer attributes in fields, and populate less';

const tooLong = (path: string): ToolError =>
  new ToolError(`The result is too long. ${NARROW}`, path, { next: 'get with fields' });

export async function find(call: ToolCall, { type: name, ...query }: JsonObject): Promise<JsonObject> {
  const type = await typeOf(call, name);
  const { body } = await send(call, { path: `/api/${nameOf(type)}`, query }, 'type', type);
  const { data: found, meta } = body;
  const data: readonly JsonObject[] = [found ?? []].flat();
  // Of the documents, in their order.
  const highlights: readonly JsonObject[] | undefined = meta.highlights;
  let size = 0;
  const shown = data.filter((each, index) => {
    size += JSON.stringify([each, highlights?.[index]]).length;
    return size <= MAX_RESULT;
  });
  if (shown.length === data.length) return { data, meta };
  if (shown.length === 0) throw tooLong('fields');
  const { start, page, pageSize } = meta.pagination ?? {};
  const first = start ?? (page - 1) * pageSize;
  const next = Number.isInteger(first) ? { pagination: { start: first + shown.length } } : undefined;
  const cut = { shown: shown.length, of: data.length, next, hint: NARROW };
  return { data: shown, cut, meta: { ...meta, ...(highlights && { highlights: highlights.slice(0, shown.length) }) } };
}

export async function get(call: ToolCall, { type: name, documentId, ...query }: JsonObject): Promise<JsonObject> {
  const { type, path } = await targetOf(call, { type: name, documentId });
  const { body, revision } = await send(call, { path, query }, 'documentId', type);
  if (JSON.stringify(body).length > MAX_RESULT) throw tooLong('populate');
  return { ...body, revision };
}

/** Documents of each type that a search finds. */
const FOUND = 5;

export async function search(call: ToolCall, { text, types, status, locale }: JsonObject): Promise<JsonObject> {
  const view = await viewOf(call);
  const named = Array.isArray(types)
    ? await Promise.all(types.map((name, index) => typeOf(call, name, `types.${index}`)))
    : knownTypes(view).filter((type) => type.kind !== 'singleType' && allows(view, type, 'find'));
  const isReadable = (type: ContentType) =>
    status !== 'draft' || !type.draftAndPublish || allows(view, type, 'readDrafts');
  const readable = named.filter(isReadable);
  const leftOut = named.filter((type) => !isReadable(type)).map(nameOf);
  if (readable.length === 0 && leftOut.length > 0) throw notGranted('readDrafts', leftOut.join(', '), 'status');
  const query = { _q: text, status, locale, pagination: { limit: FOUND } };
  const results = readable.slice(0, MAX_SEARCHED).map(async (type) => {
    const { body } = await send(call, { path: `/api/${nameOf(type)}`, query }, 'types', type);
    const documents: readonly JsonObject[] = [body.data ?? []].flat();
    return documents.map((each) => {
      const { documentId, locale } = each;
      return { type: nameOf(type), documentId, locale: locale ?? undefined, title: titleOf(each, type, 200) };
    });
  });
  return {
    results: (await Promise.all(results)).flat(),
    cut: cutTypes(readable, MAX_SEARCHED),
    leftOut: leftOut.length > 0 ? leftOut : undefined,
  };
}

/** @throws ToolError for an argument of another list than the one that is named */
function rejectGiven(args: JsonObject, what: string): void {
  const [given] = Object.keys(args).filter((name) => args[name] !== undefined);
  if (given !== undefined) throw new ToolError(`${what} takes no ${given}`, given);
}

export async function history(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const { type: name, documentId, version, operation, after, limit } = args;
  const isOfOne = documentId !== undefined || version !== undefined;
  if (name === undefined && isOfOne) throw new ToolError('Missing type: of which the document is', 'type');
  const type = name === undefined ? undefined : await typeOf(call, name);
  const pagination = { limit, after };
  if (!type || !(isOfOne || type.kind === 'singleType')) {
    const query = { type: type?.uid, operation, pagination };
    return (await send(call, { path: '/api/history', query }, 'type')).body;
  }
  const path = `${targetIn(type, documentId).path}/history`;
  if (version === undefined) {
    rejectGiven({ operation }, 'The list of one document');
    return (await send(call, { path, query: { pagination } }, 'documentId', type)).body;
  }
  rejectGiven({ operation, after, limit }, 'One version');
  const segment = segmentOf(version, 'version', 'Invalid version', 'history');
  const { body } = await send(call, { path: `${path}/${segment}`, query: { populate: '*' } }, 'version', type);
  if (JSON.stringify(body).length > MAX_RESULT) throw tooLong('version');
  return body;
}

export async function previewLink(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const { type, path } = await targetOf(call, args);
  const request = { method: 'POST', path: `${path}/actions/preview-link`, body: {} } as const;
  return (await send(call, { ...request, query: { locale: args.locale } }, 'type', type)).body;
}
