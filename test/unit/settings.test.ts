/**
 * @module Settings that change the defaults of others.
 */
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/settings/config.ts';

describe("compatibility: 'strapi'", () => {
  it("sets what differs from Strapi by default to Strapi's way", () => {
    const settings = parseSettings({ compatibility: 'strapi' });
    expect(settings.api.rest).toMatchObject({ createResponse: 'strapi', publicDrafts: true });
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
  });
});
