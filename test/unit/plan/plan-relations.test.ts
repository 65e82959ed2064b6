/**
 * @module The links that a relation of a body leads to, and the targets that must exist.
 */
import { describe, expect, it } from 'vitest';
import type { Link, TargetRow } from '../../../src/content/plan/model/links.ts';
import {
  allRelationInputs,
  planLinks,
  type RelationContext,
  rejectMissing,
  relationData,
  relationInputs,
  relationIssues,
  targetLookups,
} from '../../../src/content/plan/relations/plan-relations.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { refusal } from './support.ts';

const TAGS = relation('manyToMany', 'tag');
const ATTRIBUTES = {
  title: { type: 'string' },
  tag: relation('manyToOne', 'tag'),
  tags: TAGS,
  places: relation('manyToMany', 'place'),
  any: { type: 'relation', relation: 'morphToMany' },
  cover: { type: 'media', multiple: false },
  covers: { type: 'media', multiple: true },
  part: { type: 'component', component: 'parts.part' },
  parts: { type: 'component', component: 'parts.part', repeatable: true },
  zone: { type: 'dynamiczone', components: ['parts.part'] },
};
const registry = registryOf(
  [
    contentType('note', ATTRIBUTES),
    contentType('page', ATTRIBUTES, { localized: true }),
    contentType('tag', { title: { type: 'string' } }),
    contentType('place', { title: { type: 'string' } }, { localized: true }),
  ],
  [
    component('parts.part', { tags: TAGS, inner: { type: 'component', component: 'parts.inner' } }),
    component('parts.inner', { tag: relation('oneToOne', 'tag') }),
  ],
);
const typeOf = (name: string) => registry.contentTypes.get(`api::${name}.${name}`) as ContentType;
const note = typeOf('note');

const row = (documentId: string, id: number, locale = ''): TargetRow => ({ id, documentId, locale, published: true });
const targets = new Map([
  ['api::tag.tag', [row('a', 1), row('b', 2), row('c', 3), row('new', Number.NaN)]],
  ['api::place.place', [row('p', 11, 'en'), row('p', 12, 'fr'), row('q', 13, 'en')]],
  ['plugin::upload.file', [row('f', 21), row('g', 22)]],
]);
const contextOf = (type: ContentType): RelationContext => ({
  ...{ type, registry, targets, locale: type.localized ? 'fr' : '', defaultLocale: 'en', emptySetClears: false },
});

/** `p@fr` is a link that stores a locale, `a:api::tag.tag` one of a polymorphic relation. */
const printed = (links: readonly Link[]): string =>
  links
    .map(({ documentId, locale, type }) => `${documentId}${locale && `@${locale}`}${type ? `:${type}` : ''}`)
    .join(' ');

/** @param stored documentIds of the current links, absent for a new document */
function planned(name: string, value: unknown, stored?: string, type = note) {
  const [input] = relationInputs({ [name]: value }, type.attributes, false);
  if (!input) throw new Error('nothing is changed');
  const present = stored?.split(' ').map((documentId) => ({ documentId, locale: '' }));
  return planLinks(input, present, contextOf(type));
}
const linksOf = (...of: Parameters<typeof planned>): string => printed(planned(...of).links);

describe('the links of a relation', () => {
  it.each<readonly [string, unknown, string | undefined, string]>([
    ['tags', ['a', 'b', 'a'], 'c', 'a b'],
    ['tags', [1, 99, 'b'], undefined, 'a b'],
    ['tags', { connect: ['b'] }, 'a', 'a b'],
    ['tags', { connect: ['b', 99] }, undefined, 'b'],
    ['tags', { disconnect: ['b'] }, 'a b c', 'a c'],
    ['tags', { disconnect: ['a'], connect: ['a'] }, 'a b', 'b a'],
    ['tags', { disconnect: ['a'], connect: [{ documentId: 'c', position: { after: 'a' } }] }, 'a b', 'c b'],
    ['tags', { connect: [{ documentId: 'c', position: { before: 'b' } }] }, 'a b', 'a c b'],
    ['tags', { connect: [{ documentId: 'c', position: { start: true } }] }, 'a b', 'c a b'],
    ['tag', { connect: ['b'] }, 'a', 'b'],
    ['tag', { connect: ['b'] }, undefined, 'b'],
    ['tag', { connect: [{ documentId: 'b', position: { after: 'c' } }] }, 'a', 'b'],
    ['tag', { disconnect: ['b'] }, 'a', 'a'],
    ['tag', { disconnect: ['a'] }, 'a', ''],
    ['cover', { connect: ['g'] }, 'f', 'f g'],
    ['cover', { connect: ['f'] }, 'f', 'f'],
    ['cover', { disconnect: ['f'], connect: ['g'] }, 'f', 'g'],
    ['covers', { connect: [{ documentId: 'g', position: { start: true } }] }, 'f', 'g f'],
    ['any', [{ __type: 'api::tag.tag', documentId: 'a' }, { documentId: 'a' }], undefined, 'a:api::tag.tag'],
  ])('%s with %j, where there were %s, are: %s', (name, value, stored, expected) => {
    expect(linksOf(name, value, stored)).toBe(expected);
  });

  it.each<readonly [string, unknown, string]>([
    ['note', ['p'], 'p@en'],
    ['note', [{ documentId: 'p', locale: 'fr' }], 'p@fr'],
    ['note', [11, 12], 'p@en p@fr'],
    ['note', [{ id: 12, locale: 'en' }], 'p@en'],
    ['page', ['p'], 'p'],
    ['page', [11], 'p'],
    ['page', [{ documentId: 'p', locale: 'en' }], 'p'],
  ])('of a %s to %j have the locale of the target: %s', (name, value, expected) => {
    expect(linksOf('places', value, undefined, typeOf(name))).toBe(expected);
  });

  it.each<readonly [string, string, unknown, string, string]>([
    ['note', 'tags', ['x'], 'x', 'null'],
    ['page', 'tags', ['x'], 'x', 'null'],
    ['note', 'places', ['x'], 'x', 'en'],
    ['note', 'places', [{ documentId: 'q', locale: 'fr' }], 'q', 'fr'],
    ['note', 'places', [{ id: 13, locale: 'fr' }], 'q', 'fr'],
    ['page', 'places', ['q'], 'q', 'fr'],
    ['page', 'places', [13], 'q', 'fr'],
  ])('of a %s in %s are rejected with %j: %s in %s', (name, attribute, value, documentId, locale) => {
    expect(() => planned(attribute, value, undefined, typeOf(name))).toThrow(
      `Document with id "${documentId}", locale "${locale}" not found`,
    );
  });
});

