/**
 * @module Relation input and current links → the desired links, in order.
 */
import { ApiError, type Issue, invalid, invalidDocument } from '../../../common/errors.ts';
import { isObject, ownValue } from '../../../common/json.ts';
import { isMedia, isPolymorphic, isZone } from '../../../schema/attribute-kinds.ts';
import type { ContentType, LinkAttribute, Registry } from '../../../schema/model.ts';
import type { InputData } from '../../request/body.ts';
import { type Attributes, instancesIn, zoneUid } from '../model/component-attributes.ts';
import { type Link, linkAttributes, type TargetRow, targetUid } from '../model/links.ts';
import type { Condition } from '../model/read-plan.ts';
import { NO_LOCALE } from '../model/versions.ts';
import { type ConnectContext, inConnectOrder } from './connect-order.ts';
import { applyPlacements, type Placement } from './place-links.ts';
import { namesAnchor, type RelationInput, relationInput, type TargetRef } from './relation-input.ts';
import { indexOf, unique, without } from './target-index.ts';

/** Reads the rows of a type by documentId or id. */
export interface TargetLookup {
  readonly type: ContentType;
  readonly documentIds: readonly string[];
  readonly ids: readonly number[];
  /** The rows that the caller may find; absent: all. */
  readonly visible?: Condition;
}

export interface RelationContext {
  readonly type: ContentType;
  readonly registry: Registry;
  /** Locale of the linking row. */
  readonly locale: string;
  readonly defaultLocale: string;
  /** As in `relationInput`. */
  readonly emptySetClears: boolean;
  /** Existing rows by uid of their type. */
  readonly targets: ReadonlyMap<string, readonly TargetRow[]>;
}

/** Returns the relation input of a body, in the order of the attributes. @param emptySetClears as in `relationInput` */
export const relationInputs = (
  data: InputData,
  attributes: Attributes,
  emptySetClears: boolean,
): readonly RelationInput[] =>
  linkAttributes(attributes)
    .map((attribute) => relationInput(attribute, ownValue(data, attribute.name), emptySetClears))
    .filter((input) => input !== undefined);

interface LocatedInput extends RelationInput {
  readonly path: Issue['path'];
}

/** Includes the components and zones of the body. */
export function allRelationInputs(
  data: InputData,
  attributes: Attributes,
  registry: Registry,
  path: Issue['path'] = [],
): readonly LocatedInput[] {
  const nested = Object.entries(data).flatMap(([name, value]) => {
    const attribute = attributes.get(name);
    const instances = attribute ? instancesIn(attribute, value, registry) : [];
    return instances.flatMap(([item, inner, at]) => allRelationInputs(item, inner, registry, [...path, name, ...at]));
  });
  // An empty `set` names no target, whatever it clears.
  const inputs = relationInputs(data, attributes, false);
  const own = inputs.map((input) => ({ ...input, path: [...path, input.attribute.name] }));
  return [...own, ...nested];
}

const linkedRefs = ({ set = [], connect, others }: RelationInput): readonly TargetRef[] =>
  [set, connect, others].flat();
const allRefs = (input: RelationInput): readonly TargetRef[] => [...linkedRefs(input), ...input.disconnect];

/** A target without its position, or an anchor. */
type Name = Omit<TargetRef, 'position'>;

const namesOf = (input: RelationInput): readonly Name[] =>
  allRefs(input).flatMap((ref) => (namesAnchor(ref.position) ? [ref, ref.position] : [ref]));

/** Groups the targets of inputs by the uid of their type. */
const byType = (inputs: readonly RelationInput[], refsOf: (input: RelationInput) => readonly Name[]) =>
  Map.groupBy(
    inputs.flatMap((input) => refsOf(input).map((ref) => ({ ...ref, uid: targetUid(input.attribute, ref.type) }))),
    ({ uid }) => uid,
  );

