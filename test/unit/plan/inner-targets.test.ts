/**
 * @module The documents that stored components link to: which are looked up, and which a copy keeps.
 */
import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/content/plan/model/read-plan.ts';
import type { WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import {
  inheritsLink,
  innerLookups,
  isHiddenTarget,
  keepsPublished,
} from '../../../src/content/plan/relations/inner-targets.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';
import { currentOf, requestOf, target } from './write-support.ts';

const CREATE = { operation: 'create' } as const;
const DRAFT = { status: 'draft' } as const;
const LIMIT = { kind: 'search', text: 'x' } as unknown as Condition;
/** A caller who may find some documents of these types alone. */
const limited = (...names: readonly string[]): Partial<WriteRequest> => ({
  visible: ({ singularName }) => (names.includes(singularName) ? LIMIT : undefined),
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
    ['api::story.story', [target('d', 15)]],
    [
      'api::page.page',
      [
        target('d', 16, { locale: 'fr' }),
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
