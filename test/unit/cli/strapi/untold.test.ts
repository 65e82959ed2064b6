import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ArchiveParts, archiveOf } from '../../../support/archive.ts';
import { type FakeStrapi, fakeStrapi } from '../../../support/fake-strapi.ts';
import { importBytes, openTestStorage, type TestStorage } from '../import/imported.ts';
import { link, MAGAZINE, relation, TIME, tag } from '../import/magazine.ts';
import { read } from './read.ts';

const LATER = '2026-06-01T00:00:00.000Z';
const UID = 'api::page.page';
const OVERFLOW = { [UID]: ['shown', 'hidden'] };

const component = (uid: string, attributes: object) => ({
  ...{ collectionName: `components_${uid.replace('.', '_')}`, info: { displayName: uid }, options: {} },
  ...{ attributes, modelType: 'component', uid },
});
const secret = { type: 'string', private: true };

const schemas = [
  ...MAGAZINE.schemas.filter((schema) => JSON.stringify(schema).includes('"uid":"api::tag.tag"')),
  {
    ...{ collectionName: 'pages', info: { singularName: 'page', pluralName: 'pages', displayName: 'page' } },
    ...{ options: { draftAndPublish: true }, pluginOptions: {} },
    ...{ kind: 'collectionType', modelType: 'contentType', modelName: 'page', uid: UID, globalId: 'page' },
    attributes: {
      ...{ title: { type: 'string' }, secret, shown: { type: 'string' }, hidden: secret },
      marks: relation('manyToMany', 'api::tag.tag', { private: true }),
      seo: { type: 'component', component: 'in.seo' },
      cards: { type: 'component', component: 'in.card', repeatable: true },
      parts: { type: 'dynamiczone', components: ['in.card', 'in.seo'] },
      vault: { type: 'component', component: 'in.seo', private: true },
    },
  },
  component('in.seo', {
    ...{ metaTitle: { type: 'string' }, internal: secret },
    inner: { type: 'component', component: 'in.card', repeatable: true },
  }),
  component('in.card', {
    ...{ label: { type: 'string' }, code: secret },
    tag: relation('oneToOne', 'api::tag.tag', { private: true }),
  }),
];

const card = (id: number, label: string) => ({ id, label, code: `code of ${label}` });
const PAGE = {
  ...{ title: 'Page', secret: 'row secret', shown: 'seen', hidden: 'overflow secret' },
  seo: { id: 1, metaTitle: 'M', internal: 'seo secret', inner: [card(9, 'deep')] },
  cards: [card(1, 'a'), card(2, 'b'), card(3, 'c')],
  parts: [{ ...card(4, 'zone'), __component: 'in.card' }],
  vault: { id: 2, metaTitle: 'V', internal: 'vault secret', inner: [] },
};

const row = (id: number, data: object) => ({
  ...{ type: UID, id },
  data: { documentId: 'page1', createdAt: TIME, updatedAt: TIME, publishedAt: null, locale: null, ...data },
});
const CONTENT: ArchiveParts = {
  schemas,
  entities: [row(1, PAGE), tag(21, 'red'), tag(22, 'blue')],
  links: [
    link({ type: UID, field: 'marks', ref: 1, pos: 1 }, { type: 'api::tag.tag', ref: 21 }),
    link({ type: 'in.card', field: 'tag', ref: 1 }, { type: 'api::tag.tag', ref: 22 }, 'oneToOne'),
  ],
};

let storage: TestStorage;
let strapi: FakeStrapi;

const whole = async () => importBytes(await archiveOf(CONTENT), storage, { overflow: OVERFLOW });

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  storage = await openTestStorage();
  const { registry } = await importBytes(await archiveOf(CONTENT), undefined, { overflow: OVERFLOW });
  await storage.prepare(registry);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await storage.close();
});
beforeEach(async () => {
  await storage.clear();
  await whole();
  strapi = await fakeStrapi(structuredClone(CONTENT));
});
afterEach(() => strapi.close());

/** Saves the page in the server, as somebody would, and takes what changed. @returns the remarks. */
async function save(data: object): Promise<string> {
  const [, ...others] = strapi.content.entities ?? [];
  strapi.content = { ...strapi.content, entities: [row(1, { ...PAGE, ...data, updatedAt: LATER }), ...others] };
  const { bytes } = await read(strapi, { since: '2026-05-01T00:00:00.000Z', config: false });
  const { taken, remarks } = await importBytes(bytes, storage, { mode: 'merge', overflow: OVERFLOW });
  expect(taken.rows).toBe(1);
  return remarks.join('\n');
}

