/**
 * @module A kept entry → what a restoration writes, and the entry under the names of today.
 */
import { describe, expect, it } from 'vitest';
import { type Entry, typesOf } from '../../../src/content/plan/model/kept-entry.ts';
import { withTodaysNames } from '../../../src/features/history/renamed-entry.ts';
import { type IsThere, restored } from '../../../src/features/history/restored.ts';
import type { ContentType, Registry } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { localesOf } from '../../support/locales.ts';
import { component, contentType, registryOf, relation } from '../../support/schema-files.ts';

const TEXT = { type: 'string' };
const ANY = { type: 'relation', relation: 'morphToMany' };
const settings = parseSettings({ i18n: localesOf('en', 'fr') });
const registry = registryOf(
  [
    contentType('note', { title: TEXT }),
    contentType('place', { title: TEXT }, { localized: true }),
    contentType('album', {
      ...{ title: TEXT, code: { type: 'biginteger' }, any: ANY },
      part: { type: 'component', component: 'kit.part' },
      parts: { type: 'component', component: 'kit.part', repeatable: true },
      hidden: { type: 'component', component: 'kit.part', private: true },
      zone: { type: 'dynamiczone', components: ['kit.part'] },
      notes: relation('manyToMany', 'note'),
      places: relation('manyToMany', 'place'),
      ...{ owner: relation('manyToOne', 'note'), pin: { type: 'password' } },
    }),
    contentType('guide', { places: relation('manyToMany', 'place') }, { localized: true }),
    contentType('wide', { near: TEXT, far: TEXT }),
  ],
  [
    component('kit.part', {
      ...{ text: TEXT, short: { ...TEXT, maxLength: 3 }, count: { type: 'integer' }, data: { type: 'json' } },
      ...{ day: { type: 'date' }, part: { type: 'component', component: 'kit.leaf' } },
      ...{ leaves: { type: 'component', component: 'kit.leaf', repeatable: true } },
      ...{ notes: relation('oneToMany', 'note'), places: relation('oneToMany', 'place'), any: ANY },
    }),
    component('kit.leaf', { text: TEXT }),
  ],
  { 'api::wide.wide': ['far'] },
);
const typeNamed = (name: string) => registry.contentTypes.get(`api::${name}.${name}`) as ContentType;
const album = typeNamed('album');
const PART = 'kit.part';
const TYPES = typesOf(album);
const all: IsThere = () => true;

type Links = Entry['links'];

/** An entry with components by attribute, and links. */
function restoredFrom(values: Readonly<Record<string, unknown>>, links: Links = {}, isThere = all) {
  const columns = Object.entries(values).map(([name, value]) => [name, value === null ? null : JSON.stringify(value)]);
  const entry = { values: Object.fromEntries(columns), links, types: TYPES, renames: 0 };
  const {
    data,
    missing,
    changed,
    entry: json,
  } = restored(JSON.stringify(entry), album, { registry, settings }, isThere);
  return { data, missing, changed, entry: JSON.parse(json) as { values: Record<string, string>; links: Links } };
}