describe('a position beside what is not connected', () => {
  const tag = { __type: 'api::tag.tag' };

  it.each<readonly [string, string, object, object, number | string, object]>([
    ['note', 'tags', { documentId: 'a' }, { after: 'b' }, 1, { after: 2, locale: 'en' }],
    ['note', 'tags', { documentId: 'new' }, { before: 'b' }, 'new', { before: 2, locale: 'en' }],
    ['note', 'tags', { id: 1 }, { after: 2 }, 1, { after: 2 }],
    ['note', 'tags', { id: 1 }, { after: 99 }, 1, { after: 99 }],
    ['page', 'tags', { documentId: 'a' }, { after: 'b' }, 1, { after: 2 }],
    ['page', 'tags', { documentId: 'a' }, { after: 'b', locale: 'de' }, 1, { after: 2, locale: 'de' }],
    [
      'note',
      'places',
      { documentId: 'p', locale: 'fr' },
      { after: 'p', locale: 'en' },
      12,
      { after: 11, locale: 'en' },
    ],
    ['note', 'tags', { documentId: 'a', locale: 'fr' }, { after: 'b' }, 1, { after: 2 }],
    ['page', 'any', { ...tag, documentId: 'a' }, { after: 'b' }, '1:::api::tag.tag', { after: '2:::api::tag.tag' }],
    [
      ...(['page', 'any', { ...tag, documentId: 'a' }, { after: 'b', ...tag }, '1:::api::tag.tag'] as const),
      { after: '2:::api::tag.tag', ...tag },
    ],
  ])('is rejected with the ids of both: %s, %s, %j at %j', (name, attribute, target, position, id, shown) => {
    const value = { connect: [{ ...target, position }] };
    const { rejection } = planned(attribute, value, undefined, typeOf(name));
    const [anchor] = Object.values(shown);
    expect(rejection?.message).toContain(
      `connecting relation with id ${id} at position ${JSON.stringify(shown)}. The relation with id ${anchor} needs`,
    );
  });

  it('is the end of an existing list if the body is not strict', () => {
    const value = { connect: [{ documentId: 'a', position: { before: 'b' } }], options: { strict: false } };
    expect(linksOf('tags', value, 'c')).toBe('c a');
    expect(planned('tags', value, 'c')).not.toHaveProperty('rejection');
    expect(planned('tags', value).rejection).toBeDefined();
    expect(planned('tags', { ...value, options: {} }, 'c').rejection).toBeDefined();
  });
});

/** One target of each list and position, in the type and its components. */
const EVERYWHERE = {
  title: 'no relation',
  tag: { connect: ['a', 'b'] },
  tags: { connect: [{ documentId: 'c', position: { before: 'd' } }], disconnect: [7] },
  places: ['p'],
  any: [{ __type: 'api::nope.nope', documentId: 'x' }, { documentId: 'y' }],
  part: { tags: ['e'], inner: { tag: 5 } },
  parts: [{}, { tags: { connect: [{ id: 6, position: { after: 8 } }] } }],
  zone: [
    { __component: 'parts.nope', tags: ['x'] },
    { __component: 'parts.part', tags: ['g'] },
  ],
};
const inputsIn = (data: object) => allRelationInputs(data as never, note.attributes, registry);

