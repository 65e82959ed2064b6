/**
 * @module Files in a model with very many media attributes: no statement is larger than D1 takes.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { documentOf } from '../../support/client.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { component, contentType, registryOf } from '../../support/schema-files.ts';
import { clearMedia, formOf, postForm, TEXT, uploaded, uploadOne } from '../../support/uploads.ts';
import { openWorld } from '../../support/world.ts';

const named = (prefix: string, count: number, attribute: (index: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, attribute(index)]));

const media = (index: number) => ({ type: 'media', multiple: index % 2 === 0 });
const part = () => ({ type: 'component', component: 'blocks.cover' });
const cover = component('blocks.cover', { picture: { type: 'media' } });
const small = Array.from({ length: 30 }, (_, index) =>
  contentType(
    `small${index}`,
    { title: { type: 'string' }, ...named('file', 2, media), ...named('part', 35, part) },
    { drafts: index % 2 === 0 },
  ),
);
const wide = contentType(
  'wide',
  { ...named('a_rather_long_name_of_a_text_', 85, () => ({ type: 'string' })), ...named('file', 40, media) },
  { drafts: true },
);
const registry = registryOf([wide, ...small], [cover]);
const counted = countedDatabase(env.DB);
const { client, send } = openWorld(registry, {}, { DB: counted.database });
const bearer = { headers: { authorization: 'Bearer full' } };

beforeAll(async () => {
  await clearMedia();
});

it('a file of which everything makes use is shown, attached once more, and deleted', async () => {
  const file = await uploadOne(send, TEXT);
  const files = named('file', 40, () => ({ set: [file.id] }));
  const { documentId } = await documentOf(client.create('/api/wides', files));
  for (let index = 0; index < 30; index += 1)
    await documentOf(client.create(`/api/small${index}s`, { file0: file.id, file1: file.id }));

  const answer = await send(`/api/upload/files/${file.id}?populate=related`, bearer);
  const { related } = (await answer.json()) as { related: { readonly __type: string }[] };
  const usedBy = (uid: string) => related.filter(({ __type }) => __type === uid).length;
  expect([usedBy('api::wide.wide'), usedBy('api::small0.small0'), usedBy('api::small1.small1')]).toEqual([80, 4, 2]);
  expect((await send('/api/upload/files?populate=*', bearer)).status).toBe(200);

  const draft = await documentOf(client.get(`/api/wides/${documentId}?status=draft&fields=id`));
  const fields = { ref: 'api::wide.wide', refId: String(draft.id), field: 'file38' };
  const names = Array.from({ length: 40 }, (_, index) => `${index}.txt`);
  await uploaded(
    postForm(
      send,
      formOf(
        names.map((name) => ({ bytes: 'a text', name })),
        fields,
      ),
    ),
  );
  const attached = await documentOf(client.get(`/api/wides/${documentId}?status=draft&fields=id&populate=file38`));
  expect(attached.file38).toHaveLength(41);

  expect((await send(`/api/upload/files/${file.id}`, { method: 'DELETE', ...bearer })).status).toBe(200);
  const after = await documentOf(client.get(`/api/wides/${documentId}?fields=id&populate=file0,file1,file39`));
  expect(after).toMatchObject({ file0: [], file1: null, file39: null });
  for (const text of counted.batches.flat())
    expect(new TextEncoder().encode(text).length, text.slice(0, 200)).toBeLessThanOrEqual(100_000);
});

it('says which files a model with a thousand attributes of components does not use', async () => {
  const [used, unused] = [await uploadOne(send, TEXT), await uploadOne(send, TEXT)];
  await documentOf(client.create('/api/small29s', { part34: { picture: used.id } }));
  const answer = await send('/api/upload/files/page?unused=true&fields=name', bearer);
  const { data } = (await answer.json()) as { data: { readonly id: number }[] };
  expect(data.map(({ id }) => id)).toEqual([unused.id]);
});
