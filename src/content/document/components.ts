/**
 * @module JSON of a component or zone column → its instances as responses show them.
 */
import { memoized } from '../../common/cache.ts';
import { isObject, type JsonObject } from '../../common/json.ts';
import { inSlice } from '../../common/slice.ts';
import { hasCount, isComponentNode, isMixedNode, isReference, isZoneNode } from '../plan/model/node-kinds.ts';
import type {
  Populate,
  PopulatedBlocks,
  PopulatedReference,
  PopulatedRows,
  PopulatedTypes,
  Selection,
  ZonePart,
} from '../plan/model/read-plan.ts';
import { type Document, IDENTITY, shapeOf } from './document.ts';

type ComponentNode = Extract<Populate, { kind: 'component' }>;

interface Target {
  readonly document: Document;
  readonly locale: string;
}

/** A target with its position among the queried rows. */
type Placed = Target & { readonly place: number };

/** Positions of the shown instances of a component, by id. */
export type ShownEntries = ReadonlyMap<unknown, number>;

/** What is read beside the JSON of a column. */
interface Reads {
  /** Components that are filtered or sorted, and filtered zone parts. */
  readonly limited: readonly (ComponentNode | ZonePart)[];
  /** The index among `shared` that has the targets of a reference; `whole`: with all their values. */
  readonly places: ReadonlyMap<PopulatedReference, { readonly index: number; readonly whole: boolean }>;
}

/** Rows that belong to a component or zone column. */
export interface FoundComponents extends Pick<Reads, 'places'> {
  /** By documentId. */
  readonly targets: readonly ReadonlyMap<string, readonly Placed[]>[];
  readonly instances: ReadonlyMap<ComponentNode | ZonePart, ShownEntries>;
}

function* limitedIn(node: Populate): Generator<ComponentNode | ZonePart> {
  if (isComponentNode(node)) {
    if (node.where || node.order.length > 0) yield node;
    for (const each of node.selection.populate) yield* limitedIn(each);
  } else if (isZoneNode(node))
    for (const part of node.parts.values()) {
      if (part.where) yield part;
      for (const each of part.populate) yield* limitedIn(each);
    }
}

/** Memoized, since a zone may allow many more components than a document has. */
export const readsOf = memoized((node: PopulatedBlocks): Reads => {
  const places = (node.shared ?? []).flatMap(({ references, selection }, index) =>
    references.map((each) => [each, { index, whole: each.selection.attributes === selection.attributes }] as const),
  );
  return { limited: [...limitedIn(node)], places: new Map(places) };
}, new WeakMap());

export const indexTargets = (rows: readonly Target[]): ReadonlyMap<string, readonly Placed[]> =>
  Map.groupBy(
    rows.map((row, place) => ({ ...row, place })),
    ({ document }) => String(document.documentId),
  );

interface Context extends FoundComponents {
  /** Locale of the row that owns the column. */
  readonly locale: string;
}

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value : []).filter(isObject);

function rowsOf(node: PopulatedReference, { documentId, locale: named }: JsonObject, context: Context) {
  const place = context.places.get(node);
  const rows = place && context.targets[place.index]?.get(String(documentId));
  return (rows ?? []).filter((row) => !node.target.localized || row.locale === (named || context.locale));
}

/** Returns a target with the values that the reference selects, of those that all references to it do. */
function narrowed(node: PopulatedReference, document: Document, { places }: Context): Document {
  if (places.get(node)?.whole) return document;
  const narrow = { ...shapeOf(node.selection, IDENTITY).template };
  for (const name in narrow) narrow[name] = document[name];
  if (document.$counts) narrow.$counts = document.$counts;
  return narrow;
}

const uidOf = (part: PopulatedTypes['parts'][number]): string =>
  (part.kind === 'link' ? part.link.target : part.target).uid;

/** Adds the type of a target of a polymorphic relation. */
export const withType = (document: Document, part: PopulatedTypes['parts'][number]): Document => ({
  ...document,
  __type: uidOf(part),
});

