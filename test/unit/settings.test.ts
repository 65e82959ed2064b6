/**
 * @module Settings that change the defaults of others, and values that would have no effect.
 */
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/schema/settings/config.ts';

describe("compatibility: 'strapi'", () => {
  it("sets what differs from Strapi by default to Strapi's way", () => {
    const settings = parseSettings({ compatibility: 'strapi' });
    expect(settings.api.rest).toMatchObject({ createResponse: 'strapi', errorDetails: 'strapi', publicDrafts: true });
    expect(settings.api.documents).toEqual({ strictRelations: true, mixedRelations: 'strapi' });
    expect(settings.users).toMatchObject({ caseSensitiveNames: true, passwordChangeEndsTokens: false });
    expect(settings.upload).toMatchObject({ replace: 'same-url', cacheSeconds: 60 });
  });

  it('leaves everything else as it is', () => {
    const usual = parseSettings({});
    const { api, users, upload, ...rest } = parseSettings({ compatibility: 'strapi' });
    expect(rest).toEqual({ ...rest, compatibility: 'strapi' });
    expect({ ...usual, ...rest, compatibility: 'documented' }).toEqual(usual);
    expect(api.rest.limits).toEqual(usual.api.rest.limits);
    expect(users.sessions).toEqual(usual.users.sessions);
    expect(upload.deniedTypes).toEqual(usual.upload.deniedTypes);
  });

  it('is replaced by single settings', () => {
    const settings = parseSettings({
      compatibility: 'strapi',
      api: { rest: { publicDrafts: false, maxLimit: 7 } },
      users: { passwordChangeEndsTokens: true },
      upload: { replace: 'new-url' },
    });
    expect(settings.api.rest).toMatchObject({ createResponse: 'strapi', publicDrafts: false, maxLimit: 7 });
    expect(settings.users).toMatchObject({ caseSensitiveNames: true, passwordChangeEndsTokens: true });
    expect(settings.upload).toMatchObject({ replace: 'new-url', cacheSeconds: 60 });
  });

  it.each([
    [{ compatibility: 'strapy' }, /compatibility/],
    [{ compatibility: true }, /compatibility/],
    [{ compatibility: 'strapi', api: null }, /api/],
    [{ compatibility: 'strapi', upload: [] }, /upload/],
    [{ compatibility: 'strapi', upload: { cacheSeconds: null } }, /upload\.cacheSeconds/],
  ])('hides no wrong setting: %j', (input, message) => {
    expect(() => parseSettings(input)).toThrow(message);
  });

  it('is off by default', () => {
    expect(parseSettings({}).api.rest).toMatchObject({ createResponse: 'documented', publicDrafts: false });
    expect(parseSettings({}).api.documents.mixedRelations).toBe('reject');
  });
});

describe('api.rest.defaultStatus', () => {
  const parsed = (defaultStatus: unknown) => parseSettings({ api: { rest: { defaultStatus } } });

  it.each(['draft', 'published', { 'api::a.a': 'draft' }])('takes %j', (value) => {
    expect(parsed(value).api.rest.defaultStatus).toEqual(value);
  });

  it.each(['drafts', null, { 'api::a.a': 'x' }])('rejects %j', (value) => {
    expect(() => parsed(value)).toThrow('api.rest.defaultStatus');
  });
});

describe('cors.origins', () => {
  it.each(['https://x.com', 'http://localhost:3000', 'http://[::1]:8080', 'capacitor://localhost'])(
    'takes the origin %s',
    (origin) => expect(parseSettings({ cors: { origins: [origin] } }).cors.origins).toEqual([origin]),
  );

  it.each([
    ['*', 'no wildcards'],
    ['https://*.com', 'no wildcards'],
    ['x.com', 'with its scheme, such as https://example.com'],
    ['null', 'with its scheme'],
    ['https://x.com/', 'as browsers send it: https://x.com'],
    ['https://x.com/blog?a=1', 'as browsers send it: https://x.com'],
    ['HTTPS://X.com:443', 'as browsers send it: https://x.com'],
    ['https://', 'an origin such as https://example.com'],
    ['app://', 'an origin such as app://localhost'],
    ['app://localhost/', 'an origin such as app://localhost'],
  ])('rejects %s, which no browser sends, with the reason', (origin, reason) => {
    expect(() => parseSettings({ cors: { origins: ['https://a.com', origin] } })).toThrow(
      new RegExp(`has 1 wrong setting:\\n {2}cors\\.origins\\.1: .*${reason}`),
    );
  });
});
