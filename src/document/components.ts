/**
 * @module JSON of a component or zone column → its instances as responses show them.
 */
import { isObject, type JsonObject } from '../common/json.ts';
import type { Populate, PopulatedRows, PopulatedTypes, Selection, ZonePart } from '../plan/model/read-plan.ts';
import { type Document, shapeOf } from './document.ts';

type Reference = Extract<Populate, { kind: 'reference' }>;
type ComponentNode = Extract<Populate, { kind: 'component' }>;

interface Target {
  readonly document: Document;
  readonly locale: string;
}

/** A target with its position among the queried rows. */
type Placed = Target & { readonly place: number };

/** Positions of the shown instances of a component, by id. */
export type Shown = ReadonlyMap<unknown, number>;

/** Rows that belong to a component or zone column. */
export interface Found {
  /** Targets of each reference, by documentId. */
  readonly targets: Map<Reference, ReadonlyMap<string, readonly Placed[]>>;
  /** Only of components that are filtered or sorted, and of filtered zone parts. */
  readonly instances: Map<ComponentNode | ZonePart, Shown>;
}

export const indexTargets = (rows: readonly Target[]): ReadonlyMap<string, readonly Placed[]> =>
  Map.groupBy(
    rows.map((row, place) => ({ ...row, place })),
    ({ document }) => String(document.documentId),
  );

interface Context extends Found {
  /** Locale of the row that owns the column. */
  readonly locale: string;
}

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value : []).filter(isObject);

const rowsOf = (node: Reference, { documentId, locale: named }: JsonObject, { targets, locale }: Context) =>
  (targets.get(node)?.get(String(documentId)) ?? []).filter(
    (row) => !node.target.localized || row.locale === (named || locale),
  );

const uidOf = (part: PopulatedTypes['parts'][number]): string =>
  (part.kind === 'link' ? part.link.target : part.target).uid;

/** Adds the type of a target of a polymorphic relation. */
export const withType = (document: Document, part: PopulatedTypes['parts'][number]): Document => ({
  ...document,
  __type: uidOf(part),
});

/** Returns the selection of a shown target. */
export function selectionOf(node: PopulatedRows | PopulatedTypes, { __type }: JsonObject): Selection {
  if (node.kind !== 'polymorphic') return node.selection;
  return node.parts.find((part) => uidOf(part) === __type)?.selection ?? { attributes: [], populate: [] };
}

/** Targets of several types come in the order of the instance's list. */
function typed({ parts, count, multiple }: PopulatedTypes, value: unknown, context: Context): unknown {
  const found = listOf(value).flatMap((link) => {
    const part = parts.find((each) => each.kind === 'reference' && uidOf(each) === link.type);
    if (part?.kind !== 'reference') return [];
    return rowsOf(part, link, context).map(({ document }) => withType(document, part));
  });
  if (count) return { count: found.length };
  return multiple ? found : (found[0] ?? null);
}

/** Targets come in the query's order if it has one, else in that of the instance's list. */
function referenced(node: Reference, value: unknown, context: Context): unknown {
  const listed = listOf(value).flatMap((link) => rowsOf(node, link, context));
  const found = node.order.length > 0 ? [...new Set(listed)].sort((a, b) => a.place - b.place) : listed;
  if (node.count) return { count: found.length };
  const documents = found.map(({ document }) => document);
  return node.multiple ? documents : (documents[0] ?? null);
}

/** Returns the shown value of a component, of a zone, or of a reference inside of them. */
export function shownValue(node: Populate, value: unknown, context: Context): unknown {
  if (node.kind === 'reference') return referenced(node, value, context);
  if (node.kind === 'polymorphic') return typed(node, value, context);
  if (node.kind === 'component') return componentOf(node, value, context);
  return node.kind === 'dynamiczone' ? zoneOf(node, value, context) : undefined;
}

function instanceOf(instance: JsonObject, selection: Selection, context: Context): Document {
  const document = { ...shapeOf(selection, ['id']).template };
  document.id = instance.id;
  for (const { name } of selection.attributes) document[name] = instance[name] ?? null;
  for (const node of selection.populate) document[node.name] = shownValue(node, instance[node.name], context);
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
