/**
 * @module What source maps name: the field of each text, and the content type or component that has it.
 */
import { vercelStegaDecode } from '@vercel/stega';
import { describe, expect, it } from 'vitest';
import { sourceMapper } from '../../../src/features/preview/source-maps.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { onePlan } from '../plan/support.ts';

const STRING = { type: 'string' };
const FILE = 'plugin::upload.file';
const registry = registryOf(
  [
    contentType(
      'page',
      {
        ...{ title: STRING, slug: { type: 'uid' }, rank: { type: 'integer' }, facts: { type: 'json' } },
        ...{ body: { type: 'blocks' }, next: relation('oneToOne', 'page'), tags: relation('manyToMany', 'tag') },
        ...{ picture: { type: 'media' }, pictures: { type: 'media', multiple: true } },
        ...{ card: { type: 'component', component: 'a.card' } },
        ...{ zone: { type: 'dynamiczone', components: ['a.card', 'a.other'] } },
        any: { type: 'relation', relation: 'morphToMany' },
      },
      { drafts: true, localized: true },
    ),
    contentType('tag', {
      name: STRING,
      pages: { type: 'relation', relation: 'morphMany', target: 'api::page.page', morphBy: 'any' },
    }),
  ],
  [
    component('a.card', { label: STRING, image: { type: 'media' }, tag: relation('oneToOne', 'tag') }),
    component('a.other', { label: STRING }),
  ],
);
const page = registry.contentTypes.get('api::page.page') as ContentType;
const tag = registry.contentTypes.get('api::tag.tag') as ContentType;

/** `type path model kind locale fieldPath` of each text with a source map; other values as they are. */
const decoded = (document: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(document), (_, value) => {
    const source = typeof value === 'string' && vercelStegaDecode<{ strapiSource: string }>(value)?.strapiSource;
    if (!source) return value;
    const { documentId, type, path, model, ...rest } = Object.fromEntries(new URLSearchParams(source));
    expect(documentId).toBe('abc');
    return [type, path, model, ...Object.values(rest)].join(' ');
  });

interface Options {
  readonly type?: ContentType;
  readonly search?: string;
  readonly exclude?: readonly string[];
}

const mapped = (document: object, { type = page, search = '', exclude = [] }: Options = {}) =>
  decoded(
    sourceMapper(onePlan(type, search, { registry }), new Set(exclude))({ documentId: 'abc', ...document } as never),
  );

const PAGE = 'api::page.page collectionType en';
const TAG = 'api::tag.tag collectionType en';
const paragraph = (text: string) => [{ type: 'paragraph', children: [{ type: 'text', text }] }];