describe('the targets of a body', () => {
  it('are found in the type, in components, lists and zones, with their paths', () => {
    expect(inputsIn(EVERYWHERE).map(({ path }) => path.join('.'))).toEqual([
      ...['tag', 'tags', 'places', 'any'],
      ...['part.tags', 'part.inner.tag', 'parts.1.tags', 'zone.1.tags'],
    ]);
  });

  it('are looked up with their anchors, once for each type, and not without a name or a type', () => {
    const lookups = targetLookups(inputsIn({ ...EVERYWHERE, covers: { connect: '' } }), registry);
    expect(
      lookups.map(({ type, documentIds, ids }) => [type.singularName, [...documentIds, ...ids].join(' ')]),
    ).toEqual([
      ['tag', 'a b c d e g 7 5 6 8'],
      ['place', 'p'],
    ]);
  });

  it.each([
    [{ title: 'a' }, {}],
    [
      { tags: undefined, places: null, title: 'a' },
      { tags: undefined, places: null },
    ],
  ])('of %j are the data of relations alone', (data, expected) => {
    expect(relationData(data, note)).toStrictEqual(expected);
  });
});

describe('missing documents', () => {
  const missing = (data: object, allIssues: boolean) =>
    refusal(() => rejectMissing(inputsIn(data), contextOf(note), allIssues));
  const place = { documentId: 'a', position: { before: 'y' } };
  const data = { tags: { connect: ['x', place] }, part: { tags: ['z'] } };
  const message = (documentId: string) => `Document with id "${documentId}", locale "null" not found`;

  it('are reported one at a time, like in Strapi', () => {
    expect(missing(data, false)).toMatchObject({ message: message('x'), details: {} });
    expect(missing({ tags: { connect: [place] } }, false)).toMatchObject({ message: message('y'), details: {} });
  });

  it('are reported all with their paths, where all issues are', () => {
    const errors = (missing(data, true).details as { errors: readonly { path: string[]; message: string }[] }).errors;
    expect(errors.map(({ path, message: each }) => [path.join('.'), each])).toEqual([
      ['tags', message('x')],
      ['tags', message('y')],
      ['part.tags', message('z')],
    ]);
  });

  it.each([true, false])('are none where all exist (all issues: %s)', (allIssues) => {
    const valid = { tags: ['a', 99], any: [{ __type: 'api::nope.nope', documentId: 'x' }] };
    expect(() => rejectMissing(inputsIn(valid), contextOf(note), allIssues)).not.toThrow();
  });
});

describe('issues of relations', () => {
  const issuesOf = (data: object, allIssues: boolean) =>
    relationIssues(data as never, 'body', contextOf(note), allIssues);
  const INVALID = 'Invalid relations';
  const UNDEFINED = 'Cannot build relations store from dynamiczone, component identifier is undefined';
  const gone = (count: number) => `${count} relation(s) of type api::tag.tag associated with this entity do not exist`;

  it.each<readonly [object, string | undefined]>([
    [{ title: 'a', zone: null }, undefined],
    [{ zone: [] }, undefined],
    [{ zone: [{ __component: 'parts.part' }] }, undefined],
    [{ zone: { __component: 'parts.part' } }, undefined],
    [{ zone: [5] }, INVALID],
    [{ zone: 5 }, UNDEFINED],
    [{ zone: {} }, UNDEFINED],
    [{ zone: [{}] }, UNDEFINED],
    [{ zone: [{ __component: 'parts.nope' }] }, INVALID],
    [{ zone: [{ __component: 5 }] }, INVALID],
    [{ zone: [{}], tags: [99] }, UNDEFINED],
    [{ tags: ['a', 1, 1] }, undefined],
    [{ tags: { connect: '' } }, INVALID],
    [{ tags: { disconnect: [{}] } }, INVALID],
    [{ tags: { disconnect: [99] } }, undefined],
    [{ tags: [1, 98, 99, 99] }, gone(2)],
    [{ tags: { connect: [99] } }, gone(1)],
    [{ tag: { connect: ['a', 99] } }, gone(1)],
    [{ part: { tags: [99] } }, gone(1)],
    [{ any: [{ __type: 'api::tag.tag', id: 99 }] }, undefined],
  ])('of %j are the first alone: %s', (data, message) => {
    expect(issuesOf(data, false)).toEqual(message === undefined ? [] : [{ path: [], message, value: 'body' }]);
  });

  it('are one for each attribute, where all issues are reported, unless a zone has no component', () => {
    const data = { tag: 98, tags: { connect: '' }, places: ['p'], part: { tags: [99] } };
    expect(issuesOf(data, true)).toEqual([
      { path: ['tag'], message: gone(1) },
      { path: ['tags'], message: INVALID },
      { path: ['part', 'tags'], message: gone(1) },
    ]);
    expect(issuesOf({ ...data, zone: [{}] }, true)).toEqual([{ path: [], message: UNDEFINED, value: 'body' }]);
  });
});
