/**
 * @module Preconditions of a write: what must be read from the database before it can be planned.
 */
import { groupsOf } from '../../registry/groups.ts';
import { type ContentType, isOwner } from '../../registry/model.ts';
import type { Status } from '../../request/query-params.ts';
import { type ColumnAttribute, inputAttributes } from '../model/component-attributes.ts';
import { tableOf, writtenStatuses } from '../model/link-tables.ts';
import type { LinkAttribute, LinkTable } from '../model/links.ts';
import { linkAttributes } from '../model/links.ts';
import type { LinkedRow, PlacedValues, RowRef } from '../model/write-plan.ts';
import { type WriteRequest, writtenRow } from '../model/write-request.ts';
import { type InnerLookup, innerLookups } from '../relations/inner-targets.ts';
import { allRelationInputs, relationInputs, type TargetLookup, targetLookups } from '../relations/plan-relations.ts';
import type { RelationInput } from '../relations/relation-input.ts';
import { placedValues } from '../validate/unique-places.ts';
import { type UniqueLookup, uniqueLookups } from '../validate/unique-values.ts';
import { sharedLinks } from './shared-values.ts';

/** The links of a row in one version. */
export interface LinkLookup {
  /** Whose links. */
  readonly row: LinkedRow;
  readonly attribute: LinkAttribute;
  readonly table: LinkTable;
  readonly owner: boolean;
  readonly status: Status;
  /** Of these targets alone, with their neighbours and both ends of the list; absent: all links. */
  readonly named?: TargetLookup;
}

export interface Preconditions {
  readonly row: RowRef;
  /**
   * Which rows to read `columns` of: the row alone, or every version of the document, for localized and single types.
   */
  readonly versions: 'none' | 'row' | 'document';
  readonly columns: readonly ColumnAttribute[];
  /** In groups that one statement can look up. */
  readonly unique: readonly (readonly UniqueLookup[])[];
  /** The same in components. */
  readonly placed: readonly (readonly PlacedValues[])[];
  readonly targets: readonly TargetLookup[];
  /** Rows that the components of the document link to. */
  readonly inner: readonly InnerLookup[];
  readonly links: readonly LinkLookup[];
  /** Of the row of the first locale. */
  readonly originalLinks: readonly LinkLookup[];
}

type LookedUp = Pick<LinkLookup, 'attribute' | 'named'>;

/** A change among many links depends on few of them; whether any is left, or another locale has them, on all. */
function linksNeeded(input: RelationInput, { registry, type }: WriteRequest): LookedUp {
  const { attribute } = input;
  const [named] = targetLookups([input], registry);
  const isPartial = attribute.multiple && !attribute.required && !sharedLinks(type).includes(attribute);
  return { attribute, ...(isPartial && named && { named }) };
}

/** One lookup for each version that a write changes. */
function linkLookups(row: LinkedRow, needed: readonly LookedUp[], { registry }: WriteRequest): readonly LinkLookup[] {
  return needed.flatMap((each) => {
    const table = tableOf(each.attribute, row.type, registry);
    const owner = isOwner(each.attribute);
    return table ? writtenStatuses(row.type, table).map((status) => ({ ...each, row, table, owner, status })) : [];
  });
}

/** Relations that are added to or taken from, files that locales share, and what publication has to look at. */
function currentLinkLookups(request: WriteRequest): readonly LinkLookup[] {
  const { type, data } = request;
  const inputs = relationInputs(data, type.attributes);
  const changed = inputs.filter(({ set }) => !set).map((input) => linksNeeded(input, request));
  const known = new Set(changed.map(({ attribute }) => attribute));
  const publishing = type.draftAndPublish && request.status === 'published' && request.strictRelations;
  const required = publishing ? linkAttributes(type.attributes).filter((attribute) => attribute.required) : [];
  const whole = [...new Set([...required, ...sharedLinks(type)])].filter((attribute) => !known.has(attribute));
  const others = whole.map((attribute): LookedUp => ({ attribute }));
  return linkLookups(lookedUpRow(request), [...changed, ...others], request);
}

/** The only document of a single type is not known by its id yet. */
function lookedUpRow(request: WriteRequest): RowRef {
  const row = writtenRow(request);
  return request.type.kind === 'singleType' ? { ...row, documentId: undefined } : row;
}

function originalLinkLookups(request: WriteRequest): readonly LinkLookup[] {
  return linkLookups(
    { ...lookedUpRow(request), locale: undefined },
    sharedLinks(request.type).map((attribute) => ({ attribute })),
    request,
  );
}

const seesOthers = (type: ContentType): boolean => type.localized || type.kind === 'singleType';

/** Each lookup binds up to four values, and a statement a hundred. */
const GROUP = 20;

/**
 * A create without relations and unique values has no preconditions.
 * @param unique look up whether unique values are taken? The write asserts that they are free in any case.
 */
export const planPreconditions = (request: WriteRequest, { unique = true } = {}): Preconditions => ({
  row: lookedUpRow(request),
  versions: request.operation === 'create' ? 'none' : seesOthers(request.type) ? 'document' : 'row',
  columns: inputAttributes(request.type.attributes),
  unique: !unique || request.type.kind === 'singleType' ? [] : groupsOf(uniqueLookups(request), GROUP),
  placed: unique ? placedValues(request) : [],
  targets: targetLookups(allRelationInputs(request.data, request.type.attributes, request.registry), request.registry),
  inner: innerLookups(request),
  links: request.operation === 'create' ? [] : currentLinkLookups(request),
  originalLinks: request.operation === 'create' ? [] : originalLinkLookups(request),
});