/** Returns the selection of a shown target. */
export function selectionOf(node: PopulatedRows | PopulatedTypes, { __type }: JsonObject): Selection {
  if (!isMixedNode(node)) return node.selection;
  return node.parts.find((part) => uidOf(part) === __type)?.selection ?? { attributes: [], populate: [] };
}

/** Targets of several types come in the order of the instance's list. */
function typedTargets({ parts }: PopulatedTypes, value: unknown, context: Context): readonly Document[] {
  return listOf(value).flatMap((link) => {
    const part = parts.filter(isReference).find(({ target }) => target.uid === link.type);
    if (!part) return [];
    return rowsOf(part, link, context).map(({ document }) => withType(narrowed(part, document, context), part));
  });
}

/** Each instance has a slice of its own, of the rows that one query found for all. */
function typed(node: PopulatedTypes, value: unknown, context: Context): unknown {
  const found = typedTargets(node, value, context);
  if (node.count) return { count: found.length };
  return node.multiple ? inSlice(found, node.slice) : (found[0] ?? null);
}

/** Targets come in the query's order if it has one, else in that of the instance's list. */
function targetsOf(node: PopulatedReference, value: unknown, context: Context): readonly Placed[] {
  const listed = listOf(value).flatMap((link) => rowsOf(node, link, context));
  return node.order.length > 0 ? [...new Set(listed)].sort((a, b) => a.place - b.place) : listed;
}

function referenced(node: PopulatedReference, value: unknown, context: Context): unknown {
  const found = targetsOf(node, value, context);
  if (node.count) return { count: found.length };
  const documents = inSlice(found, node.slice).map(({ document }) => narrowed(node, document, context));
  return node.multiple ? documents : (documents[0] ?? null);
}

function numberOf(node: Populate, value: unknown, context: Context): number {
  if (isReference(node)) return targetsOf(node, value, context).length;
  return isMixedNode(node) ? typedTargets(node, value, context).length : 0;
}

/** Returns the shown value of a component, of a zone, or of a reference inside of them. */
export function shownValue(node: Populate, value: unknown, context: Context): unknown {
  if (isReference(node)) return referenced(node, value, context);
  if (isMixedNode(node)) return typed(node, value, context);
  if (isComponentNode(node)) return componentOf(node, value, context);
  return isZoneNode(node) ? zoneOf(node, value, context) : undefined;
}

function instanceOf(instance: JsonObject, selection: Selection, context: Context): Document {
  const document = { ...shapeOf(selection, ['id']).template };
  document.id = instance.id;
  for (const { name } of selection.attributes) document[name] = instance[name] ?? null;
  for (const node of selection.populate) document[node.name] = shownValue(node, instance[node.name], context);
  const counted = selection.populate.filter(hasCount);
  if (counted.length > 0)
    document.$counts = Object.fromEntries(
      counted.map((node) => [node.name, numberOf(node, instance[node.name], context)]),
    );
  return document;
}

function componentOf(node: ComponentNode, value: unknown, context: Context): unknown {
  const all = (Array.isArray(value) ? value : [value]).filter(isObject);
  const places = context.instances.get(node);
  const placeOf = ({ id }: JsonObject) => places?.get(id) ?? 0;
  const list = places ? all.filter(({ id }) => places.has(id)).sort((a, b) => placeOf(a) - placeOf(b)) : all;
  if (node.count) return { count: list.length };
  const documents = list.map((instance) => instanceOf(instance, node.selection, context));
  return node.multiple ? documents : (documents[0] ?? null);
}

function zoneOf(node: Extract<Populate, { kind: 'dynamiczone' }>, value: unknown, context: Context): unknown {
  const list = (Array.isArray(value) ? value : []).filter(isObject);
  return list.flatMap((instance) => {
    const uid = String(instance.__component);
    const part = node.parts.get(uid);
    const isShown = part && context.instances.get(part)?.has(instance.id) !== false;
    return isShown ? [{ ...instanceOf(instance, part, context), __component: uid }] : [];
  });
}
