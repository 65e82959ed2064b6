/**
 * @module Plans a write from the input and the current rows of a document. Throws every validation error that does not
 * depend on an assertion of the batch, before the first change.
 */
import { type Issue, invalidDocument, notFound } from '../../errors.ts';
import type { ContentType } from '../../registry/model.ts';
import type { InputData } from '../../request/body.ts';
import type { Status } from '../../request/query-params.ts';
import { inputAttributes } from '../model/component-attributes.ts';
import { linkEnds } from '../model/link-tables.ts';
import type { LinkTable } from '../model/links.ts';
import type { StoredValues, WriteOp, WritePlan } from '../model/write-plan.ts';
import { type Current, drafts, publishes, type WriteRequest, writtenRow } from '../model/write-request.ts';
import { adoptsLink, keepsPublished } from '../relations/inner-targets.ts';
import { type LinkOp, type PlannedLinks, planLinkOps, relationContext } from '../relations/link-ops.ts';
import { allRelationInputs, refuseMissing, relationData, relationIssues } from '../relations/plan-relations.ts';
import { inOrder } from '../validate/issue-order.ts';
import { redactIssues, redactStoredIssues } from '../validate/redact-issues.ts';
import { refuseLargeRow } from '../validate/row-size.ts';
import { inheritedIssues, placedOps, takenPaths, type UniqueSpot, uniqueSpots } from '../validate/unique-places.ts';
import { uniqueOps } from '../validate/unique-values.ts';
import { validateInput } from '../validate/validate-input.ts';
import { dataOf, draftData, publicationIssues, requiredByInput } from './publication.ts';
import { adoptedValues, adoptOps, shareOps } from './shared-values.ts';
import { type NextId, renewComponents, storeValues } from './stored-values.ts';

function refuse(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalidDocument(issues);
}

/** The type as far as the body has to fill it. */
const open = (type: ContentType, shared: StoredValues): ContentType => {
  if (shared.size === 0) return type;
  const attributes = new Map(type.attributes);
  for (const { name } of shared.keys()) attributes.delete(name);
  return { ...type, attributes };
};

function adopted(request: WriteRequest, current: Current, { nextId }: WriteContext): StoredValues {
  const values = adoptedValues(request, current);
  const keeps = adoptsLink(request, current);
  return new Map([...values, ...renewComponents(values, { registry: request.registry, nextId, keeps })]);
}

function stored(
  request: WriteRequest,
  current: Current,
  planned: PlannedLinks,
  shared: StoredValues,
  inherited: InputData,
  spots: readonly UniqueSpot[],
  writeContext: WriteContext,
): StoredValues {
  const { operation, type, data, registry, locale, strictRelations } = request;
  const taken = takenPaths(spots, current);
  const isDraft = drafts(request);
  const context = { draft: isDraft, operation, taken, registry, strictRelations } as const;
  const whole = { ...data, ...inherited };
  const { values, issues } = validateInput(whole, open(type, shared), context);
  const relations = relationContext(request, current);
  const columns = Object.fromEntries([...values].map(([{ name }, value]) => [name, value]));
  const given = {
    ...columns,
    ...relationData(data, type),
    publishedAt: drafts(request) ? null : new Date(writeContext.time).toISOString(),
    ...(type.localized && { locale }),
  };
  const required = isDraft ? [] : requiredByInput(request, whole, current, planned);
  const repeated = isDraft ? [] : redactStoredIssues(inheritedIssues(inherited, spots, taken), whole, request);
  const own = inOrder([...issues, ...required, ...repeated], type.attributes, []);
  const all = [...own, ...relationIssues(data, given, relations)];
  refuse(redactIssues(all, request, relations));
  const written = storeValues(values, current.row?.values, { registry, relations, ...writeContext });
  return new Map([...written, ...shared]);
}

const nothing = (type: ContentType): StoredValues =>
  new Map(inputAttributes(type.attributes).map((attribute) => [attribute, null]));

