/**
 * @module What `--rename`, `--rename-type` and `--rename-component` take for a name.
 */
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../cli/migrations/layout.ts';
import { diffSchemas, stateOf } from '../../../cli/migrations/migration.ts';
import { parseRenames, resolveRenames } from '../../../cli/migrations/rename-options.ts';
import { component, contentType, registryOf, type TypeOptions } from '../../support/schema-files.ts';

const STRING = { type: 'string' };
const SEO = component('shared.seo', { metaTitle: STRING });
const post = (attributes: object, options: TypeOptions = {}) =>
  contentType('blog-post', { ...attributes }, { table: 'blog_posts', ...options });

/** A blog post, a homepage whose table is in the plural, and a component. */
const FORMER = registryOf(
  [post({ title: STRING }), contentType('homepage', { lead: STRING }, { single: true, table: 'homepages' })],
  [SEO],
);
const NOW = registryOf(
  [
    contentType('essay', { headline: STRING }, { table: 'essays' }),
    contentType('landing', { lead: STRING }, { single: true, table: 'landings' }),
  ],
  [SEO],
);

const resolved = (attributes: string[], types: string[] = [], components: string[] = [], now = NOW) =>
  resolveRenames(parseRenames(attributes, types, components), layoutOf(FORMER), now);

describe('a renamed content type', () => {
  it.each([
    'homepage=landing',
    'homepages=landings',
    'homepage=landings',
    'api::homepage.homepage=api::landing.landing',
  ])('may be named %s', (option) => {
    expect(resolved([], [option]).tables).toEqual([{ from: 'homepages', to: 'landings' }]);
  });

  it.each(['blog-post=essay', 'blog-posts=essays', 'blog_posts=essays'])('may have two words: %s', (option) => {
    expect(resolved([], [option]).tables).toEqual([{ from: 'blog_posts', to: 'essays' }]);
  });

  it('needs no table to be renamed where it keeps its own', () => {
    const kept = registryOf([contentType('essay', { title: STRING }, { table: 'blog_posts' })]);
    expect(resolved([], ['blog-post=essay'], [], kept).tables).toEqual([]);
  });

  it.each([
    ['homepag=landing', 'there was no content type homepag. Did you mean homepage?'],
    ['homepage=lading', 'there is no content type lading. Did you mean landing?'],
    ['comment=landing', /there was no content type comment$/],
  ])('is refused by a name that nothing has: %s', (option, message) => {
    expect(() => resolved([], [option])).toThrow(message);
  });

  it('may be named by its plural, or by a table that is no name of Strapi', () => {
    const former = registryOf([contentType('note', {}, { table: 'my-notes' })]);
    const now = registryOf([contentType('essay', {}, { plural: 'essays', table: 'My-Texts' })]);
    for (const option of ['my-notes=essays', 'my-notes=My-Texts', 'note=essay'])
      expect(resolveRenames(parseRenames([], [option]), layoutOf(former), now).tables).toEqual([
        { from: 'my-notes', to: 'My-Texts' },
      ]);
  });

  it('is the one that is new, where another that stays has the name too', () => {
    const page = contentType('page', {}, { plural: 'pages', table: 'sheets' });
    const former = registryOf([page, contentType('old', {}, { table: 'olds' })]);
    const now = registryOf([page, contentType('leaf', {}, { plural: 'leaves', table: 'pages' })]);
    const { tables } = resolveRenames(parseRenames([], ['old=pages']), layoutOf(former), now);
    expect(tables).toEqual([{ from: 'olds', to: 'pages' }]);
  });

  it('is refused in another form', () => {
    expect(() => parseRenames([], ['article'])).toThrow('--rename-type article: expected oldType=newType');
  });

  it('is the one that is gone, where another has the name too', () => {
    const former = registryOf([
      contentType('page', { title: STRING }, { plural: 'sheets', table: 'sheets' }),
      contentType('leaf', { title: STRING }, { plural: 'leaves', table: 'page' }),
    ]);
    const now = registryOf([
      contentType('page', { title: STRING }, { plural: 'sheets', table: 'sheets' }),
      contentType('leaf', { title: STRING }, { plural: 'leaves', table: 'leaves' }),
    ]);
    const { tables } = resolveRenames(parseRenames([], ['api::leaf.leaf=leaf']), layoutOf(former), now);
    expect(tables).toEqual([{ from: 'page', to: 'leaves' }]);
  });
});

