/**
 * @module Compares the settings with one another and with wrangler.toml, about rate limits, e-mail, private files, pictures,
 * webhooks and clients of OAuth.
 */
import { FETCH_FLAG } from '../../src/features/oauth/client-document.ts';
import { missingBinding } from '../../src/http/bindings.ts';
import { isScalar } from '../../src/schema/attribute-kinds.ts';
import type { Attribute, Registry } from '../../src/schema/model.ts';
import { RATE_LIMITERS, type Settings } from '../../src/schema/settings/config.ts';
import { secretsOf } from '../../src/schema/settings/webhook-setting.ts';
import { systemType, USER_UID } from '../../src/schema/system-types.ts';
import { ownAttributes } from '../../src/schema/user-type.ts';
import { UserError } from '../core/terminal.ts';
import { USER_FILE } from '../project/project.ts';
import { CONFIG } from '../project/settings.ts';

interface Bindings {
  /** Of `[env.…]`; absent: the top level. */
  readonly targetEnvironment?: string | undefined;
  readonly ratelimits: readonly {
    readonly name: string;
    readonly simple: { readonly limit: number; readonly period: number };
  }[];
  readonly r2_buckets: readonly { readonly binding: string }[];
  readonly send_email: readonly { readonly name: string }[];
  readonly images?: { readonly binding: string } | undefined;
  readonly compatibility_flags: readonly string[];
}

function limiterWarnings(section: keyof typeof RATE_LIMITERS, settings: Settings, { ratelimits }: Bindings): string[] {
  const { enabled, period } = settings.rateLimit[section];
  if (!enabled) return [];
  return RATE_LIMITERS[section].flatMap((name) => {
    const binding = ratelimits.find((entry) => entry.name === name);
    if (!binding) return [`wrangler.toml: no [[ratelimits]] is named ${name}, by which rateLimit.${section} counts`];
    const { period: bound } = binding.simple;
    if (bound === period) return [];
    return [`rateLimit.${section}.period is ${period}, but the period of ${name} in wrangler.toml ${bound}`];
  });
}

function emailWarnings({ email, users }: Settings, { send_email: bindings }: Bindings): string[] {
  if (email.provider === 'cloudflare' && !bindings.some(({ name }) => name === 'EMAIL'))
    return ['wrangler.toml: no [[send_email]] is named EMAIL, so no message will be sent'];
  if (email.provider !== 'none' || !users.emailConfirmation) return [];
  return ['users.emailConfirmation is on, but email.provider is "none": new users can never log in'];
}

/** Returns the lines for a bucket of private files that is missing. */
export const bucketWarnings = (
  { upload }: Settings,
  { r2_buckets: buckets, targetEnvironment: env }: Pick<Bindings, 'r2_buckets' | 'targetEnvironment'>,
): string[] =>
  upload.private === false || buckets.some(({ binding }) => binding === 'PRIVATE_MEDIA')
    ? []
    : [`upload.private: no file can be private yet, since ${missingBinding('PRIVATE_MEDIA', env)}`];

/** Returns the lines for the binding that makes pictures, where settings need it beside the formats of uploads. */
export function imageWarnings(
  { upload: { widths, placeholders } }: Settings,
  { images, targetEnvironment: env }: Pick<Bindings, 'images' | 'targetEnvironment'>,
): string[] {
  const needing = [...(widths.length > 0 ? ['widths'] : []), ...(placeholders ? ['placeholders'] : [])];
  if (needing.length === 0 || images?.binding === 'IMAGES') return [];
  const path = env === undefined ? 'images' : `env.${env}.images`;
  return [
    `upload.${needing.join(' and ')}: no picture is made, since wrangler.toml has no binding IMAGES; add these lines:\n[${path}]\nbinding = "IMAGES"`,
  ];
}

/** Returns the line for the flag without which no document of a client is fetched. */
export const flagWarnings = (
  { oauth }: Settings,
  { compatibility_flags: flags }: Pick<Bindings, 'compatibility_flags'>,
): string[] =>
  oauth === null || flags.includes(FETCH_FLAG)
    ? []
    : [`oauth: no client can be connected, since compatibility_flags in wrangler.toml lacks "${FETCH_FLAG}"`];

