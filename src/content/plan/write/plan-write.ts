/**
 * @module Plans a write from the input and the current rows of a document. Throws every validation error that does not
 * depend on an assertion of the batch, before the first change.
 */
import { notFound } from '../../../common/errors.ts';
import type { ContentType } from '../../../schema/model.ts';
import type { Status } from '../../request/query-params.ts';
import { inputAttributes } from '../model/component-attributes.ts';
import type { Link } from '../model/links.ts';
import type { CountedRows, StoredValues, WriteOp, WritePlan } from '../model/write-plan.ts';
import {
  type Current,
  drafts,
  publishes,
  type ResolvedWrite,
  type WriteContext,
  type WriteRequest,
  writtenRow,
} from '../model/write-request.ts';
import { isHiddenTarget } from '../relations/inner-targets.ts';
import { planLinkOps, relationContext } from '../relations/link-ops.ts';
import { allRelationInputs, rejectMissing, relationData, relationIssues } from '../relations/plan-relations.ts';
import { inOrder } from '../validate/issue-order.ts';
import { redactIssues, redactStoredIssues } from '../validate/redact-issues.ts';
import { rejectLargeRow } from '../validate/row-size.ts';
import {
  inheritedIssues,
  takenPaths,
  type UniqueValue,
  uniquePathOps,
  valuesInComponents,
} from '../validate/unique-paths.ts';
import { uniqueOps } from '../validate/unique-values.ts';
import { validateInput } from '../validate/validate-input.ts';
import { inheritedValues, inheritOps, shareOps } from './non-localized-values.ts';
import { dataOfValues, draftData, requiredByInput } from './publication.ts';
import { publishOps, rejectIssues } from './publication-ops.ts';
import { storeValues } from './stored-values.ts';

/** Drops the attributes that have a value. */
function unfilled(type: ContentType, values: StoredValues): ContentType {
  if (values.size === 0) return type;
  const attributes = new Map(type.attributes);
  for (const { name } of values.keys()) attributes.delete(name);
  return { ...type, attributes };
}

/** Returns the values to store, inherited ones included. @throws ApiError 400 with all issues of the input */
function checkedValues(
  write: ResolvedWrite,
  inherited: StoredValues,
  unique: readonly UniqueValue[],
  writeContext: WriteContext,
): StoredValues {
  const { type, data, registry, locale, current } = write;
  const draft = drafts(write);
  const taken = takenPaths(unique, current);
  const inheritedData = dataOfValues(inherited, registry);
  const complete = { ...data, ...inheritedData };
  const { values, issues } = validateInput(complete, unfilled(type, inherited), { ...write, draft, taken });
  const relations = relationContext(write, current);
  const shown = {
    ...Object.fromEntries([...values].map(([{ name }, value]) => [name, value])),
    ...relationData(data, type),
    publishedAt: draft ? null : new Date(writeContext.time).toISOString(),
    ...(type.localized && { locale }),
  };
  const required = draft ? [] : requiredByInput(complete, write);
  const repeated = draft ? [] : redactStoredIssues(inheritedIssues(inheritedData, unique, taken), complete, write);
  const own = inOrder([...issues, ...required, ...repeated], type.attributes, []);
  rejectIssues(redactIssues([...own, ...relationIssues(data, shown, relations, write.allIssues)], write, relations));
  const isHidden = (uid: string, link: Link) => isHiddenTarget(current, uid, link);
  const written = storeValues(values, current.row?.values, { registry, relations, isHidden, ...writeContext });
  return new Map([...written, ...inherited]);
}

/** Returns the request with its documentId; an update may create a locale, or a single type. @throws ApiError 404 */
function resolveRequest(request: WriteRequest, { row, source }: Current): WriteRequest {
  if (request.operation === 'create') return request;
  if (row) return { ...request, documentId: row.documentId };
  if (source) return { ...request, documentId: source.documentId, operation: 'create' };
  if (request.type.kind === 'singleType') return { ...request, operation: 'create' };
  throw notFound();
}

/**
 * Plans a create or an update.
 * @throws ApiError 400 for a missing target; 404 for a missing document; 400 with all issues of the input; 400 for
 * unresolved positions of links; 400 with all issues of the document to publish
 */
export function planWrite(unresolved: WriteRequest, current: Current, writeContext: WriteContext): WritePlan {
  rejectMissing(
    allRelationInputs(unresolved.data, unresolved.type.attributes, unresolved.registry),
    relationContext(unresolved, current),
    unresolved.allIssues,
  );
  const request = resolveRequest(unresolved, current);
  const { type, operation, registry } = request;
  // `updated_at` always increases, so that it distinguishes versions.
  const now = Math.max(writeContext.time, (current.row?.updatedAt ?? 0) + 1);
  const row = writtenRow(request);
  const { planned, ops: links, rejection } = planLinkOps(request, current);
  const resolved: ResolvedWrite = { ...request, current, planned };
  const inherited = inheritedValues(request, current, writeContext);
  const sent = { ...request.data, ...dataOfValues(inherited, registry) };
  const inComponents = drafts(request) ? [] : valuesInComponents(request, sent, operation === 'create');
  const values = checkedValues(resolved, inherited, inComponents, writeContext);
  if (rejection) throw rejection;
  const empty = inputAttributes(type.attributes).map((attribute) => [attribute, null] as const);
  const draft: StoredValues = new Map([...empty, ...(current.row?.values ?? []), ...values]);
  rejectLargeRow(draft);
  const write: WriteOp = { kind: operation === 'create' ? 'insert' : 'update', row, values, now };
  const writes = [write, ...links, ...inheritOps(resolved, row, links)];
  const share = (status: Status) => shareOps(resolved, { ...row, status }, draft, now);
  // Replacing a version changes no total.
  const replaces = operation === 'update' && (!publishes(request) || current.row?.isPublished === true);
  const rows: CountedRows = { kind: 'document', type, document: row.document };
  const discount: readonly WriteOp[] = current.source && !replaces ? [{ kind: 'discount', rows }] : [];
  const recount: readonly WriteOp[] = replaces ? [] : [{ kind: 'recount', rows }];
  if (!publishes(request)) {
    const written = operation === 'create' ? draftData(request, draft) : request.data;
    const unique = [...uniqueOps(request, written), ...uniquePathOps(request, inComponents)];
    return [...discount, ...writes, ...share(row.status), ...unique, ...recount];
  }
  return [
    ...discount,
    ...writes,
    ...publishOps(resolved, draft, links, now, writeContext),
    ...share('published'),
    ...recount,
  ];
}
