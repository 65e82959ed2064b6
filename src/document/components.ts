/**
 * @module JSON of a component or zone column → what is shown of its instances.
 */
import { isObject, type JsonObject } from '../json.ts';
import type { Populate, Selection, ZonePart } from '../plan/model/read-plan.ts';
import { blankOf } from './blank.ts';
import type { Document } from './document.ts';

type Reference = Extract<Populate, { kind: 'reference' }>;

interface Target {
  readonly document: Document;
  readonly locale: string;
}

/** A target, and where it stands among those that were asked for. */
interface Placed extends Target {
  readonly place: number;
}

/** Rows that the references of a column may name, by document. */
export type Targets = Map<Reference, ReadonlyMap<string, readonly Placed[]>>;

/** The instances that are shown of a component, by id, and their places. */
export type Shown = ReadonlyMap<unknown, number>;

/** What is shown of components besides what their JSON says. */
export interface Found {
  readonly targets: Targets;
  /** Of components that are filtered or sorted, and of the parts of zones that are filtered. */
  readonly instances: Map<Extract<Populate, { kind: 'component' }> | ZonePart, Shown>;
}

/** @param rows in the order in which they were asked for. */
export function indexTargets(rows: readonly Target[]): ReadonlyMap<string, readonly Placed[]> {
  const index = new Map<string, Placed[]>();
  for (const [place, row] of rows.entries()) {
    const documentId = String(row.document.documentId);
    const others = index.get(documentId);
    if (others) others.push({ ...row, place });
    else index.set(documentId, [{ ...row, place }]);
  }
  return index;
}

interface Context extends Found {
  /** Locale of the row that owns the column. */
  readonly locale: string;
}

function inOwnOrder(rows: readonly Placed[]): readonly Placed[] {
  return [...new Map(rows.map((row) => [row.place, row])).values()].sort((a, b) => a.place - b.place);
}

/** Targets come in their own order when one is asked for, else in that of the instance's list. */
function referenced(node: Reference, value: unknown, { targets, locale }: Context): unknown {
  const rows = targets.get(node);
  const isMeant = (row: Placed, named: unknown) => !node.target.localized || row.locale === (named || locale);
  const links = (Array.isArray(value) ? value : []).filter(isObject);
  const listed = links.flatMap(({ documentId, locale: named }) =>
    (rows?.get(String(documentId)) ?? []).filter((row) => isMeant(row, named)),
  );
  const found = node.order.length > 0 ? inOwnOrder(listed) : listed;
  if (node.count) return { count: found.length };
  const documents = found.map(({ document }) => document);
  return node.multiple ? documents : (documents[0] ?? null);
}

/** The value that is shown of a component, of a zone, or of a reference inside of them. */
export function shownValue(node: Populate, value: unknown, context: Context): unknown {
  if (node.kind === 'reference') return referenced(node, value, context);
  if (node.kind === 'component') return componentOf(node, value, context);
  return node.kind === 'dynamiczone' ? zoneOf(node, value, context) : undefined;
}

/** What an instance begins with, in an answer. */
const IDENTITY = ['id'];

function instanceOf(instance: JsonObject, selection: Selection, context: Context): Document {
  const document = { ...blankOf(selection, IDENTITY).document };
  document.id = instance.id;
  for (const { name } of selection.attributes) document[name] = instance[name] ?? null;
  for (const node of selection.populate) document[node.name] = shownValue(node, instance[node.name], context);
  return document;
}

function componentOf(node: Extract<Populate, { kind: 'component' }>, value: unknown, context: Context): unknown {
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
