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
  linkAttributes,
  planLinks,
  type RelationContext,
  relationInputs,
  relationIssues,
  shownRelations,
  type TargetRow,
} from './plan-relations.ts';
import { inOrder, publicationIssues, publishedForm, requiredByInput } from './publication.ts';
import type { LinkAttribute } from './relation-input.ts';
import { checkScalar } from './rules.ts';
import { type NextId, renewComponents, storeScalar, storeValues } from './store.ts';
import { type ColumnAttribute, inputAttributes, scalarAttributes, validateInput } from './validate-input.ts';
import type { LinkTable, RowRef, StoredValues, WriteOp, WritePlan } from './write-plan.ts';

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

/** A row of the document, its columns as stored. */
export interface Version {
  readonly documentId: string;
  readonly locale: string;
  readonly status: Status;
  readonly values: StoredValues;
  readonly updatedAt: number;
}

/** What the database has of the document, read before planning. */
export interface Current {
  /** The row that is updated; absent when there is none. */
  readonly row?: Version;
  /** Any version of the document, a published one if there is: what a new locale shares with the others. */
  readonly source?: Version;
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
  planned: ReadonlyMap<LinkAttribute, readonly Link[]>,
  means: Pick<Means, 'hashPassword'> & { readonly nextId: NextId },
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
  return storeValues(values, current.row?.values, { registry, relations, ...means });
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

/** What planning takes from outside: the time, and a hash for passwords. */
export interface Means {
  /** Milliseconds since 1970. */
  readonly time: number;
  hashPassword(password: string): string;
}

const shared = (type: ContentType): readonly ColumnAttribute[] =>
  type.localized ? inputAttributes(type.attributes).filter(({ localized }) => !localized) : [];

const sharedTables = (type: ContentType, registry: Registry): readonly LinkTable[] =>
  linkAttributes(type.attributes)
    .filter((attribute) => type.localized && !attribute.localized)
    .map((attribute) => tableOf(attribute, type, registry))
    .filter((table) => table !== undefined);

/** A locale that is new to a document starts with what all its locales share. */
function newLocale(request: WriteRequest, source: Version): WriteRequest {
  const { type, registry, data } = request;
  const filled = shared(type)
    .filter(({ name }) => data[name] === undefined || data[name] === null)
    .map(
      (attribute) =>
        [attribute.name, publishedForm(attribute, source.values.get(attribute) ?? null, registry)] as const,
    )
    .filter(([, value]) => value !== undefined && value !== null);
  return {
    ...request,
    documentId: source.documentId,
    operation: 'create',
    data: { ...data, ...Object.fromEntries(filled) },
  };
}

/**
 * What the request comes to: an update of the row that is there, a new locale of the document, or, for single types,
 * the first version of their document.
 * @throws ApiError 404
 */
function settled(request: WriteRequest, { row, source }: Current): WriteRequest {
  if (request.operation === 'create') return request;
  if (row) return { ...request, documentId: row.documentId };
  if (source) return newLocale(request, source);
  if (request.type.kind === 'singleType') return { ...request, operation: 'create' };
  throw notFound();
}

/** What must still be as it was read when the batch runs. */
function guards(request: WriteRequest, row: RowRef, { row: present, source }: Current): readonly WriteOp[] {
  if (present) return [{ kind: 'assert-unchanged', row, updatedAt: present.updatedAt }];
  return request.type.kind === 'singleType' && !source ? [{ kind: 'assert-none', type: request.type }] : [];
}

/** The other locales follow in the status that the write is about, as in the reference, and in no other. */
function shareOps(request: WriteRequest, row: RowRef, source: Version | undefined): readonly WriteOp[] {
  const { type, registry } = request;
  const attributes = shared(type);
  const tables = sharedTables(type, registry);
  if (!source || attributes.length + tables.length === 0) return [];
  return [{ kind: 'share', row, attributes, tables }];
}

function adoptOps(
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

/**
 * Plans a create or an update.
 * @param current what the questions of the request came to.
 * @throws ApiError 404 when the document is not there, 400 with every issue of the first stage that has any: the
 * draft, then (for what is published) the whole document.
 */
export function planWrite(asked: WriteRequest, current: Current, means: Means): WritePlan {
  const request = settled(asked, current);
  const { type, documentId, operation } = request;
  // Stamps of a row always move forward, so that a row that was written since is told apart.
  const now = Math.max(means.time, (current.row?.updatedAt ?? 0) + 1);
  const context = { nextId: idsFrom(now), hashPassword: means.hashPassword };
  const row = writtenRow(request);
  const planned = plannedLinks(request, current);
  const values = stored(request, current, planned, context);
  const { own, back } = linkOps(request, planned);
  const write: WriteOp = { kind: operation === 'create' ? 'insert' : 'update', row, values, now };
  const adopted = adoptOps(request, row, current, own);
  const writes = [write, ...own, ...adopted];
  const share = (status: Status) => shareOps(request, { ...row, status }, current.source);
  const guard = guards(request, row, current);
  const discount: readonly WriteOp[] = current.source ? [{ kind: 'discount', type, documentId }] : [];
  const recount: WriteOp = { kind: 'recount', type, documentId };
  if (!publishes(request)) {
    const unique = drafts(request) ? [] : uniqueOps(request);
    const all = [...writes, ...share(row.status), ...back, ...unique];
    return operation === 'update' ? [...guard, ...all] : [...guard, ...discount, ...all, recount];
  }
  const draft = new Map([...nothing(type), ...(current.row?.values ?? []), ...values]);
  const publish = publishOps(request, draft, current, planned, now, context.nextId);
  return [...guard, ...discount, ...writes, ...publish, ...share('published'), ...back, recount];
}

/** Unique violation found inside the batch, told as the validation would have told it. */
export function uniqueViolation(code: string, request: WriteRequest): Error | undefined {
  const name = code.startsWith('UNIQUE.') ? code.slice('UNIQUE.'.length) : undefined;
  if (name === undefined) return undefined;
  return invalidDocument([
    { path: [name], message: 'This attribute must be unique', value: request.data[name] ?? null },
  ]);
}
