/**
 * @module What a write has to know of the database before it can be planned: types and the planning of it.
 */

import type { ContentType, Registry } from '../registry/model.ts';
import { isOwner, tableOf } from './link-tables.ts';
import {
  allRelationInputs,
  linkAttributes,
  relationInputs,
  type TargetLookup,
  targetLookups,
} from './plan-relations.ts';
import type { LinkAttribute } from './relation-input.ts';
import { sharedLinks } from './shared-values.ts';
import { type UniqueLookup, uniqueLookups } from './unique-values.ts';
import { type ColumnAttribute, inputAttributes } from './validate-input.ts';
import type { LinkTable, RowRef } from './write-plan.ts';
import { type WriteRequest, writtenRow } from './write-request.ts';

interface LinkQuestion {
  /** Whose links. */
  readonly row: RowRef;
  readonly attribute: LinkAttribute;
  readonly table: LinkTable;
  readonly owner: boolean;
}

export interface Questions {
  readonly row: RowRef;
  /**
   * What do these columns hold: of the row alone, or, where another locale or a single type may have to be looked at, of
   * every version of the document?
   */
  readonly versions: 'none' | 'row' | 'document';
  readonly columns: readonly ColumnAttribute[];
  /** In groups that one statement can ask. */
  readonly unique: readonly (readonly UniqueLookup[])[];
  readonly targets: readonly TargetLookup[];
  readonly links: readonly LinkQuestion[];
  /** Of the row of the default locale. */
  readonly originalLinks: readonly LinkQuestion[];
  readonly defaultLocale: string;
}

function asked(attributes: readonly LinkAttribute[], row: RowRef, registry: Registry): readonly LinkQuestion[] {
  return attributes.flatMap((attribute) => {
    const table = tableOf(attribute, row.type, registry);
    return table ? [{ row, attribute, table, owner: isOwner(attribute) }] : [];
  });
}

/** Relations that are added to or taken from, files that locales share, and what publication has to look at. */
function linkQuestions(request: WriteRequest): readonly LinkQuestion[] {
  const { type, registry, data } = request;
  const inputs = relationInputs(data, type);
  const changed = inputs.filter(({ set }) => !set).map(({ attribute }) => attribute);
  const publishing = type.draftAndPublish && request.status === 'published' && request.strictRelations;
  const required = publishing ? linkAttributes(type.attributes).filter((attribute) => attribute.required) : [];
  return asked([...new Set([...changed, ...required, ...sharedLinks(type)])], askedRow(request), registry);
}

/** The only document of a single type is not known by its id yet. */
function askedRow(request: WriteRequest): RowRef {
  const row = writtenRow(request);
  return request.type.kind === 'singleType' ? { ...row, documentId: undefined } : row;
}

const originalQuestions = (request: WriteRequest): readonly LinkQuestion[] =>
  asked(sharedLinks(request.type), { ...askedRow(request), locale: request.defaultLocale }, request.registry);

const seesOthers = (type: ContentType): boolean => type.localized || type.kind === 'singleType';

/** Each lookup binds up to four values, and a statement a hundred. */
const GROUP = 20;

const grouped = (lookups: readonly UniqueLookup[]): readonly (readonly UniqueLookup[])[] =>
  Array.from({ length: Math.ceil(lookups.length / GROUP) }, (_, index) =>
    lookups.slice(index * GROUP, (index + 1) * GROUP),
  );

/** A create without relations and unique values asks nothing. */
export const planQuestions = (request: WriteRequest): Questions => ({
  row: askedRow(request),
  versions: request.operation === 'create' ? 'none' : seesOthers(request.type) ? 'document' : 'row',
  columns: inputAttributes(request.type.attributes),
  unique: request.type.kind === 'singleType' ? [] : grouped(uniqueLookups(request)),
  targets: targetLookups(allRelationInputs(request.data, request.type.attributes, request.registry), request.registry),
  links: request.operation === 'create' ? [] : linkQuestions(request),
  originalLinks: request.operation === 'create' ? [] : originalQuestions(request),
  defaultLocale: request.defaultLocale,
});
