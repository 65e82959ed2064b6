/**
 * @module Saves a copy of a document.
 */
import type { Query } from '../api/query-string.ts';
import { type ResponseBody, request } from '../api/request.ts';
import { personCheck } from '../api/session.ts';
import { TYPES } from '../model/attribute-types.ts';
import { type ContentType, isAttributeLocalized, type Model, type Values, versionQuery } from '../model/model.ts';
import { copyOfValues } from './copied-values.ts';
import { fromDocument, toBody } from './fields/form-values.ts';
import type { Place } from './place.ts';
import { type ReadVersion, removeDocument, save } from './version.ts';

/** Proposals that are tried. */
const MOST = 50;

/** The condition that finds documents with one of the unique values; undefined without any. */
function takenBy({ attributes, shown }: ContentType, bodies: readonly Values[]): Query | undefined {
  const unique = Object.entries(attributes).filter(
    ([name, each]) => shown.has(name) && (each.unique || TYPES[each.type].isSlug),
  );
  const conditions = unique.flatMap(([name]) =>
    bodies.flatMap((body) =>
      body[name] === undefined || body[name] === null ? [] : [{ [name]: { $eq: body[name] } }],
    ),
  );
  return conditions.length > 0 ? { filters: { $or: conditions } } : undefined;
}

async function isTaken(type: ContentType, bodies: readonly Values[]): Promise<boolean> {
  const taken = takenBy(type, bodies);
  if (!taken) return false;
  const found = async (status: string) => {
    const query = { ...taken, ...versionQuery(type, status, '*'), fields: ['documentId'], pagination: { pageSize: 1 } };
    return (await request<ResponseBody<readonly unknown[]>>(type.path, { query })).body.data.length > 0;
  };
  return (await Promise.all([found('draft'), type.hasDrafts && found('published')])).includes(true);
}

/**
 * Creates a draft with the values of versions in one or several locales, and returns the place of the first one. If one
 * locale fails, nothing stays.
 * @throws ApiError
 */
export async function duplicate(model: Model, versions: readonly (readonly [Place, ReadVersion])[]): Promise<Place> {
  const [[source] = []] = versions;
  if (!source) throw new Error('There is nothing to duplicate.');
  const { type } = source;
  const isSamePerson = personCheck();
  const attributes = Object.fromEntries(Object.entries(type.attributes).filter(([name]) => type.creatable.has(name)));
  /** The other locales inherit what is not localized. */
  const localized = Object.entries(attributes).filter(([, each]) => isAttributeLocalized(type, each));
  const bodyOf = ({ document }: ReadVersion, index: number, count: number) => {
    const written = index === 0 ? attributes : Object.fromEntries(localized);
    const values = fromDocument(model, written, document);
    return toBody(model, written, copyOfValues(model, written, values, count));
  };
  let bodies: readonly Values[] = [];
  for (let count = 1; count <= MOST; count++) {
    bodies = versions.map(([, version], index) => bodyOf(version, index, count));
    const isOver = !(await isTaken(type, bodies));
    if (!isSamePerson()) throw new Error('Another user has signed in.');
    if (isOver) break;
  }
  const [first = {}, ...others] = bodies;
  const { body } = await save({ ...source, documentId: undefined }, first, null, false);
  const created = { ...source, documentId: body.data.documentId };
  try {
    for (const [index, data] of others.entries())
      if (isSamePerson()) await save({ ...created, locale: versions[index + 1]?.[0].locale }, data, null, false);
  } catch (error) {
    if (isSamePerson()) await removeDocument(created).catch(() => undefined);
    throw error;
  }
  return created;
}
