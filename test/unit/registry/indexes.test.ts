import { describe, expect, it } from 'vitest';
import { buildRegistry, type SchemaFiles } from '../../../src/schema/build.ts';
import type { SchemaError } from '../../../src/schema/schema-error.ts';
import { CHECKED } from '../../../src/schema/schema-json.ts';
import { contentType } from '../../support/schema-files.ts';

const UID = 'api::article.article';
const STRING = { type: 'string' };
const CONTENT_TYPES = [
  contentType(
    'article',
    {
      title: STRING,
      body: { type: 'richtext' },
      data: { type: 'json' },
      notes: { ...STRING, private: true },
      silent: { ...STRING, searchable: false },
      secret: { type: 'password' },
      rating: { type: 'decimal' },
      spilled: STRING,
      seo: { type: 'component', component: 'shared.seo' },
      author: { type: 'relation', relation: 'manyToOne', target: UID },
      cover: { type: 'media' },
    },
    { drafts: true, localized: true },
  ),
  contentType('home', { title: STRING }, { single: true }),
];
const COMPONENTS = [{ path: 'content-types/components/shared/seo.json', json: { attributes: { title: STRING } } }];

const registryWith = (declared: Pick<SchemaFiles, 'indexes' | 'search'>) =>
  buildRegistry(
    { contentTypes: CONTENT_TYPES, components: COMPONENTS, overflow: { [UID]: ['spilled'] }, ...declared },
    CHECKED,
  );

function complaintsOf(declared: Pick<SchemaFiles, 'indexes' | 'search'>): readonly string[] {
  try {
    registryWith(declared);
  } catch (error) {
    return (error as SchemaError).problems.map(({ file, key, expected }) => `${file}: ${key}: ${expected}`);
  }
  return [];
}

const AT = `edgewise.config.ts: indexes.${UID}.0`;

describe('a declared index', () => {
  it.each([
    [['nope'], 'an attribute that exists; "nope" does not'],
    [['author'], 'an attribute with values of its own; "author" is a relation'],
    [['seo'], 'an attribute with values of its own; "seo" is a component'],
    [['cover'], 'an attribute with values of its own; "cover" is a media'],
    [['notes'], 'an attribute that lists may be sorted by; "notes" is private'],
    [['secret'], 'an attribute that lists may be sorted by; "secret" is private'],
    [['body'], 'short values; "body" is a richtext, which may be of any length'],
    [['data'], 'short values; "data" is a json, which may be of any length'],
    [['spilled'], 'an attribute with a column of its own; "spilled" came after the first 90'],
    [['locale'], 'other attributes; every index begins with the locale'],
    [['title:down'], '"name", "name:asc" or "name:desc"; not "title:down"'],
    [['title', 'title:desc'], 'each attribute once; "title" comes twice'],
    [[], '1 to 8 attributes'],
    [Array.from({ length: 9 }, (_, n) => `a${n}`), '1 to 8 attributes'],
    [['createdAt:desc'], 'another index; "createdAt:desc" is there already'],
  ])('over %j is refused, by file and key', (terms, expected) => {
    expect(complaintsOf({ indexes: { [UID]: [terms] } })).toContain(`${AT}: ${expected}`);
  });

  it.each(['api::nope.nope', 'api::home.home', 'plugin::upload.file'])(
    'of %s is refused, and a search index too',
    (uid) => {
      const expected = `a collection type of content-types/; "${uid}" is not one`;
      expect(complaintsOf({ indexes: { [uid]: [['title']] } })).toContain(
        `edgewise.config.ts: indexes.${uid}: ${expected}`,
      );
      expect(complaintsOf({ search: [uid] })).toContain(`edgewise.config.ts: search: ${expected}`);
    },
  );

  it.each(['nope', 'author', 'data', 'notes', 'silent', 'locale'])('of a search may not weigh %s', (name) => {
    const problem = `edgewise.config.ts: search.${UID}.${name}: one of title, `;
    expect(complaintsOf({ search: { [UID]: { title: 4, [name]: 1 } } }).join()).toContain(problem);
    expect(complaintsOf({ search: { 'api::home.home': { title: 1 } } }).join()).toContain(
      '"api::home.home" is not one',
    );
  });

  it('may have eight attributes, and may differ from one that is there by its direction', () => {
    const eight = ['title', 'silent', 'rating', 'id', 'documentId', 'createdAt', 'updatedAt', 'publishedAt'];
    expect(complaintsOf({ indexes: { [UID]: [eight] } }).join()).not.toContain('1 to 8 attributes');
    expect(complaintsOf({ indexes: { [UID]: [['createdAt']] } })).toEqual([]);
  });

  it('of a search has the weights of the settings, if they have any', () => {
    const weighed = registryWith({ search: { [UID]: { title: 4, rating: 1 } } }).contentTypes.get(UID);
    expect([...(weighed?.weights ?? [])]).toEqual([
      ['title', 4],
      ['rating', 1],
    ]);
    expect(registryWith({ search: [UID] }).contentTypes.get(UID)).not.toHaveProperty('weights');
  });

  it('is refused together with what else is wrong, under the names of both places', () => {
    const files = { contentTypes: [contentType('thing', { id: STRING })], components: [], search: ['api::nope.nope'] };
    expect(() => buildRegistry(files, CHECKED)).toThrow('problems in content-types/ and edgewise.config.ts:');
  });

  it('stands behind those that every collection type has', () => {
    const { contentTypes } = registryWith({ indexes: { [UID]: [['rating:desc', 'title:ASC']] }, search: [UID] });
    const type = contentTypes.get(UID);
    const told = type?.indexes.map((terms) => terms.map(({ column, descending }) => [column, descending]));
    expect(told).toEqual([
      [['created_at', true]],
      [['published_at', true]],
      [
        ['rating', true],
        ['title', false],
      ],
    ]);
    expect(type?.searchable).toBe(true);
    expect(contentTypes.get('api::home.home')?.indexes).toEqual([]);
  });
});
