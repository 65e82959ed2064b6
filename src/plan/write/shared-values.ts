/**
 * @module Attributes that all locales of a document share: what a new locale starts with, and how the others follow.
 */
import type { ContentType, Registry } from '../../registry/model.ts';
import { type ColumnAttribute, inputAttributes } from '../model/component-attributes.ts';
import { tablesOf } from '../model/link-tables.ts';
import type { LinkAttribute, LinkTable } from '../model/links.ts';
import { type Link, linkAttributes } from '../model/links.ts';
import type { RowRef, StoredValues, WriteOp } from '../model/write-plan.ts';
import type { Current, WriteRequest } from '../model/write-request.ts';
import type { PlannedLinks } from '../relations/link-ops.ts';
import { renewComponents } from './stored-values.ts';

const shared = (type: ContentType): readonly ColumnAttribute[] =>
  type.localized ? inputAttributes(type.attributes).filter(({ localized }) => !localized) : [];

/** Files; relations each locale has for itself. */
export const sharedLinks = (type: ContentType): readonly LinkAttribute[] =>
  type.localized ? linkAttributes(type.attributes).filter(({ localized }) => !localized) : [];

const sharedTables = (type: ContentType, registry: Registry): readonly LinkTable[] =>
  tablesOf(sharedLinks(type), type, registry);

/** A locale that is new to a document starts with what all its locales share, as it is stored. */
export function adoptedValues({ type, data }: WriteRequest, { row, source }: Current): StoredValues {
  if (row || !source) return new Map();
  const open = shared(type).filter(({ name }) => data[name] === undefined || data[name] === null);
  const values = open.map((attribute) => [attribute, source.values.get(attribute) ?? null] as const);
  return new Map(values.filter(([attribute, value]) => value !== null || !attribute.required));
}

/** Values as they compare: the same instances of a component have other ids in each version. */
const comparable = (values: StoredValues, attributes: readonly ColumnAttribute[], registry: Registry): string => {
  const own = new Map(attributes.map((attribute) => [attribute, values.get(attribute) ?? null] as const));
  return JSON.stringify([...new Map([...own, ...renewComponents(own, { registry, nextId: () => 0 })]).values()]);
};

const namesOf = (links: readonly Link[] = []): string => links.map(({ documentId }) => documentId).join();

/** Does the write leave what locales share otherwise than the first locale had it? */
function differs(request: WriteRequest, values: StoredValues, planned: PlannedLinks, current: Current): boolean {
  const { type, registry } = request;
  const { original } = current;
  if (!original) return true;
  const attributes = shared(type);
  if (comparable(values, attributes, registry) !== comparable(original.values, attributes, registry)) return true;
  return sharedLinks(type).some((attribute) => {
    // A new locale takes files over unless the body says otherwise.
    const links = planned.get(attribute) ?? (current.row ? current.links : current.originalLinks).get(attribute);
    return namesOf(links) !== namesOf(current.originalLinks.get(attribute));
  });
}

/**
 * The other locales follow in the status that the write is about, and in no other. As in the reference they do when
 * the written row comes to differ from what the first locale by code point had, drafts before published versions.
 */
export function shareOps(
  request: WriteRequest,
  row: RowRef,
  values: StoredValues,
  planned: PlannedLinks,
  current: Current,
  now: number,
): readonly WriteOp[] {
  const { type, registry } = request;
  const attributes = shared(type);
  const tables = sharedTables(type, registry);
  if (!current.source || attributes.length + tables.length === 0) return [];
  return differs(request, values, planned, current) ? [{ kind: 'share', row, attributes, tables, now }] : [];
}

/** A new locale takes over the links that are shared, unless the body says otherwise. */
export function adoptOps(
  request: WriteRequest,
  row: RowRef,
  { row: present, source }: Current,
  own: readonly WriteOp[],
): readonly WriteOp[] {
  if (present || !source) return [];
  const { type, registry } = request;
  const written = new Set(own.map((op) => ('table' in op ? op.table.name : '')));
  const tables = sharedTables(type, registry).filter(({ name }) => !written.has(name));
  const { documentId, locale, status } = source;
  return tables.length > 0 ? [{ kind: 'adopt', row, from: { type, documentId, locale, status }, tables }] : [];
}
