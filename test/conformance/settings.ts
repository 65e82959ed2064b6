/**
 * @module setup.json of a corpus → the settings under which Edgewise answers like the recorded server, and the tokens
 * that the scenarios use.
 */
import { z } from 'zod/mini';
import type { SettingsInput } from '../../src/schema/settings/config.ts';

const flag = z.optional(z.boolean());

const setupSchema = z.object({
  server: z.object({
    rest: z.object({
      defaultLimit: z.optional(z.int()),
      maxLimit: z.optional(z.nullable(z.int())),
      withCount: flag,
      strictParams: flag,
    }),
    documents: z.optional(z.object({ strictRelations: flag })),
    authRateLimit: flag,
    uploadAllowedTypes: z.optional(z.array(z.string())),
    uploadDeniedTypes: z.optional(z.array(z.string())),
  }),
  locales: z.array(z.object({ code: z.string(), name: z.string(), isDefault: z.optional(z.boolean()) })),
  rolePermissions: z.record(z.string(), z.array(z.string())),
  apiTokens: z.record(
    z.string(),
    z.object({
      type: z.enum(['full-access', 'read-only', 'custom']),
      permissions: z.optional(z.array(z.string())),
    }),
  ),
});

export type Setup = z.output<typeof setupSchema>;
export type TokenSetup = Setup['apiTokens'][string];

/**
 * Reads a setup.json; keys that Edgewise has no setting for are passed over.
 * @throws Error that lists what is wrong with it.
 */
export function parseSetup(json: unknown): Setup {
  const parsed = setupSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map(({ path, message }) => `  ${path.join('.') || '(top level)'}: ${message}`);
  throw new Error(`setup.json is not as expected:\n${lines.join('\n')}`);
}

/** What setup.json does not say: the origins that scenarios send, and whether the recorded server was lenient. */
export interface Circumstances {
  readonly origins: readonly string[];
  readonly lenient: boolean;
}

/** The settings of the server under test. */
export function settingsOf(setup: Setup, { origins, lenient }: Circumstances): SettingsInput {
  const { rest, documents = {}, authRateLimit = true, uploadAllowedTypes, uploadDeniedTypes } = setup.server;
  const strict = lenient ? { strictParams: false } : {};
  return {
    compatibility: 'strapi',
    api: {
      rest: { ...rest, ...strict },
      documents: lenient ? { strictRelations: false } : documents,
    },
    i18n: { locales: setup.locales },
    roles: setup.rolePermissions,
    cors: { origins: [...origins] },
    users: { passwordChangeEndsTokens: true },
    rateLimit: { auth: { enabled: authRateLimit } },
    preview: {},
    upload: {
      ...(uploadAllowedTypes && { allowedTypes: uploadAllowedTypes }),
      ...(uploadDeniedTypes && { deniedTypes: uploadDeniedTypes }),
    },
  };
}
