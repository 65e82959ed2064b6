/**
 * @module A create that links to the targets of an earlier one is one round trip, and no stale target comes through.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { type ApiDocument, clientOf, documentOf, errorOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { recordedRegistry, serve } from '../../support/recorded.ts';
import { openMagazine } from '../../support/world.ts';

const { client: other } = openMagazine();

/** A client of an isolate of its own, which counts the round trips of each request. */
async function isolate() {
  const counted = countedDatabase(env.DB);
  const client = clientOf(serve({}, { DB: counted.database }), 'full');
  await client.get('/api/tags');
  const trips = async (response: Promise<Response>): Promise<number> => {
    const before = counted.answering().length;
    expect((await response).status).toBeLessThan(300);
    return counted.answering().length - before;
  };
  return { client, trips };
}

const author = (): Promise<ApiDocument> => documentOf(other.create('/api/authors', { name: 'Ann' }));

it('creates that link to the same targets read them once', async () => {
  const { documentId: by } = await author();
  const { client, trips } = await isolate();
  const each: number[] = [];
  for (const text of ['a', 'b', 'c']) each.push(await trips(client.create('/api/comments', { text, by })));
  expect(each).toEqual([2, 1, 1]);
});

it('a target that was deleted since is refused, as without the cache', async () => {
  const { documentId: by } = await author();
  const { client, trips } = await isolate();
  await trips(client.create('/api/comments', { text: 'a', by }));
  await other.remove(`/api/authors/${by}`);
  const refused = await errorOf(client.create('/api/comments', { text: 'b', by }));
  expect(refused).toMatchObject({ status: 400, name: 'ValidationError' });
  expect(await errorOf(other.create('/api/comments', { text: 'b', by }))).toEqual(refused);
});

it('a target that was published since is linked in both versions', async () => {
  const draft = await documentOf(other.create('/api/articles?status=draft', { title: 'T', facts: [{ label: 'f' }] }));
  const { client, trips } = await isolate();
  const comment = (text: string) => client.create('/api/comments', { text, article: draft.documentId });
  await trips(comment('a'));
  await other.update(`/api/articles/${draft.documentId}`, { title: 'Published' });
  const { documentId } = await documentOf(comment('b'));
  const shown = await documentOf(other.get(`/api/comments/${documentId}?populate=article`));
  expect(shown.article).toMatchObject({ title: 'Published' });
  expect(await checkInvariants(env.DB, recordedRegistry)).toEqual([]);
});
