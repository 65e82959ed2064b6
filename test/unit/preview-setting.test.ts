/**
 * @module `preview` of the settings: what is rejected, with its reason.
 */
import { describe, expect, it } from 'vitest';
import { previewProblems } from '../../cli/project/preview-checks.ts';
import { preview } from '../../src/features/preview/feature.ts';
import { featuresOf } from '../../src/features.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { previewRegistry } from '../support/worlds/previews-model.ts';

const STORY = 'api::story.story';
const withUrl = (url: string): SettingsInput => ({ preview: { [STORY]: { url } } });
const problems = (settings: SettingsInput) => previewProblems(previewRegistry, parseSettings(settings));

describe('preview', () => {
  it('switches its feature on', () => {
    expect(featuresOf(parseSettings({}))).not.toContain(preview);
    expect(featuresOf(parseSettings({ preview: {} }))).toContain(preview);
  });

  it.each([
    ['/preview?token={token}', /URL like https/],
    ['ftp://site.example/{slug}', /URL like https/],
    ['javascript:alert(1)//{slug}', /URL like https/],
    ['https://{slug}.site.example/', /host has no placeholders/],
    ['https://{slug}@site.example/', /host has no placeholders|user name/],
    ['https://me:secret@site.example/', /without a user name/],
    ['https://me@site.example/', /without a user name/],
    ['https://:secret@site.example/', /without a user name/],
    ['https://site.example/{the slug}', /URL like https/],
    ['https://site.example/{slug', /URL like https/],
    ["https://a;script-src'*'/{slug}", /URL like https/],
  ])('rejects the URL %s', (url, reason) => {
    expect(() => parseSettings(withUrl(url))).toThrow(reason);
  });

  it('accepts placeholders in the path, the query and the fragment', () => {
    const urls = ['http://localhost:3000/{locale}/{slug}?t={token}', 'https://site.example/#/{documentId}/{status}'];
    for (const url of urls) expect(problems(withUrl(url))).toEqual([]);
  });

  it('rejects options that do not exist, beside the types', () => {
    const wrong = { expiresin: '1h', types: {} } as SettingsInput['preview'];
    expect(() => parseSettings({ preview: wrong })).toThrow(
      /preview: unknown key "expiresin"; did you mean "expiresIn"\?; unknown key "types"; known are sourceMaps, /,
    );
  });

  it.each(['app://site', 'https://site.example/', 'https://*.site.example', "https://a;script-src'*'"])(
    'rejects %s as an origin of pages',
    (origin) => {
      expect(() => parseSettings({ preview: { origins: [origin] } })).toThrow(/preview.origins.0: /);
    },
  );

  it('leaves source maps out of each type that has them', () => {
    const texts = ['email', 'enumeration', 'richtext', 'string', 'text'] as const;
    const others = ['biginteger', 'blocks', 'date', 'datetime', 'json', 'media', 'time'] as const;
    const sourceMaps = { exclude: [...texts, ...others] };
    expect(parseSettings({ preview: { sourceMaps } }).preview?.sourceMaps).toEqual(sourceMaps);
    for (const type of ['integer', 'password'])
      expect(() => parseSettings({ preview: { sourceMaps: { exclude: [type as 'string'] } } })).toThrow(
        'preview.sourceMaps.exclude.0: ',
      );
  });

  it('rejects a default lifetime above the maximum', () => {
    expect(() => parseSettings({ preview: { expiresIn: '2d' } })).toThrow(/preview.expiresIn: at most maxExpiresIn/);
  });

  it('names placeholders, types and types of populate that do not exist', () => {
    const types = {
      [STORY]: { url: 'https://site.example/{slog}?a={secret}&b={author}', populate: ['api::persn.person'] },
      'api::stori.story': {},
    };
    expect(problems({ preview: types })).toEqual([
      `preview.${STORY}.url: {slog} is no scalar attribute that responses show (did you mean slug?)`,
      `preview.${STORY}.url: {secret} is no scalar attribute that responses show`,
      `preview.${STORY}.url: {author} is no scalar attribute that responses show`,
      `preview.${STORY}.populate: "api::persn.person": no content type has this uid (did you mean api::person.person?)`,
      'preview.api::stori.story: no content type has this uid (did you mean api::story.story?)',
    ]);
  });

  it('rejects previewLink for the public role, which no token could name as its maker', () => {
    expect(problems({ roles: { public: [`${STORY}.previewLink`] } })).toEqual([
      'roles.public: previewLink needs an account or an API token',
    ]);
  });
});
