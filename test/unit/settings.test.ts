/**
 * @module Settings that change the defaults of others, and values that would have no effect.
 */
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { wrongSections } from '../../src/schema/settings/wrong-sections.ts';

describe("compatibility: 'strapi'", () => {
  it("sets what differs from Strapi by default to Strapi's way", () => {
    const settings = parseSettings({ compatibility: 'strapi' });
    expect(settings.api.rest).toMatchObject({ createResponse: 'strapi', errorDetails: 'strapi', publicDrafts: true });
    expect(settings.api.rest).toMatchObject({ publication: false, extensions: false });
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
    expect(parseSettings({}).api.rest).toMatchObject({
      createResponse: 'documented',
      ...{ publication: true, extensions: true, publicDrafts: false },
    });
    expect(parseSettings({}).api.documents.mixedRelations).toBe('reject');
  });
});

/** A filter of so many levels. */
const nested = (levels: number): Record<string, unknown> => ({ a: levels > 1 ? nested(levels - 1) : null });

describe('a setting with a few values', () => {
  const server = { url: 'https://example.com' };
  const from = 'a@example.com';
  const at = (path: string, value: unknown) =>
    path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

  it.each<[string, readonly unknown[]]>([
    ['compatibility', ['documented', 'strapi']],
    ['studio', [true, false, 'read-only']],
    ['email', ['none', 'cloudflare', 'http'].map((provider) => ({ provider, from }))],
    ['api.rest.createResponse', ['documented', 'strapi']],
    ['api.rest.errorDetails', ['documented', 'strapi']],
    ['api.documents.mixedRelations', ['reject', 'strapi']],
    ['users.jwtManagement', ['legacy-support', 'refresh']],
    ['users.sessions.cookie.sameSite', ['strict', 'lax', 'none']],
    ['users.sessions.cookie.maxAge', [null, '400d']],
    ['upload.replace', ['new-url', 'same-url']],
    ['upload.private', [true, false, 'all']],
    ['rateLimit.auth.period', [10, 60]],
    ['mcp', [true, false, { anonymous: true }]],
    ['search', [['api::a.a'], { 'api::a.a': { title: 10 } }]],
    ['history', [null, true, { bytes: 1 }, { 'api::a.a': true }, { 'api::a.a': { versions: 1, days: 2 } }]],
    ['populates', ['b', ['b'], { b: true }].map((populate) => ({ 'api::a.a': { card: { populate } } }))],
    ['roles', [{ a: ['b'] }, { a: [{ action: 'b' }] }, { a: [{ action: ['b'], where: nested(32) }] }]],
    ['preview.expiresIn', ['1d']],
  ])('takes each: %s', (path, values) => {
    for (const value of values) expect(parseSettings({ server, ...at(path, value) })).toMatchObject(at(path, value));
  });

  it.each([
    [false, null],
    [null, null],
    [true, { registration: false }],
    [{}, { registration: false }],
    [{ registration: true }, { registration: true }],
  ])('is off or has its options: oauth %j', (oauth, value) => {
    expect(parseSettings({ oauth, mcp: true, server }).oauth).toEqual(value);
  });

  it('has locales with two fallbacks at most, and English without any', () => {
    const locale = (code: string) => ({ code, name: code });
    const first = { ...locale('a'), fallback: ['b', 'c'] };
    const { i18n } = parseSettings({ i18n: { locales: [first, locale('b'), locale('c')] } });
    expect(i18n.locales[0]).toMatchObject(first);
    expect(parseSettings({}).i18n.locales).toEqual([{ code: 'en', name: 'English (en)', isDefault: true }]);
  });

  it('has widths in their order', () => {
    expect(parseSettings({ upload: { widths: [500, 1_000, 64] } }).upload.widths).toEqual([64, 500, 1_000]);
    expect(parseSettings({ upload: { widths: true } }).upload.widths).toEqual([
      64, 128, 256, 384, 640, 828, 1_080, 1_280, 1_600, 1_920, 2_560, 3_840,
    ]);
  });
});

