/**
 * @module Relation input and the present links → the list of targets that a relation is to have, in order.
 */
import { ApiError, type Issue, invalid } from '../../errors.ts';
import { isObject, ownValue } from '../../json.ts';
import type { ContentType, Registry } from '../../registry/model.ts';
import type { InputData } from '../../request/body.ts';
import { type Attributes, instancesIn, zoneUid } from '../model/component-attributes.ts';
import { type Link, linkAttributes, type TargetRow, targetUid } from '../model/links.ts';
import { NO_LOCALE } from '../model/versions.ts';
import { type ConnectContext, inConnectOrder } from './connect-order.ts';
import { type RelationInput, relationInput, type TargetRef } from './relation-input.ts';
import { indexOf, type Placement, placed, unique, without } from './target-index.ts';

/** The rows to read: by documentId or by id, of one content type. */
export interface TargetLookup {
  readonly type: ContentType;
  readonly documentIds: readonly string[];
  readonly ids: readonly number[];
}

export interface RelationContext {
  readonly type: ContentType;
  readonly registry: Registry;
  /** Locale of the row that links. */
  readonly locale: string;
  readonly defaultLocale: string;
  /** Rows found, by uid of their type. */
  readonly targets: ReadonlyMap<string, readonly TargetRow[]>;
}

/** What a body says about each relation, in the order of the attributes. */
export const relationInputs = (data: InputData, attributes: Attributes): readonly RelationInput[] =>
  linkAttributes(attributes)
    .map((attribute) => relationInput(attribute, ownValue(data, attribute.name)))
    .filter((input) => input !== undefined);

/** The same, also of every component and zone in the body. */
export function allRelationInputs(
  data: InputData,
  attributes: Attributes,
  registry: Registry,
): readonly RelationInput[] {
  const nested = Object.entries(data).flatMap(([name, value]) => {
    const attribute = attributes.get(name);
    const instances = attribute ? instancesIn(attribute, value, registry) : [];
    return instances.flatMap(([item, inner]) => allRelationInputs(item, inner, registry));
  });
  return [...relationInputs(data, attributes), ...nested];
}

const refsOf = ({ set = [], connect, disconnect, others }: RelationInput): readonly TargetRef[] => [
  ...set,
  ...connect,
  ...others,
  ...disconnect,
];
const namesOf = (input: RelationInput): readonly Omit<TargetRef, 'position'>[] =>
  refsOf(input).flatMap((ref) => ('documentId' in ref.position || 'id' in ref.position ? [ref, ref.position] : [ref]));

/** One look-up for each content type that the input points to. */
export function targetLookups(inputs: readonly RelationInput[], registry: Registry): readonly TargetLookup[] {
  const uids = [...new Set(inputs.map(({ attribute }) => targetUid(attribute)))];
  return uids.flatMap((uid) => {
    const type = registry.contentTypes.get(uid);
    const names = inputs.filter(({ attribute }) => targetUid(attribute) === uid).flatMap(namesOf);
    const documentIds = [...new Set(names.map(({ documentId }) => documentId).filter((id) => id !== undefined))];
    const ids = [...new Set(names.map(({ id }) => id).filter((id) => id !== undefined))];
    return type && documentIds.length + ids.length > 0 ? [{ type, documentIds, ids }] : [];
  });
}

/** @throws ApiError 400 for the first documentId of no document, in any relation of the body and its components. */
export function refuseMissing(inputs: readonly RelationInput[], context: RelationContext): void {
  for (const input of inputs) {
    const target = context.registry.contentTypes.get(targetUid(input.attribute));
    for (const name of target ? namesOf(input) : []) if (target) resolve(name, target, context);
  }
}

/** The locale that a link has to name; `''` where it follows, or where there are none. */
function linkLocale(
  target: ContentType,
  named: string | undefined,
  context: RelationContext,
): { find: string; link: string } {
  if (!target.localized) return { find: NO_LOCALE, link: NO_LOCALE };
  if (context.type.localized) return { find: context.locale, link: NO_LOCALE };
  const locale = named ?? context.defaultLocale;
  return { find: locale, link: locale };
}

export const missingDocument = (documentId: string, locale: string): ApiError =>
  invalid(`Document with id "${documentId}", locale "${locale === NO_LOCALE ? 'null' : locale}" not found`);

type Name = Omit<TargetRef, 'position'>;

/** @returns undefined for an id of no row. @throws ApiError 400 for a documentId of no document. */
function resolve(name: Name, target: ContentType, context: RelationContext): Link | undefined {
  const rows = indexOf(context.targets.get(target.uid) ?? []);
  const row = rows.byId.get(name.id);
  if (name.documentId === undefined && !row) return undefined;
  const documentId = name.documentId ?? row?.documentId ?? '';
  const locale = name.locale ?? (name.id === undefined ? undefined : row?.locale);
  const { find, link } = linkLocale(target, locale, context);
  if (!rows.find({ documentId, locale: find })) throw missingDocument(documentId, find);
  return { documentId, locale: link };
}

