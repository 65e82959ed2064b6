/**
 * @module Attributes that all locales of a document share: what a new locale starts with, and how the others follow.
 */
import type { ContentType, Registry } from '../registry/model.ts';
import { tableOf } from './link-tables.ts';
import { linkAttributes } from './plan-relations.ts';
import { type ColumnAttribute, inputAttributes } from './validate-input.ts';
import type { LinkTable, RowRef, StoredValues, WriteOp } from './write-plan.ts';
import type { Current, Version, WriteRequest } from './write-request.ts';

const shared = (type: ContentType): readonly ColumnAttribute[] =>
  type.localized ? inputAttributes(type.attributes).filter(({ localized }) => !localized) : [];

const sharedTables = (type: ContentType, registry: Registry): readonly LinkTable[] =>
  linkAttributes(type.attributes)
    .filter((attribute) => type.localized && !attribute.localized)
    .map((attribute) => tableOf(attribute, type, registry))
    .filter((table) => table !== undefined);

/** A locale that is new to a document starts with what all its locales share, as it is stored. */
export function adoptedValues({ type, data }: WriteRequest, { row, source }: Current): StoredValues {
  if (row || !source) return new Map();
  const open = shared(type).filter(({ name }) => data[name] === undefined || data[name] === null);
  const values = open.map((attribute) => [attribute, source.values.get(attribute) ?? null] as const);
  return new Map(values.filter(([, value]) => value !== null));
}

/** The other locales follow in the status that the write is about, as in the reference, and in no other. */
export function shareOps(request: WriteRequest, row: RowRef, source: Version | undefined): readonly WriteOp[] {
  const { type, registry } = request;
  const attributes = shared(type);
  const tables = sharedTables(type, registry);
  if (!source || attributes.length + tables.length === 0) return [];
  return [{ kind: 'share', row, attributes, tables }];
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
