/**
 * @module Who gets the revision of a document in its tag, which tells when it was changed.
 */
import { beforeAll, expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { bearer, createToken } from '../../support/recorded.ts';
import { openRights } from '../../support/worlds/rights.ts';
import { id } from '../../support/worlds/rights-model.ts';

const { client: full, send } = openRights();
const READS = { action: [id('story', 'find'), id('story', 'findOne')], fields: ['title'] };
let path: string;

beforeAll(async () => {
  path = `/api/stories/${(await documentOf(full.create('/api/stories', { title: 'A' }))).documentId}`;
});

it.each([
  ['none of a write', [READS], false],
  ['that of a create', [READS, id('story', 'create')], false],
  ['the time of the change', [{ ...READS, fields: ['title', 'updatedAt'] }], true],
  ['all attributes', READS.action, true],
  ...['update', 'delete', 'publish', 'unpublish', 'discardDraft'].map(
    (action) => [`that of ${action}`, [READS, id('story', action)], true] as const,
  ),
] as const)('a caller whose rights are %s', async (name, permissions, hasRevision) => {
  const token = name.replaceAll(' ', '-');
  await createToken(token, 'custom', permissions as never);
  const tag = (await send(path, bearer(token))).headers.get('etag');
  expect(tag?.split('.').length).toBe(hasRevision ? 4 : 3);
});
