/**
 * @module Preconditions of a write: what must be read from the database before it can be planned.
 */
import { groupsOf } from '../../../common/groups.ts';
import { isPolymorphic } from '../../../schema/attribute-kinds.ts';
import type { ColumnAttribute, LinkAttribute } from '../../../schema/model.ts';
import type { Status } from '../../request/query-params.ts';
import { inputAttributes } from '../model/component-attributes.ts';
import { isNever } from '../model/condition.ts';
import { endKey, endsOf, linkEndOf, writtenStatuses } from '../model/link-tables.ts';
import { type LinkEnd, linkAttributes } from '../model/links.ts';
import type { Condition } from '../model/read-plan.ts';
import type { LinkedRow, RowRef, UniquePathValues } from '../model/write-plan.ts';
import { publishes, type WriteRequest, writtenRow } from '../model/write-request.ts';
import { type InnerLookup, innerLookups } from '../relations/inner-targets.ts';
import { allRelationInputs, relationInputs, type TargetLookup, targetLookups } from '../relations/plan-relations.ts';
import type { RelationInput } from '../relations/relation-input.ts';
import { uniquePathLookups } from '../validate/unique-paths.ts';
import { type UniqueLookup, uniqueLookups } from '../validate/unique-values.ts';
import { nonLocalizedLinks } from './non-localized-values.ts';
import { publishedEnds } from './publication-ops.ts';

/** Reads the links of a row in one version. */
export interface LinkLookup {
  readonly row: LinkedRow;
  readonly attribute: LinkAttribute;
  readonly tables: LinkEnd['tables'];
  readonly owner: boolean;
  readonly status: Status;
  /** Only links to these targets, their neighbours, the first and the last; absent: all links. */
  readonly named?: readonly TargetLookup[];
  /** The conditions of visible targets, by table; undefined for all of it. Links to others are hidden. */
  readonly visible?: readonly (Condition | undefined)[];
  /** Only hidden links. */
  readonly onlyHidden?: true;
}

export interface Preconditions {
  readonly row: RowRef;
  /** The rows to read `columns` of. */
  readonly versions: 'none' | 'row' | 'document';
  readonly columns: readonly ColumnAttribute[];
  /** In groups that one statement can read. */
  readonly unique: readonly (readonly UniqueLookup[])[];
  /** In components, in such groups. */
  readonly uniquePaths: readonly (readonly UniquePathValues[])[];
  readonly targets: readonly TargetLookup[];
  /** Targets of the stored components. */
  readonly inner: readonly InnerLookup[];
  readonly links: readonly LinkLookup[];
  /** Non-localized links of the first locale. */
  readonly sharedLinks: readonly LinkLookup[];
  /** Links that a publication copies, and the body leaves as they are: are they equal in both versions? */
  readonly copied: readonly CopiedLinks[];
}

/** Links of a row in both versions. */
export interface CopiedLinks {
  readonly row: RowRef;
  /** By key. */
  readonly ends: ReadonlyMap<string, LinkEnd>;
}

type LookedUp = Pick<LinkLookup, 'attribute' | 'named' | 'onlyHidden'>;

/** Of each target of a polymorphic relation, the neighbors of every type are read. */
const MAX_NAMED = 100;

/** Does a list have one version, and does the body name few of its links? Two versions share links to types without drafts. */
function readsNeighbors({ attribute, connect, disconnect }: RelationInput, { registry, type }: WriteRequest): boolean {
  if (!isPolymorphic(attribute)) return true;
  const statuses = writtenStatuses(type, linkEndOf(attribute, type, registry)?.tables ?? []);
  return statuses.length === 1 && connect.length + disconnect.length <= MAX_NAMED;
}

/** Reads only the links to named targets, unless a rule depends on all of them. */
function linksNeeded(input: RelationInput, request: WriteRequest): LookedUp {
  const { attribute } = input;
  const { registry, type } = request;
  const named = targetLookups([input], registry);
  const isOptional = attribute.multiple && !attribute.required && !nonLocalizedLinks(type).includes(attribute);
  const isPartial = isOptional && named.length > 0 && readsNeighbors(input, request);
  return { attribute, ...(isPartial && { named }) };
}

/** Returns one lookup for each version that the write changes. */
function linkLookups(
  row: LinkedRow,
  needed: readonly LookedUp[],
  { registry, visible }: WriteRequest,
): readonly LinkLookup[] {
  return needed.flatMap((each) => {
    const end = linkEndOf(each.attribute, row.type, registry);
    // Named targets are visible ones.
    const sides = each.named ? [] : (end?.tables ?? []);
    const conditions = sides.map(({ source, target }) => visible?.(end?.owner ? target : source));
    const isLimited = conditions.some((condition) => condition !== undefined);
    if (!end || (each.onlyHidden && !isLimited)) return [];
    const lookup = { ...each, ...end, row, ...(isLimited && { visible: conditions }) };
    return writtenStatuses(row.type, end.tables).map((status) => ({ ...lookup, status }));
  });
}

