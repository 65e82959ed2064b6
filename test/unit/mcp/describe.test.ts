/**
 * @module Content types as a model reads them: a line for each attribute, the actions of the caller, and what is cut.
 */
import { describe, expect, it } from 'vitest';
import { type Grants, only } from '../../../src/access/grants.ts';
import {
  attributeNames,
  describeType,
  knownComponents,
  knownTypes,
  nameOf,
  summaryOf,
  titleOf,
} from '../../../src/features/mcp/describe.ts';
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { ALL } from './fake-call.ts';

const values = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`);
const localized = { pluginOptions: { i18n: { localized: true } } };

const STORY = contentType(
  'story',
  {
    hidden: { type: 'string', private: true },
    title: { type: 'string', required: true, unique: true, minLength: 3, maxLength: 80, default: 'New', ...localized },
    lead: { type: 'text', minLength: 2 },
    teaser: { type: 'text', maxLength: 9 },
    body: { type: 'richtext', default: 'x'.repeat(60) },
    rank: { type: 'integer', min: 1 },
    stars: { type: 'decimal', max: 5 },
    share: { type: 'float', min: 0, max: 1 },
    isHot: { type: 'boolean', default: false },
    tone: { type: 'enumeration', enum: values(30) },
    mood: { type: 'enumeration', enum: values(31) },
    secret: { type: 'password' },
    author: relation('manyToOne', 'author'),
    others: relation('manyToMany', 'author'),
    owner: { type: 'relation', relation: 'manyToOne', target: 'plugin::users-permissions.user' },
    subject: { type: 'relation', relation: 'morphToOne' },
    subjects: { type: 'relation', relation: 'morphToMany' },
    cover: { type: 'media', allowedTypes: ['images', 'videos'] },
    gallery: { type: 'media', multiple: true },
    seo: { type: 'component', component: 'shared.seo' },
    links: { type: 'component', component: 'shared.link', repeatable: true, min: 1, max: 3 },
    parts: { type: 'dynamiczone', components: ['shared.link', 'shared.text'], max: 5 },
  },
  { plural: 'stories', drafts: true, localized: true, description: `${'d'.repeat(201)}` },
);
const AUTHOR = contentType('author', { name: { type: 'string', ...localized } });
const HOME = contentType('home', { text: { type: 'text' } }, { single: true });
const COMPONENTS = [
  component('shared.seo', {
    text: { type: 'string', required: true },
    inner: { type: 'component', component: 'shared.deep' },
  }),
  component('shared.link', { url: { type: 'string' } }),
  component('shared.text', { text: { type: 'text' } }),
  component('shared.deep', { note: { type: 'string' } }),
  component('shared.unused', { note: { type: 'string' } }),
];
const registry = registryOf([STORY, AUTHOR, HOME], COMPONENTS);
const typeIn = (from: Registry, name: string) => from.contentTypes.get(`api::${name}.${name}`) as ContentType;
const [story, author, home] = ['story', 'author', 'home'].map((name) => typeIn(registry, name)) as [
  ...[ContentType, ContentType, ContentType],
];
const view = (grants: Grants = ALL, from = registry) => ({ registry: from, grants });
const actionsOf = (name: string, ...actions: readonly string[]) =>
  actions.map((action) => `api::${name}.${name}.${action}`);

// biome-ignore lint/suspicious/noExplicitAny: as a model reads it
const described = (type: ContentType, by = view()): any => JSON.parse(JSON.stringify(describeType(type, by)));

describe('a line of a type', () => {
  it('has what an attribute takes, and its rules', () => {
    const { attributes } = described(story, view({ allows: (id) => !/readPrivate$|content-type-builder/.test(id) }));
    expect(attributes).toEqual({
      title: 'string; required; unique; 3 to 80 characters; default "New"; localized',
      lead: 'text; at least 2 characters',
      teaser: 'text; at most 9 characters',
      body: `richtext; default "${'x'.repeat(51)}`,
      rank: 'integer; at least 1',
      stars: 'decimal; at most 5',
      share: 'float; 0 to 1',
      isHot: 'boolean; default false',
      tone: `one of ${values(30).join(', ')}`,
      mood: `one of ${values(30).join(', ')}, … (31)`,
      secret: 'password; write only',
      author: 'relation to one of authors; localized',
      others: 'relation to many of authors; localized',
      owner: 'relation to one of plugin::users-permissions.user; localized',
      subject: 'relation to a document of any type: {"documentId", "__type"}; localized',
      subjects: 'relation to many documents of any type: {"documentId", "__type"}; localized',
      cover: 'one file (images, videos)',
      gallery: 'files',
      seo: 'component shared.seo',
      links: 'list of component shared.link; 1 to 3 entries',
      parts: 'zone: list of components with "__component", each of shared.link, shared.text; at most 5 entries',
      ...Object.fromEntries(
        ['createdAt', 'updatedAt', 'publishedAt', 'locale'].flatMap((name) =>
          attributes[name] === undefined ? [] : [[name, expect.stringMatching(/read only$/)]],
        ),
      ),
    });
  });

  it.each([
    ['find', 'string; read only'],
    ['findOne', 'string; read only'],
    ['create', 'string; write only'],
    ['update', 'string; write only'],
    ['history', undefined],
  ])('says what a caller with %s alone may do with it: %j', (action, line) => {
    const by = view(only(actionsOf('author', action)));
    expect(described(author, by).attributes.name).toBe(line);
    expect(attributeNames(author, by).includes('name')).toBe(line !== undefined);
  });

  it('names an attribute that may be read or written once', () => {
    const names = attributeNames(author, view());
    expect([names.includes('name'), new Set(names).size]).toEqual([true, names.length]);
  });
});

