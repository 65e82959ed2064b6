/**
 * @module `users.providers` of the settings.
 */
import { describe, expect, it } from 'vitest';
import { missingSettings, newUserWarnings, secretWarnings } from '../../cli/deploy/warnings.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { registryOf, userFile } from '../support/schema-files.ts';

type Providers = NonNullable<NonNullable<SettingsInput['users']>['providers']>;

const base = { clientId: 'site', secret: 'GOOGLE_SECRET' };
const server = { url: 'https://api.example.com' };
const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47';

const parsed = (providers: unknown, more: object = {}) =>
  parseSettings({ server, users: { providers: providers as Providers }, ...more });

describe('a provider', () => {
  it.each([
    ['google', {}, 'https://accounts.google.com'],
    ['linkedin', {}, 'https://www.linkedin.com/oauth'],
    ['twitch', {}, 'https://id.twitch.tv/oauth2'],
    ['gitlab', {}, 'https://gitlab.com'],
    ['gitlab', { issuer: 'https://git.example.com' }, 'https://git.example.com'],
    ['microsoft', {}, 'https://login.microsoftonline.com/common/v2.0'],
    ['microsoft', { tenant: TENANT, trustEmail: true }, `https://login.microsoftonline.com/${TENANT}/v2.0`],
    ['keycloak', { issuer: 'https://sso.example.com/realms/a', trustEmail: true }, 'https://sso.example.com/realms/a'],
    ['gitlab', { issuer: 'https://gitlab.company.example', trustEmail: true }, 'https://gitlab.company.example'],
    ['gitlab', { issuer: 'https://gitlab.com.example', trustEmail: true }, 'https://gitlab.com.example'],
    ['auth0', { issuer: 'https://tenant.eu.auth0.com/' }, 'https://tenant.eu.auth0.com/'],
    ['company', { issuer: 'http://127.0.0.1:4433' }, 'http://127.0.0.1:4433'],
    ['github', {}, undefined],
    ['facebook', {}, undefined],
    ['discord', {}, undefined],
    ['patreon', {}, undefined],
  ])('%s with %j has the issuer %s, also when it is read again', (name, more, issuer) => {
    const once = parsed({ [name]: { ...base, ...more } });
    expect(once.users.providers[name]?.issuer).toBe(issuer);
    expect(parseSettings(once)).toEqual(once);
  });

  it.each<[string, object, string]>([
    ['keycloak', {}, 'keycloak.issuer: is missing (the address of an issuer of OpenID Connect)'],
    [
      'google',
      { issuer: 'https://evil.example' },
      'google.issuer: no issuer: that of google is known; another name takes any',
    ],
    [
      'github',
      { issuer: 'https://github.com' },
      'github.issuer: no issuer: that of github is known; another name takes any',
    ],
    ['google', { tenant: TENANT }, 'google.tenant: no tenant: only microsoft has one'],
    [
      'google',
      { trustEmail: true },
      'google.trustEmail: false: only an issuer or tenant of your own can be trusted with addresses',
    ],
    [
      'microsoft',
      { trustEmail: true },
      'microsoft.trustEmail: false: only an issuer or tenant of your own can be trusted with addresses',
    ],
    [
      'facebook',
      { trustEmail: true },
      'facebook.trustEmail: false: only an issuer or tenant of your own can be trusted with addresses',
    ],
    [
      'gitlab',
      { trustEmail: true },
      'gitlab.trustEmail: false: only an issuer or tenant of your own can be trusted with addresses',
    ],
    ...['common', 'organizations', 'consumers', '9188040d-6c67-4c5b-b112-36a304b66dad'].map(
      (tenant): [string, object, string] => [
        'entra',
        { issuer: `https://login.microsoftonline.com/${tenant}/v2.0`, trustEmail: true },
        'entra.trustEmail: false: only an issuer or tenant of your own can be trusted with addresses',
      ],
    ),
    ...['https://LOGIN.microsoftonline.com/common/v2.0', 'https://Accounts.Google.com'].map(
      (issuer): [string, object, string] => [
        'entra',
        { issuer, trustEmail: true },
        'entra.trustEmail: false: only an issuer or tenant of your own can be trusted with addresses',
      ],
    ),
    ['google', { secret: 'JWT_SECRET' }, 'google.secret: a secret of its own, such as GOOGLE_SECRET'],
    ['google', { secret: 'EMAIL_API_KEY' }, 'google.secret: a secret of its own, such as GOOGLE_SECRET'],
    ['constructor', {}, 'constructor.issuer: is missing (the address of an issuer of OpenID Connect)'],
    [
      'google',
      { callback: 'http://www.example.com/' },
      'google.callback: the address of a page, such as https://www.example.com/connect/google',
    ],
    ['microsoft', { tenant: 'common' }, 'microsoft.tenant: the id of a tenant, in lower case'],
    [
      'company',
      { issuer: 'http://sso.example.com' },
      'company.issuer: the address of an issuer, such as https://sso.example.com/realms/site',
    ],
    [
      'google',
      { callback: '/connect' },
      'google.callback: the address of a page, such as https://www.example.com/connect/google',
    ],
    ['google', { secret: 'GOCSPX-abc' }, 'google.secret: the name of a secret, such as GOOGLE_SECRET'],
    ['local', {}, 'local: a name of a-z, 0-9, - and _, such as google'],
    ['Google', {}, 'Google: a name of a-z, 0-9, - and _, such as google'],
  ])('%s with %j is named with what is expected', (name, more, line) => {
    expect(() => parsed({ [name]: { ...base, ...more } })).toThrow(
      new Error(`edgewise.config.ts has 1 wrong setting:\n  users.providers.${line}`),
    );
  });

  it('needs a page where Studio is not deployed, and server.url in a deployment', () => {
    const providers = { google: base };
    expect(missingSettings(parseSettings({ users: { providers } }))).toEqual([
      'server.url: expected where the API is reached, such as https://api.example.com; the providers of users.providers return there',
    ]);
    expect(missingSettings(parsed(providers))).toEqual([]);
    expect(() => parsed(providers, { studio: false })).toThrow('users.providers: each needs a callback');
    const callback = 'https://www.example.com/connect/google';
    expect(parsed({ google: { ...base, callback } }, { studio: false }).users.providers.google?.callback).toBe(
      callback,
    );
  });

  it('is warned of where users must have an attribute that it does not know', () => {
    const registry = (city: object) =>
      registryOf([], [], {}, { user: userFile({ city: { type: 'string', ...city } }) });
    const required = registry({ required: true });
    const found = (input: SettingsInput, of = required) => newUserWarnings(parseSettings({ server, ...input }), of);
    const users = { providers: { google: base } };
    const access = { team: 'https://team.cloudflareaccess.com', audience: 'a'.repeat(64) };
    const why =
      'no user can be made by a sign-in, since users must have city: make it optional in content-types/extensions/users-permissions/user/schema.json, or give it a default';
    expect(found({ users })).toEqual([`users.providers: ${why}`]);
    expect(found({ users: { ...users, allowRegistration: false } })).toEqual([]);
    expect(found({ access: { ...access, role: 'authenticated' } })).toEqual([`access.role: ${why}`]);
    expect(found({ access })).toEqual([]);
    expect(found({})).toEqual([]);
    expect(found({ users }, registry({ required: true, default: 'Ghent' }))).toEqual([]);
    expect(found({ users }, registry({}))).toEqual([]);
  });

  it('is warned of without its secret', () => {
    const settings = parsed({ google: base });
    expect(secretWarnings(settings, [])).toEqual([
      'users.providers.google: users cannot sign in without the secret GOOGLE_SECRET: npx wrangler secret put GOOGLE_SECRET',
    ]);
    expect(secretWarnings(settings, ['GOOGLE_SECRET'])).toEqual([]);
  });
});
