import slugify from '@sindresorhus/slugify';
import { describe, expect, it } from 'vitest';
import {
  copiedValue,
  emptyValues,
  fromDocument,
  toBody,
  withoutPasswords,
} from '../../../studio/document/fields/form-values.ts';
import { validateValues } from '../../../studio/document/fields/validate.ts';
import type { Attribute, Attributes } from '../../../studio/model/attribute.ts';
import type { Model, Values } from '../../../studio/model/model.ts';

const link = {
  uid: 'shared.link',
  category: 'shared',
  name: 'Link',
  attributes: {
    label: { type: 'string', required: true, maxLength: 5 },
    pages: { type: 'relation', relation: 'oneToMany', target: 'api::page.page' },
  },
};
const model = { types: new Map(), components: new Map([[link.uid, link]]) } as unknown as Model;

const attributes: Attributes = {
  title: { type: 'string', required: true, minLength: 3, maxLength: 8 },
  size: { type: 'integer', min: 2, max: 9 },
  views: { type: 'biginteger' },
  extra: { type: 'json' },
  secret: { type: 'password', required: true },
  constructor: { type: 'enumeration', enum: ['a', 'b'], default: 'a' } as const,
  cover: { type: 'media' },
  gallery: { type: 'media', multiple: true },
  items: { type: 'relation', relation: 'morphToMany' },
  link: { type: 'component', component: 'shared.link' },
  links: { type: 'component', component: 'shared.link', repeatable: true, min: 2 },
  zone: { type: 'dynamiczone', components: ['shared.link'], max: 1 },
  note: { type: 'text', required: true, conditions: { visible: { '==': [{ var: 'constructor' }, 'b'] } } },
};

const page = { id: 1, documentId: 'p1', title: 'Page' };
const document = {
  title: 'Fog',
  size: 3,
  views: '9007199254740993',
  extra: { constructor: [1] },
  constructor: 'b',
  cover: { id: 7, documentId: 'f7' },
  gallery: [{ id: 8 }, { id: 7 }],
  items: [{ ...page, __type: 'api::page.page' }],
  link: { id: 5, label: 'one', pages: [page] },
  links: [{ id: 6, label: 'two', pages: [] }],
  zone: [{ __component: 'shared.link', id: 9, label: 'three', pages: [page] }],
  note: '',
};

describe('values of a form', () => {
  it('become the body that stores the document as it was', () => {
    expect(toBody(model, attributes, fromDocument(model, attributes, document))).toEqual({
      ...document,
      cover: 7,
      gallery: [8, 7],
      items: { set: [{ __type: 'api::page.page', documentId: 'p1' }] },
      link: { id: 5, label: 'one', pages: { set: ['p1'] } },
      links: [{ id: 6, label: 'two', pages: { set: [] } }],
      zone: [{ __component: 'shared.link', id: 9, label: 'three', pages: { set: ['p1'] } }],
    });
  });

  it('leave out what is the same as before, also in a component that moved', () => {
    const before = fromDocument(model, attributes, {
      ...document,
      links: [
        { id: 4, pages: [] },
        { id: 6, pages: [page] },
      ],
    });
    const values = { ...before, gallery: [{ id: 7 }, { id: 8 }], links: [{ id: 6, pages: [page] }] };
    const body = toBody(model, attributes, values, before);
    expect(body).toMatchObject({ gallery: [7, 8] });
    expect(body.link).toEqual({ id: 5 });
    expect(body.links).toEqual([{ id: 6 }]);
    expect(body).not.toHaveProperty('cover');
    expect(body).not.toHaveProperty('items');
  });

  it('connect and disconnect targets, and set them all where their order changes', () => {
    const relation: Attributes = { items: { type: 'relation', relation: 'oneToMany' } };
    const [a, b, c] = ['a', 'b', 'c'].map((documentId) => ({ documentId }));
    const items = (...list: unknown[]) => toBody(model, relation, { items: list }, { items: [a, b] }).items;
    expect(items(b, c)).toEqual({ connect: ['c'], disconnect: ['a'] });
    expect(items()).toEqual({ connect: [], disconnect: ['a', 'b'] });
    expect(items(b, a)).toEqual({ set: ['b', 'a'] });
    expect(items(c, a, b)).toEqual({ set: ['c', 'a', 'b'] });
  });

  it('store no JSON that does not parse, and null for none', () => {
    expect(toBody(model, attributes, { extra: '{bad' })).toEqual({});
    expect(toBody(model, attributes, { extra: ' ' })).toEqual({ extra: null });
  });

  it('show JSON that is null as empty, and store it as null again', () => {
    const values = fromDocument(model, attributes, { extra: null });
    expect(values).toEqual({ extra: '' });
    expect(toBody(model, attributes, values)).toEqual({ extra: null });
  });

  it('are copied as new entries, but for those that are still stored', () => {
    const list = attributes.links as Attribute;
    const values = [
      { id: 6, label: 'kept' },
      { id: 7, label: 'gone' },
    ];
    expect(copiedValue(model, list, values, [{ id: 6, label: 'now' }])).toEqual([
      { id: 6, label: 'kept' },
      { label: 'gone' },
    ]);
    expect(copiedValue(model, list, values)).toEqual([{ label: 'kept' }, { label: 'gone' }]);
    const zone = attributes.zone as Attribute;
    const stored = [{ __component: 'shared.other', id: 9 }];
    expect(copiedValue(model, zone, document.zone, stored)).toEqual([
      { __component: 'shared.link', label: 'three', pages: [page] },
    ]);
  });

  it('are kept outside of the form without passwords, those of components included', () => {
    const entry = {
      ...link,
      uid: 'shared.door',
      attributes: { label: { type: 'string' }, code: { type: 'password' } },
    };
    const doors = { types: new Map(), components: new Map([[entry.uid, entry]]) } as unknown as Model;
    const typed = { id: 1, label: 'front', code: 'typed' };
    const own: Attributes = {
      secret: { type: 'password' },
      door: { type: 'component', component: 'shared.door' },
      zone: { type: 'dynamiczone', components: ['shared.door'] },
      list: { type: 'component', component: 'shared.door', repeatable: true },
    };
    const zone = [{ __component: 'shared.door', ...typed }];
    expect(withoutPasswords(doors, own, { secret: 'typed', door: typed, zone, list: [] })).toEqual({
      door: { id: 1, label: 'front' },
      zone: [{ __component: 'shared.door', id: 1, label: 'front' }],
      list: [],
    });
  });

  it('hold the names that react-hook-form cannot', () => {
    expect(fromDocument(model, attributes, document)).toHaveProperty('$constructor', 'b');
    expect(fromDocument(model, { toString: { type: 'string' } as const }, {})).toEqual({});
  });
});

