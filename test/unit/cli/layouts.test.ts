/**
 * @module Where a layout says that attributes are stored, and which attributes of a type have no column.
 */
import { describe, expect, it } from 'vitest';
import {
  attributeNames,
  EMPTY_LAYOUT,
  type Layout,
  layoutOf,
  overflowOf,
  type Place,
} from '../../../cli/migrations/layout.ts';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { type Attributes, component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const STRING = { type: 'string' };
const own = { pluginOptions: { i18n: { localized: true } } };
const CARD = { type: 'component', component: 'kit.card' };
const PARTS = [component('kit.card', { label: STRING }), component('kit.a', {})];
const UID = 'api::article.article';

const ATTRIBUTES: Attributes = {
  title: { ...STRING, ...own },
  size: { type: 'integer' },
  card: CARD,
  cards: { ...CARD, repeatable: true, ...own },
  zone: { type: 'dynamiczone', components: ['kit.card', 'kit.a'] },
  cover: { type: 'media' },
  any: { type: 'relation', relation: 'morphToMany' },
  tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
  tag: relation('manyToOne', 'tag'),
  alone: relation('oneToOne', 'tag'),
  held: relation('oneToOne', 'tag', { inversedBy: 'holder' }),
  parent: relation('manyToOne', 'article', { inversedBy: 'children' }),
  children: relation('oneToMany', 'article', { mappedBy: 'parent' }),
};
const TAG = contentType('tag', {
  articles: relation('manyToMany', 'article', { mappedBy: 'tags' }),
  holder: relation('oneToOne', 'article', { mappedBy: 'held' }),
});
const LAYOUT = layoutOf(registryOf([contentType('article', ATTRIBUTES, { localized: true }), TAG], PARTS));

const scalar = (type: 'string' | 'integer', column: string) =>
  ({ kind: 'scalar', type, column, overflow: false }) as const;
const links = (name: string, more: object = {}, target = 'api::tag.tag') => ({
  ...{ kind: 'links', table: `articles_${name}_lnk`, target, multiple: false },
  ...more,
});

describe('a layout', () => {
  const PLACES: Readonly<Record<string, object>> = {
    title: { ...scalar('string', 'title'), localized: true },
    size: scalar('integer', 'size'),
    card: { kind: 'component', component: 'kit.card', repeatable: false, column: 'card' },
    cards: { kind: 'component', component: 'kit.card', repeatable: true, column: 'cards', localized: true },
    zone: { kind: 'dynamiczone', components: ['kit.a', 'kit.card'], column: 'zone' },
    cover: links('cover', {}, 'plugin::upload.file'),
    tags: links('tags', { multiple: true, exclusive: false, inverse: 'articles' }),
    tag: links('tag', { exclusive: false }),
    alone: links('alone', { exclusive: false }),
    held: links('held', { exclusive: true, inverse: 'holder' }),
    parent: links('parent', { exclusive: false, inverse: 'children' }, UID),
  };

  it.each(Object.entries(PLACES))('has %s in its place', (name, place) => {
    expect(LAYOUT.types[UID]?.attributes[name]).toMatchObject(place);
    const { localized }: { readonly localized?: true } = place as Place;
    const found = LAYOUT.types[UID]?.attributes[name];
    expect(found && Object.keys(found).includes('inverse')).toBe('inverse' in place);
    expect(name === 'title' || name === 'cards' ? found?.localized : localized).toBe(localized);
  });

  it('has no place for the attributes of every type, and for what the other side holds', () => {
    expect(Object.keys(LAYOUT.types[UID]?.attributes ?? {}).sort()).toEqual([...Object.keys(PLACES), 'any'].sort());
    expect(LAYOUT.types['api::tag.tag']?.attributes).toEqual({});
    expect(LAYOUT.types[UID]?.attributes.any).toMatchObject({ kind: 'links', target: '*', multiple: true });
    expect(LAYOUT.components['kit.card']).toEqual({ label: scalar('string', 'label') });
  });

  it('has the names of all attributes of a type or a component, with the other sides of its relations alone', () => {
    expect(attributeNames(LAYOUT, 'api::tag.tag')).toEqual(new Set(['articles', 'holder']));
    expect(attributeNames(LAYOUT, UID)).toEqual(new Set(Object.keys(ATTRIBUTES)));
    expect(attributeNames(LAYOUT, 'kit.card')).toEqual(new Set(['label']));
    expect(attributeNames(LAYOUT, 'kit.none')).toBeUndefined();
  });
});

describe('the texts of a search index', () => {
  const registry = (search: readonly string[]) => {
    const types = [contentType('article', { title: STRING, late: STRING, size: { type: 'integer' } })];
    return registryOf(types, [], { [UID]: ['late', 'size'] }, { search });
  };

  it('are the id and the values, of attributes without a column as well', () => {
    const overflow = (name: string) => `@."overflow_attributes" ->> '$."${name}"'`;
    expect(layoutOf(registry([UID])).types[UID]?.search).toEqual([
      ...['@."document_id"', `(${overflow('late')})`, '@."title"', `cast((${overflow('size')}) as numeric)`],
    ]);
    expect(layoutOf(registry([])).types[UID]).not.toHaveProperty('search');
  });
});

describe('the attributes without a column', () => {
  const named = (count: number, attribute: Attributes[string], prefix: string): Attributes =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, attribute]));
  const texts = (count: number) => named(count, STRING, 't');
  const cards = (count: number) => named(count, CARD, 'c');
  const registry = (attributes: Attributes, overflow = {}) =>
    registryOf([contentType('article', attributes)], PARTS, overflow);
  const without = (attributes: Attributes, previous: Layout = EMPTY_LAYOUT) =>
    overflowOf(registry(attributes), previous);
  const MAX = MAX_ATTRIBUTE_COLUMNS;
  const LAST = `t${MAX - 1}`;

  it.each<readonly [what: string, attributes: Attributes, names: readonly string[]]>([
    ['none of as many as there are columns', texts(MAX), []],
    ['the last of one more', texts(MAX + 1), [`t${MAX}`]],
    ['the last beside a component', { ...texts(MAX), ...cards(1) }, [LAST]],
    ['all beside as many components', { ...cards(MAX), ...texts(2) }, ['t0', 't1']],
    ['none beside a relation', { ...texts(MAX), tag: relation('manyToOne', 'article') }, []],
  ])('are %s', (_, attributes, names) => {
    expect(without(attributes)).toEqual(names.length > 0 ? { [UID]: names } : {});
  });

  it('are the new ones where all columns are taken, and stay without one when columns are free again', () => {
    const before = layoutOf(registry({ ...texts(MAX), late: STRING }, { [UID]: ['late'] }));
    expect(without({ first: STRING, late: STRING, ...texts(MAX) }, before)).toEqual({ [UID]: ['first', 'late'] });
    expect(without({ late: STRING, fresh: STRING, ...texts(MAX - 1) }, before)).toEqual({ [UID]: ['late'] });
  });

  it('are an error where there are more components than columns', () => {
    expect(without(cards(MAX))).toEqual({});
    expect(() => without(cards(MAX + 1))).toThrow(
      `${UID}: attributes: at most ${MAX} components and dynamic zones; there are ${MAX + 1}`,
    );
  });
});
