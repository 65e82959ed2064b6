/**
 * @module Input and the current rows of a document → WritePlan. Everything that can be refused is refused here,
 * before the first statement runs.
 */
import { type Issue, invalidDocument, notFound } from '../errors.ts';
import type { ContentType } from '../registry/model.ts';
import type { Status } from '../request/query-params.ts';
import { type LinkOp, linkOps, type PlannedLinks, plannedLinks, relationContext } from './link-ops.ts';
import { ownedTables, pointingTables } from './link-tables.ts';
import { relationIssues, shownRelations } from './plan-relations.ts';
import { inOrder, publicationIssues, requiredByInput } from './publication.ts';
import { refuseLargeRow } from './row-size.ts';
import { adoptedValues, adoptOps, shareOps } from './shared-values.ts';
import { type NextId, renewComponents, storeValues } from './store.ts';
import { toldIssues } from './told-issues.ts';
import { uniqueOps } from './unique-values.ts';
import { inputAttributes, validateInput } from './validate-input.ts';
import type { StoredValues, WriteOp, WritePlan } from './write-plan.ts';
import { type Current, drafts, publishes, type WriteRequest, writtenRow } from './write-request.ts';

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalidDocument(issues);
}

/** The type as far as the body has to fill it. */
const open = (type: ContentType, shared: StoredValues): ContentType => {
  const attributes = new Map(type.attributes);
  for (const { name } of shared.keys()) attributes.delete(name);
  return { ...type, attributes };
};

function adopted(request: WriteRequest, current: Current, { nextId }: Means): StoredValues {
  const values = adoptedValues(request, current);
  return new Map([...values, ...renewComponents(values, { registry: request.registry, nextId })]);
}

function stored(
  request: WriteRequest,
  current: Current,
  planned: PlannedLinks,
  shared: StoredValues,
  means: Means,
): StoredValues {
  const { operation, type, data, registry, locale, strictRelations } = request;
  const context = { draft: drafts(request), operation, taken: current.taken, registry, strictRelations } as const;
  const { values, issues } = validateInput(data, open(type, shared), context);
  const relations = relationContext(request, current);
  const columns = Object.fromEntries([...values].map(([{ name }, value]) => [name, value]));
  const given = {
    ...columns,
    ...shownRelations(data, relations),
    publishedAt: null,
    ...(type.localized && { locale }),
  };
  const required = drafts(request) ? [] : requiredByInput(request, planned);
  const all = [...inOrder([...issues, ...required], type), ...relationIssues(data, given, relations)];
  refuse(toldIssues(all, request));
  const written = storeValues(values, current.row?.values, { registry, relations, ...means });
  return new Map([...written, ...shared]);
}

const nothing = (type: ContentType): StoredValues =>
  new Map(inputAttributes(type.attributes).map((attribute) => [attribute, null]));

type PublishOp = Extract<WriteOp, { kind: 'publish' }>;

/** The link tables that a publication goes through: of a new document those alone that the body filled. */
function publishedTables(
  { type, registry }: WriteRequest,
  own: readonly LinkOp[],
  fresh: boolean,
): Pick<PublishOp, 'tables' | 'pointing' | 'fresh'> {
  if (fresh) return { tables: own.map(({ table }) => table), pointing: [], fresh };
  const pointing = pointingTables(type, registry).filter(({ source }) => source.draftAndPublish);
  return { tables: ownedTables(type, registry), pointing, fresh };
}

/** The draft as it is published: whole, its components under new ids. */
function publishedValues(
  request: WriteRequest,
  draft: StoredValues,
  current: Current,
  planned: PlannedLinks,
  nextId: NextId,
): StoredValues {
  const { type, registry, documentId } = request;
  refuse(publicationIssues(request, draft, current, planned));
  return renewComponents(draft, { registry, nextId, self: { uid: type.uid, documentId } });
}

/** What planning takes from outside: the time, ids for component instances, and a hash for passwords. */
export interface Means {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly nextId: NextId;
  hashPassword(password: string): string;
}

/**
 * What the request comes to: an update of the row that is there, a new locale of the document, or, for single types,
 * the first version of their document.
 * @throws ApiError 404
 */
function settled(request: WriteRequest, { row, source }: Current): WriteRequest {
  if (request.operation === 'create') return request;
  if (row) return { ...request, documentId: row.documentId };
  if (source) return { ...request, documentId: source.documentId, operation: 'create' };
  if (request.type.kind === 'singleType') return { ...request, operation: 'create' };
  throw notFound();
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
  const row = writtenRow(request);
  const planned = plannedLinks(request, current);
  const values = stored(request, current, planned, adopted(request, current, means), means);
  const draft = new Map([...nothing(type), ...(current.row?.values ?? []), ...values]);
  refuseLargeRow(draft);
  const fresh = operation === 'create' && !current.source;
  const { own, back } = linkOps(request, planned, fresh);
  const write: WriteOp = { kind: operation === 'create' ? 'insert' : 'update', row, values, now };
  const writes = [write, ...own, ...adoptOps(request, row, current, own)];
  const share = (status: Status) => shareOps(request, { ...row, status }, draft, planned, current, now);
  const discount: readonly WriteOp[] = current.source ? [{ kind: 'discount', type, documentId }] : [];
  const recount: WriteOp = { kind: 'recount', type, documentId };
  if (!publishes(request)) {
    const unique = drafts(request) ? [] : uniqueOps(request);
    const all = [...writes, ...share(row.status), ...back, ...unique];
    return operation === 'update' ? all : [...discount, ...all, recount];
  }
  const published = publishedValues(request, draft, current, planned, means.nextId);
  const publish: WriteOp = {
    kind: 'publish',
    draft: row,
    values: published,
    now,
    ...publishedTables(request, own, fresh),
  };
  const publishing = [publish, ...uniqueOps(request), ...share('published')];
  return [...discount, ...writes, ...publishing, ...back, recount];
}
