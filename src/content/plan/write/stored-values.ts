/**
 * @module Checked values → columns of a row. Components and zones become JSON, each instance with an id.
 */
import { ApiError } from '../../../common/errors.ts';
import { isObject, ownValue, readJson } from '../../../common/json.ts';
import { isScalar } from '../../../schema/attribute-kinds.ts';
import { FIELDS, type Stored } from '../../../schema/fields.ts';
import type {
  ColumnAttribute,
  ComponentAttribute,
  DynamicZoneAttribute,
  LinkAttribute,
  Registry,
  ScalarAttribute,
} from '../../../schema/model.ts';
import type { InputData } from '../../request/body.ts';
import { allowedIn, attributesOf, attributesWithin, inputAttributes, isList } from '../model/component-attributes.ts';
import { type Link, linkAttributes, targetUid } from '../model/links.ts';
import type { StoredValues } from '../model/write-plan.ts';
import type { WriteContext } from '../model/write-request.ts';
import type { KeepsLink } from '../relations/inner-targets.ts';
import { planLinks, type RelationContext } from '../relations/plan-relations.ts';
import { relationInput } from '../relations/relation-input.ts';
import { without } from '../relations/target-index.ts';
import { storeScalar } from '../validate/rules.ts';
import type { InputValues } from '../validate/validate-input.ts';

interface Context extends WriteContext {
  readonly registry: Registry;
  readonly relations: RelationContext;
  /** Is a document that a stored component links to hidden from the caller? */
  isHidden(uid: string, link: Link): boolean;
}

/** Hashes passwords. */
function storeChecked(attribute: ScalarAttribute, value: unknown, { hashPassword }: Context): Stored {
  const secret = FIELDS[attribute.type].hashed && typeof value === 'string';
  return storeScalar(attribute, secret ? hashPassword(value) : value);
}

/** Returns a scalar of a component in the form of a response. */
function shownScalar(attribute: ScalarAttribute, value: unknown, context: Context): unknown {
  const stored = storeChecked(attribute, value, context);
  return stored === null ? null : FIELDS[attribute.type].read(stored);
}

function unrelated(name: string, zone: boolean): ApiError {
  const message = `Some of the provided components in ${name} are not related to the entity`;
  return new ApiError({ kind: zone ? 'zone' : 'application', message });
}

/** The instances of an attribute, by id. */
type Previous = ReadonlyMap<unknown, InputData>;

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

const linksIn = (value: unknown): readonly Link[] =>
  instancesIn(value).map(({ documentId, locale, type }) => ({
    documentId: String(documentId),
    locale: String(locale ?? ''),
    ...(typeof type === 'string' && { type }),
  }));

/** Returns a new instance, or with the id of a previous one that instance with the sent values. */
function instanceOf(item: InputData, uid: string, previous: InputData | undefined, context: Context): InputData {
  const attributes = attributesOf(uid, context.registry);
  const entries = inputAttributes(attributes).map((attribute) => {
    const { name } = attribute;
    if (Object.hasOwn(item, name)) return [name, nestedValue(attribute, item[name], previous, context)];
    if (previous) return [name, previous[name] ?? null];
    const start = isScalar(attribute) ? attribute.default : undefined;
    return [name, nestedValue(attribute, start, undefined, context)];
  });
  const links = linkAttributes(attributes).map((each) => [each.name, linkValue(each, item, previous, context)]);
  return { id: previous?.id ?? context.nextId(), ...Object.fromEntries([...entries, ...links]) };
}

function linkValue(
  attribute: LinkAttribute,
  item: InputData,
  previous: InputData | undefined,
  context: Context,
): readonly Link[] {
  const present = linksIn(previous?.[attribute.name]);
  const input = relationInput(attribute, ownValue(item, attribute.name), context.relations.emptySetClears);
  if (!input) return present;
  const { links, rejection } = planLinks(input, previous && present, context.relations);
  if (rejection) throw rejection;
  if (!input.set || !attribute.multiple) return links;
  const hidden = present.filter((link) => context.isHidden(targetUid(attribute, link.type), link));
  return [...links, ...without(hidden, links)];
}

