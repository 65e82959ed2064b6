/**
 * @module `users.providers` of the settings: who users may sign in with. Each gets the issuer that its preset has, so the
 * Worker needs no presets of OpenID Connect.
 */
import * as z from 'zod/mini';
import { MICROSOFT, TENANT } from './derived.ts';
import { flag, secretNamed, textMatching } from './setting-values.ts';

/** Secrets that no provider may get. */
const OWN_SECRETS: ReadonlySet<string> = new Set(['JWT_SECRET', 'EMAIL_API_KEY']);

/** Issuers of OpenID Connect, by the names of their presets. */
const ISSUERS: Readonly<Record<string, string>> = {
  google: 'https://accounts.google.com',
  gitlab: 'https://gitlab.com',
  linkedin: 'https://www.linkedin.com/oauth',
  twitch: 'https://id.twitch.tv/oauth2',
};

/** Presets without OpenID Connect: `features/users/providers/oauth-profiles.ts` has their addresses. */
const WITHOUT_ISSUER: ReadonlySet<string> = new Set(['discord', 'facebook', 'github', 'patreon']);

/** Presets whose issuer the settings may replace by their own. */
const REPLACEABLE: ReadonlySet<string> = new Set(['gitlab']);

/** Only for development, a local issuer may be without TLS. */
const issuer = textMatching(
  /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/|$))[^\s?#@]*$/,
  'the address of an issuer, such as https://sso.example.com/realms/site',
);
const callback = textMatching(
  /^(https:\/\/[^\s#@/?]+|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?)(\/[^\s#@]*)?$/,
  'the address of a page, such as https://www.example.com/connect/google',
);

const provider = z.strictObject({
  clientId: textMatching(/^\S+$/, 'the id that the provider has given'),
  /** Name of the secret of the Worker that has the secret of the client. */
  secret: secretNamed('GOOGLE_SECRET'),
  /** The page that users return to; absent: Studio alone. */
  callback: z.optional(callback),
  /** Of OpenID Connect. */
  issuer: z.optional(issuer),
  /** Of Microsoft: the id of a directory; absent: accounts of every one. */
  tenant: z.optional(textMatching(TENANT, 'the id of a tenant, in lower case')),
  /** Does the issuer let nobody have an address that is not theirs, even if it does not say so? */
  trustEmail: flag(false),
});

/** A provider of the settings; without an `issuer` it has a preset that is no OpenID Connect. */
export type Provider = z.output<typeof provider>;

function presetIssuer(name: string, { tenant }: Provider): string | undefined {
  if (name === 'microsoft') return `${MICROSOFT}${tenant ?? 'common'}/v2.0`;
  return Object.hasOwn(ISSUERS, name) ? ISSUERS[name] : undefined;
}

/** The tenants of Microsoft that all sites share; the id is that of private accounts. */
const SHARED_TENANT = /\/(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/;

const originOf = (url: string): string | undefined => URL.parse(url)?.origin;

/** Has the site an issuer or tenant for itself? */
const isOwnIssuer = (url: string): boolean =>
  originOf(url) === originOf(MICROSOFT)
    ? !SHARED_TENANT.test(url)
    : !Object.values(ISSUERS).some((known) => originOf(known) === originOf(url));

/** Returns what was expected of a key; undefined if nothing is wrong. */
function wrongKey(name: string, given: Provider): readonly [key: keyof Provider, expected: string] | undefined {
  const preset = presetIssuer(name, given);
  const isFixed = WITHOUT_ISSUER.has(name) || (preset !== undefined && !REPLACEABLE.has(name));
  if (isFixed && given.issuer !== undefined && given.issuer !== preset)
    return ['issuer', `no issuer: that of ${name} is known; another name takes any`];
  if (!isFixed && given.issuer === undefined && preset === undefined)
    return ['issuer', 'is missing (the address of an issuer of OpenID Connect)'];
  if (given.tenant !== undefined && name !== 'microsoft') return ['tenant', 'no tenant: only microsoft has one'];
  const issuedBy = given.issuer ?? preset;
  if (given.trustEmail && !(issuedBy && isOwnIssuer(issuedBy)))
    return ['trustEmail', 'false: only an issuer or tenant of your own can be trusted with addresses'];
  if (OWN_SECRETS.has(given.secret)) return ['secret', 'a secret of its own, such as GOOGLE_SECRET'];
  return undefined;
}

const providerName = textMatching(
  /^(?!(local|email|access)$)[a-z][a-z\d_-]{0,63}$/,
  'a name of a-z, 0-9, - and _, such as google',
);

export const providers = z.pipe(
  z._default(
    z.record(providerName, provider).check((context) => {
      for (const [name, given] of Object.entries(context.value)) {
        const wrong = wrongKey(name, given);
        if (!wrong) continue;
        const [key, message] = wrong;
        context.issues.push({ code: 'custom', path: [name, key], input: given[key], message });
      }
    }),
    {},
  ),
  z.transform((all) =>
    Object.fromEntries(
      Object.entries(all).map(([name, given]) => [
        name,
        { ...given, issuer: given.issuer ?? presetIssuer(name, given) },
      ]),
    ),
  ),
);
