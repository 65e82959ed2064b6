/**
 * @module What a write has to know of the database before it can be planned: types and the planning of it.
 */

import type { ContentType } from '../registry/model.ts';
import { isOwner, tableOf } from './link-tables.ts';
import {
  allRelationInputs,
  linkAttributes,
  relationInputs,
  type TargetLookup,
  targetLookups,
} from './plan-relations.ts';
import type { LinkAttribute } from './relation-input.ts';
import { type UniqueLookup, uniqueLookups } from './unique-values.ts';
import { type ColumnAttribute, inputAttributes } from './validate-input.ts';
import type { LinkTable, RowRef } from './write-plan.ts';
import { type WriteRequest, writtenRow } from './write-request.ts';

interface LinkQuestion {
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
}

/** Relations that are added to or taken from, and required ones that publication has to look at. */
function linkQuestions(request: WriteRequest): readonly LinkQuestion[] {
  if (request.operation === 'create') return [];
  const { type, registry, data } = request;
  const inputs = relationInputs(data, type);
  const changed = inputs.filter(({ set }) => !set).map(({ attribute }) => attribute);
  const publishing = type.draftAndPublish && request.status === 'published' && request.strictRelations;
  const required = publishing ? linkAttributes(type.attributes).filter((attribute) => attribute.required) : [];
  return [...new Set([...changed, ...required])].flatMap((attribute) => {
    const table = tableOf(attribute, type, registry);
    return table ? [{ attribute, table, owner: isOwner(attribute) }] : [];
  });
}

/** The only document of a single type is not known by its id yet. */
function askedRow(request: WriteRequest): RowRef {
  const row = writtenRow(request);
  return request.type.kind === 'singleType' ? { ...row, documentId: undefined } : row;
}

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
  links: linkQuestions(request),
});
