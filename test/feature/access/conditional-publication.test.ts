/**
 * @module Grants with conditions on the actions of publication.
 */
import { beforeAll, expect, it } from 'vitest';
import { documentOf, valuesOf } from '../../support/client.ts';
import { bearer } from '../../support/recorded.ts';
import { register, type SignedIn } from '../../support/users.ts';
import { openRights } from '../../support/worlds/rights.ts';
import { id } from '../../support/worlds/rights-model.ts';

const OWN = { author: '$user' };
const { client: full, send } = openRights({
  roles: {
    authenticated: [
      { action: [id('story', 'publish'), id('story', 'unpublish'), id('story', 'discardDraft')], where: OWN },
      {
        action: [id('story', 'find'), id('story', 'findOne')],
        where: { $or: [OWN, { title: { $startsWith: 'open' } }] },
      },
      id('story', 'readDrafts'),
    ],
  },
});
let anna: SignedIn;
let bert: SignedIn;

beforeAll(async () => {
  anna = await register(send, 'anna');
  bert = await register(send, 'bert');
});

const act = (documentId: string, action: string, { jwt }: SignedIn) =>
  send(`/api/stories/${documentId}/actions/${action}`, { method: 'POST', ...bearer(jwt) });
const story = (title: string, status: string) =>
  documentOf(full.create(`/api/stories?status=${status}`, { title, author: anna.user.id }));

it.each(['publish', 'unpublish', 'discard-draft'])(
  'lets an author %s, and hides the document from others',
  async (name) => {
    const { documentId } = await story('hidden', 'published');
    expect((await act(documentId, name, bert)).status).toBe(404);
    expect((await full.get(`/api/stories/${documentId}`)).status).toBe(200);
    expect((await act(documentId, name, anna)).status).toBe(200);
  },
);

it('responds with 403 to a caller who may only see the document', async () => {
  const { documentId } = await story('open story', 'published');
  expect((await act(documentId, 'unpublish', bert)).status).toBe(403);
  expect((await act(documentId, 'unpublish', anna)).status).toBe(200);
  expect((await full.get(`/api/stories/${documentId}`)).status).toBe(404);
});

it('does not tell by publicationFilter that a hidden draft is there', async () => {
  const { documentId } = await story('open and modified', 'published');
  const path = `/api/stories/${documentId}?status=draft`;
  const matches = async (filter: string, { jwt }: SignedIn) =>
    valuesOf(send(`/api/stories?publicationFilter=${filter}&filters[documentId]=${documentId}`, bearer(jwt)), 'title');
  await full.update(path, { title: 'open and newer' });
  expect(await matches('modified', bert)).toEqual(['open and modified']);
  await full.update(path, { title: 'secret' });
  expect(await matches('modified', anna)).toEqual(['open and modified']);
  for (const filter of ['modified', 'unmodified', 'published-with-draft', 'has-published-version-document'])
    expect(await matches(filter, bert)).toEqual([]);
  expect(await matches('published-without-draft', bert)).toEqual(['open and modified']);
});