function shownId({ documentId, locale }: Link, target: ContentType, context: RelationContext): number | undefined {
  const rows = indexOf(context.targets.get(target.uid) ?? []);
  return rows.find({ documentId, locale: linkLocale(target, locale || undefined, context).find })?.id;
}

/** The targets a relation is to have. */
export interface PlannedTargets {
  readonly links: readonly Link[];
  /** The error for positions that cannot be resolved; thrown after all values were validated. */
  readonly refusal?: ApiError;
}

/** Sorts targets by their positions; returns them in the order of the body, with the error, if that fails. */
function orderOf(placements: readonly Placement[], context: ConnectContext) {
  try {
    return { placements: inConnectOrder(placements, context) };
  } catch (refusal) {
    if (refusal instanceof ApiError) return { placements, refusal };
    throw refusal;
  }
}

/**
 * The targets a relation is to have.
 * @param stored those it has, in order; undefined where the row or component that links is new.
 * @throws ApiError 400 for a documentId of no document, in the locale that is meant.
 */
export function planLinks(
  input: RelationInput,
  stored: readonly Link[] | undefined,
  context: RelationContext,
): PlannedTargets {
  const present = stored ?? [];
  const target = context.registry.contentTypes.get(targetUid(input.attribute));
  if (!target) return { links: [] };
  const find = (name: Name) => resolve(name, target, context);
  const known = (refs: readonly TargetRef[]) => refs.map(find).filter((link) => link !== undefined);
  const taken = known(input.disconnect);
  const joining = known(input.connect);
  if (input.set) return { links: unique(known(input.set)) };
  const { attribute, connect } = input;
  // Of a single file the first is shown; one that is connected to it waits behind it, as in Strapi.
  if (attribute.kind === 'media' && !attribute.multiple)
    return { links: unique([...without(present, taken), ...joining]) };
  const placements = connect.flatMap((ref): readonly Placement[] => {
    const link = find(ref);
    const { position } = ref;
    const anchor = position.at === 'before' || position.at === 'after' ? find(position) : undefined;
    return link ? [{ link, position, anchor }] : [];
  });
  if (!attribute.multiple && connect.length > 0) return { links: placements.map(({ link }) => link) };
  const locale = context.type.localized ? undefined : context.defaultLocale;
  const idOf = (link: Link) => shownId(link, target, context);
  const isStrict = !stored || !input.isLenient;
  const { placements: order, ...refused } = orderOf(placements, { present, isStrict, idOf, ...(locale && { locale }) });
  // What is taken away still serves as an anchor.
  const leaving = without(
    taken,
    placements.map(({ link }) => link),
  );
  return { ...refused, links: without(placed(present, order), leaving) };
}

/** The values of a body under the names of its own relations. */
export const relationData = (data: InputData, { attributes }: ContentType): InputData =>
  Object.fromEntries(
    linkAttributes(attributes)
      .filter(({ name }) => Object.hasOwn(data, name))
      .map(({ name }) => [name, data[name]]),
  );

/** Does a zone have an entry whose component is missing, or does not exist? */
function zoneProblem(data: InputData, { type, registry }: RelationContext): string | undefined {
  for (const attribute of type.attributes.values()) {
    const value = attribute.kind === 'dynamiczone' ? data[attribute.name] : undefined;
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

const isNameless = ({ documentId, id }: TargetRef): boolean => documentId === undefined && id === undefined;

/** A numeric id that is to be taken away need not be there. */
const wantedRefs = ({ set = [], connect, others }: RelationInput): readonly TargetRef[] => [
  ...set,
  ...connect,
  ...others,
];

function missingIds(inputs: readonly RelationInput[], { targets }: RelationContext): string | undefined {
  for (const uid of new Set(inputs.map(({ attribute }) => targetUid(attribute)))) {
    const refs = inputs.filter(({ attribute }) => targetUid(attribute) === uid).flatMap(wantedRefs);
    const ids = new Set(refs.map(({ id }) => id).filter((id) => id !== undefined));
    const found = [...ids].filter((id) => indexOf(targets.get(uid) ?? []).byId.has(id));
    if (found.length < ids.size)
      return `${ids.size - found.length} relation(s) of type ${uid} associated with this entity do not exist`;
  }
  return undefined;
}

/**
 * Returns the issues that concern all relations of a body: zone entries without a component, targets without an id,
 * numeric ids without a row. They are reported after all other issues, with the complete input as their value.
 */
export function relationIssues(data: InputData, value: unknown, context: RelationContext): readonly Issue[] {
  const { type, registry } = context;
  const inputs = allRelationInputs(data, type.attributes, registry);
  const nameless = inputs.flatMap(refsOf).some(isNameless);
  const message = zoneProblem(data, context) ?? (nameless ? 'Invalid relations' : missingIds(inputs, context));
  return message === undefined ? [] : [{ path: [], message, value }];
}