describe('a value of a component', () => {
  const note = { documentId: 'a' };
  it.each<readonly [string, unknown, unknown]>([
    ['text', null, null],
    ['text', 'then', 'then'],
    ['text', 5, undefined],
    ['count', 5, 5],
    ['count', 'five', undefined],
    ['day', '2026-02-01', '2026-02-01'],
    ['day', 'tomorrow', undefined],
    ['data', { type: 'any' }, { type: 'any' }],
    ['part', null, null],
    ['part', { text: 'a' }, { text: 'a' }],
    ['part', [{ text: 'a' }], undefined],
    ['part', 'a', undefined],
    ['leaves', [{ text: 'a' }], [{ text: 'a' }]],
    ['leaves', [], []],
    ['leaves', { text: 'a' }, undefined],
    ['leaves', ['a'], undefined],
    ['notes', [note], { set: [note] }],
    ['notes', note, undefined],
    ['notes', ['a'], undefined],
    ['notes', [{ documentId: 5 }], undefined],
    ['notes', [{ text: 'a' }], undefined],
    ['notes', [{ ...note, type: 'api::note.note' }], undefined],
    ['any', [{ ...note, type: 'api::note.note' }], { set: [{ ...note, __type: 'api::note.note' }] }],
    ['any', [note], undefined],
    ['any', [{ type: 'api::note.note' }], undefined],
  ])('%s: %j is written as %j, or reported', (name, value, written) => {
    const { data, changed, entry } = restoredFrom({ part: { id: 1, text: 'a', [name]: value } });
    const { [name]: given, ...others } = data.part as Record<string, unknown>;
    expect(given).toEqual(written);
    expect(others).toEqual(name === 'text' ? {} : { text: 'a' });
    expect(changed).toEqual(written === undefined ? [`part.${name}`] : []);
    expect(Object.hasOwn(JSON.parse(entry.values.part ?? '') as object, name)).toBe(written !== undefined);
  });

  it('is empty of an attribute that had none', () => {
    const none = { part: null, parts: null, zone: null };
    const { data, entry } = restoredFrom(none);
    expect(data).toMatchObject({ part: null, parts: [], zone: [] });
    expect(entry.values).toMatchObject(none);
  });

  it('is left out of a zone that does not allow its component, and named', () => {
    const zone = [
      { __component: 'kit.leaf', text: 'a' },
      { __component: PART, text: 'b' },
    ];
    const { data, changed } = restoredFrom({ zone });
    expect(data.zone).toEqual([{ __component: PART, text: 'b' }]);
    expect(changed).toEqual(['zone.0']);
  });
});

describe('a value of its own', () => {
  const restoredOf = (values: Entry['values'], types: Entry['types'] = TYPES) => {
    const json = JSON.stringify({ values, links: {}, types, renames: 3 });
    const { data, changed, entry } = restored(json, album, { registry, settings });
    return { title: data.title, code: data.code, changed, entry: JSON.parse(entry) as Entry };
  };

  it('is read as a response shows it, and null if there was none', () => {
    const values = { title: 'then', code: 5, locale: '' };
    expect(restoredOf(values)).toMatchObject({
      title: 'then',
      code: '5',
      changed: [],
      entry: { types: TYPES, renames: 3 },
    });
    expect(restoredOf({ ...values, code: null })).toMatchObject({
      code: null,
      entry: { values: { ...values, code: null } },
    });
  });

  it('of another type is left out and named, as is one that is gone', () => {
    const types = { ...TYPES, title: 'integer', gone: 'string' };
    const { title, changed, entry } = restoredOf({ title: 5, code: 5 }, types);
    expect([title, changed]).toEqual([undefined, ['title', 'gone']]);
    expect(entry.values).toMatchObject({ code: 5 });
    expect(entry.values).not.toHaveProperty('title');
  });
});

describe('a value that has moved', () => {
  const wide = typeNamed('wide');
  const restoredOf = (values: Entry['values']) => {
    const json = JSON.stringify({ values, links: {}, types: typesOf(wide), renames: 0 });
    const { data, entry } = restored(json, wide, { registry, settings });
    return { data, values: (JSON.parse(entry) as Entry).values };
  };

  it.each<[string, Entry['values']]>([
    ['as it is today', { near: 'a', overflow_attributes: '{"far":"b"}' }],
    ['into the overflow column', { near: 'a', far: 'b' }],
    ['out of the overflow column', { overflow_attributes: '{"near":"a","far":"b"}' }],
  ])('is read where it was, and has its place of today: %s', (_, values) => {
    expect(restoredOf(values)).toEqual({
      data: { near: 'a', far: 'b' },
      values: { near: 'a', overflow_attributes: '{"far":"b"}' },
    });
  });

  it('is null if it was nowhere', () => {
    expect(restoredOf({})).toMatchObject({ data: { near: null, far: null }, values: { near: null } });
  });
});

