/**
 * @module A discarded draft brings links back into the drafts of other documents, at positions that no other link has.
 */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { checkInvariants } from '../../support/invariants.ts';
import { bearer } from '../../support/recorded.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { openWorld } from '../../support/world.ts';

const toNotes = relation('manyToMany', 'note');
const attributes = {
  name: { type: 'string' },
  next: { ...toNotes, inversedBy: 'previous' },
  previous: { ...toNotes, mappedBy: 'next' },
};
const registry = registryOf([contentType('note', attributes, { drafts: true })]);
const { client, send } = openWorld(registry);

const create = async (name: string): Promise<string> =>
  (await documentOf(client.create('/api/notes', { name }))).documentId;
const write = (id: string, data: unknown, search = '') => documentOf(client.update(`/api/notes/${id}?${search}`, data));
const act = (id: string, action: string) =>
  documentOf(send(`/api/notes/${id}/actions/${action}`, { method: 'POST', ...bearer('full') }));

/** The names in both lists of a document. */
async function shown(id: string, search = ''): Promise<unknown> {
  const { next, previous } = await documentOf(client.get(`/api/notes/${id}?populate=*&${search}`));
  const names = (list: unknown) => (list as readonly { name: string }[]).map(({ name }) => name).join();
  return { next: names(next), previous: names(previous) };
}

it('puts a link that returns to the draft of another document behind one that has its position', async () => {
  const [own, first, last, after] = [
    await create('own'),
    await create('first'),
    await create('last'),
    await create('after'),
  ];
  await write(own, { previous: [first, last], next: [after] });
  // The positions of `own` in its lists are those that `last` and `after` have in the published ones.
  await write(own, { previous: [last, own], next: [own] }, 'status=draft');
  await act(last, 'discard-draft');
  await act(after, 'discard-draft');
  const draft = { next: 'own,after', previous: 'last,own' };
  expect(await shown(own, 'status=draft')).toEqual(draft);
  expect(await checkInvariants(env.DB, registry)).toEqual([]);
  await act(own, 'publish');
  expect(await shown(own)).toEqual(draft);
});