/** Returns one lookup for each content type that the input names targets of. */
export function targetLookups(inputs: readonly RelationInput[], registry: Registry): readonly TargetLookup[] {
  return [...byType(inputs, namesOf)].flatMap(([uid, names]) => {
    const type = registry.contentTypes.get(uid);
    const documentIds = [...new Set(names.map(({ documentId }) => documentId).filter((id) => id !== undefined))];
    const ids = [...new Set(names.map(({ id }) => id).filter((id) => id !== undefined))];
    return type && documentIds.length + ids.length > 0 ? [{ type, documentIds, ids }] : [];
  });
}

function missingIssue({ attribute, path }: LocatedInput, name: Name, context: RelationContext): readonly Issue[] {
  try {
    resolve(name, attribute, context);
    return [];
  } catch (error) {
    if (error instanceof ApiError) return [{ path, message: error.message }];
    throw error;
  }
}

/** @throws ApiError 400 for documentIds without a document: the first, or with `allIssues` all with their attributes */
export function rejectMissing(inputs: readonly LocatedInput[], context: RelationContext, allIssues: boolean): void {
  if (!allIssues)
    for (const input of inputs) for (const name of namesOf(input)) resolve(name, input.attribute, context);
  const issues = inputs.flatMap((input) => namesOf(input).flatMap((name) => missingIssue(input, name, context)));
  if (issues.length > 0) throw invalidDocument(issues);
}

/** Returns the locale of the target row to find, and the locale that the link stores. */
function localesOf(target: ContentType, named: string | undefined, context: RelationContext) {
  if (!target.localized) return { find: NO_LOCALE, link: NO_LOCALE };
  if (context.type.localized) return { find: context.locale, link: NO_LOCALE };
  const locale = named ?? context.defaultLocale;
  return { find: locale, link: locale };
}

export const missingDocument = (documentId: string, locale: string): ApiError =>
  invalid(`Document with id "${documentId}", locale "${locale === NO_LOCALE ? 'null' : locale}" not found`);

/** Returns undefined for an id without a row. @throws ApiError 400 for a documentId without a document. */
function resolve(name: Name, attribute: LinkAttribute, context: RelationContext): Link | undefined {
  const target = context.registry.contentTypes.get(targetUid(attribute, name.type));
  if (!target) return undefined;
  const rows = indexOf(context.targets.get(target.uid) ?? []);
  const row = rows.byId.get(name.id);
  if (name.documentId === undefined && !row) return undefined;
  const documentId = name.documentId ?? row?.documentId ?? '';
  const { find, link } = localesOf(target, name.locale ?? row?.locale, context);
  if (!rows.find({ documentId, locale: find })) throw missingDocument(documentId, find);
  return { documentId, locale: link, ...(isPolymorphic(attribute) && { type: target.uid }) };
}

function shownId(
  { documentId, locale, type }: Link,
  attribute: LinkAttribute,
  context: RelationContext,
): number | string | undefined {
  const target = context.registry.contentTypes.get(targetUid(attribute, type));
  if (!target) return undefined;
  const rows = indexOf(context.targets.get(target.uid) ?? []);
  const row = rows.find({ documentId, locale: localesOf(target, locale, context).find });
  const id = Number.isNaN(row?.id) ? documentId : row?.id;
  return isPolymorphic(attribute) ? `${id}:::${type}` : id;
}

/** The desired links of a relation. */
export interface PlannedTargets {
  readonly links: readonly Link[];
  /** The error for unresolved positions; thrown after all values were validated. */
  readonly rejection?: ApiError;
}

/** Sorts targets by their positions; if that fails, returns them in the order of the body, with the error. */
function orderOf(placements: readonly Placement[], context: ConnectContext) {
  try {
    return { placements: inConnectOrder(placements, context) };
  } catch (rejection) {
    if (rejection instanceof ApiError) return { placements, rejection };
    throw rejection;
  }
}

/**
 * @param stored the current links in order; undefined if the linking row or component is new
 * @throws ApiError 400 for a documentId without a document in its locale
 */
