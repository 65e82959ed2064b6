/**
 * @module What a write has to know of the database before it can be planned: types and the planning of it.
 */

import type { ContentType } from '../registry/model.ts';
import type { Status } from '../request/query-params.ts';
import { type InnerLookup, innerLookups } from './inner-targets.ts';
import { isOwner, tableOf, writtenStatuses } from './link-tables.ts';
import {
  allRelationInputs,
  linkAttributes,
  relationInputs,
  type TargetLookup,
  targetLookups,
} from './plan-relations.ts';
import type { LinkAttribute, RelationInput } from './relation-input.ts';
import { type UniqueLookup, uniqueLookups } from './unique-values.ts';
import { type ColumnAttribute, inputAttributes } from './validate-input.ts';
import type { LinkTable, RowRef } from './write-plan.ts';
import { type WriteRequest, writtenRow } from './write-request.ts';

/** The links of a row in one version. */
export interface LinkQuestion {
  readonly attribute: LinkAttribute;
  readonly table: LinkTable;
  readonly owner: boolean;
  readonly status: Status;
  /** Of these targets alone, with their neighbours and both ends of the list; absent: all links. */
  readonly named?: TargetLookup;
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
  /** Rows that the components of the document link to. */
  readonly inner: readonly InnerLookup[];
  readonly links: readonly LinkQuestion[];
}

type Asked = Pick<LinkQuestion, 'attribute' | 'named'>;

/** A change among many links depends on few of them; whether any is left depends on all. */
function askedOf(input: RelationInput, { registry }: WriteRequest): Asked {
  const { attribute } = input;
  const [named] = targetLookups([input], registry);
  return { attribute, ...(attribute.multiple && !attribute.required && named && { named }) };
}

/** Relations that are added to or taken from, and required ones that publication has to look at. */
function linkQuestions(request: WriteRequest): readonly LinkQuestion[] {
  if (request.operation === 'create') return [];
  const { type, registry, data } = request;
  const inputs = relationInputs(data, type);
  const changed = inputs.filter(({ set }) => !set).map((input) => askedOf(input, request));
  const known = new Set(changed.map(({ attribute }) => attribute));
  const publishing = type.draftAndPublish && request.status === 'published' && request.strictRelations;
  const required = publishing ? linkAttributes(type.attributes).filter((attribute) => attribute.required) : [];
  const others = required.filter((attribute) => !known.has(attribute)).map((attribute): Asked => ({ attribute }));
  return [...changed, ...others].flatMap((asked) => {
    const table = tableOf(asked.attribute, type, registry);
    const owner = isOwner(asked.attribute);
    return table ? writtenStatuses(type, table).map((status) => ({ ...asked, table, owner, status })) : [];
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
  inner: innerLookups(request),
  links: linkQuestions(request),
});
