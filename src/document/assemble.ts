/**
 * @module Rows → documents, flat, as they are shown.
 */
import type { Part, Populate, PopulatedRows, ReadPlan, Selection, Use } from '../plan/read-plan.ts';
import { FIELDS } from '../registry/fields.ts';
import type { ScalarAttribute } from '../registry/model.ts';
import { OVERFLOW_COLUMN } from '../registry/names.ts';
import { assembleComponent, assembleZone, type Found, indexTargets, type Shown } from './components.ts';
import { scaleOf } from './weight.ts';

export type Row = Readonly<Record<string, unknown>>;
export type Document = Record<string, unknown>;

/** Values of a populated row, taken one after the other in the order in which `sql/populate.ts` lists them. */
type Cursor = () => unknown;

type Reader = (stored: never) => unknown;

/** A column → JSON value of its attribute; null stays null. */
export function readStored(attribute: ScalarAttribute, stored: unknown): unknown {
  if (stored === null || stored === undefined) return null;
  return (FIELDS[attribute.type].read as Reader)(stored as never);
}

const parse = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value);

/** The values of a `jsonRow`. */
function cursorOf(row: unknown): Cursor {
  const parts = row as unknown[][];
  const values = parts.length === 1 ? (parts[0] ?? []) : parts.flat();
  let next = 0;
  return () => values[next++];
}

interface PopulatedRow {
  readonly document: Document;
  readonly locale: string;
}

function populatedRow(row: unknown, selection: Selection): PopulatedRow {
  const next = cursorOf(row);
  const document: Document = { id: next(), documentId: next() };
  const locale = String(next() ?? '');
  for (const attribute of selection.attributes) document[attribute.name] = readStored(attribute, next());
  populateInto(document, selection.populate, next, locale);
  return { document, locale };
}

function related(node: PopulatedRows, next: Cursor): unknown {
  const value = next();
  if (node.count) return { count: Number(value) };
  const list = (parse(value) as unknown[]).map((row) => populatedRow(row, node.selection).document);
  return node.multiple ? list : (list[0] ?? null);
}

const shownIds = (ids: unknown): Shown => new Map((parse(ids) as unknown[]).map((id, place) => [id, place]));

/** What the columns give about the components of a node, in the order in which `sql/references.ts` asks for it. */
function foundIn(top: Populate, next: Cursor): Found {
  const found: Found = { targets: new Map(), instances: new Map() };
  const visitPart = (part: Part): void => {
    if (part.where) found.instances.set(part, shownIds(next()));
    part.populate.forEach(visit);
  };
  const visit = (node: Populate): void => {
    if (node.kind === 'component') {
      if (node.where || node.order.length > 0) found.instances.set(node, shownIds(next()));
      node.selection.populate.forEach(visit);
    } else if (node.kind === 'dynamiczone') for (const part of node.parts.values()) visitPart(part);
    else if (node.kind === 'reference')
      found.targets.set(
        node,
        indexTargets((parse(next()) as unknown[]).map((row) => populatedRow(row, node.selection))),
      );
  };
  visit(top);
  return found;
}

interface Used {
  readonly since: number;
  readonly document: Document;
}

function usedBy({ type, tables, attributes }: Use, list: unknown): readonly Used[] {
  return (parse(list) as unknown[]).flatMap((row) => {
    const [since, ...values] = (row as unknown[][]).flat();
    const times = values.splice(0, tables.length).filter((used) => used === 1).length;
    const { document } = populatedRow([values], { attributes, populate: [] });
    return Array<Used>(times).fill({ since: Number(since), document: { ...document, __type: type.uid } });
  });
}

/** The uses of a file, the oldest first. */
function uses(node: Extract<Populate, { kind: 'related' }>, next: Cursor): readonly Document[] {
  const all = node.uses.flatMap((each) => usedBy(each, next()));
  const before = (a: Used, b: Used) => a.since - b.since || Number(a.document.id) - Number(b.document.id);
  return all.toSorted(before).map(({ document }) => document);
}

function populated(node: Populate, next: Cursor, locale: string): unknown {
  if (node.kind === 'related') return uses(node, next);
  if (node.kind !== 'component' && node.kind !== 'dynamiczone') return related(node, next);
  const value = parse(next());
  const found = foundIn(node, next);
  return node.kind === 'component'
    ? assembleComponent(node, value, found, locale)
    : assembleZone(node, value, found, locale);
}

function populateInto(document: Document, populate: readonly Populate[], next: Cursor, locale: string): void {
  for (const node of populate) document[node.name] = populated(node, next, locale);
}

/** The attributes that have no column of their own. */
export function overflowOf(row: Row): Row {
  const text = row[OVERFLOW_COLUMN];
  return typeof text === 'string' ? (JSON.parse(text) as Row) : {};
}

/** One row as a document, however large. */
export function assembleRow(row: Row, { attributes, populate }: Selection): Document {
  const document: Document = { id: row.id, documentId: row.document_id };
  const overflow = attributes.some((attribute) => attribute.overflow) ? overflowOf(row) : {};
  for (const attribute of attributes) {
    const stored = attribute.overflow ? overflow[attribute.name] : row[attribute.column];
    document[attribute.name] = readStored(attribute, stored);
  }
  if (populate.length > 0) {
    const next = cursorOf(parse(row.$populated));
    populateInto(document, populate, next, String(next() ?? ''));
  }
  return document;
}

/**
 * The rows of a page as documents: id, documentId, then what the plan's selection names.
 * @throws ApiError 400 when the documents are too large together.
 */
export function assemble(rows: readonly Row[], plan: ReadPlan): readonly Document[] {
  const weigh = scaleOf(plan);
  return rows.map((row) => {
    const document = assembleRow(row, plan.selection);
    weigh(document);
    return document;
  });
}
