import { describe, expect, it } from 'vitest';
import { arranged } from '../../../studio/document/fields/layout.ts';
import type { Attributes } from '../../../studio/model/attribute.ts';
import { type Description, readModel, titleOf } from '../../../studio/model/model.ts';

const attributes: Attributes = {
  title: { type: 'string' },
  text: { type: 'richtext' },
  gallery: { type: 'media', multiple: true },
  cover: { type: 'media' },
  featured: { type: 'boolean' },
};

describe('the layout of a form', () => {
  it('makes long values as wide as the form and short ones half as wide, without a layout', () => {
    expect(arranged(attributes)).toEqual([
      ['title', 'span 6'],
      ['text', 'span 12'],
      ['gallery', 'span 12'],
      ['cover', 'span 6'],
      ['featured', 'span 6'],
    ]);
  });

  it('has the rows of the schema file first, without what is not in the form', () => {
    const row = (...names: readonly string[]) => names.map((name) => ({ name, size: 4 }));
    expect(arranged(attributes, [row('constructor'), row('gone', 'cover', 'title'), row('featured')])).toEqual([
      ['cover', '1 / span 4'],
      ['title', 'span 4'],
      ['featured', '1 / span 4'],
      ['text', 'span 12'],
      ['gallery', 'span 12'],
    ]);
  });
});

describe('the title of a document', () => {
  it.each([
    ['isbn', 'the main field', 'isbn', '12'],
    ['extra', 'the first text, if the main field is no text', 'extra', 'Fog'],
    ['gone', 'the first text, if the main field is not shown', 'gone', 'Fog'],
  ])('is, with %s, %s', (_, __, mainField, title) => {
    const schema = {
      ...{ displayName: 'Book', singularName: 'book', pluralName: 'books', kind: 'collectionType' as const },
      ...{ draftAndPublish: false, config: { settings: { mainField } } },
      attributes: { name: { type: 'string' }, isbn: { type: 'uid' }, extra: { type: 'json' } },
    };
    const types = [{ uid: 'api::book.book', actions: [], schema }];
    const model = readModel({ paths: {}, components: {}, 'x-content-types': types } as Description, {
      isReadOnly: false,
      checksLinks: true,
    });
    expect(titleOf(model.types.get('api::book.book'), { name: 'Fog', isbn: '12', extra: 'x' })).toBe(title);
  });
});
