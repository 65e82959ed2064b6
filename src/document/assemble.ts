/**
 * @module Rows → documents, flat, as they are shown.
 */
import { readJson, readList, readObject } from '../json.ts';
import type { Populate, PopulatedRows, ReadPlan, Selection, Use, ZonePart } from '../plan/model/read-plan.ts';
import { OVERFLOW_COLUMN } from '../registry/names.ts';
import type { Row } from '../sql/statement.ts';
import { blankOf } from './blank.ts';
import { type Found, indexTargets, type Shown, shownValue } from './components.ts';
import type { Document } from './document.ts';
import { scaleOf } from './weight.ts';

/** Returns the next value of a populated row, in the order in which `sql/read/populate.ts` lists them. */
type NextValue = () => unknown;

/** The values of a `jsonRow`. */
function valuesOf(row: unknown): readonly unknown[] {
  const parts = readList(row);
  const [first] = parts;
  return parts.length === 1 && Array.isArray(first) ? first : parts.flat();
}

function valuesFrom(values: readonly unknown[], start: number): NextValue {
  let next = start;
  return () => values[next++];
}

const localeOf = (value: unknown): string => String(value ?? '');

/** What a document begins with, in an answer. */
const IDENTITY = ['id', 'documentId'];

/** Among the values of a document, which begin with its id and documentId. */
const LOCALE = 2;
const SCALARS = 3;

/** @param values id, documentId, locale, then the scalars of the selection. */
function documentOf(values: readonly unknown[], selection: Selection): Document {
  const { document: blank, shown } = blankOf(selection, IDENTITY);
  const document = { ...blank };
  document.id = values[0];
  document.documentId = values[1];
  let place = SCALARS;
  for (const { name, read } of shown) {
    const stored = values[place++];
    if (stored !== null) document[name] = read ? read(stored) : stored;
  }
  return document;
}

/** @param values of the document, then what its populate needs. */
function populatedDocument(values: readonly unknown[], selection: Selection): Document {
  const document = documentOf(values, selection);
  if (selection.populate.length > 0)
    populateInto(
      document,
      selection.populate,
      valuesFrom(values, SCALARS + selection.attributes.length),
      localeOf(values[LOCALE]),
    );
  return document;
}

const documentsIn = (list: unknown, selection: Selection): readonly Document[] =>
  readList(list).map((row) => populatedDocument(valuesOf(row), selection));

/** What components refer to, each with its locale. */
const targetsIn = (list: unknown, selection: Selection) =>
  readList(list).map((row) => {
    const values = valuesOf(row);
    return { document: populatedDocument(values, selection), locale: localeOf(values[2]) };
  });

function related(node: PopulatedRows, next: NextValue): unknown {
  const value = next();
  if (node.count) return { count: Number(value) };
  const list = documentsIn(value, node.selection);
  return node.multiple ? list : (list[0] ?? null);
}

const shownIds = (ids: unknown): Shown => new Map(readList(ids).map((id, place) => [id, place]));

/** What the columns give about the components of a node, in the order in which `sql/read/references.ts` asks for it. */
function foundIn(top: Populate, next: NextValue): Found {
  const found: Found = { targets: new Map(), instances: new Map() };
  const visitPart = (part: ZonePart): void => {
    if (part.where) found.instances.set(part, shownIds(next()));
    part.populate.forEach(visit);
  };
  const visit = (node: Populate): void => {
    if (node.kind === 'component') {
      if (node.where || node.order.length > 0) found.instances.set(node, shownIds(next()));
      node.selection.populate.forEach(visit);
    } else if (node.kind === 'dynamiczone') for (const part of node.parts.values()) visitPart(part);
    else if (node.kind === 'reference') found.targets.set(node, indexTargets(targetsIn(next(), node.selection)));
  };
  visit(top);
  return found;
}

interface Used {
  readonly since: number;
  readonly document: Document;
}

function usedBy({ type, tables, attributes }: Use, list: unknown): readonly Used[] {
  const selection = { attributes, populate: [] };
  return readList(list).flatMap((row) => {
    const [since, ...values] = valuesOf(row);
    const times = values.splice(0, tables.length).filter((used) => used === 1).length;
    const document = populatedDocument(values, selection);
    return Array<Used>(times).fill({ since: Number(since), document: { ...document, __type: type.uid } });
  });
}

/** The uses of a file, the oldest first. */
function uses(node: Extract<Populate, { kind: 'related' }>, next: NextValue): readonly Document[] {
  const all = node.uses.flatMap((each) => usedBy(each, next()));
  const before = (a: Used, b: Used) => a.since - b.since || Number(a.document.id) - Number(b.document.id);
  return all.toSorted(before).map(({ document }) => document);
}

function populated(node: Populate, next: NextValue, locale: string): unknown {
  if (node.kind === 'related') return uses(node, next);
  if (node.kind !== 'component' && node.kind !== 'dynamiczone') return related(node, next);
  const value = readJson(next());
  return shownValue(node, value, { ...foundIn(node, next), locale });
}

function populateInto(document: Document, populate: readonly Populate[], next: NextValue, locale: string): void {
  for (const node of populate) document[node.name] = populated(node, next, locale);
}

/** The attributes that have no column of their own. */
export const overflowOf = (row: Row): Row => readObject(row[OVERFLOW_COLUMN]);

/** A row by its columns, without what is populated. */
export function assembleRow(row: Row, selection: Selection): Document {
  const { document: blank, shown } = blankOf(selection, IDENTITY);
  const document = { ...blank };
  document.id = row.id;
  document.documentId = row.document_id;
  const overflow = shown.some(({ attribute }) => attribute.overflow) ? overflowOf(row) : {};
  for (const { name, attribute, read } of shown) {
    const stored = attribute.overflow ? overflow[name] : row[attribute.column];
    if (stored !== null && stored !== undefined) document[name] = read ? read(stored) : stored;
  }
  return document;
}

/** A row of a page, however large. */
function assemblePageRow(row: Row, selection: Selection): Document {
  const { $row: own } = row;
  const document = typeof own === 'string' ? documentOf(valuesOf(own), selection) : assembleRow(row, selection);
  if (selection.populate.length > 0) {
    const values = valuesOf(row.$populated);
    populateInto(document, selection.populate, valuesFrom(values, 1), localeOf(values[0]));
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
    const document = assemblePageRow(row, plan.selection);
    weigh(document);
    return document;
  });
}