export function planLinks(
  input: RelationInput,
  stored: readonly Link[] | undefined,
  context: RelationContext,
): PlannedTargets {
  const present = stored ?? [];
  const { attribute, connect } = input;
  const find = (name: Name) => resolve(name, attribute, context);
  const existing = (refs: readonly TargetRef[]) => refs.map(find).filter((link) => link !== undefined);
  const disconnected = existing(input.disconnect);
  const connected = existing(input.connect);
  if (input.set) return { links: unique(existing(input.set)) };
  // Like Strapi, shows the first file of a single media attribute, and appends the connected one.
  if (isMedia(attribute) && !attribute.multiple)
    return { links: unique([...without(present, disconnected), ...connected]) };
  const placements = connect.flatMap((ref): readonly Placement[] => {
    const link = find(ref);
    const { position } = ref;
    const anchor = namesAnchor(position) ? find(position) : undefined;
    return link ? [{ link, position, anchor }] : [];
  });
  if (!attribute.multiple && connect.length > 0) return { links: connected };
  const locale = context.type.localized ? undefined : context.defaultLocale;
  const idOf = (link: Link) => shownId(link, attribute, context);
  const isStrict = !stored || !input.isLenient;
  const { placements: order, ...rejected } = orderOf(placements, {
    present,
    isStrict,
    idOf,
    ...(locale && { locale }),
  });
  // A disconnected link is removed last, since it may be an anchor.
  return { ...rejected, links: without(applyPlacements(present, order), without(disconnected, connected)) };
}

/** Returns the relations of a body, without those of its components. */
export const relationData = (data: InputData, { attributes }: ContentType): InputData =>
  Object.fromEntries(
    linkAttributes(attributes)
      .filter(({ name }) => Object.hasOwn(data, name))
      .map(({ name }) => [name, data[name]]),
  );

/** Returns the message for a zone entry whose component is missing or unknown. */
function zoneProblem(data: InputData, { type, registry }: RelationContext): string | undefined {
  for (const attribute of type.attributes.values()) {
    const value = isZone(attribute) ? data[attribute.name] : undefined;
    const isGiven = value !== undefined && value !== null;
    for (const item of isGiven ? [value].flat() : []) {
      if (Array.isArray(value) && !isObject(item)) return 'Invalid relations';
      const uid = isObject(item) ? zoneUid(item) : undefined;
      if (!uid) return 'Cannot build relations store from dynamiczone, component identifier is undefined';
      if (!registry.components.has(uid as string)) return 'Invalid relations';
    }
  }
  return undefined;
}

/** Ids to disconnect need no row. */
function missingIds(inputs: readonly RelationInput[], { targets }: RelationContext): string | undefined {
  // Like Strapi, ignores ids of a polymorphic relation without a row.
  const typed = inputs.filter(({ attribute }) => !isPolymorphic(attribute));
  for (const [uid, refs] of byType(typed, linkedRefs)) {
    const ids = new Set(refs.map(({ id }) => id).filter((id) => id !== undefined));
    const found = [...ids].filter((id) => indexOf(targets.get(uid) ?? []).byId.has(id));
    if (found.length < ids.size)
      return `${ids.size - found.length} relation(s) of type ${uid} associated with this entity do not exist`;
  }
  return undefined;
}

function targetProblem(inputs: readonly RelationInput[], context: RelationContext): string | undefined {
  const nameless = inputs.flatMap(allRefs).some(({ documentId, id }) => documentId === undefined && id === undefined);
  return nameless ? 'Invalid relations' : missingIds(inputs, context);
}

/**
 * Returns issues for zone entries without a component, targets without an id, and ids without a row: the first, or with
 * `allIssues` one for each attribute.
 * @param value the value of an issue that names no attribute
 */
export function relationIssues(
  data: InputData,
  value: unknown,
  context: RelationContext,
  allIssues: boolean,
): readonly Issue[] {
  const { type, registry } = context;
  const inputs = allRelationInputs(data, type.attributes, registry);
  const inZones = zoneProblem(data, context);
  if (allIssues && inZones === undefined)
    return inputs.flatMap((input) => {
      const message = targetProblem([input], context);
      return message === undefined ? [] : [{ path: input.path, message }];
    });
  const message = inZones ?? targetProblem(inputs, context);
  return message === undefined ? [] : [{ path: [], message, value }];
}
