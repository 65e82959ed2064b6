/**
 * @module What a write has to know of the database before it can be planned: types and the planning of it.
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
export interface LinkQuestion {
  /** Whose links. */
  readonly row: LinkedRow;
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
  /** The same in components. */
  readonly placed: readonly (readonly PlacedValues[])[];
  readonly targets: readonly TargetLookup[];
  /** Rows that the components of the document link to. */
  readonly inner: readonly InnerLookup[];
  readonly links: readonly LinkQuestion[];
  /** Of the row of the first locale. */
  readonly originalLinks: readonly LinkQuestion[];
}

type Asked = Pick<LinkQuestion, 'attribute' | 'named'>;

/** A change among many links depends on few of them; whether any is left, or another locale has them, on all. */
function askedOf(input: RelationInput, { registry, type }: WriteRequest): Asked {
  const { attribute } = input;
  const [named] = targetLookups([input], registry);
  const isPartial = attribute.multiple && !attribute.required && !sharedLinks(type).includes(attribute);
  return { attribute, ...(isPartial && named && { named }) };
}

/** One question for each version that a write is about. */
function questionsOf(row: LinkedRow, asked: readonly Asked[], { registry }: WriteRequest): readonly LinkQuestion[] {
  return asked.flatMap((each) => {
    const table = tableOf(each.attribute, row.type, registry);
    const owner = isOwner(each.attribute);
    return table ? writtenStatuses(row.type, table).map((status) => ({ ...each, row, table, owner, status })) : [];
  });
}

/** Relations that are added to or taken from, files that locales share, and what publication has to look at. */
function linkQuestions(request: WriteRequest): readonly LinkQuestion[] {
  const { type, data } = request;
  const inputs = relationInputs(data, type);
  const changed = inputs.filter(({ set }) => !set).map((input) => askedOf(input, request));
  const known = new Set(changed.map(({ attribute }) => attribute));
  const publishing = type.draftAndPublish && request.status === 'published' && request.strictRelations;
  const required = publishing ? linkAttributes(type.attributes).filter((attribute) => attribute.required) : [];
  const whole = [...new Set([...required, ...sharedLinks(type)])].filter((attribute) => !known.has(attribute));
  const others = whole.map((attribute): Asked => ({ attribute }));
  return questionsOf(askedRow(request), [...changed, ...others], request);
}

/** The only document of a single type is not known by its id yet. */
function askedRow(request: WriteRequest): RowRef {
  const row = writtenRow(request);
  return request.type.kind === 'singleType' ? { ...row, documentId: undefined } : row;
}

function originalQuestions(request: WriteRequest): readonly LinkQuestion[] {
  return questionsOf(
    { ...askedRow(request), locale: undefined },
    sharedLinks(request.type).map((attribute) => ({ attribute })),
    request,
  );
}

const seesOthers = (type: ContentType): boolean => type.localized || type.kind === 'singleType';

/** Each lookup binds up to four values, and a statement a hundred. */
const GROUP = 20;

/**
 * A create without relations and unique values asks nothing.
 * @param unique are values that have to be unique looked for? The write asserts that they are in any case.
 */
export const planQuestions = (request: WriteRequest, { unique = true } = {}): Questions => ({
  row: askedRow(request),
  versions: request.operation === 'create' ? 'none' : seesOthers(request.type) ? 'document' : 'row',
  columns: inputAttributes(request.type.attributes),
  unique: !unique || request.type.kind === 'singleType' ? [] : groupsOf(uniqueLookups(request), GROUP),
  placed: unique ? placedValues(request) : [],
  targets: targetLookups(allRelationInputs(request.data, request.type.attributes, request.registry), request.registry),
  inner: innerLookups(request),
  links: request.operation === 'create' ? [] : linkQuestions(request),
  originalLinks: request.operation === 'create' ? [] : originalQuestions(request),
});
