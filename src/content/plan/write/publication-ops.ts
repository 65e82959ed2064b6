/**
 * @module The operations that replace a version of a document by a copy of the other one.
 */
import { type Issue, invalidDocument } from '../../../common/errors.ts';
import { endKey, linkEnds } from '../model/link-tables.ts';
import type { LinkEnd, LinkTable } from '../model/links.ts';
import type { PublishedEnd, StoredValues, WriteOp } from '../model/write-plan.ts';
import { type ResolvedWrite, type WriteContext, type WriteRequest, writtenRow } from '../model/write-request.ts';
import { keepsPublished } from '../relations/inner-targets.ts';
import { isNewDocument } from '../relations/link-ops.ts';
import { uniquePathOps, valuesInComponents } from '../validate/unique-paths.ts';
import { uniqueOps } from '../validate/unique-values.ts';
import { draftData, publicationIssues } from './publication.ts';
import { copyComponents } from './stored-values.ts';

/** @throws ApiError 400 with all issues */
export function rejectIssues(issues: readonly Issue[]): void {
  if (issues.length > 0) throw invalidDocument(issues);
}

/**
 * Returns the published links to replace by those of the draft: of a new document those in the body. Links of another
 * document with drafts are published with that document, except in mutual relations, within one type and where the body
 * changes them.
 */
export function publishedEnds(
  { type, registry }: WriteRequest,
  written: readonly LinkEnd[],
  isNew: boolean,
): readonly PublishedEnd[] {
  if (isNew) return written;
  const pointing = written.filter(({ tables, owner }) => !owner && !tables[0].mutual);
  const isChanged = ({ name }: LinkTable) => pointing.some(({ tables }) => tables[0].name === name);
  const follows = (table: LinkTable) => table.mutual || !table.source.draftAndPublish || table.source === table.target;
  const others = linkEnds(type, registry).filter(
    ({ tables: [table], owner }) => owner || (follows(table) && !isChanged(table)),
  );
  return [...others, ...pointing.map(({ tables }) => ({ tables, owner: false, isChanged: true as const }))];
}

/**
 * Publishes a draft.
 * @param draft its values after the write
 * @param links the ends whose links the write changes
 * @throws ApiError 400 with all issues of the draft
 */
export function publishOps(
  write: ResolvedWrite,
  draft: StoredValues,
  links: readonly LinkEnd[],
  now: number,
  { nextId }: WriteContext,
): readonly WriteOp[] {
  const { current, registry } = write;
  const complete = draftData(write, draft);
  const compared = valuesInComponents(write, complete, false);
  rejectIssues(publicationIssues(complete, compared, write));
  const row = writtenRow(write);
  const isNew = isNewDocument(write, current);
  // A new locale inherits links.
  const isEqual = (end: LinkEnd) => current.row !== undefined && current.equalEnds.has(endKey(end));
  const ends = publishedEnds(write, links, isNew).filter((end) => !isEqual(end));
  const unique = [...uniqueOps(write, complete), ...uniquePathOps(write, compared)];
  const values = copyComponents(draft, { registry, nextId, keeps: keepsPublished(write, current) });
  return [{ kind: 'publish', draft: row, values, now, ends, isNew }, ...unique];
}

/** Makes the draft a copy of the published version. Links that belong to other documents stay. */
export function discardOp(write: ResolvedWrite, published: StoredValues, { nextId }: WriteContext): WriteOp {
  const { type, registry } = write;
  const ends = linkEnds(type, registry).filter(({ tables: [table], owner }) => owner || table.mutual);
  return { kind: 'discard', draft: writtenRow(write), values: copyComponents(published, { registry, nextId }), ends };
}
