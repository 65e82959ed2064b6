/**
 * @module The changes of link tables that relations of a body become, and the positions of new links.
 */
import { describe, expect, it } from 'vitest';
import { writtenStatuses } from '../../../src/content/plan/model/link-tables.ts';
import type { PresentLink, WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { difference, replacement } from '../../../src/content/plan/relations/link-changes.ts';
import { planLinkOps } from '../../../src/content/plan/relations/link-ops.ts';
import type { ContentType, LinkAttribute } from '../../../src/schema/model.ts';
import { LINK_STEP } from '../../../src/schema/names.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { attributeOf, currentOf, present, printLinks, requestOf, versionOf } from './write-support.ts';

const link = (documentId: string) => ({ documentId, locale: '' });

/** `a1 b2`: a at the first step, b at the second. */
const presentOf = (text: string): readonly PresentLink[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((item) => present(item.charAt(0), Number(item.slice(1)) * LINK_STEP));

/** Of the desired links, those that are there are the same objects. */
function change(text: string, desired: string) {
  const links = presentOf(text);
  const { removed, positioned, shifts } = difference(
    links,
    [...desired].map((name) => links.find(({ documentId }) => documentId === name) ?? link(name)),
  );
  const steps = (position: number) => position / LINK_STEP;
  return [
    removed === 'others' ? removed : printLinks(removed),
    positioned.map(({ documentId, position }) => `${documentId}${steps(position)}`).join(' '),
    shifts.map(({ from, by }) => `${steps(from)}+${steps(by)}`).join(' '),
  ];
}

describe('the positions of links', () => {
  it.each<readonly [string, string, string, string, string]>([
    ['', 'ab', '', 'a1 b2', ''],
    ['a1', 'a', '', '', ''],
    ['a1 b2', 'a', 'b', '', ''],
    ['a1 b2', 'b', 'a', '', ''],
    ['a1', 'abc', '', 'b2 c3', ''],
    ['a5', 'ba', '', 'b4', ''],
    ['a5', 'bca', '', 'b3 c4', ''],
    ['a1 b2', 'acb', '', 'c1.5', ''],
    ['a1 b4', 'acdb', '', 'c2 d3', ''],
    ['a1 b2 c3', 'xabyc', '', 'x0 y2.5', ''],
    ['a1 b2', 'acbd', '', 'c1.5 d3', ''],
  ])('where %s were and %s are to be remove %s, set %s and shift %s', (text, desired, ...expected) => {
    expect(change(text, desired)).toEqual(expected);
  });

  it('make room where there is none, and each after those before', () => {
    const links = ['a', 'b', 'c'].map((name, index) => present(name, index + 1));
    const [a, b, c] = links as [PresentLink, PresentLink, PresentLink];
    const { positioned, shifts } = difference(links, [a, link('x'), b, link('y'), c, link('z')]);
    const step = LINK_STEP;
    expect(positioned.map(({ position }) => position)).toEqual([1 + step, 2 * step + 2 + step, 4 * step + 3 + step]);
    expect(shifts).toEqual([
      { from: 2, by: 2 * step },
      { from: 2 * step + 3, by: 2 * step },
    ]);
    expect(difference([a, { ...b, position: 3 }], [a, link('x'), { ...b, position: 3 }]).shifts).toEqual([]);
  });

  it('stay where two links have one', () => {
    const [a, b] = [present('a', 1), present('b', 1)];
    expect(difference([a, b], [a, b])).toEqual({ removed: [], positioned: [], shifts: [] });
  });

  it('of a list that replaces another begin anew', () => {
    const positioned = [
      { ...link('a'), position: LINK_STEP },
      { ...link('b'), position: 2 * LINK_STEP },
    ];
    expect(replacement([link('a'), link('b')])).toEqual({ removed: 'others', positioned, shifts: [] });
  });
});

const row = (name: string) => ({ row: versionOf(name), source: versionOf(name) });

/** `draft -a +b`: in the version, a is removed and b set; `=b`: b replaces all. */
function opsOf(
  name: string,
  data: object,
  links: Readonly<Record<string, readonly PresentLink[]>>,
  more: Partial<WriteRequest> = {},
  current: object = row(name),
) {
  const map = new Map(
    Object.entries(links).map(([key, each]) => [
      (more.type?.attributes.get(key) ?? attributeOf(name, key)) as LinkAttribute,
      each,
    ]),
  );
  return planLinkOps(requestOf(name, data, more), currentOf({ ...current, links: map }));
}
const printed = (...of: Parameters<typeof opsOf>): readonly string[] =>
  opsOf(...of).ops.map(({ tables: [{ name }], status, change: { removed, positioned } }) =>
    [name, status, removed === 'others' ? '=' : `-${printLinks(removed)}`, `+${printLinks(positioned)}`].join(' '),
  );

describe('the changes of links', () => {
  const both = (documentId: string, position: number, more: object = {}) =>
    (['draft', 'published'] as const).map((status) => present(documentId, position, { status, ...more }));
  const published = { status: 'published' } as const;
  const tags = [present('b', 2, published), present('a', 1, published)];

  it.each<readonly [string, object, Readonly<Record<string, readonly PresentLink[]>>, readonly string[]]>([
    ['note', { tags: ['b'] }, { tags }, ['notes_tags_lnk published = +b']],
    ['note', { tags: [] }, { tags }, ['notes_tags_lnk published = +']],
    [
      'note',
      { tags: ['b'] },
      { tags: [present('a', 1, { ...published, isHidden: true })] },
      ['notes_tags_lnk published = +b a'],
    ],
    ['note', { tags: { disconnect: ['b'] } }, { tags }, ['notes_tags_lnk published -b +']],
    [
      'note',
      { tags: { disconnect: ['b'] } },
      { tags: [present('a', 1, { ...published, isHidden: true }), ...tags.slice(0, 1)] },
      ['notes_tags_lnk published -b +'],
    ],
    [
      'note',
      { tags: { connect: [{ documentId: 'a', position: { after: 'b' } }] } },
      { tags },
      ['notes_tags_lnk published - +a'],
    ],
    ['note', { tag: { connect: ['b'] } }, { tag: [present('a', 1, published)] }, ['notes_tag_lnk published = +b']],
    ['note', { tag: { disconnect: ['a'] } }, { tag: [present('a', 1, published)] }, ['notes_tag_lnk published -a +']],
    [
      'note',
      { tag: 'b' },
      { tag: [present('a', 1, { ...published, isHidden: true })] },
      ['notes_tag_lnk published = +b'],
    ],
    [
      'note',
      { cover: { connect: ['g'] } },
      { cover: [present('f', 1, published)] },
      ['notes_cover_lnk published - +g'],
    ],
    [
      'note',
      { topics: { disconnect: ['t'] } },
      { topics: both('t', 1) },
      ['notes_topics_lnk draft -t +', 'notes_topics_lnk published -t +'],
    ],
    [
      'note',
      { topics: { disconnect: ['t'] } },
      { topics: both('t', 1).slice(0, 1) },
      ['notes_topics_lnk draft -t +', 'notes_topics_lnk published - +'],
    ],
    ['story', { topics: { disconnect: ['t'] } }, { topics: both('t', 1) }, ['storys_topics_lnk draft -t +']],
    ['story', { tags: { disconnect: ['a'] } }, { tags }, ['storys_tags_lnk draft - +']],
    ['story', { title: 'a' }, {}, []],
  ])('of a %s with %j are %#', (name, data, links, expected) => {
    expect(printed(name, data, links)).toEqual(expected);
  });

  it('remove all for `{set: null}` only where an empty `set` clears', () => {
    const data = { tags: { set: null }, tag: { set: null } };
    const links = { tags, tag: tags.slice(0, 1) };
    const cleared = ['notes_tags_lnk published = +', 'notes_tag_lnk published = +'];
    expect(printed('note', data, links, { emptySetClears: true })).toEqual(cleared);
    expect(printed('note', data, links)).toEqual([]);
  });

  it('leave hidden links where they are', () => {
    const hidden = present('a', 1, { ...published, isHidden: true });
    const [op] = opsOf('note', { tags: { connect: ['b'] } }, { tags: [hidden] }).ops;
    expect(op?.change).toMatchObject({ removed: [], positioned: [{ documentId: 'b' }], shifts: [] });
  });

  it('begin with nothing in a new document, whose other locales may have links', () => {
    const create = { operation: 'create' } as const;
    const isNew = (current: object, more: Partial<WriteRequest>) =>
      opsOf('note', { tags: ['a'] }, {}, more, current).ops.map((op) => op.isNew);
    expect(isNew({}, create)).toEqual([true]);
    expect(isNew({ source: versionOf('note') }, create)).toEqual([false]);
    expect(isNew(row('note'), {})).toEqual([false]);
    expect(isNew({}, {})).toEqual([false]);
    expect(printed('note', { tags: [] }, {}, create, {})).toEqual([]);
    expect(printed('note', { tags: [] }, {}, create, { source: versionOf('note') })).toHaveLength(1);
  });

  it('have the links of the first version, and the error for its positions', () => {
    const connect = [{ documentId: 'u', position: { after: 't' } }];
    const onlyDraft = both('t', 1).slice(0, 1);
    const data = { topics: { connect } };
    const { planned, rejection, ops } = opsOf('note', data, { topics: onlyDraft });
    expect(rejection).toBeUndefined();
    expect([...planned].map(([{ name }, each]) => `${name}: ${printLinks(each)}`)).toEqual(['topics: t u']);
    expect(ops.map(({ row: { document }, owner, status }) => [document.documentId, owner, status])).toEqual([
      ['d', true, 'draft'],
      ['d', true, 'published'],
    ]);
    expect(opsOf('note', data, { topics: both('t', 1).slice(1) }).rejection?.message).toMatch(
      /^There was a problem connecting/,
    );
    expect(opsOf('note', { topics: { connect, options: { strict: false } } }, {}).rejection).toBeUndefined();
    expect(opsOf('note', { topics: { connect, options: { strict: false } } }, {}, {}, {}).rejection).toBeDefined();
  });

  it('are in both versions of a list of several types, where links to types without drafts have one', () => {
    const [tag, topic] = ['tag', 'topic'].map((name) => `api::${name}.${name}`) as [string, string];
    const registry = registryOf([
      contentType('menu', { items: { type: 'relation', relation: 'morphToMany' } }),
      contentType('tag', {}),
      contentType('topic', {}, { drafts: true }),
    ]);
    const type = registry.contentTypes.get('api::menu.menu') as ContentType;
    const items = [
      present('a', 1, { type: tag, status: 'published' }),
      present('t', 2, { type: topic, status: 'draft' }),
      present('u', 3, { type: topic, status: 'published' }),
    ];
    const disconnect = [
      { __type: tag, documentId: 'a' },
      { __type: topic, documentId: 't' },
      { __type: topic, documentId: 'u' },
    ];
    expect(printed('note', { items: { disconnect } }, { items }, { registry, type })).toEqual([
      expect.stringMatching(/ draft -a t \+$/),
      expect.stringMatching(/ published -a u \+$/),
    ]);
    const cleared = [expect.stringMatching(/ draft = \+$/), expect.stringMatching(/ published = \+$/)];
    for (const value of [[], null, { set: [] }, { set: null }]) {
      const more = { registry, type };
      expect(printed('note', { items: value }, { items }, { ...more, emptySetClears: true })).toEqual(cleared);
      expect(printed('note', { items: value }, { items }, more)).toEqual([]);
    }
    expect(writtenStatuses({ ...type, draftAndPublish: true }, [])).toEqual(['draft']);
  });
});
