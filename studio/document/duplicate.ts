/**
 * @module The copy of a document: its values, with new ones where they are unique.
 */
import type { Query } from '../api/query-string.ts';
import { type ResponseBody, request } from '../api/request.ts';
import { type Attribute, type Attributes, TEXT_TYPES } from '../model/attribute.ts';
import { type ContentType, isAttributeLocalized, type Model, type Values, versionQuery } from '../model/model.ts';
import {
  attributesOf,
  componentOf,
  entriesOf,
  type FormValues,
  fromDocument,
  isList,
  toBody,
} from './fields/form-values.ts';
import { fieldName } from './fields/owner.ts';
import { type Place, type ReadVersion, removeVersion, save } from './version.ts';

/** Proposals that are tried. */
const MOST = 50;

/** Whether a target has one such relation at most: a copy would take it away from the original. */
const isExclusive = ({ relation = '', inversedBy, mappedBy }: Attribute): boolean =>
  /^morph(One|Many)$/.test(relation) ||
  (/^one/.test(relation) && (mappedBy !== undefined || (relation === 'oneToOne' && inversedBy !== undefined)));

/** Returns another value that the rules of the attribute allow; undefined where only a person finds one. */
export function proposal(attribute: Attribute, value: unknown, count: number): unknown {
  const { type, regex, maxLength = type === 'string' ? 255 : Number.POSITIVE_INFINITY } = attribute;
  if (typeof value !== 'string' || !TEXT_TYPES.includes(type) || type === 'enumeration') return undefined;
  const number = count > 1 ? count : '';
  const joined = (start: string, end: string) => start.slice(0, Math.max(maxLength - end.length, 0)) + end;
  const proposed =
    type === 'uid'
      ? joined(value, number ? `-copy-${number}` : '-copy')
      : type === 'email'
        ? value.replace(/@/, `+copy${number}@`)
        : joined(value, number ? ` (copy ${number})` : ' (copy)');
  return proposed.length <= maxLength && (!regex || new RegExp(regex).test(proposed)) ? proposed : undefined;
}

function copyOfValue(model: Model, attribute: Attribute, value: unknown, count: number): unknown {
  const { type, unique } = attribute;
  if (type === 'password' || isExclusive(attribute)) return undefined;
  if (value === null || value === undefined) return value;
  if (unique || type === 'uid') return proposal(attribute, value, count);
  if (type !== 'component' && type !== 'dynamiczone') return value;
  const entries = entriesOf(value).map((entry) => ({
    ...(entry.__component !== undefined && { __component: entry.__component }),
    ...copyOfValues(model, attributesOf(model, componentOf(attribute, entry)), entry, count),
  }));
  return isList(attribute) ? entries : entries[0];
}

/** Returns the values of a form that stores a copy of what another form has. @param count of the copies, from 1 */
export const copyOfValues = (model: Model, attributes: Attributes, values: Values, count: number): FormValues =>
  Object.fromEntries(
    Object.entries(attributes)
      .map(([name, attribute]) => [fieldName(name), copyOfValue(model, attribute, values[fieldName(name)], count)])
      .filter(([, value]) => value !== undefined),
  );

/** The condition that finds documents with one of the unique values; undefined without any. */
function takenBy({ attributes, shown }: ContentType, bodies: readonly Values[]): Query | undefined {
  const unique = Object.entries(attributes).filter(
    ([name, each]) => shown.has(name) && (each.unique || each.type === 'uid'),
  );
  const conditions = unique.flatMap(([name]) =>
    bodies.flatMap((body) => (body[name] === undefined ? [] : [{ [name]: { $eq: body[name] } }])),
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
  return (await found('draft')) || (type.hasDrafts && (await found('published')));
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
    if (!(await isTaken(type, bodies))) break;
  }
  const [first = {}, ...others] = bodies;
  const { body } = await save({ ...source, documentId: undefined }, first, null, false);
  const created = { ...source, documentId: body.data.documentId };
  try {
    for (const [index, data] of others.entries())
      await save({ ...created, locale: versions[index + 1]?.[0].locale }, data, null, false);
  } catch (error) {
    await removeVersion(created, true).catch(() => undefined);
    throw error;
  }
  return created;
}
