/**
 * @module `POST …/actions/publish`, `unpublish` and `discard-draft`: refusals, the version that is shown, and writes
 * that come in between.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { type ApiDocument, documentOf } from '../../support/client.ts';
import { interleavedDatabase } from '../../support/interleaved-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer, createToken, recordedRegistry, sendJson, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client, send } = openMagazine();
let number = 0;

beforeAll(() => createToken('reader', 'read-only'));

const act = (path: string) => send(path, { method: 'POST', ...bearer('full') });
async function issueDraft(): Promise<ApiDocument> {
  number += 1;
  const { documentId } = await documentOf(
    client.create('/api/issues?status=draft', { title: `Issue ${number}`, number }),
  );
  return documentOf(client.get(`/api/issues/${documentId}?status=draft`));
}
const actions = ({ documentId }: ApiDocument) => `/api/issues/${documentId}/actions`;
const sound = async () => expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);

it('an action checks grants before the body and the document', async () => {
  const init = sendJson('POST', 'reader', { nonsense: 1 });
  expect((await send('/api/issues/nobody/actions/publish', init)).status).toBe(403);
});

it.each(['publish', 'unpublish', 'discard-draft'])(
  '%s responds with 404 for a document of a type without drafts, which stays as it is',
  async (action) => {
    const tag = await documentOf(client.create('/api/tags', { name: `Not to ${action}` }));
    const path = `/api/tags/${tag.documentId}`;
    const before = await documentOf(client.get(path));
    expect((await act(`${path}/actions/${action}`)).status).toBe(404);
    expect(await documentOf(client.get(path))).toEqual(before);
  },
);

it('publish takes what a concurrent write made of the draft', async () => {
  const kept = await issueDraft();
  const meanwhile = () => client.update(`/api/issues/${kept.documentId}?status=draft`, { title: 'Meanwhile' });
  const served = serve({}, { DB: interleavedDatabase(env.DB, 1, meanwhile) });
  const response = served(`${actions(kept)}/publish`, { method: 'POST', ...bearer('full') });
  expect(await documentOf(response)).toMatchObject({ title: 'Meanwhile' });
  await sound();
});

it('discard-draft takes a published version that a concurrent write makes', async () => {
  number += 1;
  const live = await documentOf(client.create('/api/issues', { title: 'Old', number }));
  await client.update(`/api/issues/${live.documentId}?status=draft`, { title: 'Draft' });
  const meanwhile = () => client.update(`/api/issues/${live.documentId}`, { title: 'New' });
  const served = serve({}, { DB: interleavedDatabase(env.DB, 1, meanwhile) });
  const response = served(`${actions(live)}/discard-draft`, { method: 'POST', ...bearer('full') });
  expect(await documentOf(response)).toMatchObject({ title: 'New' });
  await sound();
});

it('an action shows the version that status names', async () => {
  const kept = await issueDraft();
  expect(await documentOf(act(`${actions(kept)}/publish?status=draft`))).toEqual(kept);
  const live = await documentOf(act(`${actions(kept)}/discard-draft?status=published`));
  expect(live.publishedAt).not.toBeNull();
});
