/**
 * @module Rows → flat documents, as responses show them.
 */
import { readJson, readList, readObject } from '../../common/json.ts';
import { OVERFLOW_COLUMN } from '../../schema/names.ts';
import { hasCount, isComponentNode, isMixedNode, isUsage, isZoneNode } from '../plan/model/node-kinds.ts';
import type {
  FileUsage,
  Populate,
  PopulatedBlocks,
  PopulatedRows,
  PopulatedTypes,
  ReadPlan,
  Selection,
} from '../plan/model/read-plan.ts';
import type { Row } from '../sql/statement.ts';
import { type FoundComponents, indexTargets, readsOf, type ShownEntries, shownValue, withType } from './components.ts';
import { type Document, IDENTITY, shapeOf } from './document.ts';
import { scaleOf } from './weight.ts';

/** Returns the next value of a populated row, in the order in which `content/sql/read/populate.ts` lists them. */
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

/** Indexes among the values of a document: id, documentId, locale, then its scalars. */
const LOCALE = 2;
const SCALARS = 3;

function documentOf(values: readonly unknown[], selection: Selection): Document {
  const { template, fields } = shapeOf(selection, IDENTITY);
  const document = { ...template };
  document.id = values[0];
  document.documentId = values[1];
  let index = SCALARS;
  for (const { name, read } of fields) {
    const stored = values[index++];
    if (stored !== null) document[name] = read ? read(stored) : stored;
  }
  return document;
}

/** @param values those of the document, then those of its populate. */
function populatedDocument(values: readonly unknown[], selection: Selection): Document {
  const document = documentOf(values, selection);
  const next = valuesFrom(values, SCALARS + selection.attributes.length);
  populateInto(document, selection.populate, next, localeOf(values[LOCALE]));
  return document;
}

const documentsIn = (list: unknown, selection: Selection): readonly Document[] =>
  readList(list).map((row) => populatedDocument(valuesOf(row), selection));

/** Targets of references, each with its locale. */
const targetsIn = (list: unknown, selection: Selection) =>
  readList(list).map((row) => {
    const values = valuesOf(row);
    return { document: populatedDocument(values, selection), locale: localeOf(values[LOCALE]) };
  });

function related(node: PopulatedRows, next: NextValue): unknown {
  const value = next();
  if (node.count) return { count: Number(value) };
  const list = documentsIn(value, node.selection);
  return node.multiple ? list : (list[0] ?? null);
}

/** Reads the targets of a polymorphic relation, each after the index of its type. */
function typed({ parts, count, multiple }: PopulatedTypes, next: NextValue): unknown {
  const value = next();
  if (count) return { count: Number(value) };
  const documents = readList(value).flatMap((entry) => {
    const [index, row] = readList(entry);
    const part = parts[Number(index)];
    return part ? [withType(populatedDocument(valuesOf(row), part.selection), part)] : [];
  });
  return multiple ? documents : (documents[0] ?? null);
}

const shownIds = (ids: unknown): ShownEntries => new Map(readList(ids).map((id, place) => [id, place]));

/** Reads the instances and targets of a component or zone, in the order in which `content/sql/read/populate.ts` lists them. */
function foundIn(node: PopulatedBlocks, next: NextValue): FoundComponents {
  const { limited, places } = readsOf(node);
  const instances = new Map(limited.map((each) => [each, shownIds(next())]));
  const targets = (node.shared ?? []).map(({ selection }) => indexTargets(targetsIn(next(), selection)));
  return { instances, targets, places };
}

interface Used {
  readonly since: number;
  readonly document: Document;
}

function usedBy({ type, tables, attributes }: FileUsage, list: unknown): readonly Used[] {
  const selection = { attributes, populate: [] };
  return readList(list).flatMap((row) => {
    const [since, ...values] = valuesOf(row);
    const times = values.splice(0, tables.length).filter((used) => used === 1).length;
    const document = populatedDocument(values, selection);
    return Array<Used>(times).fill({ since: Number(since), document: { ...document, __type: type.uid } });
  });
}

/** Returns the uses of a file, oldest first. */
function uses(node: Extract<Populate, { kind: 'related' }>, next: NextValue): readonly Document[] {
  const all = node.uses.flatMap((each) => usedBy(each, next()));
  const before = (a: Used, b: Used) => a.since - b.since || Number(a.document.id) - Number(b.document.id);
  return all.toSorted(before).map(({ document }) => document);
}

function populated(node: Populate, next: NextValue, locale: string): unknown {
  if (isUsage(node)) return uses(node, next);
  if (isMixedNode(node)) return typed(node, next);
  if (!isComponentNode(node) && !isZoneNode(node)) return related(node, next);
  const value = readJson(next());
  return shownValue(node, value, { ...foundIn(node, next), locale });
}

function populateInto(document: Document, populate: readonly Populate[], next: NextValue, locale: string): void {
  let counts: Record<string, number> | undefined;
  for (const node of populate) {
    document[node.name] = populated(node, next, locale);
    if (hasCount(node)) counts = { ...counts, [node.name]: Number(next()) };
  }
  if (counts) document.$counts = counts;
}

/** Returns the values of the attributes without a column of their own. */
export const overflowOf = (row: Row): Row => readObject(row[OVERFLOW_COLUMN]);

/** Returns the document of a row by its columns, without populate. */
export function assembleRow(row: Row, selection: Selection): Document {
  const { template, fields } = shapeOf(selection, IDENTITY);
  const document = { ...template };
  document.id = row.id;
  document.documentId = row.document_id;
  const overflow = overflowOf(row);
  for (const { name, attribute, read } of fields) {
    const stored = attribute.overflow ? overflow[name] : row[attribute.column];
    if (stored !== null && stored !== undefined) document[name] = read ? read(stored) : stored;
  }
  return document;
}

function assemblePageRow(row: Row, selection: Selection): Document {
  const { $row: own } = row;
  const document = typeof own === 'string' ? documentOf(valuesOf(own), selection) : assembleRow(row, selection);
  const values = valuesOf(row.$populated);
  populateInto(document, selection.populate, valuesFrom(values, 1), localeOf(values[0]));
  return document;
}

/** Returns the documents of a page. @throws ApiError 400 when they are too large together. */
export function assemble(rows: readonly Row[], plan: ReadPlan): readonly Document[] {
  const weigh = scaleOf(plan);
  return rows.map((row) => {
    const document = assemblePageRow(row, plan.selection);
    weigh(document);
    return document;
  });
}
