/**
 * @module The settings of a deployment (`edgewise.config.ts`): shape, defaults, validation.
 */

import * as z from 'zod/mini';
import { plural } from '../../common/plural.ts';
import type { ScalarType } from '../fields.ts';
import { access } from './access-setting.ts';
import { mcp, OAUTH_NEEDS, oauth } from './agent-settings.ts';
import { roleNames, secondsOf } from './derived.ts';
import { grants } from './grant-setting.ts';
import { history } from './history-setting.ts';
import { documentId, i18n } from './locale-setting.ts';
import { PICTURE_WIDTHS } from './picture-values.ts';
import { populates } from './preset-setting.ts';
import { preview } from './preview-setting.ts';
import { linesOf, messageOf } from './problems.ts';
import { providers } from './provider-setting.ts';
import { documents, rest } from './rest-setting.ts';
import { search } from './search-setting.ts';
import { email, server } from './server-settings.ts';
import { duration, durationText, flag, number, origin, positive, section, textMatching } from './setting-values.ts';
import { withStrapiDefaults } from './strapi-compatibility.ts';
import { webhookList } from './webhook-setting.ts';

const roleDetails = z.strictObject({ documentId, name: z.optional(z.string()), description: z.optional(z.string()) });

const cookie = section({
  name: z._default(textMatching(/^[a-z][\w-]*$/i, 'letters, digits, _ and -'), 'strapi_up_refresh'),
  path: z._default(textMatching(/^\/[^;\s]*$/, 'a path like /api/auth'), '/'),
  domain: z._default(z.nullable(textMatching(/^[\w.-]+$/, 'a domain like example.com')), null),
  sameSite: z._default(z.enum(['strict', 'lax', 'none']), 'lax'),
  /** `null`: true except on a local server. */
  secure: z._default(z.nullable(z.boolean()), null),
  /** `null`: a session cookie. */
  maxAge: z._default(z.nullable(durationText), null),
});

const sessions = section({
  accessTokenLifespan: duration('10m'),
  /** Maximum life of a session, refreshed or not. */
  maxRefreshTokenLifespan: duration('30d'),
  /** Life of a session since its last refresh. */
  idleRefreshTokenLifespan: duration('14d'),
  /** How long a used refresh token gets the same response again: for concurrent tabs, or after a lost response. */
  refreshTokenGrace: duration('10s'),
  /** Are refresh tokens in an HttpOnly cookie? Otherwise they are in bodies, unless a request header asks for it. */
  httpOnly: flag(false),
  cookie,
});

const users = section({
  allowRegistration: flag(true),
  /** Custom attributes that registration accepts. */
  register: section({ allowedFields: z._default(z.array(z.string()), []) }),
  defaultRole: z._default(z.string(), 'authenticated'),
  /** Do roles also have the grants of a fresh Strapi (signing in, `me`, …)? */
  defaultGrants: flag(true),
  /** Name, description and documentId of roles, by their key in `roles`. */
  roleDetails: z._default(z.record(z.string(), roleDetails), {}),
  caseSensitiveNames: flag(false),
  jwtExpiresIn: duration('30d'),
  /** Does a change of password invalidate long-lived tokens? In Strapi they stay valid. */
  passwordChangeEndsTokens: flag(true),
  /** `refresh`: access and refresh tokens of sessions. `legacy-support`: long-lived tokens. */
  jwtManagement: z._default(z.enum(['legacy-support', 'refresh']), 'legacy-support'),
  sessions,
  emailConfirmation: flag(false),
  confirmationCodeExpiresIn: duration('3d'),
  /** Where the browser goes after the confirmation. */
  emailConfirmationRedirection: z._default(textMatching(/^(https?:\/\/|\/)[!-~]*$/, 'a URL or a path, in ASCII'), '/'),
  /** Page that asks for the new password; `?code=…` is appended. */
  resetPasswordUrl: z._default(textMatching(/^((https?:\/\/|\/)\S*)?$/, 'a URL or a path'), ''),
  resetCodeExpiresIn: duration('1h'),
  invitationExpiresIn: duration('7d'),
  /** Login providers: presets, and issuers of OpenID Connect under any name. */
  providers,
  /** May a sign-in by a provider be linked to a user with a password whose address is proven? */
  linkByEmail: flag(false),
});

const limiter = (enabled: boolean) =>
  section({
    enabled: flag(enabled),
    /** Seconds for `Retry-After`; the `period` of the bindings in wrangler.toml. */
    period: z._default(z.literal([10, 60]), 60),
  });

