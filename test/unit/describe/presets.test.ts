/**
 * @module What documents have with each kind of node of a preset, in the description; and who is shown which schemas.
 */
import { describe, expect, it } from 'vitest';
import { type Grants, only } from '../../../src/access/grants.ts';
import { parseSettings, type SettingsInput } from '../../../src/schema/settings/config.ts';
import { describeApi } from '../../support/describe-api.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { at } from './reading.ts';

const STORY = 'api::story.story';
const registry = registryOf(
  [
    contentType(
      'story',
      {
        ...{ title: { type: 'string' }, body: { type: 'text' } },
        ...{ author: relation('manyToOne', 'author'), tags: relation('manyToMany', 'author') },
        seo: { type: 'component', component: 'shared.seo' },
        list: { type: 'component', component: 'shared.seo', repeatable: true },
        zone: { type: 'dynamiczone', components: ['shared.seo', 'shared.other'] },
        items: { type: 'relation', relation: 'morphToMany' },
        main: { type: 'relation', relation: 'morphToOne' },
        ...{ cover: { type: 'media' }, gallery: { type: 'media', multiple: true } },
      },
      { localized: true, plural: 'stories' },
    ),
    contentType('author', {
      name: { type: 'string' },
      age: { type: 'integer' },
      agent: relation('manyToOne', 'agent'),
    }),
    contentType('agent', { name: { type: 'string' } }),
  ],
  [
    component('shared.seo', { text: { type: 'string' }, note: { type: 'string' } }),
    component('shared.other', { text: { type: 'string' } }),
  ],
);

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] });
const text = { type: ['string', 'null'] };
const object = (properties: object) => ({ type: 'object', required: Object.keys(properties), properties });
const seoText = object({ id: { type: 'integer' }, text });
const authorName = object({ id: { type: 'integer' }, documentId: { type: 'string' }, name: text });
const isOf = (schema: object, key: string, uid: string) => ({
  allOf: [schema, { type: 'object', required: [key], properties: { [key]: { const: uid } } }],
});

const describedWith = (presets: object, grants?: Grants) =>
  describeApi(registry, parseSettings({ populates: { [STORY]: presets } } as SettingsInput), grants);

describe('a preset', () => {
  it.each<[string, object, object]>([
    ['one document', { author: true }, { author: orNull(ref('Author')) }],
    ['fields of a document', { author: { fields: ['name'] } }, { author: { ...authorName, type: ['object', 'null'] } }],
    ['a list', { tags: { fields: ['name'] } }, { tags: { type: 'array', items: authorName } }],
    ['a count', { tags: { count: true } }, { tags: ref('Count') }],
    ['a component', { seo: true }, { seo: orNull(ref('SharedSeo')) }],
    ['components', { list: { fields: ['text'] } }, { list: { type: 'array', items: seoText } }],
    [
      'media',
      { cover: true, gallery: true },
      {
        ...{ cover: orNull(ref('UploadFile')), gallery: { type: 'array', items: ref('UploadFile') } },
      },
    ],
    [
      'a zone',
      { zone: { on: { 'shared.seo': { fields: ['text'] }, 'shared.other': true } } },
      {
        zone: {
          type: 'array',
          items: {
            oneOf: [
              isOf(seoText, '__component', 'shared.seo'),
              isOf(ref('SharedOther'), '__component', 'shared.other'),
            ],
          },
        },
      },
    ],
    [
      'documents of any type',
      { items: { on: { 'api::author.author': true } }, main: { on: { 'api::author.author': { fields: ['name'] } } } },
      {
        items: { type: 'array', items: { oneOf: [isOf(ref('Author'), '__type', 'api::author.author')] } },
        main: orNull({ oneOf: [isOf(authorName, '__type', 'api::author.author')] }),
      },
    ],
    [
      'its other locales',
      { localizations: { fields: ['title'] } },
      {
        localizations: {
          type: 'array',
          items: object({ id: { type: 'integer' }, documentId: { type: 'string' }, title: text }),
        },
      },
    ],
  ])('shows %s as it selects it', (_, populate, properties) => {
    const { components } = describedWith({ some: { fields: ['title'], populate } });
    expect(components.schemas?.Story_some).toEqual(
      object({ id: { type: 'integer' }, documentId: { type: 'string' }, title: text, ...properties }),
    );
  });

  it('that selects every scalar, and nothing else, is the type itself', () => {
    const { components } = describedWith({
      all: {},
      title: { fields: ['title'] },
      more: { populate: { author: true } },
    });
    expect(components.schemas?.Story_all).toEqual(ref('Story'));
    expect(components.schemas?.Story_title).toMatchObject({ required: ['id', 'documentId', 'title'] });
    expect(components.schemas?.Story_more).toHaveProperty('properties.body');
  });

  it('shows where a file is used', () => {
    const { components } = describedWith({ used: { fields: ['title'], populate: { cover: { populate: 'related' } } } });
    expect(components.schemas?.Story_used).toHaveProperty('properties.cover.properties.related', {
      type: 'array',
      items: expect.objectContaining({ required: ['documentId', '__type'] }),
    });
  });

  it('that filters by what the reader may not see is left out, and the others stay', () => {
    const presets = {
      seen: { fields: ['title'] },
      hidden: { populate: { tags: { filters: { agent: { name: 'x' } } } } },
    };
    const namesFor = (grants: Grants) =>
      Object.keys(at(describedWith(presets, grants), 'paths', '/api/stories', 'get', 'x-presets') as object);
    const story = [`${STORY}.find`, 'api::author.author.find'];
    expect(namesFor(only([...story, 'api::agent.agent.find']))).toEqual(['@seen', '@hidden']);
    expect(namesFor(only(story))).toEqual(['@seen']);
    const { paths } = describeApi(registry, parseSettings({}));
    expect(paths['/api/stories']?.get).not.toHaveProperty('x-presets');
  });
});

