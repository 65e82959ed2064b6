/**
 * @module What follows from the settings.
 */
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/schema/settings/config.ts';
import {
  defaultLocale,
  defaultStatus,
  hasFallbacks,
  historyBytes,
  keptVersions,
  localeChain,
  placeholdersIn,
  previewedType,
  previewedTypes,
  roleNames,
  secondsOf,
  secretIn,
} from '../../src/schema/settings/derived.ts';
import { readGrants } from '../../src/schema/settings/grant-setting.ts';

const A = 'api::a.a';

it('roles are the built-in ones, and those of the settings, each once', () => {
  expect(roleNames({ roles: { editor: [], public: [] } })).toEqual(['authenticated', 'public', 'editor']);
});

describe('the locales', () => {
  const locales = (...list: readonly object[]) => ({ i18n: { locales: list.map((each) => ({ code: '', ...each })) } });
  const model = locales({ code: 'en' }, { code: 'de', isDefault: true, fallback: ['fr', 'en'] }, { code: 'fr' });

  it.each([
    [model, 'de'],
    [locales({ code: 'fr', isDefault: false }, { code: 'de' }), 'fr'],
    [locales(), 'en'],
    [parseSettings({}), 'en'],
  ])('have a default: the one that says so, the first, or English', (settings, code) => {
    expect(defaultLocale(settings)).toBe(code);
  });

  it('are tried in the order of the fallbacks of one', () => {
    expect(['de', 'fr', 'xx'].map((code) => localeChain(model, code))).toEqual([['de', 'fr', 'en'], ['fr'], ['xx']]);
    expect([model, locales({ fallback: [] }), locales({})].map(hasFallbacks)).toEqual([true, false, false]);
  });
});

it.each([
  ['45s', 45],
  ['15m', 900],
  ['12h', 43_200],
  ['30d', 2_592_000],
])('%s are %i seconds', (text, seconds) => {
  expect(secondsOf(text)).toBe(seconds);
});

it('placeholders of a URL are the words in braces', () => {
  expect(placeholdersIn('/{slug}/{the slug}?t={token}')).toEqual(['slug', 'token']);
});

it('the types with previews stand beside the options', () => {
  const url = 'https://example.com/';
  const settings = parseSettings({ preview: { expiresIn: '2h', [A]: { url } } });
  expect(previewedTypes(settings)).toEqual([[A, { url, populate: [] }]]);
  expect([previewedType(settings, A), previewedType(settings, 'api::b.b')]).toEqual([{ url, populate: [] }, undefined]);
  expect([previewedTypes(parseSettings({})), previewedType(parseSettings({}), A)]).toEqual([[], undefined]);
});

it.each([
  ['$NAME', 'NAME'],
  ['$_a1', '_a1'],
  ['NAME', undefined],
  ['$1', undefined],
  ['$', undefined],
  ['x $NAME', undefined],
])('the value %s of a header is that of the secret %s', (value, name) => {
  expect(secretIn(value)).toBe(name);
});

it.each([
  [{}, 'published'],
  [{ defaultStatus: 'draft' as const }, 'draft'],
  [{ defaultStatus: { [A]: 'draft' as const } }, 'draft'],
  [{ defaultStatus: { 'api::b.b': 'draft' as const } }, 'published'],
])('the status of a write is that of all types or of its own: %j', (rest, status) => {
  expect(defaultStatus(parseSettings({ api: { rest } }), A)).toBe(status);
});

it.each<[NonNullable<Parameters<typeof parseSettings>[0]>, object | undefined, number]>([
  [{}, undefined, 1_000_000_000],
  [{ history: true }, { versions: 20, days: 90 }, 1_000_000_000],
  [{ history: { [A]: true } }, { versions: 20, days: 90 }, 1_000_000_000],
  [{ history: { bytes: 7, [A]: { versions: 3 } } }, { versions: 3, days: 90 }, 7],
  [{ history: { [A]: { days: 4 } } }, { versions: 20, days: 4 }, 1_000_000_000],
  [{ history: { bytes: 7, 'api::b.b': true } }, undefined, 7],
])('former versions of a type are kept as %j says', (input, kept, bytes) => {
  const settings = parseSettings(input);
  expect([keptVersions(settings, A), historyBytes(settings)]).toEqual([kept, bytes]);
  expect(keptVersions(settings, 'plugin::upload.file')).toBeUndefined();
});

it('grants of a token are read as a whole', () => {
  const list = ['a', { action: ['b'], where: { author: null } }];
  expect(readGrants(list)).toEqual(list);
  for (const wrong of [[3], [{ were: {} }], 'a', null]) expect(readGrants(wrong)).toBeUndefined();
});