/**
 * Where published links follow those of the draft: of a new document those alone that the body filled. A one-way link
 * that a version of another document has is published with that one, unless both are of one type.
 */
function publishedEnds({ type, registry }: WriteRequest, written: readonly LinkOp[], fresh: boolean) {
  if (fresh) return written.map(({ table, owner }) => ({ table, owner }));
  const follows = (table: LinkTable) => table.mutual || !table.source.draftAndPublish || table.source === table.target;
  return linkEnds(type, registry).filter(({ table, owner }) => owner || follows(table));
}

/** The draft as it is published: whole, its components under new ids. */
function publishedValues(request: WriteRequest, draft: StoredValues, current: Current, nextId: NextId): StoredValues {
  const { registry } = request;
  return renewComponents(draft, { registry, nextId, keeps: keepsPublished(request, current) });
}

/** What planning takes from outside: the time, ids for component instances, and a hash for passwords. */
export interface WriteContext {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly nextId: NextId;
  hashPassword(password: string): string;
}

/** What a write brings of a type without drafts: a new row is all new, though its locale may take values over. */
const writtenData = (request: WriteRequest, draft: StoredValues): InputData =>
  request.operation === 'create' ? draftData(request, draft) : request.data;

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
 * @param current what the preconditions of the request came to.
 * @throws ApiError 400 for a target that is not there, 404 when the document is not, 400 with every issue of the first stage that has any: the
 * draft, then for positions of links that cannot be, then (for what is published) with those of the whole document.
 */
export function planWrite(asked: WriteRequest, current: Current, writeContext: WriteContext): WritePlan {
  refuseMissing(allRelationInputs(asked.data, asked.type.attributes, asked.registry), relationContext(asked, current));
  const request = settled(asked, current);
  const { type, documentId, operation } = request;
  // Timestamps of a row always increase, so that a row that was written since is distinguishable.
  const now = Math.max(writeContext.time, (current.row?.updatedAt ?? 0) + 1);
  const row = writtenRow(request);
  const { planned, ops, refusal } = planLinkOps(request, current);
  const shared = adopted(request, current, writeContext);
  const inherited = dataOf(shared, request.registry);
  const spots = drafts(request) ? [] : uniqueSpots(request, { ...request.data, ...inherited }, operation === 'create');
  const values = stored(request, current, planned, shared, inherited, spots, writeContext);
  if (refusal) throw refusal;
  const draft = new Map([...nothing(type), ...(current.row?.values ?? []), ...values]);
  refuseLargeRow(draft);
  const fresh = operation === 'create' && !current.source;
  const links = ops(fresh);
  const write: WriteOp = { kind: operation === 'create' ? 'insert' : 'update', row, values, now };
  const writes = [write, ...links, ...adoptOps(request, row, current, links)];
  const share = (status: Status) => shareOps(request, { ...row, status }, draft, planned, current, now);
  // Versions in place of others change no total.
  const replaces = operation === 'update' && (!publishes(request) || current.row?.isPublished === true);
  const discount: readonly WriteOp[] = current.source && !replaces ? [{ kind: 'discount', type, documentId }] : [];
  const recount: readonly WriteOp[] = replaces ? [] : [{ kind: 'recount', type, documentId }];
  if (!publishes(request)) {
    const unique = drafts(request)
      ? []
      : [...uniqueOps(request, writtenData(request, draft)), ...placedOps(request, spots)];
    return [...discount, ...writes, ...share(row.status), ...unique, ...recount];
  }
  const whole = draftData(request, draft);
  const compared = uniqueSpots(request, whole, false);
  refuse(publicationIssues(request, whole, compared, current, planned));
  const published = publishedValues(request, draft, current, writeContext.nextId);
  const ends = publishedEnds(request, links, fresh);
  const unique = [...uniqueOps(request, whole), ...placedOps(request, compared)];
  const publish: WriteOp = { kind: 'publish', draft: row, values: published, now, ends, fresh };
  return [...discount, ...writes, publish, ...unique, ...share('published'), ...recount];
}
