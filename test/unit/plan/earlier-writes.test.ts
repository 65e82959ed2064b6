/**
 * @module What a request of a batch may depend on, after deletions.
 */
import { describe, expect, it } from 'vitest';
import type { DeletedRows } from '../../../src/content/plan/model/write-plan.ts';
import type { Current, WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { EarlierWrites } from '../../../src/content/plan/write/earlier-writes.ts';
import type { Preconditions } from '../../../src/content/plan/write/preconditions.ts';
import { namedDocument } from '../../../src/schema/document-ref.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const registry = registryOf([
  contentType('note', { title: { type: 'string' } }),
  contentType('tag', { title: { type: 'string' } }),
]);
const note = registry.contentTypes.get('api::note.note') as ContentType;

/** Plans a request that links to a document, after the deletion. */
function linkAfter(rows: DeletedRows, uid: string, documentId: string): void {
  const earlier = new EarlierWrites(registry);
  earlier.add(3, [{ kind: 'delete', rows }], false);
  const targets = new Map([[uid, [{ id: 1, documentId, locale: '', published: true }]]]);
  const request: Partial<WriteRequest> = { type: note, documentId: 'own', data: {} };
  const none: Partial<Preconditions> = { links: [], sharedLinks: [] };
  const current: Partial<Current> = { innerTargets: targets, targets, taken: new Set(), takenAt: new Map() };
  earlier.before(request as WriteRequest, none as Preconditions, current as Current);
}

const REJECTED = 'request 3 of the batch changes';

describe('a request that depends on a document', () => {
  it.each<DeletedRows>([
    { kind: 'document', type: note, document: namedDocument('a') },
    { kind: 'idsOfDocument', type: note, document: namedDocument('a'), ids: [1] },
  ])('is rejected after the deletion of that one ($kind)', (rows) => {
    expect(() => linkAfter(rows, note.uid, 'a')).toThrow(REJECTED);
    expect(() => linkAfter(rows, note.uid, 'b')).not.toThrow();
  });

  it('is rejected after a deletion by ids of its type, which may be its own', () => {
    const rows: DeletedRows = { kind: 'ids', type: note, ids: [7] };
    expect(() => linkAfter(rows, note.uid, 'a')).toThrow(REJECTED);
    expect(() => linkAfter(rows, 'api::tag.tag', 'a')).not.toThrow();
  });
});
