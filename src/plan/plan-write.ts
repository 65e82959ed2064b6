/**
 * @module Input and the current rows of a document → WritePlan. Everything that can be refused is refused here,
 * before the first statement runs.
 */
import { type Issue, invalidDocument, notFound } from '../errors.ts';
import type { Stored } from '../registry/fields.ts';
import type { ContentType, Registry, ScalarAttribute } from '../registry/model.ts';
import type { InputData } from '../request/body.ts';
import type { Status } from '../request/query-params.ts';
import { isOwner, ownedTables, pointingTables, tableOf } from './link-tables.ts';
import {
  type Link,
  planLinks,
  type RelationContext,
  relationInputs,
  relationIssues,
  shownRelations,
  type TargetRow,
} from './plan-relations.ts';
import { inOrder, publicationIssues, requiredByInput } from './publication.ts';
import type { LinkAttribute } from './relation-input.ts';
import { checkScalar } from './rules.ts';
import { type NextId, renewComponents, storeScalar, storeValues } from './store.ts';
import { inputAttributes, scalarAttributes, validateInput } from './validate-input.ts';
import type { RowRef, StoredValues, WriteOp, WritePlan } from './write-plan.ts';

/** What a write is about, once its parameters are read. */
export interface WriteRequest {
  /** Must required relations have a target before a document is published? */
  readonly strictRelations: boolean;
  readonly registry: Registry;
  readonly type: ContentType;
  readonly documentId: string;
  readonly locale: string;
  readonly defaultLocale: string;
  /** The status that the answer shows: `published` writes the draft and publishes it. */
  readonly status: Status;
  readonly operation: 'create' | 'update';
  readonly data: InputData;
}

/** A value that must not stand in the published row of another document; without one, the draft's own is meant. */
export interface UniqueLookup {
  readonly attribute: ScalarAttribute;
  readonly value?: Exclude<Stored, null>;
}

/** A link that is there, and whether its target may be seen in a published document. */
export interface PresentLink extends Link {
  readonly published: boolean;
}

/** What the database has of the document, read before planning. */
export interface Current {
  /** The row that is updated, its columns as stored; absent when there is none. */
  readonly row?: { readonly values: StoredValues; readonly updatedAt: number };
  /** Unique attributes whose value another published document has. */
  readonly taken: ReadonlySet<string>;
  /** Rows of the documents that the body names, by uid of their type. */
  readonly targets: ReadonlyMap<string, readonly TargetRow[]>;
  /** What relations are linked to now, as far as it matters. */
  readonly links: ReadonlyMap<LinkAttribute, readonly PresentLink[]>;
}

const NOTHING_TAKEN: ReadonlySet<string> = new Set();

const drafts = (request: WriteRequest): boolean => request.type.draftAndPublish;
const publishes = (request: WriteRequest): boolean => drafts(request) && request.status === 'published';

/** The row that input goes to: the draft, or on types without drafts the only one. */
export const writtenRow = ({ type, documentId, locale }: WriteRequest): RowRef => ({
  type,
  documentId,
  locale,
  status: type.draftAndPublish ? 'draft' : 'published',
});

function lookupOf(attribute: ScalarAttribute, value: unknown): UniqueLookup | undefined {
  const { value: checked, issues } = checkScalar(attribute, value, [attribute.name], {
    draft: true,
    operation: 'update',
    taken: NOTHING_TAKEN,
  });
  if (issues.length > 0) return undefined;
  try {
    const stored = storeScalar(attribute, checked);
    return stored === null || stored === '' ? undefined : { attribute, value: stored };
  } catch {
    // A date in no known format: refused when it is stored.
    return undefined;
  }
}

/** The unique values that this write would publish. Null, empty and malformed ones are never looked up. */
export function uniqueLookups(request: WriteRequest): readonly UniqueLookup[] {
  if (drafts(request) && !publishes(request)) return [];
  const unique = scalarAttributes(request.type).filter((attribute) => attribute.unique);
  const lookups = unique.map((attribute) => {
    const given = Object.hasOwn(request.data, attribute.name) ? request.data[attribute.name] : undefined;
    if (given !== undefined) return lookupOf(attribute, given);
    if (request.operation === 'create') return lookupOf(attribute, attribute.default);
    return drafts(request) ? { attribute } : undefined;
  });
  return lookups.filter((lookup) => lookup !== undefined);
}

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalidDocument(issues);
}

function stored(
  request: WriteRequest,
  current: Current,
  nextId: NextId,
  planned: ReadonlyMap<LinkAttribute, readonly Link[]>,
): StoredValues {
  const { operation, type, data, registry, locale } = request;
  const context = { draft: drafts(request), operation, taken: current.taken, registry } as const;
  const { values, issues } = validateInput(data, type, context);
  const relations = relationContext(request, current);
  const columns = Object.fromEntries([...values].map(([{ name }, value]) => [name, value]));
  const given = {
    ...columns,
    ...shownRelations(data, relations),
    publishedAt: null,
    ...(type.localized && { locale }),
  };
  const required = drafts(request) ? [] : requiredByInput(request, planned);
  refuse([...inOrder([...issues, ...required], type), ...relationIssues(data, given, relations)]);
  return storeValues(values, current.row?.values, { registry, nextId, relations });
}

