/**
 * @module Tools that read: describe, find, get, search, history, preview_link.
 */
import { isObject, type JsonObject } from '../common/json.ts';
import type { ContentType } from '../registry/model.ts';
import { encoded } from './api.ts';
import { pathOf, send, type ToolCall, typeOf, viewOf } from './call.ts';
import { allows, describeType, knownComponents, knownTypes, nameOf, summaryOf } from './describe.ts';
import { ToolError, unknownName } from './errors.ts';

/** Characters of a result. */
const MAX_RESULT = 100_000;
const MAX_TYPES = 200;

export async function describe(call: ToolCall, { type, component }: JsonObject): Promise<JsonObject> {
  const view = await viewOf(call);
  if (component !== undefined) {
    const known = knownComponents(view);
    const uid = String(component);
    const attributes = known.get(uid);
    if (!attributes)
      throw unknownName(`There is no component "${uid.slice(0, 100)}"`, 'component', uid, [...known.keys()]);
    return { component: uid, attributes };
  }
  if (type !== undefined) {
    const found = await typeOf(call, type);
    const names = knownTypes(view).map(nameOf);
    if (!knownTypes(view).includes(found))
      throw unknownName(`There is no content type "${type}"`, 'type', String(type), names);
    return describeType(found, view);
  }
  return {
    types: knownTypes(view)
      .slice(0, MAX_TYPES)
      .map((each) => summaryOf(each, view)),
  };
}

/** Leaves out what is too long at the end of a list. @param next how to read on, from the number that is shown */
function fitted(data: readonly unknown[], next: (shown: number) => JsonObject) {
  let left = MAX_RESULT;
  const size = data.findIndex((each) => {
    left -= JSON.stringify(each).length;
    return left < 0;
  });
  if (size < 0) return { data };
  return { data: data.slice(0, size), cut: { shown: size, of: data.length, ...next(size) } };
}

const NARROW = 'Name fewer attributes in fields, and populate less';

/** Where to read on behind `shown` documents of a page. */
function restOf({ pagination }: JsonObject, shown: number): JsonObject {
  const { start, page, pageSize } = (isObject(pagination) ? pagination : {}) as Readonly<Record<string, number>>;
  const first = start ?? (page !== undefined && pageSize !== undefined ? (page - 1) * pageSize : undefined);
  return first === undefined ? { next: NARROW } : { next: { pagination: { start: first + shown } }, hint: NARROW };
}

const tooLong = (path: string): ToolError =>
  new ToolError(`The result is too long. ${NARROW}`, path, { next: 'get with fields' });

export async function find(call: ToolCall, { type: name, ...query }: JsonObject): Promise<JsonObject> {
  const type = await typeOf(call, name);
  const path = `/api/${nameOf(type)}`;
  const { body } = await send(call, { method: 'GET', path, query }, 'type', type);
  const { data, meta } = body;
  if (!Array.isArray(data)) return { data: data === null ? [] : [data], meta };
  const shown = fitted(data, (count) => restOf(meta, count));
  if (data.length > 0 && shown.data.length === 0) throw tooLong('fields');
  return { ...shown, meta };
}

export async function get(call: ToolCall, { type: name, documentId, ...query }: JsonObject): Promise<JsonObject> {
  const type = await typeOf(call, name);
  const { body, revision } = await send(
    call,
    { method: 'GET', path: pathOf(type, documentId), query },
    'documentId',
    type,
  );
  if (JSON.stringify(body.data).length > MAX_RESULT) throw tooLong('populate');
  return { ...body, revision };
}

/** Documents of each type, and types at most. */
const FOUND = 5;
const SEARCHED = 20;
const TITLES: readonly string[] = ['string', 'text', 'uid', 'email'];

/** The attribute that names a document. */
const titleOf = ({ attributes }: ContentType): string | undefined =>
  [...attributes.values()].find((each) => each.kind === 'scalar' && !each.private && TITLES.includes(each.type))?.name;

export async function search(call: ToolCall, { text, types, status, locale }: JsonObject): Promise<JsonObject> {
  const view = await viewOf(call);
  const named = Array.isArray(types)
    ? await Promise.all(types.map((name, index) => typeOf(call, name, `types.${index}`)))
    : knownTypes(view).filter((type) => type.kind !== 'singleType' && allows(view, type, 'find'));
  const searched = named.slice(0, SEARCHED);
  const query = { _q: text, status, locale, pagination: { limit: FOUND } };
  const found = await Promise.all(
    searched.map(async (type) => {
      const { body } = await send(call, { method: 'GET', path: `/api/${nameOf(type)}`, query }, 'types', type);
      const title = titleOf(type);
      const documents: readonly JsonObject[] = [body.data].flat();
      return documents.map((each) => ({
        ...{ type: nameOf(type), documentId: each.documentId },
        ...(title !== undefined && each[title] !== undefined && { title: String(each[title]).slice(0, 200) }),
        ...(typeof each.locale === 'string' && { locale: each.locale }),
      }));
    }),
  );
  const rest = named.slice(SEARCHED).map(nameOf);
  return {
    results: found.flat(),
    ...(rest.length > 0 && { cut: { shown: SEARCHED, of: named.length, next: { types: rest } } }),
  };
}

export async function history(call: ToolCall, args: JsonObject): Promise<JsonObject> {
  const { type: name, documentId, version, operation, after, limit } = args;
  const pagination = { pagination: { limit, after } };
  if (name === undefined) {
    const { body } = await send(
      call,
      { method: 'GET', path: '/api/history', query: { operation, ...pagination } },
      'type',
    );
    return body;
  }
  const type = await typeOf(call, name);
  if (documentId === undefined && type.kind !== 'singleType') {
    const query = { type: type.uid, operation, ...pagination };
    return (await send(call, { method: 'GET', path: '/api/history', query }, 'type')).body;
  }
  if (version === '.' || version === '..') throw new ToolError('Invalid version', 'version', { next: 'history' });
  const path = `${pathOf(type, documentId)}/history${version === undefined ? '' : `/${encoded(String(version))}`}`;
  const query = version === undefined ? pagination : { populate: '*' };
  const { body } = await send(
    call,
    { method: 'GET', path, query },
    version === undefined ? 'documentId' : 'version',
    type,
  );
  if (JSON.stringify(body).length > MAX_RESULT) throw tooLong('version');
  return body;
}

export async function previewLink(call: ToolCall, { type: name, documentId, locale }: JsonObject): Promise<JsonObject> {
  const type = await typeOf(call, name);
  const path = `${pathOf(type, documentId)}/actions/preview-link`;
  return (await send(call, { method: 'POST', path, query: { locale }, body: {} }, 'type', type)).body;
}
