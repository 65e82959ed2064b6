/**
 * @module Checked values → what the columns of a row hold. Components and zones become JSON, each instance with an id.
 */
import { ApiError } from '../../errors.ts';
import { isObject, ownValue, readJson } from '../../json.ts';
import { FIELDS, type Stored } from '../../registry/fields.ts';
import type { ComponentAttribute, DynamicZoneAttribute, Registry, ScalarAttribute } from '../../registry/model.ts';
import type { InputData } from '../../request/body.ts';
import {
  allowedIn,
  attributesOf,
  attributesWithin,
  type ColumnAttribute,
  inputAttributes,
  isList,
} from '../model/component-attributes.ts';
import { type Link, type LinkAttribute, linkAttributes, targetUid } from '../model/links.ts';
import type { StoredValues } from '../model/write-plan.ts';
import { planLinks, type RelationContext } from '../relations/plan-relations.ts';
import { relationInput } from '../relations/relation-input.ts';
import { storeScalar } from '../validate/stored-scalar.ts';
import type { InputValues } from '../validate/validate-input.ts';

/** Hands out ids for component instances. */
export type NextId = () => number;

interface Context {
  readonly registry: Registry;
  readonly nextId: NextId;
  readonly relations: RelationContext;
  hashPassword(password: string): string;
}

/** Passwords are stored as a hash, wherever they stand. */
function storeChecked(attribute: ScalarAttribute, value: unknown, { hashPassword }: Context): Stored {
  const secret = attribute.type === 'password' && typeof value === 'string';
  return storeScalar(attribute, secret ? hashPassword(value) : value);
}

/** A scalar of a component, in the form answers show it. */
function shownScalar(attribute: ScalarAttribute, value: unknown, context: Context): unknown {
  const stored = storeChecked(attribute, value, context);
  return stored === null ? null : FIELDS[attribute.type].read(stored);
}

function unrelated(name: string, zone: boolean): ApiError {
  const message = `Some of the provided components in ${name} are not related to the entity`;
  return new ApiError({ kind: zone ? 'zone' : 'application', message });
}

/** The instances that an attribute has, by id. */
type Previous = ReadonlyMap<unknown, InputData>;

const byId = (list: readonly InputData[]) => new Map(list.map((instance) => [instance.id, instance]));

function previousOf(
  id: unknown,
  previous: Previous,
  name: string,
  creating: boolean,
  uid?: string,
): InputData | undefined {
  if (creating || id === undefined) return undefined;
  const found = previous.get(typeof id === 'string' && /^\d+$/.test(id) ? Number(id) : id);
  if (!found || found.__component !== uid) throw unrelated(name, uid !== undefined);
  return found;
}

function instancesIn(value: unknown): readonly InputData[] {
  return (Array.isArray(value) ? value : [value]).filter(isObject);
}

/** The links that an instance holds in an attribute. */
const linksIn = (value: unknown): readonly Link[] =>
  instancesIn(value).map(({ documentId, locale }) => ({
    documentId: String(documentId),
    locale: String(locale ?? ''),
  }));

/** An instance that is sent with its id keeps what is not sent; one without becomes a new one, and all that is in it. */
function instanceOf(item: InputData, uid: string, previous: InputData | undefined, context: Context): InputData {
  const attributes = attributesOf(uid, context.registry);
  const entries = inputAttributes(attributes).map((attribute) => {
    const { name } = attribute;
    if (Object.hasOwn(item, name)) return [name, nestedValue(attribute, item[name], previous, context)];
    if (previous) return [name, previous[name] ?? null];
    return [
      name,
      nestedValue(attribute, attribute.kind === 'scalar' ? attribute.default : undefined, undefined, context),
    ];
  });
  const links = linkAttributes(attributes).map((attribute) => [
    attribute.name,
    linkValue(attribute, item, previous, context),
  ]);
  return { id: previous?.id ?? context.nextId(), ...Object.fromEntries([...entries, ...links]) };
}

/** A relation or media attribute of a component: the documents it names, in order. */
function linkValue(
  attribute: LinkAttribute,
  item: InputData,
  previous: InputData | undefined,
  context: Context,
): readonly Link[] {
  const present = linksIn(previous?.[attribute.name]);
  const input = relationInput(attribute, ownValue(item, attribute.name));
  if (!input) return present;
  const { links, refusal } = planLinks(input, previous && present, context.relations);
  if (refusal) throw refusal;
  return links;
}