describe('validateValues', () => {
  const values = fromDocument(model, attributes, { ...document, link: null, constructor: 'a', secret: null });
  const check = (changes: object, isPublish: boolean) =>
    Object.keys(validateValues(model, attributes, { ...values, ...changes }, { isPublish }));

  it.each([
    ['title', { title: null }, false],
    ['title', { title: 'ab' }, false],
    ['title', { title: 'far too long' }, true],
    ['size', { size: 1 }, false],
    ['size', { size: 10 }, true],
    ['size', { size: 2.5 }, true],
    ['size', { size: Number.NaN }, true],
    ['views', { views: '9223372036854775808' }, true],
    ['extra', { extra: '{bad' }, true],
    ['$constructor', { $constructor: 'c' }, true],
    ['link', { link: { label: null } }, false],
    ['link', { link: { label: 'far too long' } }, true],
    [
      'zone',
      {
        zone: [
          { __component: 'shared.link', label: 'a' },
          { __component: 'shared.link', label: 'b' },
        ],
      },
      false,
    ],
    ['note', { $constructor: 'b', note: null }, false],
  ])('rejects %s of %j in a publication, in a draft: %s', (name, changes, isDraftToo) => {
    expect(check(changes, false)).toEqual(isDraftToo ? [name] : []);
    expect(check(changes, true)).toContain(name);
  });

  it('rejects an empty relation or file that a publication needs, where the server does', () => {
    const links = {
      cover: { type: 'media', required: true },
      author: { type: 'relation', relation: 'oneToOne', required: true },
      tags: { type: 'relation', relation: 'oneToMany' },
    } as unknown as Attributes;
    const empty = { cover: [], author: [], tags: [] };
    const found = (checksLinks: boolean, values: object, isPublish: boolean) =>
      Object.keys(validateValues({ ...model, checksLinks }, links, values as Values, { isPublish }));
    expect(found(true, empty, true)).toEqual(['cover', 'author']);
    expect(found(true, empty, false)).toEqual([]);
    expect(found(false, empty, true)).toEqual([]);
    expect(found(true, { ...empty, cover: [{ id: 1 }], author: undefined }, true)).toEqual([]);
  });

  it('nests errors of entries, beside that of their list', () => {
    const { links } = validateValues(
      model,
      attributes,
      { ...values, links: [{ label: 'too long' }] },
      { isPublish: true },
    );
    expect(links).toMatchObject({
      0: { label: { message: expect.stringContaining('5') } },
      root: { message: expect.any(String) },
    });
  });

  it('does not ask for what is not shown', () => {
    expect(check({ secret: undefined, $constructor: 'a', note: null, links: [] }, true)).toEqual([]);
  });
});

describe('emptyValues', () => {
  it('starts with defaults and empty lists', () => {
    expect(emptyValues(model, attributes)).toMatchObject({
      title: null,
      $constructor: 'a',
      links: [],
      link: null,
      extra: '',
    });
  });
});

describe('a slug', () => {
  it.each([
    ['Über die Stadt & ihr Fluß!', 'ueber-die-stadt-and-ihr-fluss'],
    ["It's Élan, fooBar  XMLHttp", 'its-elan-foo-bar-xml-http'],
    ['—', ''],
  ])('of %j is %j', (text, slug) => {
    expect(slugify(text)).toBe(slug);
  });
});