describe('source maps', () => {
  it('name the attributes that are texts, and leave identifiers and other values', () => {
    const own = { id: 1, locale: 'en', slug: 'a', rank: 3, publishedAt: '2026-01-01T00:00:00.000Z' };
    const document = {
      ...own,
      title: 'A',
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: null,
      facts: paragraph('x'),
    };
    expect(mapped(document)).toEqual({
      ...{ ...document, documentId: 'abc' },
      ...{ title: `string title ${PAGE}`, createdAt: `datetime createdAt ${PAGE}` },
    });
  });

  it('name no locale of a document without one', () => {
    expect(mapped({ name: 'A', locale: null }, { type: tag }).name).toBe('string name api::tag.tag collectionType');
  });

  it('are in the texts of blocks, with the path once more', () => {
    expect(mapped({ locale: 'en', body: paragraph('A') })).toMatchObject({
      body: paragraph(`blocks body ${PAGE} body`),
    });
    expect(mapped({ body: paragraph('A') }, { exclude: ['blocks'] })).toMatchObject({ body: paragraph('A') });
  });

  it('name the type and the place of what relations lead to', () => {
    const document = { locale: 'en', next: { title: 'A' }, tags: [{ name: 'B' }, { name: 'C' }] };
    const search = 'populate[next]=true&populate[tags]=true';
    const expected = {
      next: { title: `string next.title ${PAGE}` },
      tags: [{ name: `string tags.0.name ${TAG}` }, { name: `string tags.1.name ${TAG}` }],
    };
    expect(mapped(document, { search })).toMatchObject(expected);
    expect(mapped(document, { search, exclude: ['media'] })).toMatchObject(expected);
    expect(mapped({ next: null }, { search })).toMatchObject({ next: null });
  });

  it('name other locales', () => {
    const document = { locale: 'en', localizations: [{ locale: 'fr', title: 'A' }] };
    expect(mapped(document, { search: 'populate=localizations' })).toMatchObject({
      localizations: [{ locale: 'fr', title: `string localizations.0.title ${PAGE}` }],
    });
  });

  it('name the field of a file, which several files of a field share', () => {
    const document = { locale: 'en', picture: { name: 'A', url: '/a' }, pictures: [{ name: 'B' }, { name: 'C' }] };
    const search = 'populate[picture]=true&populate[pictures]=true';
    const at = (path: string) => `string ${path} ${FILE} collectionType en`;
    expect(mapped(document, { search })).toMatchObject({
      picture: { name: at('picture.name') },
      pictures: [{ name: at('pictures.name') }, { name: at('pictures.name') }],
    });
    expect(mapped(document, { search, exclude: ['media'] })).toMatchObject(document);
  });

  it('name the documents that use a file', () => {
    const related = [
      { __type: 'api::page.page', title: 'A' },
      { __type: 'api::gone.gone', title: 'B' },
    ];
    const search = 'populate[picture][populate]=related';
    expect(mapped({ locale: 'en', picture: { name: 'C', related } }, { search }).picture).toMatchObject({
      related: [{ title: `string picture.related.0.title ${PAGE}` }, { title: 'B' }],
    });
  });

  it('name components, which have no kind, and what these lead to', () => {
    const card = { label: 'A', image: { name: 'B' }, tag: { name: 'C' } };
    const zone = [
      { __component: 'a.card', ...card },
      { __component: 'a.other', label: 'D' },
      { __component: 'a.gone', label: 'E' },
    ];
    const search = 'populate[card][populate]=*&populate[zone][on][a.card][populate]=*&populate[zone][on][a.other]=true';
    const at = (path: string) => ({
      label: `string ${path}.label a.card en`,
      image: { name: `string ${path}.image.name ${FILE} collectionType en` },
      tag: { name: `string ${path}.tag.name ${TAG}` },
    });
    expect(mapped({ locale: 'en', card, zone }, { search })).toMatchObject({
      card: at('card'),
      zone: [at('zone.0'), { label: 'string zone.1.label a.other en' }, { label: 'E' }],
    });
    const plain = mapped({ card }, { search, exclude: ['media'] }).card as Record<string, unknown>;
    expect(plain.image).toEqual(card.image);
  });

  it('name each type of a polymorphic relation, but none on its other side', () => {
    const any = [
      { __type: 'api::tag.tag', name: 'A' },
      { __type: 'api::page.page', title: 'B' },
    ];
    expect(mapped({ locale: 'en', any }, { search: 'populate=any' })).toMatchObject({
      any: [{ name: `string any.0.name ${TAG}` }, { title: `string any.1.title ${PAGE}` }],
    });
    const pages = [{ title: 'A' }];
    expect(mapped({ pages }, { type: tag, search: 'populate=pages' })).toMatchObject({ pages });
  });
});

describe('the bytes of a response with source maps', () => {
  const plan = onePlan(tag, '', { registry });
  /** Keys and texts of one document, and its source map. */
  const BYTES = 'documentIdabcnameA'.length + 3 * invisibleLength();

  function invisibleLength(): number {
    const { name } = sourceMapper(plan, new Set())({ documentId: 'abc', name: 'A' } as never);
    return String(name).length - 1;
  }

  it.each([
    [0, true],
    [1, false],
  ])('may be all that two documents have; with %i less: %s', (less, fits) => {
    const limited = { ...plan, ceiling: { ...plan.ceiling, bytes: 2 * BYTES - less } };
    const map = sourceMapper(limited, new Set());
    map({ documentId: 'abc', name: 'A' } as never);
    const second = () => map({ documentId: 'abc', name: 'A' } as never);
    if (fits) expect(second()).toHaveProperty('name');
    else expect(second).toThrow('too many bytes');
  });
});
