/**
 * @module Non-localized values and links: a new locale inherits them, and other locales follow a change.
 */
import { namedDocument } from '../../../schema/document-ref.ts';
import type { ColumnAttribute, ContentType, LinkAttribute, Registry } from '../../../schema/model.ts';
import { inputAttributes } from '../model/component-attributes.ts';
import { tablesOf } from '../model/link-tables.ts';
import { type Link, type LinkTable, linkAttributes } from '../model/links.ts';
import { isLinkChange } from '../model/op-kinds.ts';
import type { StoredValues, WriteOp, WrittenRow } from '../model/write-plan.ts';
import type { Current, ResolvedWrite, WriteContext, WriteRequest } from '../model/write-request.ts';
import { inheritsLink } from '../relations/inner-targets.ts';
import { copyComponents } from './stored-values.ts';

const nonLocalized = (type: ContentType): readonly ColumnAttribute[] =>
  type.localized ? inputAttributes(type.attributes).filter(({ localized }) => !localized) : [];

/** Only media attributes: each locale has relations of its own. */
export const nonLocalizedLinks = (type: ContentType): readonly LinkAttribute[] =>
  type.localized ? linkAttributes(type.attributes).filter(({ localized }) => !localized) : [];

const nonLocalizedTables = (type: ContentType, registry: Registry): readonly LinkTable[] =>
  tablesOf(nonLocalizedLinks(type), type, registry);

/** Returns the values that a new locale inherits, components under new ids. @throws ApiError 400 as `inheritsLink` */
export function inheritedValues(request: WriteRequest, current: Current, { nextId }: WriteContext): StoredValues {
  const { type, data, registry } = request;
  const { row, source } = current;
  if (row || !source) return new Map();
  const values = nonLocalized(type)
    .filter(({ name }) => data[name] === undefined || data[name] === null)
    .map((attribute) => [attribute, source.values.get(attribute) ?? null] as const)
    .filter(([attribute, value]) => value !== null || !attribute.required);
  const keeps = inheritsLink(request, current);
  return new Map([...values, ...copyComponents(new Map(values), { registry, nextId, keeps })]);
}

/** Prints values for comparison, without the ids of components, which differ in each version. */
function comparable(values: StoredValues, { type, registry }: WriteRequest): string {
  const own = new Map(nonLocalized(type).map((attribute) => [attribute, values.get(attribute) ?? null] as const));
  return JSON.stringify([...new Map([...own, ...copyComponents(own, { registry, nextId: () => 0 })]).values()]);
}

const namesOf = (links: readonly Link[] = []): string => links.map(({ documentId }) => documentId).join();

/** Do non-localized values or links differ from those of the first locale? */
function differs(values: StoredValues, write: ResolvedWrite): boolean {
  const { planned, current } = write;
  const { original } = current;
  if (!original || comparable(values, write) !== comparable(original.values, write)) return true;
  return nonLocalizedLinks(write.type).some((attribute) => {
    const links = planned.get(attribute) ?? (current.row ? current.links : current.sourceLinks).get(attribute);
    return namesOf(links) !== namesOf(current.originalLinks.get(attribute));
  });
}

/** Copies non-localized values and links to the other locales, in the status of the row only. */
function shared({ type, registry }: WriteRequest, row: WrittenRow, now: number): readonly WriteOp[] {
  const attributes = nonLocalized(type);
  const tables = nonLocalizedTables(type, registry);
  return attributes.length + tables.length > 0 ? [{ kind: 'share', row, attributes, tables, now }] : [];
}

/**
 * Shares what a write changes. Like Strapi, does so if the row differs from what the first locale by code point had,
 * drafts before published versions.
 */
export const shareOps = (
  write: ResolvedWrite,
  row: WrittenRow,
  values: StoredValues,
  now: number,
): readonly WriteOp[] => (write.current.source && differs(values, write) ? shared(write, row, now) : []);

/**
 * Shares what a copied version changes: its values if they differ from those before, its links in any case.
 * @param before the values that the row, or else another locale, had; undefined if no locale has the version
 */
export function shareCopyOps(
  write: ResolvedWrite,
  row: WrittenRow,
  values: StoredValues,
  before: StoredValues | undefined,
  now: number,
): readonly WriteOp[] {
  if (!before) return [];
  const isSame = nonLocalizedLinks(write.type).length === 0 && comparable(values, write) === comparable(before, write);
  return isSame ? [] : shared(write, row, now);
}

/** Copies non-localized links to a new locale, unless `own` changes them. */
export function inheritOps(write: ResolvedWrite, row: WrittenRow, own: readonly WriteOp[]): readonly WriteOp[] {
  const { type, registry, current } = write;
  if (current.row || !current.source) return [];
  const written = new Set(own.map((op) => (isLinkChange(op) ? op.tables[0].name : '')));
  const tables = nonLocalizedTables(type, registry).filter(({ name }) => !written.has(name));
  const { documentId, locale, status } = current.source;
  const from = { type, document: namedDocument(documentId), locale, status };
  return tables.length > 0 ? [{ kind: 'inherit', row, from, tables }] : [];
}
