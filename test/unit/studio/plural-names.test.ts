import { expect, it } from 'vitest';
import { type Description, readModel } from '../../../studio/model/model.ts';

const pluralOf = (displayName: string, singularName: string, pluralName: string, kind = 'collectionType') => {
  const schema = { displayName, singularName, pluralName, kind, draftAndPublish: false, attributes: {} };
  const description = { paths: {}, components: {}, 'x-content-types': [{ uid: 'type', actions: [], schema }] };
  return readModel(description as unknown as Description, { isReadOnly: false, checksLinks: true }).types.get('type')
    ?.plural;
};

it.each([
  ['Event', 'event', 'events', 'Events'],
  ['Blog post', 'blog-post', 'blog-posts', 'Blog posts'],
  ['FAQ', 'faq', 'faqs', 'FAQs'],
  ['Category', 'category', 'categories', 'Categories'],
  ['Person', 'person', 'people', 'People'],
  ['News', 'news-item', 'news-items', 'News'],
  ['Rezept', 'recipe', 'recipes', 'Rezept'],
])('calls the documents of %s (%s, %s) %s', (name, singular, plural, shown) => {
  expect(pluralOf(name, singular, plural)).toBe(shown);
});

it('keeps the name of a single type', () => {
  expect(pluralOf('Homepage', 'homepage', 'homepages', 'singleType')).toBe('Homepage');
});