describe('components', () => {
  it('of a type are those that it has, and those inside', () => {
    const { components, note } = described(story);
    expect([Object.keys(components).toSorted(), note]).toEqual([
      ...[['shared.deep', 'shared.link', 'shared.seo', 'shared.text'], undefined],
    ]);
    expect(components['shared.seo']).toEqual({ text: 'string; required', inner: 'component shared.deep' });
    expect(described(author)).not.toHaveProperty('components');
  });

  it('that are known are those of the types that the caller may use', () => {
    expect([...knownComponents(view()).keys()].toSorted()).toEqual(Object.keys(described(story).components).toSorted());
    expect([...knownComponents(view(only(actionsOf('author', 'find')))).keys()]).toEqual([]);
  });
});

const ALL_ACTIONS = [
  ...['find', 'findOne', 'create', 'update', 'delete', 'readDrafts', 'history'],
  ...['publish', 'unpublish', 'discardDraft', 'previewLink', 'restore'],
];

describe('a type', () => {
  it.each(ALL_ACTIONS)('is known to a caller who may %s it, and to no other', (action) => {
    const by = view(only(actionsOf('story', action)));
    expect(knownTypes(by).map(nameOf)).toEqual(['stories']);
    expect(summaryOf(story, by).may).toEqual([action]);
    expect(knownTypes(view(only(actionsOf('story', 'readPrivate'))))).toEqual([]);
  });

  it('is summed up', () => {
    expect(summaryOf(story, view())).toEqual({
      ...{ type: 'stories', uid: 'api::story.story', name: 'story', description: 'd'.repeat(200) },
      ...{ kind: 'collectionType', hasDrafts: true, hasLocales: true, may: ALL_ACTIONS },
    });
    expect(summaryOf(home, view())).toEqual({
      ...{ type: 'home', uid: 'api::home.home', name: 'home', kind: 'singleType', hasDrafts: false, hasLocales: false },
      may: ['find', 'findOne', 'create', 'update', 'delete', 'history', 'previewLink', 'restore'],
    });
  });

  it('has documents that their first text names', () => {
    const document = { hidden: 'h', title: 'A title', documentId: 'x' };
    expect([titleOf(document, story, 80), titleOf(document, story, 3)]).toEqual(['A title', 'A t']);
    expect(titleOf({ documentId: 'x', title: null }, story, 80)).toBe('x');
    const untitled = typeIn(
      registryOf([
        contentType('plain', { body: { type: 'richtext' }, cover: { type: 'media' }, rank: { type: 'integer' } }),
      ]),
      'plain',
    );
    expect(titleOf({ body: 'b', rank: 1, documentId: 'x' }, untitled, 80)).toBe('x');
    for (const type of ['string', 'text', 'uid', 'email']) {
      const named = typeIn(registryOf([contentType('named', { body: { type: 'richtext' }, name: { type } })]), 'named');
      expect([type, titleOf({ body: 'b', name: 'n' }, named, 80)]).toEqual([type, 'n']);
    }
  });
});

describe('a description that would be too long', () => {
  const filled = (length: number) => ({ type: 'enumeration', enum: ['x'.repeat(length)] });
  const describedWith = (attributes: object, ...components: ReturnType<typeof component>[]) => {
    const from = registryOf([contentType('filled', { ...attributes })], components);
    return described(typeIn(from, 'filled'), view(ALL, from));
  };

  it.each([
    [10, 307],
    [50, 61],
    [150, 21],
    [230, 11],
    [400, 11],
  ])('of %i attributes has %i characters for what each takes', (count, length) => {
    const long = { ...filled(300), required: true };
    const { attributes } = describedWith(Object.fromEntries(values(count).map((name) => [name, long])));
    expect(attributes.v0.replace('; required', '').length).toBe(length);
  });

  it('has more than 8,500 characters of attributes', () => {
    const sizeOf = (rest: number) => JSON.stringify(describedWith({ a: filled(rest) }).attributes).length;
    const rest = 8_500 - sizeOf(1) + 1;
    expect([sizeOf(rest), sizeOf(rest + 1) < 1_000]).toEqual([8_500, true]);
  });

  it('has more than 9,500 with components, which are then named alone', () => {
    const of = (rest: number) =>
      describedWith(
        { big: { type: 'component', component: 'shared.big' } },
        component('shared.big', { a: filled(rest) }),
      );
    const rest = 9_500 - JSON.stringify(of(1)).length + 1;
    const [whole, cut] = [of(rest), of(rest + 1)];
    expect([JSON.stringify(whole).length, whole.note]).toEqual([9_500, undefined]);
    expect([cut.components, cut.note]).toEqual([['shared.big'], expect.stringMatching(/^Components are left out/)]);
    expect(cut.attributes).toEqual(whole.attributes);
  });
});
