/**
 * @module The settings of a deployment (`edgewise.config.ts`): their shape, defaults and named limits, checked once.
 */
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { limits } from './limits.ts';
import { count, DURATION, DURATION_MESSAGE, duration, flag, number, secondsOf, section } from './setting-values.ts';
import { withStrapiDefaults } from './strapi-defaults.ts';

// zod/mini has no words of its own.
z.config(en());

const rest = section({
  defaultLimit: number(25),
  maxLimit: z._default(z.nullable(count), 100),
  withCount: flag(true),
  strictParams: flag(true),
  createResponse: z._default(z.enum(['documented', 'strapi']), 'documented'),
  publicDrafts: flag(false),
  limits,
});

const documentId = z.optional(z.string().check(z.regex(/^[\w-]{1,255}$/, 'a documentId')));
const time = z.optional(z.iso.datetime({ precision: 3 }));
const isDefault = z._default(z.boolean(), false);
/** As another server showed a locale, or a role, before it came here. */
const shown = { documentId, createdAt: time, updatedAt: time, publishedAt: time };
const locale = z.strictObject({ code: z.string(), name: z.string(), isDefault, ...shown });
const roleDetails = z.strictObject({ documentId, name: z.optional(z.string()), description: z.optional(z.string()) });

const cookie = section({
  name: z._default(z.string().check(z.regex(/^[a-z][\w-]*$/i, 'letters, digits, _ and -')), 'strapi_up_refresh'),
  path: z._default(z.string().check(z.regex(/^\/[^;\s]*$/, 'a path like /api/auth')), '/'),
  domain: z._default(z.nullable(z.string().check(z.regex(/^[\w.-]+$/, 'a domain like example.com'))), null),
  sameSite: z._default(z.enum(['strict', 'lax', 'none']), 'lax'),
  /** Only over HTTPS? `null`: everywhere but on a local server. */
  secure: z._default(z.nullable(z.boolean()), null),
  /** How long the browser keeps it; `null`: until it is closed. */
  maxAge: z._default(z.nullable(z.string().check(z.regex(DURATION, DURATION_MESSAGE))), null),
});

const sessions = section({
  accessTokenLifespan: duration('10m'),
  /** How long a session lasts at most, however often it is refreshed. */
  maxRefreshTokenLifespan: duration('30d'),
  /** How long a session lasts that is not refreshed. */
  idleRefreshTokenLifespan: duration('14d'),
  /** How long a refresh token that was used gets the same answer again: to two tabs at once, or after a lost answer. */
  refreshTokenGrace: duration('10s'),
  /** Do refresh tokens travel in a cookie that scripts cannot read? Else in bodies, unless a request asks for it. */
  httpOnly: flag(false),
  cookie,
});

const users = section({
  /** May anybody make an account with `POST /api/auth/local/register`? */
  allowRegistration: flag(true),
  /** Attributes that registration accepts in addition to name, address and password. */
  register: section({ allowedFields: z._default(z.array(z.string()), []) }),
  /** Role of those who register themselves. */
  defaultRole: z._default(z.string(), 'authenticated'),
  /** Does each role have what a fresh Strapi grants it (signing in, `me`, …) besides what `roles` says? */
  defaultGrants: flag(true),
  /** How roles are shown, by their key in `roles`: name, description, documentId. */
  roleDetails: z._default(z.record(z.string(), roleDetails), {}),
  /** May two user names differ in letter case alone, as in Strapi? */
  caseSensitiveNames: flag(false),
  jwtExpiresIn: duration('30d'),
  /** Does a change of password end the long-lived tokens from before it? Off: they stay valid, as in Strapi. */
  passwordChangeEndsTokens: flag(true),
  /** `refresh`: short access tokens, and refresh tokens that belong to sessions. */
  jwtManagement: z._default(z.enum(['legacy-support', 'refresh']), 'legacy-support'),
  sessions,
  /** Must an address be confirmed before its user may sign in? */
  emailConfirmation: flag(false),
  /** How long the code of a message can confirm its address. */
  confirmationCodeExpiresIn: duration('3d'),
  /** Where the link in the confirmation message leads in the end. */
  emailConfirmationRedirection: z._default(
    z.string().check(z.regex(/^(https?:\/\/|\/)[!-~]*$/, 'a URL or a path, in ASCII')),
    '/',
  ),
  /** Page of the site that asks for the new password; `?code=` is added to it. */
  resetPasswordUrl: z._default(z.string().check(z.regex(/^((https?:\/\/|\/)\S*)?$/, 'a URL or a path')), ''),
  /** How long the code of a message can set a new password. */
  resetCodeExpiresIn: duration('1h'),
});