/** The types that a fresh Strapi accepts; `null` accepts all. */
const ALLOWED_TYPES = [
  'image/*',
  'video/*',
  'audio/*',
  'application/pdf',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.*',
  'text/plain',
  'text/csv',
];

const DENIED_TYPES = [
  'image/svg+xml',
  'application/vnd.microsoft.portable-executable',
  'application/x-msdownload',
  'application/x-msdos-program',
  'application/x-executable',
  'application/x-dosexec',
  'application/x-sh',
  'text/x-shellscript',
  'application/x-mach-binary',
];

const widths = z.pipe(
  z.union([z.literal(true), z.array(positive)]),
  z.transform((value) => (value === true ? [...PICTURE_WIDTHS] : value.toSorted((a, b) => a - b))),
);

const formatName = textMatching(/^(?!thumbnail$)[a-z][a-z0-9_]{0,31}$/, 'a short name of a-z, 0-9 and _');
const publicUrl = textMatching(/^(https?:\/\/[^\s?#]+[^\s?#/])?$/, 'https://host without a slash at the end');

const upload = section({
  sizeLimit: number(1_000_000_000),
  /** Parts of one request: files and fields. */
  maxParts: number(50),
  allowedTypes: z._default(z.nullable(z.array(z.string())), ALLOWED_TYPES),
  deniedTypes: z._default(z.array(z.string()), DENIED_TYPES),
  /** Pixels of one picture; Cloudflare Images rejects more than 100 million. */
  maxPixels: number(100_000_000),
  /** Further sizes of a picture, by name: the longer side, in pixels. */
  breakpoints: z._default(z.record(formatName, positive), { large: 1000, medium: 750, small: 500 }),
  /** Widths of pictures on request, in pixels; without any there are none. */
  widths: z._default(widths, []),
  /** Do pictures have a ThumbHash and a dominant colour? */
  placeholders: flag(false),
  /** Pictures on request that are made in a month; the default is what Cloudflare gives for free. */
  transformationsPerMonth: number(5_000),
  /** URL of a public bucket, for the URLs of new files. */
  publicUrl: z._default(publicUrl, ''),
  /** How long caches may store a file. */
  cacheSeconds: number(86_400),
  /** Does a file with replaced bytes get a new URL, so that no cache serves the old ones? */
  replace: z._default(z.enum(['new-url', 'same-url']), 'new-url'),
  /** May files be private, in the bucket PRIVATE_MEDIA? `all`: each new one is. */
  private: z._default(z.union([z.boolean(), z.literal('all')]), false),
  /** Are there routes for folders? */
  folders: flag(false),
  /** How long the signed address of a private file in a response is valid, and at least half of it. */
  signedUrlExpiresIn: duration('1h'),
});

const wholeSeconds = z.int().check(z.gte(0), z.lte(31_536_000));

/** Seconds, as in `Cache-Control`. */
const policy = z.strictObject({
  maxAge: wholeSeconds,
  staleWhileRevalidate: z._default(wholeSeconds, 0),
});

/** The scalar types in which Strapi stores custom fields. */
const BASE_TYPES: { readonly [K in Exclude<ScalarType, 'blocks'>]: K } = {
  ...{ biginteger: 'biginteger', boolean: 'boolean', date: 'date', datetime: 'datetime', decimal: 'decimal' },
  ...{ email: 'email', enumeration: 'enumeration', float: 'float', integer: 'integer', json: 'json' },
  ...{ password: 'password', richtext: 'richtext', string: 'string', text: 'text', time: 'time', uid: 'uid' },
};
const customField = textMatching(
  /^(plugin::[\w-]+\.|global::)[\w$-]+$/,
  'the uid of a custom field, such as plugin::color-picker.color',
);

const sections = z.strictObject({
  /** `strapi`: unset settings have the values of strapi-compatibility.ts. */
  compatibility: z._default(z.enum(['documented', 'strapi']), 'documented'),
  server,
  /** Is Studio deployed, and may it write? */
  studio: z._default(z.union([z.boolean(), z.literal('read-only')]), true),
  email,
  api: section({ rest, documents }),
  i18n,
  roles: z._default(z.record(z.string(), grants), {}),
  users,
  /** The application of Cloudflare Access whose users sign in. */
  access,
  upload,
  /** Indexes of a content type by its uid, each a list of `attribute` or `attribute:desc`. */
  indexes: z._default(z.record(z.string(), z.array(z.array(z.string()))), {}),
  search,
  /** Populates that requests name, by uid. */
  populates,
  /** Types of custom fields by uid, in addition to the well-known ones. */
  customFields: z._default(z.record(customField, z.enum(BASE_TYPES)), {}),
  cors: section({ origins: z._default(z.array(origin), []) }),
  /** How long shared caches may store public responses, by uid. */
  cache: z._default(z.record(z.string(), policy), {}),
  /** Responses and plans that an isolate caches. */
  memory: section({
    /** Bytes of all; an isolate has 128 MB. */
    totalBytes: number(16_777_216),
    /** Bytes of one; larger ones are not cached. */
    answerBytes: number(1_048_576),
  }),
  rateLimit: section({
    /** Sign-in, registration, passwords and codes. */
    auth: limiter(true),
    content: limiter(false),
  }),
  webhooks: webhookList,
  preview,
  history,
  mcp,
  oauth,
});

type Sections = z.output<typeof sections>;

/** Is there such a role, which users may have? */
const isRoleOfUsers = (settings: Sections, role: string): boolean =>
  role !== 'public' && roleNames(settings).includes(role);

// Browsers cap it: https://www.rfc-editor.org/rfc/rfc6265bis#section-5.5
const MAX_COOKIE_AGE = '400d';

/** Checks of several sections run where these are valid, whatever else is wrong. */
const whenValid = (...names: readonly (keyof Sections)[]) => {
  const named = z.object(Object.fromEntries(names.map((name) => [name, sections.shape[name]])));
  return ({ value }: { readonly value: unknown }): boolean => named.safeParse(value).success;
};

/** Links in messages need `server.url`, since a client chooses the host of its request. So do signed addresses of a deployment. */
export const settingsSchema = sections.check(
  z.refine(({ email: { provider, from } }) => provider === 'none' || from !== '', {
    path: ['email', 'from'],
    when: whenValid('email'),
    error: 'the address that messages come from',
  }),
  z.refine(({ email: { provider }, server: { url } }) => provider === 'none' || url !== '', {
    path: ['server', 'url'],
    when: whenValid('email', 'server'),
    error: 'where the API is reached, for links in messages',
  }),
  z.refine(
    ({ users, studio }) => studio !== false || Object.values(users.providers).every(({ callback }) => callback),
    {
      path: ['users', 'providers'],
      when: whenValid('users', 'studio'),
      error: 'each needs a callback, the page that users return to, since studio is false',
    },
  ),
  z.refine((settings) => isRoleOfUsers(settings, settings.users.defaultRole), {
    path: ['users', 'defaultRole'],
    when: whenValid('users', 'roles'),
    error: ({ input }) => `a role for signed-in users; "${(input as Sections).users.defaultRole}" is not one`,
  }),
  z.refine((settings) => settings.access?.role === undefined || isRoleOfUsers(settings, settings.access.role), {
    path: ['access', 'role'],
    when: whenValid('access', 'roles'),
    error: ({ input }) => `a role for signed-in users; "${(input as Sections).access?.role}" is not one`,
  }),
  z.refine(({ users }) => !(secondsOf(users.sessions.cookie.maxAge ?? '1s') > secondsOf(MAX_COOKIE_AGE)), {
    path: ['users', 'sessions', 'cookie', 'maxAge'],
    when: whenValid('users'),
    error: `at most ${MAX_COOKIE_AGE}`,
  }),
  ...OAUTH_NEEDS.map(({ path, of, isMet, error }) =>
    z.refine<Sections>(isMet, { path: [...path], when: whenValid(...of), error }),
  ),
);

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
export type Limits = Settings['api']['rest']['limits'];

/** Bindings of wrangler.toml that count requests, by their section of `rateLimit`. */
export const RATE_LIMITERS = {
  auth: ['AUTH_RATE_LIMIT', 'AUTH_ADDRESS_RATE_LIMIT', 'AUTH_FAILURE_RATE_LIMIT'],
  content: ['CONTENT_RATE_LIMIT'],
} as const;

export type RateLimiter = (typeof RATE_LIMITERS)[keyof typeof RATE_LIMITERS][number];

/** Types the settings for editors. */
export const defineConfig = (settings: SettingsInput): SettingsInput => settings;

/**
 * Validates settings and fills in defaults.
 * @throws Error that names `file`, and every wrong key with the expected value
 */
export function parseSettings(input: unknown, file = 'edgewise.config.ts'): Settings {
  const { success, data, error } = settingsSchema.safeParse(withStrapiDefaults(input), { error: messageOf });
  if (success) return data;
  const lines = error.issues.flatMap((issue) => linesOf(issue));
  const count = `${lines.length} wrong ${plural(lines.length, 'setting')}`;
  throw new Error(`${file} has ${count}:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
