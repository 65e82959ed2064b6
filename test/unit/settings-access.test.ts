/**
 * @module `access` of the settings.
 */
import { describe, expect, it } from 'vitest';
import { missingSettings } from '../../cli/deploy/warnings.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';

const base = { team: 'https://example.cloudflareaccess.com', audience: 'ab'.repeat(32) };
const server = { url: 'https://api.example.com' };

const parsed = (access: unknown, more: SettingsInput = {}) =>
  parseSettings({ server, ...more, access: access as NonNullable<SettingsInput['access']> });

describe('an application of Cloudflare Access', () => {
  it('has a team, an audience and a role of users', () => {
    const roles = { editor: [] };
    for (const role of [undefined, 'authenticated', 'editor']) {
      const access = { ...base, ...(role && { role }) };
      expect(parsed(access, { roles }).access).toEqual(access);
    }
    expect(parseSettings({}).access).toBeNull();
    const federal = 'https://example.fed.cloudflareaccess.com';
    expect(parsed({ ...base, team: federal }).access?.team).toBe(federal);
  });

  const TEAM = 'team: the team domain, such as https://example.cloudflareaccess.com';
  const AUDIENCE = 'audience: the Application Audience (AUD) Tag, 64 characters of 0-9 and a-f';
  it.each<[object, string]>([
    [{ team: 'example' }, TEAM],
    [{ team: 'example.cloudflareaccess.com' }, TEAM],
    [{ team: 'http://example.cloudflareaccess.com' }, TEAM],
    [{ team: 'https://example.cloudflareaccess.com/' }, TEAM],
    [{ team: 'https://cloudflareaccess.com' }, TEAM],
    [{ team: 'https://evilcloudflareaccess.com' }, TEAM],
    [{ team: 'https://example.cloudflareaccess.com.evil.example' }, TEAM],
    [{ team: 'https://evil.example/#.cloudflareaccess.com' }, TEAM],
    [{ audience: 'ab'.repeat(31) }, AUDIENCE],
    [{ audience: `${'ab'.repeat(31)}AB` }, AUDIENCE],
    [{ role: 'editor' }, 'role: a role for signed-in users; "editor" is not one'],
    [{ role: 'public' }, 'role: a role for signed-in users; "public" is not one'],
    [{ team: undefined }, 'team: is missing (a text)'],
  ])('with %j is named with what is expected', (wrong, line) => {
    expect(() => parsed({ ...base, ...wrong })).toThrow(
      new Error(`edgewise.config.ts has 1 wrong setting:\n  access.${line}`),
    );
  });

  it('needs server.url in a deployment', () => {
    expect(missingSettings(parsed(base, { server: {} }))).toEqual([
      'server.url: expected where the API is reached, such as https://api.example.com; only pages from there sign in by access',
    ]);
    expect(missingSettings(parsed(base))).toEqual([]);
  });

  it('leaves its name to no provider', () => {
    const access = { issuer: 'https://sso.example.com', clientId: 'site', secret: 'A_SECRET' };
    expect(() => parsed(base, { users: { providers: { access } } })).toThrow('users.providers.access: a name of a-z');
  });
});
