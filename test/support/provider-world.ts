/**
 * @module A server whose users sign in by providers, the issuer of one of them, and the whole way of a sign-in.
 */
import { env } from 'cloudflare:workers';
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { Browser, type Issuer, openIssuer, serveIssuers } from './issuer.ts';
import { createTables, serve } from './recorded.ts';
import { outbox, type SignedIn } from './users.ts';

export const ISSUER = 'https://sso.example.com/realms/site';
export const PAGE = 'https://www.example.com/connect/keycloak';
export const ORIGIN = 'http://edgewise.test';

export const providers = {
  keycloak: { clientId: 'site', secret: 'KEYCLOAK_SECRET', issuer: ISSUER, callback: PAGE },
  other: { clientId: 'site', secret: 'KEYCLOAK_SECRET', issuer: 'https://other.example.com', callback: PAGE },
};
export const bindings = { KEYCLOAK_SECRET: 'the secret' } as Partial<Env>;
export const box = outbox();

/** @param sends can it send messages? */
export const servingProviders = (
  users: SettingsInput['users'] = {},
  more: SettingsInput = {},
  own: Partial<Env> = {},
  sends = true,
) =>
  serve(
    { server: { url: ORIGIN }, ...more, users: { providers, ...users } },
    { ...bindings, ...own },
    sends ? box : undefined,
  );

export const send = servingProviders();

export const ann = { sub: '1', email: 'Ann@Example.com', email_verified: true, preferred_username: 'ann' };

export async function openProviders(): Promise<Issuer> {
  await createTables();
  const issuer = await openIssuer(ISSUER);
  serveIssuers(issuer);
  return issuer;
}

export const run = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

export const rowsOf = async (sql: string, ...values: unknown[]) => (await run(sql, ...values)).results;

export const clear = () =>
  env.DB.batch(
    ['up_users', 'edgewise_identities', 'edgewise_redemptions', 'strapi_sessions'].map((table) =>
      env.DB.prepare(`delete from ${table}`),
    ),
  );

/** Goes to the provider and back, and returns the address of the page with what it was given. */
export async function arrive(issuer: Issuer, browser: Browser, query = ''): Promise<URL> {
  const location = await browser.follow(`/api/connect/keycloak${query}`);
  return browser.follow(issuer.agree(location.href));
}

export const exchange = (browser: Browser, page: URL, more = ''): Promise<Response> =>
  browser.get(`/api/auth/keycloak/callback?access_token=${page.searchParams.get('access_token')}${more}`);

/** The whole way. */
export async function enter(issuer: Issuer, person: Readonly<Record<string, unknown>>, by = send): Promise<Response> {
  issuer.person = person;
  const browser = new Browser(by);
  return exchange(browser, await arrive(issuer, browser));
}

export const signedIn = async (response: Response | Promise<Response>): Promise<SignedIn & { refreshToken?: string }> =>
  (await response).json();
