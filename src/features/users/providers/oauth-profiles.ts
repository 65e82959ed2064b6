/**
 * @module Providers without OpenID Connect: their addresses, and who a user is there.
 */
import type { AuthorizationServer } from 'oauth4webapi';
import { isObject, ownValue } from '../../../common/json.ts';

/** Who a user is at a provider. */
export interface Profile {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** Does the provider vouch for the address? */
  readonly isVerified: boolean;
  readonly username: string | undefined;
}

/** Reads JSON of the provider with the access token of the user. */
type Read = (url: string) => Promise<unknown>;

interface OAuthProvider {
  readonly server: AuthorizationServer;
  readonly scope: string;
  profile(read: Read): Promise<Omit<Profile, 'issuer'>>;
}

export const textIn = (value: unknown, key: string): string | undefined => {
  const found = ownValue(value, key);
  return typeof found === 'string' && found !== '' ? found : undefined;
};

/** @throws Error without an id */
function subjectOf(user: unknown): string {
  const id = ownValue(user, 'id');
  if (typeof id === 'number') return String(id);
  if (typeof id !== 'string' || id === '') throw new Error('the user of the provider has no id');
  return id;
}

const fieldsOf = (user: unknown, username: string, isVerified: boolean) => ({
  subject: subjectOf(user),
  email: textIn(user, 'email'),
  username: textIn(user, username),
  isVerified,
});

const server = (issuer: string, authorization: string, token: string): AuthorizationServer => ({
  issuer,
  authorization_endpoint: authorization,
  token_endpoint: token,
  token_endpoint_auth_methods_supported: ['client_secret_post'],
});

/** By the name in the settings. */
export const OAUTH_PROVIDERS: Readonly<Record<string, OAuthProvider>> = {
  // https://discord.com/developers/docs/resources/user#user-object
  discord: {
    server: server(
      'https://discord.com',
      'https://discord.com/oauth2/authorize',
      'https://discord.com/api/oauth2/token',
    ),
    scope: 'identify email',
    async profile(read) {
      const user = await read('https://discord.com/api/users/@me');
      return fieldsOf(user, 'username', ownValue(user, 'verified') === true);
    },
  },
  // https://developers.facebook.com/docs/facebook-login: nothing says that the address is verified.
  facebook: {
    server: server(
      'https://www.facebook.com',
      'https://www.facebook.com/dialog/oauth',
      'https://graph.facebook.com/oauth/access_token',
    ),
    scope: 'email',
    profile: async (read) => fieldsOf(await read('https://graph.facebook.com/me?fields=id,name,email'), 'name', false),
  },
  // https://docs.github.com/en/rest/users/emails
  github: {
    server: server(
      'https://github.com/login/oauth',
      'https://github.com/login/oauth/authorize',
      'https://github.com/login/oauth/access_token',
    ),
    scope: 'read:user user:email',
    async profile(read) {
      const [user, emails] = [
        await read('https://api.github.com/user'),
        await read('https://api.github.com/user/emails'),
      ];
      const primary = Array.isArray(emails) ? emails.find((each) => ownValue(each, 'primary') === true) : undefined;
      return {
        ...fieldsOf(user, 'login', ownValue(primary, 'verified') === true),
        email: textIn(primary, 'email'),
      };
    },
  },
  // https://docs.patreon.com/#user-v2
  patreon: {
    server: server(
      'https://www.patreon.com',
      'https://www.patreon.com/oauth2/authorize',
      'https://www.patreon.com/api/oauth2/token',
    ),
    scope: 'identity identity[email]',
    async profile(read) {
      const body = await read(
        'https://www.patreon.com/api/oauth2/v2/identity?fields[user]=full_name,email,is_email_verified',
      );
      const user = ownValue(body, 'data');
      const attributes = ownValue(user, 'attributes');
      const fields = isObject(attributes) ? attributes : {};
      return fieldsOf({ ...fields, id: ownValue(user, 'id') }, 'full_name', fields.is_email_verified === true);
    },
  },
};
