/**
 * @module What is read before a write is planned: which rows, links and targets, and which of them the caller must see.
 */
import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/content/plan/model/read-plan.ts';
import type { WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { type LinkLookup, planPreconditions } from '../../../src/content/plan/write/preconditions.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';
import { requestOf, typeNamed } from './write-support.ts';

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
    ['gallery', { photos: { connect: 'f' } }, {}, ['photos published']],
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