function nestedValue(
  attribute: ColumnAttribute,
  value: unknown,
  owner: InputData | undefined,
  context: Context,
): unknown {
  if (attribute.kind === 'scalar') return shownScalar(attribute, value, context);
  return componentValue(attribute, value, instancesIn(owner?.[attribute.name]), owner === undefined, context);
}

/** An id names one instance: of several with the same, each adds to the one before, at the place of the first. */
function instancesOf(
  list: readonly InputData[],
  present: readonly InputData[],
  one: (item: InputData, previous: Previous) => InputData,
): readonly InputData[] {
  const known = byId(present);
  const instances = list.map((item) => {
    const instance = one(item, known);
    known.set(instance.id, instance);
    return instance;
  });
  return [...new Set(instances.map(({ id }) => id))].map((id) => known.get(id)).filter((item) => item !== undefined);
}

/** The instances of a component or zone: one or none, or a list. */
function componentValue(
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: unknown,
  present: readonly InputData[],
  creating: boolean,
  context: Context,
): unknown {
  const items = allowedIn(attribute, instancesIn(value)).filter(isObject);
  const instances = instancesOf(items, present, (item, previous) => {
    const zoned = attribute.kind === 'dynamiczone' ? { __component: String(item.__component) } : {};
    const own = previousOf(item.id, previous, attribute.name, creating, zoned.__component);
    const uid = attribute.kind === 'dynamiczone' ? String(item.__component) : attribute.component;
    return { ...instanceOf(item, uid, own, context), ...zoned };
  });
  return isList(attribute) ? instances : (instances[0] ?? null);
}

/** The instances that a component or zone column holds. */
export function readInstances(stored: Stored | undefined): readonly InputData[] {
  return instancesIn(readJson(stored));
}

/**
 * All checked values as columns hold them.
 * @param current the row that is updated; absent on create, where ids of components mean nothing.
 * @throws ApiError 400 for the first date or time in no known format, or a component id of another owner.
 */
export function storeValues(values: InputValues, current: StoredValues | undefined, context: Context): StoredValues {
  const creating = current === undefined;
  const columns = new Map<ColumnAttribute, Stored>();
  for (const [attribute, value] of values) {
    if (attribute.kind === 'scalar') {
      columns.set(attribute, storeChecked(attribute, value, context));
      continue;
    }
    const stored = componentValue(attribute, value, readInstances(current?.get(attribute)), creating, context);
    columns.set(attribute, stored === null ? null : JSON.stringify(stored));
  }
  return columns;
}

interface Renewal {
  readonly registry: Registry;
  readonly nextId: NextId;
  /** Of the links to a type, which does the copy keep? Absent: all. */
  readonly keeps?: (uid: string, link: Link) => boolean;
}

function renewedLinks(attribute: LinkAttribute, links: unknown, { keeps }: Renewal): unknown {
  if (!keeps || !Array.isArray(links)) return links;
  return linksIn(links).filter((link) => keeps(targetUid(attribute), link));
}

function renewed(value: unknown, attribute: ColumnAttribute, renewal: Renewal): unknown {
  if (Array.isArray(value)) return allowedIn(attribute, value).map((item) => renewed(item, attribute, renewal));
  if (!isObject(value) || attribute.kind === 'scalar') return value;
  const attributes = attributesWithin(attribute, value, renewal.registry);
  // Only the first of several missing targets is reported: Strapi checks a component's own links first.
  const links = linkAttributes(attributes).map((item) => [item.name, renewedLinks(item, value[item.name], renewal)]);
  const inner = inputAttributes(attributes).map((item) => [item.name, renewed(value[item.name], item, renewal)]);
  return { ...value, ...Object.fromEntries([...inner, ...links]), id: renewal.nextId() };
}

/** The component columns of a version's copy: the instances that readers see, under new ids. */
export function renewComponents(values: StoredValues, renewal: Renewal): StoredValues {
  const copies = [...values].flatMap(([attribute, stored]) => {
    if (attribute.kind === 'scalar' || stored === null) return [];
    return [[attribute, JSON.stringify(renewed(readJson(stored), attribute, renewal))] as const];
  });
  return new Map(copies);
}