const nothing = (type: ContentType): StoredValues =>
  new Map(inputAttributes(type.attributes).map((attribute) => [attribute, null]));

function publishOps(
  request: WriteRequest,
  draft: StoredValues,
  current: Current,
  planned: ReadonlyMap<LinkAttribute, readonly Link[]>,
  now: number,
  nextId: NextId,
): WriteOp[] {
  const { type, registry, documentId } = request;
  refuse(publicationIssues(request, draft, current, planned));
  const values = renewComponents(draft, { registry, nextId, self: { uid: type.uid, documentId } });
  const pointing = pointingTables(type, registry).filter(({ source }) => source.draftAndPublish);
  const publish = { draft: writtenRow(request), values, tables: ownedTables(type, registry), pointing, now };
  return [{ kind: 'publish', ...publish }, ...uniqueOps(request)];
}

const uniqueOps = (request: WriteRequest): readonly WriteOp[] =>
  uniqueLookups(request).map(({ attribute }) => ({
    kind: 'assert-unique',
    row: { ...writtenRow(request), status: 'published' },
    attribute,
    code: `UNIQUE.${attribute.name}`,
  }));

const relationContext = (request: WriteRequest, { targets }: Current): RelationContext => ({ ...request, targets });

/** One-to-one takes its target from whoever had it; so does a side that many may not share. */
function isExclusive(attribute: LinkAttribute): boolean {
  if (attribute.kind === 'media' || attribute.inverse === undefined) return false;
  return attribute.relation === 'oneToOne' || (!attribute.owner && attribute.relation === 'oneToMany');
}

/**
 * The links that the body asks for, by attribute.
 * @throws ApiError 400 for a documentId of no document.
 */
function plannedLinks(request: WriteRequest, current: Current): ReadonlyMap<LinkAttribute, readonly Link[]> {
  const context = relationContext(request, current);
  const planned = relationInputs(request.data, request.type).map((input) => {
    return [input.attribute, planLinks(input, current.links.get(input.attribute) ?? [], context)] as const;
  });
  return new Map(planned);
}

function linkOps(request: WriteRequest, planned: ReadonlyMap<LinkAttribute, readonly Link[]>) {
  const row = writtenRow(request);
  const ops = [...planned].flatMap(([attribute, links]): WriteOp[] => {
    const table = tableOf(attribute, request.type, request.registry);
    const kind = isOwner(attribute) ? 'link' : 'link-back';
    return table ? [{ kind, row, table, links, exclusive: isExclusive(attribute) }] : [];
  });
  return { own: ops.filter(({ kind }) => kind === 'link'), back: ops.filter(({ kind }) => kind === 'link-back') };
}

/** Ids of component instances: the time of the write and a running number, so that no two of an owner are alike. */
function idsFrom(now: number): NextId {
  let last = now * 1000;
  return () => {
    last += 1;
    return last;
  };
}

/**
 * Plans a create or an update.
 * @param current what `uniqueLookups` and the row of `writtenRow` came to.
 * @param time milliseconds since 1970; stamps of a row always move forward, so that a row read before is told apart.
 * @throws ApiError 404 when the document is not there, 400 with every issue of the first stage that has any: the
 * draft, then (for what is published) the whole document.
 */
export function planWrite(request: WriteRequest, current: Current, time: number): WritePlan {
  const { type, documentId, operation } = request;
  if (operation === 'update' && !current.row) throw notFound();
  const now = Math.max(time, (current.row?.updatedAt ?? 0) + 1);
  const nextId = idsFrom(now);
  const row = writtenRow(request);
  const planned = plannedLinks(request, current);
  const values = stored(request, current, nextId, planned);
  const { own, back } = linkOps(request, planned);
  const kind = operation === 'create' ? 'insert' : 'update';
  const write: WriteOp = { kind, row, values, now };
  const guard: readonly WriteOp[] = current.row
    ? [{ kind: 'assert-unchanged', row, updatedAt: current.row.updatedAt }]
    : [];
  if (!publishes(request)) {
    const counted = operation === 'create' ? ([{ kind: 'recount', type, documentId }] as const) : [];
    const unique = drafts(request) ? [] : uniqueOps(request);
    return [...guard, write, ...own, ...back, ...unique, ...counted];
  }
  const draft = new Map([...nothing(type), ...(current.row?.values ?? []), ...values]);
  const publish = publishOps(request, draft, current, planned, now, nextId);
  const discount = operation === 'update' ? ([{ kind: 'discount', type, documentId }] as const) : [];
  return [...guard, ...discount, write, ...own, ...publish, ...back, { kind: 'recount', type, documentId }];
}

/** Unique violation found inside the batch, told as the validation would have told it. */
export function uniqueViolation(code: string, request: WriteRequest): Error | undefined {
  const name = code.startsWith('UNIQUE.') ? code.slice('UNIQUE.'.length) : undefined;
  if (name === undefined) return undefined;
  return invalidDocument([
    { path: [name], message: 'This attribute must be unique', value: request.data[name] ?? null },
  ]);
}