it('a password is not restored, since no entry has one', () => {
  expect(restoredFrom({}).data).not.toHaveProperty('pin');
});

describe('a target', () => {
  const targetOf = (path: string, uid: string, locale: string | null, isPrivate = false) => ({
    ...{ path, uid: `api::${uid}.${uid}`, documentId: 'a', locale, isPrivate },
  });

  it('has the default locale in a document without locales, and its own if it names one', () => {
    const part = { places: [{ documentId: 'a' }, { documentId: 'b', locale: 'fr' }], notes: [{ documentId: 'c' }] };
    const links: Links = {
      places: [
        ['published', 'a', '', 1, 1],
        ['published', 'b', 'fr', 2, 2],
      ],
    };
    const { data, entry } = restoredFrom({ part }, links);
    const set = [
      { documentId: 'a', locale: 'en' },
      { documentId: 'b', locale: 'fr' },
    ];
    expect(data.places).toStrictEqual({ set });
    expect(data.part).toStrictEqual({ places: { set }, notes: { set: [{ documentId: 'c' }] } });
    expect(JSON.parse(entry.values.part ?? '')).toEqual({ ...part, places: set });
    expect(entry.links.places?.map(([, , locale]) => locale)).toEqual(['en', 'fr']);
  });

  it('has the locale of the row in a document with locales, unless it names one', () => {
    const links: Links = {
      places: [
        ['draft', 'a', null, 1, 1],
        ['draft', 'b', 'fr', 2, 2],
      ],
    };
    const guide = typeNamed('guide');
    const json = JSON.stringify({ values: {}, links, types: typesOf(guide), renames: 0 });
    const { data, entry } = restored(json, guide, { registry, settings }, all);
    expect(data.places).toStrictEqual({ set: [{ documentId: 'a' }, { documentId: 'b', locale: 'fr' }] });
    expect((JSON.parse(entry) as Entry).links.places?.map(([, , locale]) => locale)).toEqual([null, 'fr']);
  });

  it('is the first of several in a relation to one, and has its type in a polymorphic one', () => {
    const typed = (id: string) => ['published', id, '', 1, 1, 'api::note.note'];
    const { data } = restoredFrom(
      {},
      {
        owner: [
          ['draft', 'a', '', 1, 1],
          ['published', 'b', '', 1, 1],
        ],
        any: [typed('a'), typed('b')],
      },
    );
    expect(data.owner).toEqual({ set: [{ documentId: 'a' }] });
    expect(data.any).toEqual({ set: ['a', 'b'].map((documentId) => ({ documentId, __type: 'api::note.note' })) });
  });

  it('that is missing has its path, and is private within a private component', () => {
    const own = { notes: [{ documentId: 'a' }] };
    const links: Links = { notes: [['published', 'a', '', 1, 1]] };
    const { data, missing } = restoredFrom({ parts: [own], hidden: own }, links, () => false);
    expect(missing).toEqual([
      targetOf('parts.0.notes', 'note', ''),
      targetOf('hidden.notes', 'note', '', true),
      targetOf('notes', 'note', ''),
    ]);
    // A component leaves out a relation without targets, an own relation is emptied.
    const { parts, hidden, notes } = data;
    expect({ parts, hidden, notes }).toStrictEqual({ parts: [{}], hidden: {}, notes: { set: [] } });
  });

  it('is restored once of those linked in both versions, and if only readers of published ones know it', () => {
    const link = (status: string, documentId: string, at: number) => [status, documentId, '', at, at];
    const { data } = restoredFrom(
      {},
      {
        notes: [
          ...[link('draft', 'a', 1), link('draft', 'only draft', 2), link('draft', 'b', 3)],
          ...[link('published', 'b', 1), link('published', 'a', 2), link('published', 'only published', 3)],
        ],
      },
    );
    const ids = ['b', 'only draft', 'a', 'only published'];
    expect(data.notes).toEqual({ set: ids.map((documentId) => ({ documentId })) });
  });
});