describe('the schemas of types', () => {
  const notes = registryOf([
    contentType('note', {
      tone: { type: 'string' },
      ...{ secret: { type: 'password' }, pin: { type: 'password', private: true } },
      hushmemo: { type: 'string', private: true },
      open: { type: 'string', conditions: { visible: { '==': [{ var: 'tone' }, 'calm'] } } },
      closed: { type: 'string', conditions: { visible: { '==': [{ var: 'hushmemo' }, 'x'] } } },
      deep: { type: 'string', conditions: { visible: { '==': [{ var: 'hushmemo.part' }, 'x'] } } },
    }),
  ]);
  const typeFor = (actions: readonly string[], input: SettingsInput = {}) => {
    const grants = only(actions.map((action) => `api::note.note.${action}`));
    const [type] = describeApi(notes, parseSettings(input), grants)['x-content-types'];
    return type as { actions: string[]; schema: { attributes: Record<string, object> } };
  };

  it('have no condition that names what is hidden, or a part of it', () => {
    const { attributes } = typeFor(['find', 'update']).schema;
    expect(attributes.open).toHaveProperty('conditions');
    for (const name of ['closed', 'deep']) expect([name, attributes[name]]).toEqual([name, { type: 'string' }]);
  });

  it.each([
    [['find'], false],
    [['create'], true],
    [['update'], true],
  ])('have a password for who may %j, if they may write one: %j', (actions, isNamed) => {
    expect(Object.hasOwn(typeFor(actions).schema.attributes, 'secret')).toBe(isNamed);
  });

  it('have private attributes, but no password, for who may read them alone', () => {
    const names = Object.keys(typeFor(['find', 'readPrivate']).schema.attributes);
    expect(names).toEqual(['tone', 'hushmemo', 'open', 'closed', 'deep']);
  });

  it.each(['create', 'update'])('of users have the password for who may %s users', (action) => {
    const grants = only([`plugin::users-permissions.user.${action}`]);
    const [type] = describeApi(notes, parseSettings({}), grants)['x-content-types'];
    expect(type).toMatchObject({ uid: 'plugin::users-permissions.user', schema: { attributes: { password: {} } } });
  });

  it('have what the response to a create shows, also if no body has it', () => {
    const stamp = { type: 'string', writable: false };
    const model = registryOf([contentType('note', { tone: { type: 'string' }, stamp })]);
    const [type] = describeApi(model, parseSettings({}), only(['api::note.note.create']))['x-content-types'];
    expect(type).toMatchObject({ schema: { attributes: { tone: {}, stamp: {} } } });
  });

  it.each([{ settings: { mainField: 'tone' } }, { layouts: { edit: [[{ name: 'tone', size: 6 }]] } }, undefined])(
    'have what the file says of forms: %j',
    (config) => {
      const { path, json } = contentType('note', { tone: { type: 'string' } });
      const model = registryOf([{ path, json: { ...(json as object), ...(config && { config }) } }]);
      const [type] = describeApi(model, parseSettings({}))['x-content-types'] as { schema: { config?: object } }[];
      expect(type?.schema.config).toEqual(config);
    },
  );

  it('have no description without a name of the type', () => {
    const { path, json } = contentType('note', {});
    const info = { singularName: 'note', pluralName: 'notes', displayName: '' };
    const { tags, components } = describeApi(
      registryOf([{ path, json: { ...(json as object), info } }]),
      parseSettings({}),
    );
    for (const described of [tags[0], components.schemas?.Note, components.schemas?.NoteCreated])
      expect(described).not.toHaveProperty('description');
  });

  it('name the actions that the settings switch on', () => {
    const all = ['find', 'previewLink', 'history', 'restore'];
    expect(typeFor(all).actions).toEqual(['find']);
    expect(typeFor(all, { history: true }).actions).toEqual(['find', 'history', 'restore']);
    const preview = { 'api::note.note': { url: 'https://site.example.com/{documentId}?t={token}' } };
    expect(typeFor(all, { preview } as SettingsInput).actions).toEqual(['find', 'previewLink']);
  });
});