describe('the owner of a renamed attribute', () => {
  it.each([
    'essay.title=headline',
    'essays.title=headline',
    'api::essay.essay.title=headline',
    'essay.title=essay.headline',
  ])('may be named %s', (option) => {
    const rename = { type: 'api::essay.essay', from: 'title', to: 'headline' };
    expect(resolved([option], ['blog-post=essay']).attributes).toEqual([rename]);
  });

  it.each(['blog-post.title=headline', 'blog_posts.title=headline', 'api::blog-post.blog-post.title=headline'])(
    'may be named as before its own rename: %s',
    (option) => {
      const { attributes } = resolved([option], ['blog-post=essay']);
      expect(attributes).toEqual([{ type: 'api::essay.essay', from: 'title', to: 'headline' }]);
    },
  );

  it('may be named as before where it keeps its table', () => {
    const kept = registryOf([contentType('essay', { headline: STRING }, { table: 'blog_posts' })]);
    const { attributes } = resolved(['blog-post.title=headline'], [], [], kept);
    expect(attributes).toEqual([{ type: 'api::essay.essay', from: 'title', to: 'headline' }]);
  });

  it('is a component by its uid, its name, or the uid that it had', () => {
    const of = (option: string, components: string[] = [], now = NOW) =>
      resolved([option], [], components, now).attributes.map(({ type }) => type);
    expect(of('shared.seo.metaTitle=title')).toEqual(['shared.seo']);
    expect(of('seo.metaTitle=title')).toEqual(['shared.seo']);
    const moved = registryOf([], [component('meta.tags', { title: STRING })]);
    expect(of('shared.seo.metaTitle=title', ['shared.seo=meta.tags'], moved)).toEqual(['meta.tags']);
    expect(of('shared.seo.metaTitle=title', ['shared=meta'], registryOf([], [component('meta.seo', {})]))).toEqual([
      'meta.seo',
    ]);
  });

  it('is refused where two have the name, or none', () => {
    const two = registryOf([], [component('shared.card', {}), component('page.card', {})]);
    expect(() => resolved(['card.a=b'], [], [], two)).toThrow(
      /card may be (shared|page)\.card or (shared|page)\.card; write the uid/,
    );
    expect(() => resolved(['esay.title=headline'])).toThrow(
      'there is no content type or component esay. Did you mean essay?',
    );
  });
});

describe('a rename that the files do not bear out is refused', () => {
  const types = [contentType('article', { title: STRING, body: STRING })];
  const card = (attributes: object) => component('shared.card', { label: STRING, ...attributes });
  const former = stateOf(registryOf(types, [component('shared.seo', { title: STRING }), card({})]));
  const now = registryOf(types, [component('meta.tags', { title: STRING }), card({ name: STRING })]);
  const migrate = async (...declared: Parameters<typeof parseRenames>) => {
    const renames = resolveRenames(parseRenames(...declared), former.layout, now);
    return diffSchemas(former, stateOf(now), { renames, defaultLocale: 'en' });
  };

  it.each([
    ['article', 'expected type.oldName=newName'],
    ['article.lead=body', 'had no stored attribute lead'],
    ['article.title=body', 'had an attribute body already'],
    ['article.title=name', 'still has an attribute title'],
    ['shared.card.label=name', 'shared.card still has an attribute label'],
  ])('of an attribute: %s', async (option, message) => {
    await expect(migrate([option], [])).rejects.toThrow(message);
  });

  it.each([
    ['shared.seo', 'expected category.oldName=category.newName'],
    ['shared.seo=meta', 'expected category.oldName=category.newName'],
    ['shared.nope=meta.tags', 'there was no component shared.nope'],
    ['shared.card=meta.tags', 'there still is a component shared.card'],
    ['shared.seo=shared.card', 'there was a component shared.card already'],
    ['shared.seo=meta.other', 'there is no component meta.other'],
  ])('of a component: %s', async (option, message) => {
    await expect(migrate([], [], [option])).rejects.toThrow(message);
  });
});
