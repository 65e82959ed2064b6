/**
 * @module Plans the actions that publish a draft, unpublish a document, or discard a draft, in one locale.
 */
import { notFound } from '../../../common/errors.ts';
import type { PublicationAction } from '../../../schema/publication.ts';
import type { CountedRows, WritePlan } from '../model/write-plan.ts';
import {
  type Current,
  type ResolvedWrite,
  type WriteContext,
  type WriteRequest,
  writtenRow,
} from '../model/write-request.ts';
import { shareCopyOps } from './non-localized-values.ts';
import { planUnpublish } from './plan-delete.ts';
import { type Preconditions, planPreconditions } from './preconditions.ts';
import { discardOp, publishOps } from './publication-ops.ts';

type Row = NonNullable<Current['row']>;

/** @param request an update without data, with the status that the action results in */
export function publicationPreconditions(request: WriteRequest, action: PublicationAction): Preconditions {
  const preconditions = planPreconditions(request);
  switch (action) {
    case 'publish':
      return preconditions;
    case 'discardDraft':
      return { ...preconditions, versions: 'document' };
    case 'unpublish':
      return { ...preconditions, versions: 'row', columns: [], inner: [], links: [], sharedLinks: [] };
    default:
      return action satisfies never;
  }
}

/**
 * @throws ApiError 404 without a draft in the locale, and for a discarded draft without a published version; 400 with all
 * issues of the draft to publish
 */
export function planPublication(
  request: WriteRequest,
  action: PublicationAction,
  current: Current,
  writeContext: WriteContext,
): WritePlan {
  const { row, published } = current;
  if (!row) throw notFound();
  const { type } = request;
  const { documentId, locale, isPublished } = row;
  const write: ResolvedWrite = { ...request, documentId, current, planned: new Map() };
  const draft = writtenRow(write);
  switch (action) {
    case 'discardDraft': {
      if (!published) throw notFound('The document is not published');
      const discard = discardOp(write, published.values, writeContext);
      return [discard, ...shareCopyOps(write, draft, published.values, row.values, writeContext.time)];
    }
    case 'unpublish':
      return isPublished ? planUnpublish({ kind: 'document', type, document: draft.document, locale }) : [];
    case 'publish':
      return planPublish(write, row, writeContext);
    default:
      return action satisfies never;
  }
}

function planPublish(write: ResolvedWrite, row: Row, writeContext: WriteContext): WritePlan {
  const { published, source } = write.current;
  const draft = writtenRow(write);
  const { time } = writeContext;
  const before = published ?? (source?.status === 'published' ? source : undefined);
  const ops = [
    ...publishOps(write, row.values, [], time, writeContext),
    ...shareCopyOps(write, { ...draft, status: 'published' }, row.values, before?.values, time),
  ];
  if (row.isPublished) return ops;
  const rows: CountedRows = { kind: 'document', type: write.type, document: draft.document };
  return [{ kind: 'discount', rows }, ...ops, { kind: 'recount', rows }];
}
