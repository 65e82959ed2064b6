import { describe, expect, it } from 'vitest';
import { archiveOf } from '../../../support/archive.ts';
import { importBytes, useTestStorage } from './imported.ts';

const WORDS = [
  'order',
  'type',
  'id2',
  'group',
  'select',
  'from',
  'where',
  'key',
  'value',
  'index',
  'rowid',
  'oid',
  'row',
];
const LONG = 'a_name_of_an_attribute_that_somebody_thought_was_a_good_idea';
const TIME = '2026-01-02T03:04:05.678Z';
const i18n = { i18n: { localized: true } };

const many = (mappedBy?: string, inversedBy?: string) => ({
  ...{ type: 'relation', relation: 'manyToMany', target: 'api::order.order' },
  ...(mappedBy && { mappedBy }),
  ...(inversedBy && { inversedBy }),
});

/** Five components, each in the one before it, each with a relation and media. */
const LEVELS = ['a', 'b', 'c', 'd', 'e'];
const components = LEVELS.map((name, level) => ({
  ...{ uid: `deep.${name}`, modelType: 'component', collectionName: `components_deep_${name}`, info: {}, options: {} },
  attributes: {
    ...{ order: { type: 'string' }, status: { type: 'string' }, pic: { type: 'media', multiple: true } },
    to: { type: 'relation', relation: 'oneToMany', target: 'api::order.order' },
    ...(level < 4 && {
      inner: { type: 'component', component: `deep.${LEVELS[level + 1]}`, repeatable: level % 2 === 0 },
    }),
  },
}));

const schemas = [
  {
    ...{ uid: 'api::order.order', modelType: 'contentType', kind: 'collectionType', collectionName: 'order' },
    ...{
      info: { singularName: 'order', pluralName: 'orders' },
      options: { draftAndPublish: true },
      pluginOptions: i18n,
    },
    attributes: {
      ...Object.fromEntries([...WORDS, LONG].map((name) => [name, { type: 'string' }])),
      ...{ parents: many(undefined, 'children'), children: many('parents'), friends: many(undefined, 'friends_of') },
      ...{ friends_of: many('friends'), deep: { type: 'component', component: 'deep.a' } },
    },
  },
  ...components,
];

const inner = (level: number, id: number): object => ({
  ...{ id, order: `level ${level}`, status: 'new' },
  ...(level < 4 && { inner: level % 2 === 0 ? [inner(level + 1, id)] : inner(level + 1, id) }),
});

const order = (id: number, documentId: string, published: boolean): object => ({
  ...{ type: 'api::order.order', id },
  data: {
    ...Object.fromEntries([...WORDS, LONG].map((name) => [name, `${name} ${id}`])),
    ...{ documentId, deep: inner(0, id), locale: 'en' },
    ...{ createdAt: TIME, updatedAt: TIME, publishedAt: published ? TIME : null },
  },
});

const link = (field: string, ref: number, pos: number, to: number, inverse: string): object => ({
  ...{ kind: 'relation.circular', relation: 'manyToMany', left: { type: 'api::order.order', field, ref, pos } },
  right: { type: 'api::order.order', field: inverse, ref: to, pos },
});

const parts = {
  schemas,
  entities: [
    { type: 'plugin::i18n.locale', id: 1, data: { documentId: 'en', code: 'en', name: 'English' } },
    { type: 'plugin::i18n.locale', id: 2, data: { documentId: 'zu', code: 'zu', name: 'Zulu' } },
    {
      ...{ type: 'plugin::upload.file', id: 1 },
      data: { documentId: 'file', name: 'nothing', hash: 'nothing', ext: '', mime: 'text/plain', size: 0, url: '/x' },
    },
    ...[order(1, 'one', false), order(2, 'one', true), order(3, 'two', false)],
  ],
  links: [
    link('parents', 1, 1, 1, 'children'),
    link('parents', 1, 2, 3, 'children'),
    link('parents', 3, 1, 1, 'children'),
    link('parents', 2, 1, 2, 'children'),
    link('friends', 1, 1, 3, 'friends_of'),
    link('friends', 3, 1, 1, 'friends_of'),
    ...LEVELS.flatMap((name) => [
      {
        ...{
          kind: 'relation.basic',
          relation: 'oneToMany',
          left: { type: `deep.${name}`, field: 'to', ref: 1, pos: 1 },
        },
        right: { type: 'api::order.order', ref: 3 },
      },
      {
        ...{ kind: 'relation.morph', left: { type: 'plugin::upload.file', field: 'related', ref: 1 } },
        right: { type: `deep.${name}`, field: 'pic', ref: 1, pos: 1 },
      },
    ]),
  ],
  uploads: { nothing: '' },
};

const storage = await useTestStorage();

describe('a model with names that are words of SQL', () => {
  it('is taken whole: values, relations to itself, components five deep, an empty locale, a file without bytes', async () => {
    const bytes = await archiveOf(parts);
    const { registry } = await importBytes(bytes);
    await storage.prepare(registry);
    const { taken, warnings, settings } = await importBytes(bytes, storage);
    expect(warnings).toEqual([]);
    expect(taken).toEqual({ documents: 3, versions: 4, links: 6 + 2 * LEVELS.length, files: 1 });
    expect(settings.i18n.locales.map(({ code }) => code)).toEqual(['en', 'zu']);
    const [row] = await storage.rows(`select * from "order" where "document_id" = 'one' and "published_at" is null`);
    for (const name of [...WORDS, LONG]) expect(Object.values(row ?? {})).toContain(`${name} 1`);
    const parents = await storage.rows(
      `select "source_document_id" as "source", "target_document_id" as "target", "status" from "order_parents_lnk" order by "status", "source", "position"`,
    );
    expect(parents.map(({ source, target, status }) => `${source} ${target} ${status}`)).toEqual([
      'one one draft',
      'one two draft',
      'two one draft',
      'one one published',
    ]);
    const text = String(row?.deep);
    expect(text.match(/"order":"level \d"/g)).toHaveLength(5);
    expect(text.match(/"to":\[\{"documentId":"two","locale":"en"\}\]/g)).toHaveLength(5);
    expect(text.match(/"pic":\[\{"documentId":"file","locale":""\}\]/g)).toHaveLength(5);
    expect((await storage.bucket.head('nothing'))?.size).toBe(0);
  });
});