describe('the names of today', () => {
  const rename = {
    uids: { 'api::old.old': 'api::note.note', 'kit.was': PART },
    attributes: { [PART]: { label: 'text' } },
  };
  const renamed: Registry = { ...registry, renames: [rename] };
  const nameIn = (values: Readonly<Record<string, unknown>>, renames = 0) => {
    const columns = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value)]);
    const entry: Entry = { values: Object.fromEntries(columns), links: {}, types: TYPES, renames };
    const { values: now } = withTodaysNames(entry, album, renamed);
    return Object.fromEntries(Object.entries(now).map(([name, value]) => [name, JSON.parse(String(value))]));
  };

  it('replace those of before a rename, and leave values alone that look like them', () => {
    const then = { label: 'a', short: null, data: { type: 'api::old.old' }, part: null, leaves: [null, { text: 'b' }] };
    const any = [{ documentId: 'a', type: 'api::old.old' }];
    const now = { text: 'a', short: null, data: then.data, part: null, leaves: then.leaves };
    expect(nameIn({ part: { ...then, any }, parts: [then], zone: [{ __component: 'kit.was', label: 'c' }] })).toEqual({
      part: { ...now, any: [{ documentId: 'a', type: 'api::note.note' }] },
      parts: [now],
      zone: [{ __component: PART, text: 'c' }],
    });
  });

  it('are those of attributes, of components, and of the types of links', () => {
    const link = ['published', 'a', '', 65_536, 2, 'api::old.old'];
    const before: Entry = {
      values: { old_title: 'a', old_code: null, id: 1 },
      links: { notes: [link.slice(0, 5)], old: [link] },
      types: { ...TYPES, oldTitle: 'string', oldCode: 'biginteger', old: 'polymorphic', parts: 'list of kit.was' },
      renames: 0,
    };
    const own = { oldTitle: 'title', oldCode: 'code', old: 'any' };
    const renames = [{ ...rename, attributes: { 'api::album.album': own } }];
    expect(withTodaysNames(before, album, { ...registry, renames })).toStrictEqual({
      values: { title: 'a', code: null, id: 1 },
      links: { notes: [link.slice(0, 5)], any: [[...link.slice(0, 5), 'api::note.note']] },
      types: TYPES,
      renames: 1,
    });
  });

  it('replace a value of the new name, which was removed before the rename', () => {
    expect(nameIn({ part: { label: 'renamed', text: 'removed' } })).toEqual({ part: { text: 'renamed' } });
  });

  it('are those of attributes that were renamed before their component', () => {
    const renames = [
      { uids: {}, attributes: { 'kit.was': { label: 'text' } } },
      { uids: { 'kit.was': PART }, attributes: {} },
    ];
    const entry: Entry = { values: { part: '{"label":"a"}' }, links: {}, types: TYPES, renames: 0 };
    expect(withTodaysNames(entry, album, { ...registry, renames }).values).toEqual({ part: '{"text":"a"}' });
  });

  it('are those of values in the overflow column', () => {
    const renames = [{ uids: {}, attributes: { 'api::wide.wide': { away: 'far' } } }];
    const entry: Entry = { values: { overflow_attributes: '{"away":"a"}' }, links: {}, types: {}, renames: 0 };
    const { values } = withTodaysNames(entry, typeNamed('wide'), { ...registry, renames });
    expect(values).toEqual({ overflow_attributes: '{"far":"a"}' });
  });

  it('are those of an entry since the last rename, which is taken as it is', () => {
    const entry: Entry = { values: { part: '{"label":"a"}' }, links: {}, types: TYPES, renames: 1 };
    expect(withTodaysNames(entry, album, renamed)).toBe(entry);
  });
});
