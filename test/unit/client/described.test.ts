/**
 * @module The types of clients from the description of a deployment, beside those from its schema files.
 */
import { describe, expect, it } from 'vitest';
import { describeTypes } from '../../../cli/project/client-types.ts';
import { describedTypes } from '../../../cli/project/described-types.ts';
import { type Grants, only } from '../../../src/access/grants.ts';
import type { Registry } from '../../../src/schema/model.ts';
import { parseSettings, type Settings } from '../../../src/schema/settings/config.ts';
import { demoRegistry } from '../../support/demo-registry.ts';
import { describeApi } from '../../support/describe-api.ts';
import { component, contentType, registryOf, relation, userFile } from '../../support/schema-files.ts';
import { magazine } from '../describe/fixture.ts';
import { casesRegistry, SETTINGS } from './type-cases.ts';

const HEADER = '// here';
const withHeader = (types: string): string => types.replace(/^.*/, HEADER);

/** As a client gets it. */
const served = (registry: Registry, settings: Settings, grants?: Grants): unknown =>
  JSON.parse(JSON.stringify(describeApi(registry, settings, grants)));

const typesFor = (registry: Registry, settings: Settings, ...actions: readonly string[]): string =>
  describedTypes(served(registry, settings, only(actions)), HEADER);

const PLAIN = parseSettings({});
const CARDS = parseSettings({
  populates: {
    'api::recipe.recipe': {
      all: { populate: '*' },
      parts: {
        fields: ['title'],
        populate: {
          sections: { on: { 'shared.seo': { fields: [], populate: { cook: { fields: ['name'] } } } } },
          guests: { count: true },
          gallery: { withCount: true, limit: 1 },
          about: { on: { 'api::cook.cook': true } },
          localizations: { fields: ['title'] },
          seo: { populate: 'alternates' },
        },
      },
    },
  },
});

describe('the types from a description', () => {
  it.each<[string, Registry, Settings]>([
    ['the demo', demoRegistry, PLAIN],
    ['every kind of attribute, with presets', casesRegistry(), SETTINGS],
    ['presets of every kind', casesRegistry(), CARDS],
    ['locales, private attributes and passwords', magazine(), PLAIN],
    ['drafts first', casesRegistry(), parseSettings({ api: { rest: { defaultStatus: 'draft' } } })],
    ['what Strapi has alone', casesRegistry(), parseSettings({ compatibility: 'strapi' })],
    [
      'users with attributes of their own',
      registryOf([], [], {}, { user: userFile({ city: { type: 'string' }, note: { type: 'text', private: true } }) }),
      PLAIN,
    ],
  ])('are those from the schema files, for a caller with all rights: %s', (_, registry, settings) => {
    const types = describedTypes(served(registry, settings), HEADER);
    expect(types).toBe(withHeader(describeTypes(registry, settings)));
  });

  it('lack what the caller may not find', () => {
    const types = typesFor(demoRegistry, PLAIN, 'api::article.article.find', 'api::article.article.findOne');
    expect(types).toContain('export interface Article<');
    expect(types).toMatch(/articles: \{.* create: never; update: never; action: never;/);
    for (const hidden of ['AuthorFilters', 'authors:', 'author?:', 'editorNotes', 'homepage:', 'highlights?:'])
      expect(types).not.toContain(hidden);
  });

  it('have bodies of what the caller may write, and nothing else', () => {
    const types = typesFor(demoRegistry, PLAIN, 'api::article.article.create', 'api::article.article.publish');
    expect(types).toMatch(/articles: \{.* create: ArticleInput; update: never; action: PublicationAction;/);
  });

  it('keep a zone whose components the caller sees nothing of', () => {
    const registry = registryOf(
      [contentType('page', { body: { type: 'dynamiczone', components: ['a.b'] } }), contentType('other', {})],
      [component('a.b', { link: relation('oneToOne', 'other') })],
    );
    expect(typesFor(registry, PLAIN, 'api::page.page.find')).toContain("body?: (({ __component: 'a.b' } & AB<S>))[];");
  });

  const EVIL = "x'; }\nexport const evil = 1;\n// */";
  it.each<[string, object, object]>([
    ['kind', { kind: EVIL }, {}],
    ['preset', { kind: 'singleType' }, { [`@${EVIL}`]: { $ref: '#/components/schemas/A_x' } }],
  ])('have no declarations that a %s brings', (_, schema, presets) => {
    const names = { singularName: 'a', pluralName: 'as', displayName: 'A', attributes: {} };
    const description = {
      'x-content-types': [{ uid: 'api::a.a', schema: { ...names, ...schema } }],
      paths: { '/api/a': { get: { 'x-presets': presets } } },
    };
    expect(() => describedTypes(description, HEADER)).toThrow(/expected kind to be|is no name of a preset/);
  });

  it('name a type as the description does, where a hidden one has the same name', () => {
    const registry = registryOf(
      [
        contentType('a-b', { secret: { type: 'string' } }),
        contentType('page', { part: { type: 'component', component: 'a.b' } }),
      ],
      [component('a.b', { label: { type: 'string' } })],
    );
    const types = typesFor(registry, PLAIN, 'api::page.page.find');
    expect(types).toContain('part?: AB2<S> | null;');
    expect(types).toMatch(/interface AB2<[^}]*label: string \| null;/);
  });

  it.each([[{}], [null], [{ openapi: '3.1.0', paths: {} }]])('are not made of %j', (description) => {
    expect(() => describedTypes(description, HEADER)).toThrow('x-content-types');
  });
});
