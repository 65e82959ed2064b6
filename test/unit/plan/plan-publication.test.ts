/**
 * @module What a publication checks, and which operations the actions of a document become.
 */
import { describe, expect, it } from 'vitest';
import { isPublish } from '../../../src/content/plan/model/op-kinds.ts';
import type { Current, WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { planPublication, publicationPreconditions } from '../../../src/content/plan/write/plan-publication.ts';
import type { PublicationAction } from '../../../src/schema/publication.ts';
import { refusal } from './support.ts';
import {
  attributeOf,
  currentOf,
  errorsOf,
  planOf,
  present,
  printPlan,
  requestOf,
  row,
  target,
  versionOf,
  writeContext,
} from './write-support.ts';

const CREATE = { operation: 'create' } as const;
const OTHER = { documentId: 'source', locale: 'en' } as const;

describe('a publication', () => {
  const [owner, topics, tags] = ['owner', 'topics', 'tags'].map((name) => attributeOf('issue', name));
  const linked = (...all: readonly (readonly [unknown, ReturnType<typeof present>])[]): Partial<Current> => ({
    ...row('issue'),
    links: new Map(all.map(([attribute, link]) => [attribute as NonNullable<typeof owner>, [link]])),
  });
  const rest = [
    [topics, present('t', 1)],
    [tags, present('a', 1)],
  ] as const;
  const DEFINED = 'must be defined.';

  it.each<readonly [string, object, Partial<WriteRequest>, Partial<Current>, readonly (readonly unknown[])[]]>([
    [
      'no links',
      {},
      {},
      row('issue'),
      [
        ['owner', null],
        ['topics', { set: [] }],
        ['tags', { set: [] }],
      ],
    ],
    ['no links, where none are required', {}, { strictRelations: false }, row('issue'), []],
    ['published targets', {}, {}, linked([owner, present('z', 1)], ...rest), []],
    [
      'the draft of a target',
      {},
      {},
      linked([owner, present('u', 1, { published: false })], ...rest),
      [['owner', { set: [] }]],
    ],
    ['a hidden target', {}, {}, linked([owner, present('t', 1, { isHidden: true })], ...rest), [['owner', null]]],
    ['a target in the body', { owner: 't' }, {}, linked(...rest), []],
    ['the draft of one in the body', { owner: 'u' }, {}, linked(...rest), [['owner', { set: [] }]]],
    [
      'no target of a relation that is visible',
      { title: 'special', owner: 't' },
      {},
      linked(...rest),
      [['special', null]],
    ],
  ])('of a document with %s is checked: %j with %j', (_, data, more, current, expected) => {
    if (expected.length === 0) expect(() => planOf('issue', data, more, current)).not.toThrow();
    else
      expect(errorsOf('issue', data, more, current).errors).toEqual(
        expected.map(([name, value]) => [name, `${name} ${DEFINED}`, value]),
      );
  });

  it('of a new locale has the files of the others', () => {
    const source = versionOf('map', {}, OTHER);
    const sourceLinks = new Map([[attributeOf('map', 'cover'), [present('z', 1)]]]);
    expect(errorsOf('map', {}, CREATE, { sourceLinks }).errors.map(([path]) => path)).toEqual(['cover']);
    const chart = versionOf('chart', {}, OTHER);
    const links = new Map([[attributeOf('chart', 'owner'), [present('a', 1)]]]);
    expect(() => planOf('chart', {}, {}, { source: chart, links })).not.toThrow();
    expect(errorsOf('chart', {}, {}, { source: chart, sourceLinks: links }).errors.map(([path]) => path)).toEqual([
      'owner',
    ]);
    expect(() => planOf('map', {}, {}, { source, sourceLinks })).not.toThrow();
    expect(errorsOf('map', {}, {}, { source, links: sourceLinks }).errors.map(([path]) => path)).toEqual(['cover']);
    expect(
      errorsOf('map', {}, {}, { row: versionOf('map'), source, sourceLinks }).errors.map(([path]) => path),
    ).toEqual(['cover']);
  });

  it.each<readonly [unknown, unknown, readonly string[]]>([
    [[{ documentId: 't' }], [{ documentId: 't' }], []],
    [[{ documentId: 'h' }], [{ documentId: 't' }], ['owner']],
    [[{ documentId: 't' }], [{ documentId: 'h' }], ['owners']],
    [[{ documentId: 't' }], [{ documentId: 'h' }, { documentId: 't' }], []],
    [[], [], ['owners', 'owner']],
  ])('has no target that the caller may not find in components: %j and %j', (own, owns, names) => {
    const part = JSON.stringify({ id: 1, owner: own, owners: owns });
    const version = versionOf('issue', { part });
    const current = { ...linked([owner, present('t', 1)], ...rest), row: version, source: version };
    const innerTargets = new Map([['api::topic.topic', [target('t', 4), target('h', 8, { isHidden: true })]]]);
    const visible = () => ({ kind: 'search', text: 'x' }) as never;
    const paths = (more: Partial<WriteRequest>) => {
      try {
        planOf('issue', {}, more, { ...current, innerTargets });
      } catch {
        return errorsOf('issue', {}, more, { ...current, innerTargets }).errors.map(([path]) => path);
      }
      return [];
    };
    expect(paths({ visible })).toEqual(names.map((name) => `part.${name}`));
    expect(paths({})).toEqual((own as unknown[]).length === 0 ? names.map((name) => `part.${name}`) : []);
  });

  it('reports a relation that a component does not have as it is', () => {
    const version = versionOf('issue', { part: JSON.stringify({ id: 1, owners: [{ documentId: 't' }] }) });
    const innerTargets = new Map([['api::topic.topic', [target('t', 4)]]]);
    const current = { ...linked([owner, present('t', 1)], ...rest), row: version, source: version, innerTargets };
    const visible = () => ({ kind: 'search', text: 'x' }) as never;
    expect(errorsOf('issue', {}, { visible }, current).errors).toEqual([
      ['part.owner', 'owner must be defined.', undefined],
    ]);
  });
});

describe('the links of a publication', () => {
  const endsOf = (current: Partial<Current>) => {
    const equalEnds = new Set(['storys_tags_lnk', 'storys_tag_lnk']);
    const [op] = planOf('story', {}, {}, { ...current, equalEnds }).filter(isPublish);
    return op?.ends.map(({ tables: [{ name }] }) => name);
  };

  it('are those that differ from the published ones', () => {
    expect(endsOf(row('story'))).toEqual(['storys_cover_lnk', 'storys_topics_lnk']);
    expect(endsOf({ source: versionOf('story', {}, OTHER) })).toHaveLength(4);
  });
});

describe('an action', () => {
  const planned = (action: PublicationAction, name: string, current: Partial<Current>) =>
    planPublication(requestOf(name), action, currentOf(current), writeContext);
  const published = versionOf('story', {}, { status: 'published' });
  const locale = { ...versionOf('page', { code: 'x' }), documentId: 'd' };

  it.each<readonly [PublicationAction, string, Partial<Current>, readonly string[]]>([
    ['publish', 'story', row('story'), ['discount', 'publish', 'recount']],
    ['publish', 'story', row('story', {}, { isPublished: true }), ['publish']],
    ['publish', 'page', { row: locale }, ['discount', 'publish', 'assert-unique', 'recount']],
    [
      'publish',
      'page',
      { row: locale, source: versionOf('page', {}, { ...OTHER, status: 'draft' }) },
      ['discount', 'publish', 'assert-unique', 'recount'],
    ],
    [
      'publish',
      'page',
      { row: locale, source: versionOf('page', {}, { ...OTHER, status: 'published' }) },
      ['discount', 'publish', 'assert-unique', 'share published', 'recount'],
    ],
    [
      'publish',
      'page',
      { row: locale, published: versionOf('page') },
      ['discount', 'publish', 'assert-unique', 'share published', 'recount'],
    ],
    ['unpublish', 'story', row('story'), []],
    ['unpublish', 'story', row('story', {}, { isPublished: true }), ['discount', 'delete', 'recount']],
    ['discardDraft', 'story', { ...row('story'), published }, ['discard']],
    ['discardDraft', 'page', { row: locale, published: versionOf('page') }, ['discard', 'share draft']],
  ])('%s of a %s is planned', (action, name, current, kinds) => {
    expect(printPlan(planned(action, name, current))).toEqual(kinds);
  });

  it.each<readonly [PublicationAction, Partial<Current>, string]>([
    ['publish', {}, 'Not Found'],
    ['unpublish', {}, 'Not Found'],
    ['discardDraft', { published }, 'Not Found'],
    ['discardDraft', row('story'), 'The document is not published'],
  ])('%s is rejected without its version', (action, current, message) => {
    expect(refusal(() => planned(action, 'story', current))).toMatchObject({ status: 404, message });
  });

  it('unpublish removes the published version of its locale alone', () => {
    const [, op] = planned('unpublish', 'page', row('page', {}, { isPublished: true }));
    expect(op).toMatchObject({
      kind: 'delete',
      rows: { kind: 'document', document: { documentId: 'd' }, locale: 'fr', status: 'published' },
    });
  });

  it.each<readonly [PublicationAction, string, number]>([
    ['publish', 'row', 3],
    ['discardDraft', 'document', 3],
    ['unpublish', 'row', 0],
  ])('%s reads what it needs', (action, versions, columns) => {
    const preconditions = publicationPreconditions(requestOf('story'), action);
    expect([preconditions.versions, preconditions.columns.length]).toEqual([versions, columns]);
    expect(preconditions.row).toMatchObject({ locale: '', status: 'draft' });
  });
});