const server = section({
  /** Where the API is reached from outside; links in messages begin with it. */
  url: z._default(z.string().check(z.regex(/^(https?:\/\/[^\s?#]+)?$/, 'a URL like https://api.example.com')), ''),
  /** Does `/openapi.json` describe to each caller what they may do? */
  openapi: flag(true),
  /** Does `Server-Timing` say what an answer cost? A local server always says so. */
  timing: flag(false),
});

const ADDRESS = /^([^\s@<>"]+@[^\s@<>"]+)?$/;
const address = z._default(z.string().check(z.regex(ADDRESS, 'an address like hello@example.com')), '');

const email = section({
  /** `cloudflare`: the binding EMAIL. `http`: a POST to `url`, with the secret EMAIL_API_KEY. */
  provider: z._default(z.enum(['none', 'cloudflare', 'http']), 'none'),
  /** Takes `{from, to, reply_to, subject, text}` as JSON, as Resend does. */
  url: z._default(z.string().check(z.regex(/^https?:\/\/\S+$/, 'a URL')), 'https://api.resend.com/emails'),
  from: address,
  /** Shown beside the address. */
  fromName: z._default(z.string().check(z.regex(/^[^\p{Cc}<>"]*$/u, 'a name without <, > and "')), ''),
  /** Where answers go, if not to `from`. */
  replyTo: address,
});

const limiter = (enabled: boolean) =>
  section({
    enabled: flag(enabled),
    /** Seconds: what `Retry-After` says. The same as the `period` of the bindings in wrangler.toml. */
    period: z._default(z.literal([10, 60]), 60),
  });

/** What a freshly created Strapi takes; `null` takes every type. */
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

const formatName = z.string().check(z.regex(/^(?!thumbnail$)[a-z][a-z0-9_]{0,31}$/, 'a short name of a-z, 0-9 and _'));
const publicUrl = z
  .string()
  .check(z.regex(/^(https?:\/\/[^\s?#]+[^\s?#/])?$/, 'https://host without a slash at the end'));

const upload = section({
  /** Bytes of one file. */
  sizeLimit: number(1_000_000_000),
  /** Parts of one request: files, and what is said about them. */
  maxParts: number(50),
  allowedTypes: z._default(z.nullable(z.array(z.string())), ALLOWED_TYPES),
  deniedTypes: z._default(z.array(z.string()), DENIED_TYPES),
  /** Pixels of one picture; Cloudflare Images also rejects more than 100 million. */
  maxPixels: number(100_000_000),
  /** Sizes that a picture is also stored in, by name: the longer side, in pixels. */
  breakpoints: z._default(z.record(formatName, count), { large: 1000, medium: 750, small: 500 }),
  /** Where the bucket is public, if it is: new files get URLs there. */
  publicUrl: z._default(publicUrl, ''),
  /** How long a copy of a file may be kept. */
  cacheSeconds: number(86_400),
  /** Does a file whose bytes are replaced get another URL, so that no cache shows the old ones, or keep its own? */
  replace: z._default(z.enum(['new-url', 'same-url']), 'new-url'),
});

const wholeSeconds = z.int().check(z.gte(0), z.lte(31_536_000));

/** Seconds, as in `Cache-Control`. */
const policy = z.strictObject({
  maxAge: wholeSeconds,
  /** For how long after that an old answer may be given while a new one is fetched. */
  staleWhileRevalidate: z._default(wholeSeconds, 0),
});

/** The types in which Strapi stores custom fields. */
const baseType = z.enum([
  ...(['biginteger', 'boolean', 'date', 'datetime', 'decimal', 'email', 'enumeration', 'float'] as const),
  ...(['integer', 'json', 'password', 'richtext', 'string', 'text', 'time', 'uid'] as const),
]);
const customField = z
  .string()
  .check(
    z.regex(/^(plugin::[\w-]+\.|global::)[\w$-]+$/, 'the uid of a custom field, such as plugin::color-picker.color'),
  );

const settingsSchema = z.strictObject({
  /** `strapi`: the settings of strapi-defaults.ts have Strapi's values where they are not set. */
  compatibility: z._default(z.enum(['documented', 'strapi']), 'documented'),
  server,
  email,
  api: section({ rest, documents: section({ strictRelations: flag(true) }) }),
  i18n: section({ locales: z._default(z.array(locale), [{ code: 'en', name: 'English (en)', isDefault: true }]) }),
  roles: z._default(z.record(z.string(), z.array(z.string())), {}),
  users,
  upload,
  /** uid → indexes of its lists, each a list of `attribute` or `attribute:desc`. */
  indexes: z._default(z.record(z.string(), z.array(z.array(z.string()))), {}),
  /** uids of the types with a search index over all that `_q` looks into. */
  search: z._default(z.array(z.string()), []),
  /** uids of custom fields → the types that their plugins register, in addition to the well-known ones. */
  customFields: z._default(z.record(customField, baseType), {}),
  cors: section({ origins: z._default(z.array(z.string()), []) }),
  /** For how long caches may keep what the public reads of a content type, by its uid. */
  cache: z._default(z.record(z.string(), policy), {}),
  /** Responses that an isolate caches; the database confirms each time that they are still valid. */
  memory: section({
    /** Bytes of all of them. An isolate has 128 MB for everything. */
    totalBytes: number(16_777_216),
    /** Bytes of one response or plan; larger ones are not cached. */
    answerBytes: number(1_048_576),
  }),
  rateLimit: section({
    /** Signing in, registering, and everything about passwords and codes. */
    auth: limiter(true),
    /** Every request. */
    content: limiter(false),
  }),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
export type BaseType = z.output<typeof baseType>;
export type Limits = Settings['api']['rest']['limits'];

/** Bindings of wrangler.toml that count requests, by their section of `rateLimit`. */
export const RATE_LIMITERS = {
  auth: ['AUTH_RATE_LIMIT', 'AUTH_ADDRESS_RATE_LIMIT', 'AUTH_FAILURE_RATE_LIMIT'],
  content: ['CONTENT_RATE_LIMIT'],
} as const;

export type RateLimiter = (typeof RATE_LIMITERS)[keyof typeof RATE_LIMITERS][number];

/** Roles that every deployment has. */
const BUILT_IN_ROLES = ['authenticated', 'public'] as const;

/** Names of all roles: the built-in ones, then those that only the settings name. */
export const roleNames = ({ roles }: Settings): readonly string[] => [
  ...new Set([...BUILT_IN_ROLES, ...Object.keys(roles)]),
];

interface SettingIssue {
  readonly path: readonly string[];
  readonly message: string;
}

function roleIssues(settings: Settings): readonly SettingIssue[] {
  const { defaultRole } = settings.users;
  if (defaultRole !== 'public' && roleNames(settings).includes(defaultRole)) return [];
  return [{ path: ['users', 'defaultRole'], message: `a role for signed-in users; "${defaultRole}" is not one` }];
}

// https://www.rfc-editor.org/rfc/rfc6265bis#section-5.5: what lies beyond is cut off by browsers.
const LONGEST_COOKIE = '400d';

function cookieIssues({ users }: Settings): readonly SettingIssue[] {
  const { maxAge } = users.sessions.cookie;
  if (maxAge === null || secondsOf(maxAge) <= secondsOf(LONGEST_COOKIE)) return [];
  return [{ path: ['users', 'sessions', 'cookie', 'maxAge'], message: `at most ${LONGEST_COOKIE}` }];
}

/** The origin of a request is what its sender says, so links in messages need one that is not. */
function emailIssues({ email: { provider, from }, server: { url } }: Settings): readonly SettingIssue[] {
  if (provider === 'none') return [];
  const missing: SettingIssue[] = [];
  if (from === '') missing.push({ path: ['email', 'from'], message: 'the address that messages come from' });
  if (url === '') missing.push({ path: ['server', 'url'], message: 'where the API is reached, for links in messages' });
  return missing;
}

/** What is wrong with settings that are well-formed one by one. */
const settingIssues = (settings: Settings) =>
  [emailIssues, roleIssues, cookieIssues].flatMap((check) => check(settings));

/** Names the settings for editors; every key is optional. */
export const defineConfig = (settings: SettingsInput): SettingsInput => settings;

/**
 * Settings with defaults filled in.
 * @throws Error that lists every wrong key of `edgewise.config.ts` with what was expected there.
 */
export function parseSettings(input: unknown): Settings {
  const parsed = settingsSchema.safeParse(withStrapiDefaults(input));
  const issues = parsed.success ? settingIssues(parsed.data) : parsed.error.issues;
  if (parsed.success && issues.length === 0) return parsed.data;
  const lines = issues.map(({ path, message }) => `  ${path.join('.') || '(top level)'}: ${message}`);
  throw new Error(`edgewise.config.ts has ${lines.length} wrong setting(s):\n${lines.join('\n')}`);
}

/** The locale that is meant where a request names none. */
export function defaultLocale(settings: Settings): string {
  const { locales } = settings.i18n;
  return (locales.find((entry) => entry.isDefault) ?? locales[0])?.code ?? 'en';
}