type Json = Record<string, unknown>;

async function stored(): Promise<Json> {
  const [found = {}] = await storage.rows('select * from "pages"');
  const json = (name: string) => JSON.parse(String(found[name])) as Json & Json[];
  return { ...found, ...Object.fromEntries(['seo', 'cards', 'parts', 'vault'].map((name) => [name, json(name)])) };
}

const codes = async (name = 'cards') => ((await stored())[name] as Json[]).map(({ label, code }) => [label, code]);

describe('what the API does not tell stays where a document is taken again', () => {
  it('of the document: values in columns and in the overflow column, components, links', async () => {
    expect(await save({ title: 'New', shown: 'new' })).not.toMatch(/cannot be known/);
    const page = await stored();
    expect(page).toMatchObject({ title: 'New', secret: 'row secret', vault: { internal: 'vault secret' } });
    expect(JSON.parse(String(page.overflow_attributes))).toEqual({ shown: 'new', hidden: 'overflow secret' });
    expect(await storage.rows('select "target_document_id" as "tag" from "pages_marks_lnk"')).toEqual([
      { tag: 'tagred' },
    ]);
  });

  it('of its components, at any depth, with what they link to', async () => {
    await save({ seo: { ...PAGE.seo, metaTitle: 'New' } });
    const { seo, cards, parts } = await stored();
    expect(seo).toMatchObject({ metaTitle: 'New', internal: 'seo secret', inner: [{ code: 'code of deep' }] });
    expect(cards).toMatchObject([
      { code: 'code of a', tag: [{ documentId: 'tagblue' }] },
      { code: 'code of b', tag: [] },
      { code: 'code of c' },
    ]);
    expect(parts).toMatchObject([{ code: 'code of zone' }]);
  });

  it('of components that were moved, changed, added and removed, by the ids that they have there', async () => {
    const remarks = await save({ cards: [card(3, 'c'), card(7, 'new'), card(1, 'changed')] });
    expect(await codes()).toEqual([
      ['c', 'code of c'],
      ['new', null],
      ['changed', 'code of a'],
    ]);
    expect(remarks).not.toMatch(/cannot be known/);
  });

  it('of components whose ids are new, as when a document is published: by what they say, then by their place', async () => {
    expect(await save({ cards: [card(33, 'c'), card(31, 'a'), card(32, 'b')] })).not.toMatch(/cannot be known/);
    expect(await codes()).toEqual([
      ['c', 'code of c'],
      ['a', 'code of a'],
      ['b', 'code of b'],
    ]);
    expect(await save({ cards: [card(43, 'c'), card(41, 'changed'), card(42, 'b')] })).not.toMatch(/cannot be known/);
    expect(await codes()).toContainEqual(['changed', 'code of a']);
  });

  it('but where it cannot be known which is which, they are empty, and a remark counts them', async () => {
    const remarks = await save({ cards: [card(51, 'x'), card(52, 'b'), card(53, 'y'), card(54, 'z')] });
    expect(await codes()).toEqual([
      ['x', null],
      ['b', 'code of b'],
      ['y', null],
      ['z', null],
    ]);
    expect(remarks).toMatch(/api::page\.page\.cards: .*cannot be known after a change; left empty \(3 times\)/);
  });

  it('and what is told to be empty becomes empty', async () => {
    await save({ seo: null, cards: [], parts: [] });
    expect(await stored()).toMatchObject({ seo: null, cards: [], parts: [] });
  });

  it('also where the schema does not say so: an attribute that no answer has is not empty', async () => {
    strapi.intercept = () => false;
    const attributes = (strapi.content.schemas ?? []) as { attributes: Json }[];
    for (const { attributes: own } of attributes)
      for (const name of ['secret', 'code']) if (own[name]) own[name] = { type: 'string' };
    const [first, ...others] = (strapi.content.entities ?? []) as { data: Json }[];
    const { secret: _, ...told } = { ...first?.data };
    const cards = PAGE.cards.map(({ code: _code, ...rest }) => rest);
    strapi.content = {
      ...strapi.content,
      entities: [{ ...first, data: { ...told, cards, title: 'New', updatedAt: LATER } }, ...others],
    };
    const { bytes } = await read(strapi, { since: '2026-05-01T00:00:00.000Z', config: false });
    await importBytes(bytes, storage, { mode: 'merge', overflow: OVERFLOW });
    expect(await stored()).toMatchObject({ title: 'New', secret: 'row secret' });
    expect(await codes()).toContainEqual(['b', 'code of b']);
  });
});