/** Reads relations with `connect` or `disconnect`, links to hidden documents that `set` keeps, non-localized files, and what the publication requires. */
function currentLinkLookups(request: WriteRequest): readonly LinkLookup[] {
  const { type, data, emptySetClears } = request;
  const inputs = relationInputs(data, type.attributes, emptySetClears);
  const changed = inputs.filter(({ set }) => !set).map((input) => linksNeeded(input, request));
  const known = new Set(changed.map(({ attribute }) => attribute));
  const isStrict = publishes(request) && request.strictRelations;
  const required = isStrict ? linkAttributes(type.attributes).filter((attribute) => attribute.required) : [];
  const complete = [...new Set([...required, ...nonLocalizedLinks(type)])].filter((each) => !known.has(each));
  const others = complete.map((attribute): LookedUp => ({ attribute }));
  const kept = inputs.filter(({ set, attribute }) => set && attribute.multiple && !complete.includes(attribute));
  const hidden = kept.map(({ attribute }): LookedUp => ({ attribute, onlyHidden: true }));
  return linkLookups(lookedUpRow(request), [...changed, ...hidden, ...others], request);
}

const lookedUpRow = (request: WriteRequest): RowRef => ({ ...writtenRow(request), document: request.document });

/** Reads the non-localized files of every version. */
function sharedLinkLookups(request: WriteRequest): readonly LinkLookup[] {
  const needed = nonLocalizedLinks(request.type).map((attribute) => ({ attribute }));
  return linkLookups({ ...lookedUpRow(request), locale: undefined }, needed, request);
}

function versionsToRead({ operation, type }: WriteRequest): Preconditions['versions'] {
  if (operation === 'create') return 'none';
  return type.localized || type.kind === 'singleType' ? 'document' : 'row';
}

/**
 * A target that the caller may not find is as one that does not exist. Only the `set` of a grant names targets of a type
 * that the caller may not list.
 */
function withVisible(lookup: TargetLookup, { visible }: WriteRequest): TargetLookup {
  const condition = visible?.(lookup.type);
  return condition && !isNever(condition) ? { ...lookup, visible: condition } : lookup;
}

/** Each lookup binds up to four values, and a statement a hundred. */
const MAX_LOOKUPS = 20;

/** Ends whose links one statement compares: of 100 KB each takes about one. */
const MAX_COMPARED = 50;

/** Compares in few statements what would be two for each table. A document that exists has a published version as a rule. */
function copiedLinks(request: WriteRequest): readonly CopiedLinks[] {
  const { type, registry, data, operation, emptySetClears } = request;
  if (operation === 'create' || !publishes(request)) return [];
  const changed = endsOf(
    relationInputs(data, type.attributes, emptySetClears).map(({ attribute }) => attribute),
    type,
    registry,
  );
  const tables = new Set(changed.map(({ tables: [{ name }] }) => name));
  const ends = publishedEnds(request, changed, false).filter(({ tables: [{ name }] }) => !tables.has(name));
  return groupsOf(ends, MAX_COMPARED).map((some) => ({
    row: lookedUpRow(request),
    ends: new Map(some.map((end) => [endKey(end), end] as const)),
  }));
}

interface PreconditionOptions {
  /** Read whether unique values are taken? The write asserts in any case that they are free. */
  readonly unique?: boolean;
  /** Does the request write alone? Beside others in a batch, links may change before it. */
  readonly isAlone?: boolean;
}

/** A create without relations and unique values has no preconditions. */
export const planPreconditions = (
  request: WriteRequest,
  { unique = true, isAlone = true }: PreconditionOptions = {},
): Preconditions => ({
  row: lookedUpRow(request),
  versions: versionsToRead(request),
  columns: inputAttributes(request.type.attributes),
  unique: !unique || request.type.kind === 'singleType' ? [] : groupsOf(uniqueLookups(request), MAX_LOOKUPS),
  uniquePaths: unique ? uniquePathLookups(request) : [],
  targets: targetLookups(
    allRelationInputs(request.data, request.type.attributes, request.registry),
    request.registry,
  ).map((lookup) => withVisible(lookup, request)),
  inner: innerLookups(request),
  links: request.operation === 'create' ? [] : currentLinkLookups(request),
  sharedLinks: request.operation === 'create' ? [] : sharedLinkLookups(request),
  copied: isAlone ? copiedLinks(request) : [],
});
