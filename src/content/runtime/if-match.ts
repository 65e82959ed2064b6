/**
 * @module The revision of a version of a document: the part of its `ETag` that changes with each write of this version.
 * `If-Match` compares it.
 */
import { shortHash } from '../../common/digest.ts';
import { ApiError, invalid } from '../../common/errors.ts';
import { FIELDS } from '../../schema/fields.ts';
import type { ContentType } from '../../schema/model.ts';
import type { Document } from '../document/document.ts';
import { effectiveStatus } from '../plan/model/versions.ts';
import type { DeletedRows } from '../plan/model/write-plan.ts';
import { type Matching, parseTags } from '../request/entity-tags.ts';
import type { Status } from '../request/query-params.ts';
import { type Compiled, constant, mapped } from '../sql/compiled.ts';
import type { Row, Statement } from '../sql/statement.ts';
import { compileRevisions } from '../sql/write/preconditions.ts';
import type { DocumentCall } from './content-call.ts';

/** A new row has a new number, and every write of a row increases its time. */
export const revisionOf = ({ uid }: ContentType, { id, updatedAt }: Document): string =>
  shortHash(`${uid} ${id} ${updatedAt}`);

/** The tag of a revision alone, for writes. */
export const revisionTag = (revision: string): string => `"${revision}"`;

export const preconditionFailed = (revision?: string, header = 'If-Match', how = 'does not match'): ApiError =>
  new ApiError({
    kind: 'precondition-failed',
    message: `${header} ${how} the current ETag of the document`,
    details: { source: 'header', header },
    ...(revision !== undefined && { etag: revisionTag(revision) }),
  });

/** Tags of reads end in the revision. */
const matches = (tags: Matching, revision: string): boolean =>
  tags === '*' || tags.some((tag) => tag.slice(tag.lastIndexOf('.') + 1) === revision);

/**
 * Returns the revisions whose holders have seen everything that a write of the document replaces: not that of a published
 * version with a newer draft. The version that the request names comes first. The last one, `published&draft`, names both.
 */
function seenRevisions(rows: readonly Row[], type: ContentType, status: Status): readonly string[] {
  if (rows.length === 0) return [];
  const draft = rows.find((row) => row.published === 0);
  const published = rows.find((row) => row.published === 1);
  const revisionOfRow = ({ id, updated_at: time }: Row): string => {
    const updatedAt = time === null ? null : FIELDS.datetime.read(time);
    return revisionOf(type, { id, updatedAt });
  };
  const isNewer = draft && Number(draft.updated_at) > Number(published?.updated_at ?? 0);
  const seen = [...(isNewer ? [] : [published]), draft].filter((row) => row !== undefined);
  const inOrder = status === 'draft' ? seen.toReversed() : seen;
  const both = [published, draft].map((row) => (row ? revisionOfRow(row) : '')).join('&');
  return [...inOrder.map(revisionOfRow), both];
}

/**
 * Reads what `If-Match` and `If-None-Match` are compared with; nothing without the headers. Returns guards that the write
 * changes what was compared.
 * @throws ApiError 400 for a malformed header, and for several locales; its decoding throws 412 if no tag matches, or one
 * of `If-None-Match` does
 */
export function compileMatch(
  { type, ifMatch, ifNoneMatch, document }: DocumentCall,
  locale: DeletedRows['locale'],
  status?: Status,
): Compiled<readonly Statement[]> {
  if (ifMatch === undefined && ifNoneMatch === undefined) return constant([]);
  const tags = ifMatch === undefined ? undefined : parseTags(ifMatch, 'If-Match');
  const others = ifNoneMatch === undefined ? [] : parseTags(ifNoneMatch, 'If-None-Match');
  const header = tags ? 'If-Match' : 'If-None-Match';
  if (typeof locale !== 'string')
    throw invalid(`The header ${header} requires one locale`, { source: 'header', header });
  return mapped(compileRevisions({ type, document, locale }), ({ rows: found, unchanged }) => {
    const seen = seenRevisions(found, type, effectiveStatus(type, status));
    if (seen.some((revision) => matches(others, revision)))
      throw preconditionFailed(seen[0], 'If-None-Match', 'matches');
    if (tags && !seen.some((revision) => matches(tags, revision))) throw preconditionFailed(seen[0]);
    return unchanged;
  });
}
