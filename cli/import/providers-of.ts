/**
 * @module Login providers of an archive → the setting `users.providers`. Their secrets are not copied: each names one of the
 * Worker instead.
 */
import { isObject, type JsonObject } from '../../src/common/json.ts';
import { parseSettings, type SettingsInput } from '../../src/schema/settings/config.ts';
import { docsPage } from '../core/docs-page.ts';
import type { Warnings } from './survey.ts';

type Providers = NonNullable<NonNullable<SettingsInput['users']>['providers']>;
type Provider = Providers[string];

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Strapi has the host of an issuer as `subdomain`. */
const ISSUERS: Readonly<Record<string, (stored: JsonObject) => string>> = {
  auth0: ({ subdomain }) => `https://${text(subdomain)}.auth0.com/`,
  keycloak: ({ subdomain }) => `https://${text(subdomain)}`,
  cognito: ({ jwksurl }) => text(jwksurl).replace(/\/\.well-known\/jwks\.json$/, ''),
};

const PRESETS: ReadonlySet<string> = new Set([
  ...['discord', 'facebook', 'github', 'google', 'linkedin', 'microsoft', 'patreon', 'twitch'],
  ...Object.keys(ISSUERS),
]);

/** Returns what is wrong with a provider as a setting. */
function problemOf(name: string, provider: Provider): string | undefined {
  try {
    parseSettings({ users: { providers: { [name]: provider } } }, '');
    return undefined;
  } catch (error) {
    return String((error as Error).message.split('\n')[1]).replace(/^ *users\.providers\.[^.]+\./, '');
  }
}

function providerOf(name: string, stored: JsonObject): Provider {
  const callback = text(stored.callback);
  const issuer = ISSUERS[name]?.(stored);
  return {
    clientId: text(stored.key),
    secret: `${name.toUpperCase()}_SECRET`,
    ...(/^https?:\/\//.test(callback) && { callback }),
    ...(issuer !== undefined && { issuer }),
  };
}

/** @param stored the configuration of Strapi's plugin, by the name of a provider */
export function providerSettings(stored: unknown, warnings: Warnings): Providers {
  const enabled = Object.entries(isObject(stored) ? stored : {}).filter(
    (entry): entry is [string, JsonObject] => entry[0] !== 'email' && isObject(entry[1]) && entry[1].enabled === true,
  );
  const taken = enabled.flatMap(([name, values]) => {
    if (!PRESETS.has(name)) {
      warnings.addLoss(`the login provider ${name} is not there; left out: see ${docsPage('providers.md')}`);
      return [];
    }
    const provider = providerOf(name, values);
    const problem = problemOf(name, provider);
    if (problem !== undefined) {
      warnings.addLoss(`the login provider ${name} is left out: ${problem}`);
      return [];
    }
    warnings.add(`the secret of the login provider ${name} is not copied: npx wrangler secret put ${provider.secret}`);
    return [[name, provider] as const];
  });
  return Object.fromEntries(taken);
}
