/**
 * @module The settings of a deployment (`edgewise.config.ts`): their shape, defaults and named limits, checked once.
 */

import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';

// zod/mini has no words of its own.
z.config(en());

const count = z.int().check(z.gte(1));
const flag = (value: boolean) => z._default(z.boolean(), value);
const number = (value: number) => z._default(count, value);
const section = <T extends z.core.$ZodLooseShape>(shape: T) => z.prefault(z.strictObject(shape), {} as never);

const limits = section({
  /** Characters of a query string. */
  queryLength: number(65_536),
  /** Conditions in one `filters`; as many through relations stay under D1's 100 KB of SQL. */
  conditions: number(200),
  /** Values in one list of a filter; they travel as one bound parameter. */
  listItems: number(2_000),
  /** Keys of a whole `populate`. */
  populateNodes: number(100),
  /** Levels of `populate`, all read in one statement. */
  populateDepth: number(10),
  /** Relations to many inside one another: each multiplies the rows of an answer. */
  populateLists: number(4),
  /** Terms of one `sort`; D1 stops at 100. */
  sortTerms: number(20),
  /** Bytes of a request body. */
  bodyBytes: number(1_048_576),
  /** Levels of nesting in a JSON body. */
  bodyDepth: number(100),
});

const rest = section({
  defaultLimit: number(25),
  maxLimit: z._default(z.nullable(count), 100),
  withCount: flag(true),
  strictParams: flag(true),
  createResponse: z._default(z.enum(['documented', 'strapi']), 'documented'),
  publicDrafts: flag(false),
  limits,
});

const locale = z.strictObject({ code: z.string(), name: z.string(), isDefault: z._default(z.boolean(), false) });

const DURATION = /^[1-9]\d*[smhd]$/;
const duration = (value: string) =>
  z._default(z.string().check(z.regex(DURATION, 'a duration like 45s, 15m, 12h or 30d')), value);

const users = section({
  /** May anybody make an account with `POST /api/auth/local/register`? */
  allowRegistration: flag(true),
  /** Role of those who register themselves. */
  defaultRole: z._default(z.string(), 'authenticated'),
  /** Does each role have what a fresh Strapi grants it (signing in, `me`, …) besides what `roles` says? */
  defaultGrants: flag(true),
  jwtExpiresIn: duration('30d'),
  /** Must an address be confirmed before its user may sign in? */
  emailConfirmation: flag(false),
  /** Where the link in the confirmation message leads in the end. */
  emailConfirmationRedirection: z._default(z.string(), '/'),
  /** Page of the site that asks for the new password; `?code=` is added to it. */
  resetPasswordUrl: z._default(z.string(), ''),
  /** How long the code of a message can set a new password. */
  resetCodeExpiresIn: duration('1h'),
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
  /** Pixels of one picture; beyond 100 million Cloudflare Images refuses too. */
  maxPixels: number(100_000_000),
  /** Sizes that a picture is also stored in, by name: the longer side, in pixels. */
  breakpoints: z._default(z.record(formatName, count), { large: 1000, medium: 750, small: 500 }),
  /** Where the bucket is public, if it is: new files get URLs there. */
  publicUrl: z._default(publicUrl, ''),
  /** How long a copy of a file may be kept. */
  cacheSeconds: number(31_536_000),
});

const settingsSchema = z.strictObject({
  api: section({ rest, documents: section({ strictRelations: flag(true) }) }),
  i18n: section({ locales: z._default(z.array(locale), [{ code: 'en', name: 'English (en)', isDefault: true }]) }),
  roles: z._default(z.record(z.string(), z.array(z.string())), {}),
  users,
  upload,
  cors: section({ origins: z._default(z.array(z.string()), []) }),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
export type Limits = Settings['api']['rest']['limits'];

/** Roles that every deployment has. */
export const BUILT_IN_ROLES = ['authenticated', 'public'] as const;

/** Names of all roles: the built-in ones, then those that only the settings name. */
export const roleNames = ({ roles }: Settings): readonly string[] => [
  ...new Set([...BUILT_IN_ROLES, ...Object.keys(roles)]),
];

function roleIssues(settings: Settings): readonly { readonly path: readonly string[]; readonly message: string }[] {
  const { defaultRole } = settings.users;
  if (defaultRole !== 'public' && roleNames(settings).includes(defaultRole)) return [];
  return [{ path: ['users', 'defaultRole'], message: `a role for those who sign in; "${defaultRole}" is none` }];
}

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** `30d` → seconds */
export const secondsOf = (text: string): number =>
  Number(text.slice(0, -1)) * SECONDS[text.slice(-1) as keyof typeof SECONDS];

/** Names the settings for editors; every key is optional. */
export const defineConfig = (settings: SettingsInput): SettingsInput => settings;

/**
 * Settings with defaults filled in.
 * @throws Error that lists every wrong key of `edgewise.config.ts` with what was expected there.
 */
export function parseSettings(input: unknown): Settings {
  const parsed = settingsSchema.safeParse(input);
  const issues = parsed.success ? roleIssues(parsed.data) : parsed.error.issues;
  if (parsed.success && issues.length === 0) return parsed.data;
  const lines = issues.map(({ path, message }) => `  ${path.join('.') || '(top level)'}: ${message}`);
  throw new Error(`edgewise.config.ts has ${lines.length} wrong setting(s):\n${lines.join('\n')}`);
}

/** The locale that is meant where a request names none. */
export function defaultLocale(settings: Settings): string {
  const { locales } = settings.i18n;
  return (locales.find((entry) => entry.isDefault) ?? locales[0])?.code ?? 'en';
}
