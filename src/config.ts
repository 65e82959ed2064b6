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

const settingsSchema = z.strictObject({
  api: section({ rest, documents: section({ strictRelations: flag(true) }) }),
  i18n: section({ locales: z._default(z.array(locale), [{ code: 'en', name: 'English (en)', isDefault: true }]) }),
  roles: z._default(z.record(z.string(), z.array(z.string())), {}),
  cors: section({ origins: z._default(z.array(z.string()), []) }),
});

export type Settings = z.output<typeof settingsSchema>;
export type SettingsInput = z.input<typeof settingsSchema>;
export type Limits = Settings['api']['rest']['limits'];

/** Names the settings for editors; every key is optional. */
export const defineConfig = (settings: SettingsInput): SettingsInput => settings;

/**
 * Settings with defaults filled in.
 * @throws Error that lists every wrong key of `edgewise.config.ts` with what was expected there.
 */
export function parseSettings(input: unknown): Settings {
  const parsed = settingsSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || '(top level)'}: ${message}`);
  throw new Error(`edgewise.config.ts has ${lines.length} wrong setting(s):\n${lines.join('\n')}`);
}

/** The locale that is meant where a request names none. */
export function defaultLocale(settings: Settings): string {
  const { locales } = settings.i18n;
  return (locales.find((entry) => entry.isDefault) ?? locales[0])?.code ?? 'en';
}