function nestedValue(
  attribute: ColumnAttribute,
  value: unknown,
  owner: InputData | undefined,
  context: Context,
): unknown {
  if (isScalar(attribute)) return shownScalar(attribute, value, context);
  return componentValue(attribute, value, instancesIn(owner?.[attribute.name]), owner === undefined, context);
}

/** Merges items with the same id into one instance, at the position of the first. */
function instancesOf(
  list: readonly InputData[],
  present: readonly InputData[],
  one: (item: InputData, previous: Previous) => InputData,
): readonly InputData[] {
  const known = new Map(present.map((instance) => [instance.id, instance]));
  const instances = list.map((item) => {
    const instance = one(item, known);
    known.set(instance.id, instance);
    return instance;
  });
  return [...new Set(instances.map(({ id }) => id))].map((id) => known.get(id)).filter((item) => item !== undefined);
}

function componentValue(
  attribute: ComponentAttribute | DynamicZoneAttribute,
  value: unknown,
  present: readonly InputData[],
  creating: boolean,
  context: Context,
): unknown {
  const items = allowedIn(attribute, instancesIn(value)).filter(isObject);
  const instances = instancesOf(items, present, (item, previous) => {
    if (attribute.kind === 'component') {
      const own = previousOf(item.id, previous, attribute.name, creating);
      return instanceOf(item, attribute.component, own, context);
    }
    const uid = String(item.__component);
    const own = previousOf(item.id, previous, attribute.name, creating, uid);
    return { ...instanceOf(item, uid, own, context), __component: uid };
  });
  return isList(attribute) ? instances : (instances[0] ?? null);
}

/** Reads the instances of a component or zone column. */
export const readInstances = (stored: Stored | undefined): readonly InputData[] => instancesIn(readJson(stored));

/**
 * Returns checked values in the form of their columns.
 * @param current the row to update; absent on create, where ids of components are ignored
 * @throws ApiError 400 for a date or time in an unknown format, or a component id of another document
 */
export function storeValues(values: InputValues, current: StoredValues | undefined, context: Context): StoredValues {
  const creating = current === undefined;
  const columns = new Map<ColumnAttribute, Stored>();
  for (const [attribute, value] of values) {
    if (isScalar(attribute)) {
      columns.set(attribute, storeChecked(attribute, value, context));
      continue;
    }
    const stored = componentValue(attribute, value, readInstances(current?.get(attribute)), creating, context);
    columns.set(attribute, stored === null ? null : JSON.stringify(stored));
  }
  return columns;
}

interface CopyContext extends Pick<WriteContext, 'nextId'> {
  readonly registry: Registry;
  /** Absent: keeps all links. */
  readonly keeps?: KeepsLink;
}

function copiedLinkValue(attribute: LinkAttribute, links: unknown, { keeps }: CopyContext): unknown {
  if (!keeps || !Array.isArray(links)) return links;
  return linksIn(links).filter((link) => keeps(targetUid(attribute, link.type), link));
}

function copiedValue(value: unknown, attribute: ColumnAttribute, context: CopyContext): unknown {
  if (Array.isArray(value)) return allowedIn(attribute, value).map((item) => copiedValue(item, attribute, context));
  if (!isObject(value) || isScalar(attribute)) return value;
  const attributes = attributesWithin(attribute, value, context.registry);
  // Only the first of several missing targets is reported: Strapi checks a component's own links first.
  const links = linkAttributes(attributes).map((item) => [item.name, copiedLinkValue(item, value[item.name], context)]);
  const inner = inputAttributes(attributes).map((item) => [item.name, copiedValue(value[item.name], item, context)]);
  return { ...value, ...Object.fromEntries([...inner, ...links]), id: context.nextId() };
}

/** Returns the component columns for a copy of a version: the visible instances, under new ids. */
export function copyComponents(values: StoredValues, context: CopyContext): StoredValues {
  const copies = [...values].flatMap(([attribute, stored]) => {
    if (isScalar(attribute) || stored === null) return [];
    return [[attribute, JSON.stringify(copiedValue(readJson(stored), attribute, context))] as const];
  });
  return new Map(copies);
}