describe('a wrong setting', () => {
  it.each<[unknown, string]>([
    [{ histroy: true }, '(top level): unknown key "histroy"; did you mean "history"?'],
    [{ server: { ulr: '' } }, 'server: unknown key "ulr"; known are url, openapi, timing'],
    [{ server: 3 }, 'server: an object, not 3'],
    [null, '(top level): an object, not null'],
    [{ upload: { sizeLimit: 0 } }, 'upload.sizeLimit: at least 1, not 0'],
    [{ upload: { sizeLimit: 1.5 } }, 'upload.sizeLimit: a whole number, not 1.5'],
    [{ upload: { widths: 'x' } }, 'upload.widths: true or a list, not "x"'],
    [{ upload: { breakpoints: { Large: 1 } } }, 'upload.breakpoints.Large: a short name of a-z, 0-9 and _'],
    [{ studio: 'readonly' }, 'studio: true or false or "read-only", not "readonly"; did you mean "read-only"?'],
    [{ mcp: { anonymus: true } }, 'mcp: unknown key "anonymus"; did you mean "anonymous"?'],
    [
      { oauth: true, mcp: true },
      'server.url: an address like https://api.example.com, since oauth is on: clients compare it with the one they call',
    ],
    [
      { oauth: true, mcp: true, server: { url: 'https://example.com/cms' } },
      'server.url: an address like https://api.example.com, since oauth is on: clients compare it with the one they call',
    ],
    ...[false, 'read-only'].map((studio): [unknown, string] => [
      { oauth: {}, mcp: true, server: { url: 'http://localhost:8787' }, studio },
      'studio: true, since oauth is on: people connect clients on a page of Studio',
    ]),
    [
      { oauth: { registration: true }, server: { url: 'https://example.com' } },
      'mcp: true, since oauth is on: its tokens are for /mcp alone',
    ],
    [
      { users: { jwtManagement: 'refesh' } },
      'users.jwtManagement: "legacy-support" or "refresh", not "refesh"; did you mean "refresh"?',
    ],
    [{ users: { jwtManagement: 'x' } }, 'users.jwtManagement: "legacy-support" or "refresh", not "x"'],
    [{ i18n: { locales: [{ code: 'en' }] } }, 'i18n.locales.0.name: is missing (a text)'],
    [
      { i18n: { locales: [{ code: 'en', name: 'en', isDefault: true, createdAt: 'now' }] } },
      'i18n.locales.0.createdAt: a time like 2026-01-31T12:00:00.000Z',
    ],
    [
      { i18n: { locales: [{ code: 'en', name: 'en', fallback: ['fr'] }] } },
      'i18n.locales: fallbacks of "en" among en; "fr" is none of them',
    ],
    [
      { i18n: { locales: [{ code: 'en', name: 'en', fallback: ['en'] }] } },
      'i18n.locales: other locales as fallbacks of "en", each once',
    ],
    [
      {
        i18n: {
          locales: ['a', 'b', 'c', 'd'].map((code) => ({
            code,
            name: code,
            fallback: code === 'a' ? ['b', 'c', 'd'] : [],
          })),
        },
      },
      'i18n.locales: at most 2 fallbacks of "a"',
    ],
    [{ search: 3 }, 'search: a list or an object, not 3'],
    [{ search: { 'api::a.a': {} } }, 'search.api::a.a: at least one attribute with its weight'],
    [{ search: { 'api::a.a': { title: 11 } } }, 'search.api::a.a.title: at most 10, not 11'],
    [{ search: { 'api::a.a': { title: 0 } } }, 'search.api::a.a.title: at least 1, not 0'],
    [{ roles: { a: [3] } }, 'roles.a.0: a text or an object, not 3'],
    [{ roles: { a: [{ action: 'b', were: {} }] } }, 'roles.a.0: unknown key "were"; did you mean "where"?'],
    [{ cache: { 'api::a.a': { maxAge: -1 } } }, 'cache.api::a.a.maxAge: at least 0, not -1'],
    [{ cache: 'x'.repeat(100) }, `cache: an object, not "${'x'.repeat(59)}…`],
    [{ cache: 'x'.repeat(58) }, `cache: an object, not "${'x'.repeat(58)}"`],
    [{ server: () => 1 }, 'server: an object, not () => 1'],
    [{ history: 3 }, 'history: null, true or an object, not 3'],
    [{ history: { 'api::a.a': { versions: 0 } } }, 'history.api::a.a.versions: at least 1, not 0'],
    [{ mcp: { anonymous: 3 } }, 'mcp.anonymous: true or false, not 3'],
    [
      { users: { sessions: { cookie: { sameSite: 'x' } } } },
      'users.sessions.cookie.sameSite: "strict", "lax" or "none", not "x"',
    ],
    [{ users: { sessions: { cookie: { maxAge: '401d' } } } }, 'users.sessions.cookie.maxAge: at most 400d'],
    [{ users: { defaultRole: 'public' } }, 'users.defaultRole: a role for signed-in users; "public" is not one'],
    [{ roles: { a: [{ action: 'b', status: 'x' }] } }, 'roles.a.0.status: "draft", not "x"'],
    [
      { email: { provider: 'http', from: 'a@example.com' } },
      'server.url: where the API is reached, for links in messages',
    ],
    [
      { email: { provider: 'http' }, server: { url: 'https://example.com' } },
      'email.from: the address that messages come from',
    ],
    [{ server: { url: 'api.site.test' } }, 'server.url: a URL like https://api.example.com'],
    [{ email: { from: 'Hello <hello@site.test>' } }, 'email.from: an address like hello@example.com'],
    [{ email: { fromName: 'Eve\r\nBcc: all@site.test' } }, 'email.fromName: a name without <, > and "'],
    [{ email: { provider: 'sendmail' } }, 'email.provider: "none", "cloudflare" or "http", not "sendmail"'],
    [{ email: { url: 'mail.test' } }, 'email.url: a URL'],
    ...['', 'welcome', '/über-uns'].map((emailConfirmationRedirection): [unknown, string] => [
      { users: { emailConfirmationRedirection } },
      'users.emailConfirmationRedirection: a URL or a path, in ASCII',
    ]),
    [{ users: { resetPasswordUrl: 'javascript:alert(1)' } }, 'users.resetPasswordUrl: a URL or a path'],
    [{ roles: { a: [{ action: 'b', where: nested(33) }] } }, 'roles.a.0.where: expected a filter of at most 32 levels'],
  ])('%j is named with what is expected', (input, line) => {
    const file = 'edgewise.config.ts has 1 wrong setting';
    expect(() => parseSettings(input)).toThrow(new Error(`${file}:\n  ${line}`));
  });

  it('is named with all others, also those that are wrong only together with a third', () => {
    const email = { provider: 'cloudflare' };
    const sessions = { cookie: { maxAge: '500d' } };
    const input = { histroy: true, mcp: 'yes', email, users: { defaultRole: 'nobody', sessions } };
    expect(() => parseSettings(input)).toThrow(
      new Error(`edgewise.config.ts has 6 wrong settings:
  mcp: true or false or an object, not "yes"
  (top level): unknown key "histroy"; did you mean "history"?
  email.from: the address that messages come from
  server.url: where the API is reached, for links in messages
  users.defaultRole: a role for signed-in users; "nobody" is not one
  users.sessions.cookie.maxAge: at most 400d`),
    );
    // What is wrong by itself is named once.
    expect(() => parseSettings({ email: { provider: 'cloudflare', from: 3 }, users: { defaultRole: 1 } })).toThrow(
      'has 2 wrong settings',
    );
  });

  it.each<[object, string]>([
    [{ oauth: 3, server: { url: '' }, studio: false }, 'oauth'],
    [{ oauth: true, mcp: true, server: { url: 3 } }, 'server.url'],
    [{ oauth: true, mcp: true, server: { url: 'https://example.com' }, studio: 'x' }, 'studio'],
    [{ oauth: true, mcp: 'yes', server: { url: 'https://example.com' } }, 'mcp'],
    [{ email: 3 }, 'email'],
    [{ email: { provider: 'http', from: 'a@example.com' }, server: { url: 3 } }, 'server.url'],
    [{ users: { defaultRole: 'a' }, roles: 3 }, 'roles'],
    [{ users: 3, studio: false }, 'users'],
    [{ access: { team: 3, audience: 'a'.repeat(64), role: 'x' } }, 'access.team'],
  ])('is named once, and not what depends on it: %j', (input, key) => {
    expect(() => parseSettings(input)).toThrow(`edgewise.config.ts has 1 wrong setting:\n  ${key}: `);
  });

  it.each<[object, readonly string[]]>([
    [{}, []],
    [{ histroy: 1, server: { ulr: 1 } }, ['histroy', 'server']],
    [{ users: { defaultRole: 'x' }, upload: 3, mcp: true }, ['users', 'upload']],
    [{ compatibility: 'strapi', api: null }, ['api']],
  ])('makes its section wrong: %j', (input, sections) => {
    expect([...wrongSections(input)].toSorted()).toEqual(sections.toSorted());
  });

  it('has no words of the validator, whatever it is', () => {
    const schema = parseSettings({});
    let rejected = 0;
    for (const key of Object.keys(schema))
      for (const value of [3, -1, 'x', [], [3], [{}], { x: 1 }, { 'api::a.a': 1 }, null])
        try {
          parseSettings({ [key]: value });
        } catch (error) {
          expect(String(error)).not.toMatch(/Invalid|Unrecognized|expected \w+, received|undefined/);
          rejected += 1;
        }
    expect(rejected).toBeGreaterThan(Object.keys(schema).length);
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
