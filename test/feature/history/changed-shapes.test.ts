/**
 * @module Former values of components whose attributes have another shape now, and how a response names what it lacks.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { createRegistryTables, serveRegistry } from '../../support/app.ts';
import { type Client, clientOf, documentOf } from '../../support/client.ts';
import { historyOf } from '../../support/former-versions.ts';
import { bearer, createToken, sendJson } from '../../support/recorded.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const TEXT = { type: 'string' };
const toNotes = relation('oneToMany', 'note');
const SHAPES = {
  leaf: { type: 'component', component: 'kit.leaf' },
  leaves: { type: 'component', component: 'kit.leaf', repeatable: true },
  notes: toNotes,
  files: { type: 'media', multiple: true },
  any: { type: 'relation', relation: 'morphToMany' },
} as const;
type Shape = keyof typeof SHAPES;

const modelOf = (shape: Shape) =>
  registryOf(
    [
      contentType('note', { title: TEXT }),
      contentType('piece', {
        ...{ title: TEXT, secret: { ...TEXT, private: true } },
        ...{ note: toNotes, part: { type: 'component', component: 'kit.part' } },
      }),
    ],
    [component('kit.part', { text: TEXT, own: SHAPES[shape] }), component('kit.leaf', { text: TEXT })],
  );

/** Of another type. */
const RENAMED = { uids: { 'api::old.old': 'api::new.new' }, attributes: {} };

const clientFor = (shape: Shape, renames: readonly (typeof RENAMED)[] = []) => {
  const send = serveRegistry({ ...modelOf(shape), renames }, { history: true });
  return { send, ...clientOf(send, 'full') };
};

interface Shown {
  readonly data: { readonly part: object };
  readonly meta: { readonly missing: readonly object[]; readonly changed: readonly string[] };
}

const first = clientFor('leaf');
const restore = async (path: string, revision: string, by = first): Promise<Shown> => {
  const sent = sendJson('POST', 'full', { data: { revision } });
  return (await by.send(`${path}/actions/restore?populate[part][populate]=*`, sent)).json();
};

async function revisionOf(path: string, by: Client = first): Promise<string> {
  return (await historyOf(by, path)).at(-1)?.revision ?? '';
}

beforeAll(async () => {
  await createRegistryTables(modelOf('leaf'));
  await createToken('full', 'full-access');
});

it.each<readonly [from: Shape, to: Shape, empty: null | []]>([
  ['leaf', 'leaves', []],
  ['leaf', 'notes', []],
  ['leaf', 'files', []],
  ['leaves', 'leaf', null],
  ['leaves', 'notes', []],
  ['notes', 'leaf', null],
  ['notes', 'any', []],
  ['any', 'notes', []],
])('a former value of a component that was %s and is %s now is reported, and not restored', async (from, to, empty) => {
  const { documentId } = await documentOf(first.create('/api/notes', { title: 'linked' }));
  const values = {
    leaf: { text: 'then' },
    leaves: [{ text: 'then' }],
    notes: [documentId],
    any: [{ __type: 'api::note.note', documentId }],
    files: [],
  } satisfies Record<Shape, unknown>;
  const part = { text: 'part', own: values[from] };
  const created = await documentOf(clientFor(from).create('/api/pieces', { title: 'then', part }));
  const path = `/api/pieces/${created.documentId}`;
  await env.DB.prepare('update pieces set part = null').run();
  const revision = await revisionOf(path);
  for (const now of [clientFor(to), clientFor(to, [RENAMED])]) {
    const response = await now.get(`${path}/history/${revision}?populate[part][populate]=*`);
    expect(response.status).toBe(200);
    const shown = (await response.json()) as Shown;
    expect(shown.data.part).toMatchObject({ text: 'part', own: empty });
    expect(shown.meta).toMatchObject({ changed: ['part'], missing: [] });
  }
  const restored = await restore(path, revision, clientFor(to));
  expect(restored.data.part).toMatchObject({ text: 'part', own: empty });
  expect(restored.meta).toEqual({ changed: ['part.own'], missing: [] });
});

it('the nested form of Strapi 4 names the same missing targets and changed attributes', async () => {
  const { documentId } = await documentOf(first.create('/api/notes', { title: 'gone' }));
  const created = await documentOf(first.create('/api/pieces', { title: 'then', note: [documentId] }));
  const path = `/api/pieces/${created.documentId}`;
  await first.remove(`/api/notes/${documentId}`);
  const revision = await revisionOf(path);
  await env.DB.prepare(`update edgewise_history set entry = json_set(entry, '$.types.title', 'integer')`).run();
  const metaOf = async (format: string, search: string) => {
    const headers = { ...bearer('full').headers, 'strapi-response-format': format };
    const response = await first.send(`${path}/history/${revision}${search}`, { headers });
    const { missing, changed } = ((await response.json()) as Shown).meta;
    return { missing, changed };
  };
  const all = { missing: [{ path: 'note', documentId }], changed: ['title'] };
  for (const format of ['v4', 'v5']) {
    expect(await metaOf(format, '?populate=*')).toEqual(all);
    expect(await metaOf(format, '?fields=updatedAt')).toEqual({ missing: [], changed: [] });
  }
});

it('a restoration does not name a private attribute that has changed', async () => {
  const created = await documentOf(first.create('/api/pieces', { title: 'then', secret: 'hidden' }));
  const path = `/api/pieces/${created.documentId}`;
  const types = `'$.types.title', 'integer', '$.types.secret', 'integer'`;
  await env.DB.prepare(`update edgewise_history set entry = json_set(entry, ${types})`).run();
  expect((await restore(path, await revisionOf(path))).meta).toMatchObject({ changed: ['title'] });
});

it('a relation of another kind shows none of its former targets, and a single one is restored as it is shown', async () => {
  const worldOf = async (own: object) => {
    const model = registryOf([contentType('note', { title: TEXT }), contentType('clip', { title: TEXT, own })]);
    await env.DB.prepare('drop table if exists clips_own_links').run();
    await createRegistryTables(model);
    const send = serveRegistry(model, { history: true });
    return { send, ...clientOf(send, 'full') };
  };
  const any = await worldOf(SHAPES.any);
  const titles = ['first', 'second'];
  const notes = await Promise.all(titles.map(async (title) => documentOf(any.create('/api/notes', { title }))));
  const targets = notes.map(({ documentId }) => ({ __type: 'api::note.note', documentId }));
  const path = `/api/clips/${(await documentOf(any.create('/api/clips', { title: 'then', own: targets }))).documentId}`;
  await documentOf(any.update(path, { title: 'now' }));
  const revision = await revisionOf(path, any);
  const shownBy = async ({ get }: Client): Promise<Record<string, unknown>> =>
    (await (await get(`${path}/history/${revision}?populate=*`)).json()) as Record<string, unknown>;
  expect(await shownBy(any)).toMatchObject({
    data: { own: titles.map((title) => ({ title })) },
    meta: { changed: [] },
  });

  const many = await worldOf(SHAPES.notes);
  expect(await shownBy(many)).toMatchObject({ data: { own: [] }, meta: { changed: ['own'] } });

  const one = await worldOf({ type: 'relation', relation: 'morphToOne' });
  const first = { own: { title: 'first' } };
  expect(await shownBy(one)).toMatchObject({ data: first, meta: { changed: [] } });
  const sent = sendJson('POST', 'full', { data: { revision } });
  expect(await documentOf(one.send(`${path}/actions/restore?populate=*`, sent))).toMatchObject(first);
});