/** Patterns of writes of every content type. */
const WRITES_ALL = /^(\*|api::\*)(\.(\*|create|update|delete|publish|unpublish))?$/;

/** Returns a warning where everybody may register, and then write all content. */
export function registrationWarnings({ users, roles }: Settings): string[] {
  const isOpen =
    users.allowRegistration &&
    roles[users.defaultRole]?.some((grant) => typeof grant === 'string' && WRITES_ALL.test(grant));
  return isOpen
    ? [
        `users.allowRegistration is on, and roles.${users.defaultRole} has writes of all types: everybody may register, and then write all content`,
      ]
    : [];
}

/** Returns what the settings of a deployment lack that a local server does without. */
export function missingSettings({ upload, users, access, server }: Settings): readonly string[] {
  const needs = [
    ...(upload.private === false ? [] : ['addresses of private files are signed for it']),
    ...(Object.keys(users.providers).length === 0 ? [] : ['the providers of users.providers return there']),
    ...(access === null ? [] : ['only pages from there sign in by access']),
  ];
  const expected = 'server.url: expected where the API is reached, such as https://api.example.com';
  return server.url === '' ? needs.map((why) => `${expected}; ${why}`) : [];
}

/** @param others what else it lacks. @throws UserError with all that a deployment lacks */
export function assertDeployable(settings: Settings, others: readonly string[]): void {
  const missing = [...missingSettings(settings).map((line) => `${CONFIG}: ${line}`), ...others];
  if (missing.length > 0) throw new UserError(...missing);
}

const isMissing = (attribute: Attribute): boolean =>
  attribute.required && !(isScalar(attribute) && attribute.default !== undefined);

/** Returns a warning where required attributes keep a sign-in by a provider or Cloudflare Access from creating a user. */
export function newUserWarnings({ users, access }: Settings, registry: Registry): string[] {
  const makers = [
    ...(Object.keys(users.providers).length > 0 && users.allowRegistration ? ['users.providers'] : []),
    ...(access?.role === undefined ? [] : ['access.role']),
  ];
  const missing = [...ownAttributes(systemType(registry, USER_UID)).values()].filter(isMissing).map(({ name }) => name);
  if (makers.length === 0 || missing.length === 0) return [];
  return [
    `${makers.join(' and ')}: no user can be made by a sign-in, since users must have ${missing.join(', ')}: make it optional in ${USER_FILE}, or give it a default`,
  ];
}

/** Returns the secrets of webhooks that are not among these. */
export const missingSecrets = (webhooks: Settings['webhooks'], secrets: readonly string[]): readonly string[] =>
  [...new Set(webhooks.flatMap(secretsOf))].filter((name) => !secrets.includes(name));

/** Returns the secrets of login providers that are not among these, each after the setting that names it. */
export const missingProviderSecrets = (
  { providers }: Settings['users'],
  secrets: readonly string[],
): readonly (readonly [setting: string, secret: string])[] =>
  Object.entries(providers)
    .filter(([, { secret }]) => !secrets.includes(secret))
    .map(([name, { secret }]) => [`users.providers.${name}`, secret]);

/** Returns warnings for secrets of webhooks and login providers that the Worker lacks. */
export const secretWarnings = ({ webhooks, users }: Settings, secrets: readonly string[]): readonly string[] => [
  ...missingSecrets(webhooks, secrets).map(
    (name) => `webhooks: nothing is sent without the secret ${name}: npx wrangler secret put ${name}`,
  ),
  ...missingProviderSecrets(users, secrets).map(
    ([setting, name]) => `${setting}: users cannot sign in without the secret ${name}: npx wrangler secret put ${name}`,
  ),
];

/** Returns warnings for a deployment. */
export const deployWarnings = (settings: Settings, bindings: Bindings): readonly string[] => [
  ...limiterWarnings('auth', settings, bindings),
  ...limiterWarnings('content', settings, bindings),
  ...emailWarnings(settings, bindings),
  ...bucketWarnings(settings, bindings),
  ...imageWarnings(settings, bindings),
  ...flagWarnings(settings, bindings),
];
