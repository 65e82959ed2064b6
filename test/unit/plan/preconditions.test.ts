/**
 * @module What is read before a write is planned: which rows, links and targets, and which of them the caller must see.
 */
import { describe, expect, it } from 'vitest';
import { linkEndOf } from '../../../src/content/plan/model/link-tables.ts';
import type { LinkEnd } from '../../../src/content/plan/model/links.ts';
import type { Condition } from '../../../src/content/plan/model/read-plan.ts';
import type { WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import {
  inheritsLink,
  innerLookups,
  isHiddenTarget,
  keepsPublished,
} from '../../../src/content/plan/relations/inner-targets.ts';
import { type LinkLookup, planPreconditions } from '../../../src/content/plan/write/preconditions.ts';
import { discardOp, publishedEnds } from '../../../src/content/plan/write/publication-ops.ts';
import type { ContentType, LinkAttribute } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { currentOf, requestOf, target, typeNamed } from './write-support.ts';

const CREATE = { operation: 'create' } as const;
const DRAFT = { status: 'draft' } as const;
const LIMIT = { kind: 'search', text: 'x' } as unknown as Condition;
/** A caller who may find some documents of these types alone. */
const limited = (...names: readonly string[]): Partial<WriteRequest> => ({
  visible: ({ singularName }) => (names.includes(singularName) ? LIMIT : undefined),
});

const ITEMS = { items: { type: 'relation', relation: 'morphToMany' } };
const more = registryOf([
  contentType('menu', ITEMS),
  contentType('list', ITEMS, { drafts: true }),
  contentType('topic', {}, { drafts: true }),
  contentType('album', { songs: relation('oneToMany', 'song', { mappedBy: 'album' }) }),
  contentType('song', { album: relation('manyToOne', 'album', { inversedBy: 'songs' }) }),
]);
const moreOf = (name: string): Partial<WriteRequest> => ({
  registry: more,
  type: more.contentTypes.get(`api::${name}.${name}`) as ContentType,
});

function printLookup({ attribute, status, named, visible, onlyHidden }: LinkLookup): string {
  const names = named?.flatMap(({ documentIds, ids }) => [...documentIds, ...ids]).join();
  return [
    attribute.name,
    status,
    ...(names === undefined ? [] : [`only=${names}`]),
    ...(visible ? ['limited'] : []),
    ...(onlyHidden ? ['hidden'] : []),
  ].join(' ');
}

describe('the links that are read for a write', () => {
  const t100 = Array.from({ length: 100 }, (_, index) => ({ __type: 'api::topic.topic', documentId: `t${index}` }));
  const t101 = [...t100, { __type: 'api::topic.topic', documentId: 't' }];

  it.each<readonly [string, object, Partial<WriteRequest>, readonly string[]]>([
    ['note', {}, {}, []],
    ['note', { tags: { connect: ['a'] } }, CREATE, []],
    ['note', { tags: { connect: ['a'], disconnect: [5] } }, {}, ['tags published only=a,5']],
    ['note', { topics: { connect: ['t'] } }, {}, ['topics draft only=t', 'topics published only=t']],
    ['story', { topics: { connect: ['t'] } }, {}, ['topics draft only=t']],
    ['note', { tags: { connect: '' } }, {}, ['tags published']],
    ['note', { tags: { connect: '' } }, limited('tag'), ['tags published limited']],
    ['note', { tags: { connect: ['a'] } }, limited('tag'), ['tags published only=a']],
    ['note', { tag: { disconnect: ['a'] } }, {}, ['tag published']],
    ['note', { tag: { disconnect: ['a'] } }, limited('tag'), ['tag published limited']],
    ['note', { tags: ['a'] }, {}, []],
    ['note', { tags: ['a'] }, limited('topic'), []],
    ['note', { tags: ['a'] }, limited('tag'), ['tags published limited hidden']],
    ['note', { tag: 'a' }, limited('tag'), []],
    ['bound', { owners: { connect: ['a'] } }, {}, ['owners published']],
    ['issue', {}, {}, ['owner draft', 'topics draft', 'tags draft', 'special draft']],
    ['issue', {}, DRAFT, []],
    ['issue', {}, { strictRelations: false }, []],
    ['issue', { tags: { connect: ['a'] } }, {}, ['tags draft', 'owner draft', 'topics draft', 'special draft']],
    [
      'issue',
      { topics: ['t'] },
      limited('topic'),
      ['owner draft limited', 'topics draft limited', 'tags draft', 'special draft'],
    ],
    ['bound', {}, {}, []],
    ['place', {}, {}, ['cover published']],
    ['place', {}, CREATE, []],
    ['place', { cover: { connect: 'f' } }, {}, ['cover published']],
    ['place', { tags: ['a'] }, limited('tag'), ['tags published limited hidden', 'cover published']],
    ['', { items: { connect: t100.slice(0, 1) } }, moreOf('menu'), ['items draft', 'items published']],
    ['', { items: { connect: t100.slice(0, 1) } }, moreOf('list'), ['items draft only=t0']],
    [
      '',
      { items: { connect: t100 } },
      moreOf('list'),
      [`items draft only=${t100.map(({ documentId }) => documentId).join()}`],
    ],
    ['', { items: { connect: t101 } }, moreOf('list'), ['items draft']],
    ['', { items: { connect: t100, disconnect: t101.slice(-1) } }, moreOf('list'), ['items draft']],
    ['', { songs: ['a'] }, { ...moreOf('album'), ...limited('song') }, ['songs published limited hidden']],
    ['', { songs: ['a'] }, { ...moreOf('album'), ...limited('album') }, []],
    ['', { album: { disconnect: 'a' } }, { ...moreOf('song'), ...limited('album') }, ['album published limited']],
    ['', { album: { disconnect: 'a' } }, { ...moreOf('song'), ...limited('song') }, ['album published']],
  ])('"%s" with %j and %j are: %j', (name, data, options, expected) => {
    const request = requestOf(name || 'note', data, options);
    expect(planPreconditions(request).links.map(printLookup)).toEqual(expected);
  });

  it('are those of the document, and of non-localized files of all its versions', () => {
    const row = {
      type: typeNamed('place'),
      document: { kind: 'named', documentId: 'd' },
      locale: 'fr',
      status: 'published',
    };
    const { links, sharedLinks } = planPreconditions(requestOf('place', {}, limited('file')));
    expect(links).toEqual([
      expect.objectContaining({ row, owner: true, tables: [expect.anything()], visible: [LIMIT] }),
    ]);
    expect(sharedLinks.map(printLookup)).toEqual(['cover published limited']);
    expect(sharedLinks[0]?.row).toEqual({ ...row, locale: undefined });
    expect(planPreconditions(requestOf('place', {}, CREATE)).sharedLinks).toEqual([]);
  });
});

describe('the preconditions of a write', () => {
  it.each<readonly [string, Partial<WriteRequest>, string]>([
    ['note', CREATE, 'none'],
    ['note', {}, 'row'],
    ['story', {}, 'row'],
    ['home', {}, 'document'],
    ['place', {}, 'document'],
  ])('of a %s with %j read as versions: %s', (name, options, versions) => {
    const preconditions = planPreconditions(requestOf(name, {}, { document: { kind: 'single' }, ...options }));
    expect(preconditions.versions).toBe(versions);
    expect(preconditions.row).toMatchObject({
      document: { kind: 'single' },
      status: name === 'story' ? 'draft' : 'published',
    });
    expect(preconditions.columns.map((each) => each.name).slice(0, 3)).toEqual(['title', 'code', 'card']);
  });

  it('have the targets that the caller may find', () => {
    const visibleOf = (options: Partial<WriteRequest>) =>
      planPreconditions(requestOf('note', { tags: ['a'], topics: [5] }, options)).targets.map((lookup) => [
        lookup.type.singularName,
        ...lookup.documentIds,
        ...lookup.ids,
        lookup.visible,
      ]);
    expect(visibleOf({})).toEqual([
      ['tag', 'a', undefined],
      ['topic', 5, undefined],
    ]);
    expect(visibleOf(limited('tag'))).toEqual([
      ['tag', 'a', LIMIT],
      ['topic', 5, undefined],
    ]);
    expect(visibleOf({ visible: () => ({ kind: 'never' }) })).toEqual([
      ['tag', 'a', undefined],
      ['topic', 5, undefined],
    ]);
  });

  it('have unique values, unless they are assumed to be free, or the type has one document', () => {
    const data = { code: 'x', rank: null, card: { code: 'y' } };
    const counts = (name: string, unique?: boolean) => {
      const read = planPreconditions(requestOf(name, data, CREATE), unique === undefined ? {} : { unique });
      return [read.unique.flat().length, read.uniquePaths.flat().length];
    };
    expect(counts('note')).toEqual([1, 1]);
    expect(counts('note', false)).toEqual([0, 0]);
    expect(counts('home')).toEqual([0, 0]);
  });

  it('compare the links that a publication copies, and the body does not change', () => {
    const keys = (data: object, options: Partial<WriteRequest>, isAlone?: boolean) =>
      planPreconditions(requestOf('story', data, options), isAlone === undefined ? {} : { isAlone }).copied.flatMap(
        ({ ends }) => [...ends].map(([key, { tables }]) => [key, tables[0].name]),
      );
    const names = ['stories_cover_lnk', 'stories_tags_lnk', 'stories_topics_lnk', 'stories_tag_lnk'].map((name) =>
      name.replace('stories', 'storys'),
    );
    expect(keys({}, {})).toEqual(names.map((name) => [name, name]));
    expect(keys({ tags: [] }, {}).map(([key]) => key)).toEqual(names.filter((name) => !name.includes('tags')));
    for (const none of [keys({}, CREATE), keys({}, DRAFT), keys({}, {}, false)]) expect(none).toEqual([]);
  });
});

describe('the targets of stored components', () => {
  const journals = registryOf(
    [
      contentType('journal', { parts: { type: 'component', component: 'parts.linked' } }, { drafts: true }),
      contentType(
        'wide',
        Object.fromEntries(
          Array.from({ length: 31 }, (_, index) => [`part${index}`, { type: 'component', component: 'parts.linked' }]),
        ),
        { drafts: true },
      ),
      contentType('tag', {}),
      contentType('topic', {}, { drafts: true }),
      contentType('region', {}, { localized: true }),
    ],
    [
      component('parts.linked', {
        region: relation('oneToOne', 'region'),
        inner: { type: 'component', component: 'parts.inner' },
      }),
      component('parts.inner', {
        tag: relation('oneToOne', 'tag'),
        back: { type: 'component', component: 'parts.linked' },
      }),
    ],
  );
  const journal = (name = 'journal') => ({
    registry: journals,
    type: journals.contentTypes.get(`api::${name}.${name}`) as ContentType,
  });

  it.each<readonly [string, object, Partial<WriteRequest>, readonly string[]]>([
    ['story', {}, {}, ['topic: card']],
    ['story', {}, limited('topic'), ['topic: card limited']],
    ['story', {}, CREATE, []],
    ['story', {}, DRAFT, []],
    ['story', {}, { ...DRAFT, ...limited('topic') }, []],
    ['story', { card: {} }, { ...DRAFT, ...limited('topic') }, ['topic: card limited']],
    ['story', { card: {} }, { ...DRAFT, ...limited('tag') }, []],
    ['note', {}, {}, []],
    ['note', { card: {} }, {}, []],
    ['atlas', {}, {}, ['region: parts']],
    ['atlas', {}, limited('region'), ['region: parts limited']],
    ['atlas', {}, CREATE, []],
    ['', {}, journal(), []],
    ['', { parts: {} }, journal(), []],
    ['', {}, { ...journal(), ...limited('tag') }, ['tag: parts limited']],
    ['', {}, { ...journal(), ...limited('region') }, ['region: parts limited']],
    ['', {}, { ...journal(), ...limited('topic') }, []],
  ])('"%s" with %j and %j are looked up: %j', (name, data, options, expected) => {
    const lookups = innerLookups(requestOf(name || 'note', data, options));
    expect(
      lookups.map(
        ({ type, columns, visible }) =>
          `${type.singularName}: ${columns.map((each) => each.name).join()}${visible ? ' limited' : ''}`,
      ),
    ).toEqual(expected);
  });

  it('are looked up in thirty columns at once', () => {
    const lookups = innerLookups(requestOf('note', {}, { ...journal('wide'), ...limited('tag') }));
    expect(lookups.map(({ columns }) => columns.length)).toEqual([30, 1]);
  });

  const hidden = { isHidden: true } as const;
  const innerTargets = new Map([
    [
      'api::topic.topic',
      [
        target('t', 1),
        target('u', 2, { published: false }),
        target('h', 3, hidden),
        target('both', 4, hidden),
        target('both', 5),
      ],
    ],
    [
      'api::region.region',
      [
        target('r', 6, { locale: 'en' }),
        target('s', 7, { locale: 'fr' }),
        target('h', 8, { locale: 'en', ...hidden }),
        target('d', 9, { locale: 'en' }),
      ],
    ],
    ['api::place.place', [target('d', 10, { locale: 'en' }), target('e', 11, { locale: 'en' })]],
    [
      'api::page.page',
      [
        target('q', 12, { locale: 'fr' }),
        target('p', 13, { locale: 'en' }),
        target('p', 14, { locale: 'fr', published: false }),
      ],
    ],
  ]);
  const current = currentOf({ innerTargets });

  it.each([
    ['h', true],
    ['t', false],
    ['both', false],
    ['x', false],
  ])('are hidden if the caller finds no row of them: %s: %s', (documentId, expected) => {
    expect(isHiddenTarget(current, 'api::topic.topic', { documentId, locale: '' })).toBe(expected);
    expect(isHiddenTarget(current, 'api::nope.nope', { documentId, locale: '' })).toBe(false);
  });

  it.each([
    ['region', 'r', false],
    ['region', 's', true],
    ['region', 'h', true],
    ['region', 'x', true],
    ['region', 'd', false],
    ['place', 'd', true],
    ['place', 'e', false],
    ['topic', 't', true],
    ['nope', 'x', true],
  ])('are inherited by a new locale if they are not in other locales alone: %s %s: %s', (name, documentId, isKept) => {
    const keep = () => inheritsLink(requestOf('place'), current)(`api::${name}.${name}`, { documentId, locale: '' });
    if (isKept) expect(keep()).toBe(true);
    else expect(keep).toThrow(`Document with id "${documentId}", locale "fr" not found`);
  });

  it.each([
    ['story', 'topic', 't', '', true],
    ['story', 'topic', 'u', '', false],
    ['story', 'topic', 'x', '', false],
    ['story', 'topic', 'd', '', false],
    ['story', 'tag', 'x', '', true],
    ['story', 'nope', 'x', '', true],
    ['story', 'story', 'd', '', false],
    ['story', 'place', 'd', '', true],
    ['story', 'page', 'p', 'en', true],
    ['story', 'page', 'p', 'fr', false],
    ['page', 'page', 'q', '', true],
    ['page', 'page', 'p', '', false],
    ['page', 'page', 'd', '', false],
    ['page', 'topic', 't', '', true],
  ])('are published with a %s if they are: %s %s in "%s": %s', (name, uid, documentId, locale, isKept) => {
    expect(keepsPublished(requestOf(name), current)(`api::${uid}.${uid}`, { documentId, locale })).toBe(isKept);
  });
});

describe('the links to publish', () => {
  const files = (drafts: boolean) =>
    registryOf([
      contentType(
        'a',
        {
          plain: relation('manyToMany', 'b'),
          front: relation('manyToMany', 'b', { inversedBy: 'back' }),
          self: relation('manyToMany', 'a'),
          twins: relation('manyToMany', 'b', { mappedBy: 'twin' }),
          marks: relation('morphMany', 'd', { morphBy: 'any' }),
        },
        { drafts: true },
      ),
      contentType(
        'b',
        {
          back: relation('manyToMany', 'a', { mappedBy: 'front' }),
          aim: relation('manyToMany', 'a'),
          twin: relation('manyToMany', 'a', { inversedBy: 'twins' }),
        },
        { drafts: true },
      ),
      contentType('c', { aim: relation('manyToMany', 'a') }),
      contentType('d', { any: { type: 'relation', relation: 'morphToMany' } }, { drafts }),
    ]);
  const OWN = ['as_plain_lnk', 'as_front_lnk', 'as_self_lnk'];

  it.each<readonly [boolean, readonly string[], boolean, readonly string[]]>([
    [true, [], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk']],
    [true, ['twins', 'plain'], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk']],
    [true, ['marks'], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk', '-ds_any_mph!']],
    [false, [], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk', '-ds_any_mph']],
    [false, ['marks'], false, [...OWN, '-as_self_lnk', '-bs_twin_lnk', '-cs_aim_lnk', '-ds_any_mph!']],
    [true, ['marks', 'plain'], true, ['-ds_any_mph', 'as_plain_lnk']],
    [true, [], true, []],
  ])(
    '(targets with drafts: %s) where %j are written, and the document is new: %s',
    (drafts, written, isNew, expected) => {
      const registry = files(drafts);
      const type = registry.contentTypes.get('api::a.a') as ContentType;
      const ends = written.map(
        (name) => linkEndOf(type.attributes.get(name) as LinkAttribute, type, registry) as LinkEnd,
      );
      const published = publishedEnds({ ...requestOf('note'), type, registry }, ends, isNew);
      const names = published.map(
        ({ tables, owner, isChanged }) => `${owner ? '' : '-'}${tables[0].name}${isChanged ? '!' : ''}`,
      );
      expect(names.toSorted()).toEqual([...expected].sort());
    },
  );

  it('to discard a draft are its own, and those of mutual relations', () => {
    const registry = files(true);
    const type = registry.contentTypes.get('api::a.a') as ContentType;
    const write = { ...requestOf('note'), type, registry, current: currentOf(), planned: new Map() };
    const op = discardOp(write, new Map(), { time: 5, nextId: () => 1, hashPassword: String });
    const names = 'ends' in op ? op.ends.map(({ tables, owner }) => `${owner ? '' : '-'}${tables[0].name}`) : [];
    expect(names.toSorted()).toEqual(['-bs_twin_lnk', ...OWN].sort());
  });
});
