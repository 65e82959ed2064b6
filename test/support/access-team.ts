/**
 * @module A team of Cloudflare Access in process, a server behind its application, and who signs in there.
 */
import type { SettingsInput } from '../../src/schema/settings/config.ts';
import { jwksOf, newSigningKey, type SigningKey, serveIssuers, signedBy } from './issuer.ts';
import { createTables, type Send, serve } from './recorded.ts';

export const TEAM = 'https://example.cloudflareaccess.com';
export const AUDIENCE = '32eafc7626e974616deaf0dc3ce63d7bcbed58a2731e84d06bc3cdf1b53c4228';
export const ORIGIN = 'http://edgewise.test';
export const ASSERTION = 'Cf-Access-Jwt-Assertion';

export const application = { team: TEAM, audience: AUDIENCE };

/** The rights of editors differ from those of users who register. */
export const roles = { editor: ['api::tag.tag.find'] };

/** A server behind the application. */
export const servingAccess = (more: SettingsInput = {}, own: Partial<Env> = {}): Send =>
  serve({ server: { url: ORIGIN }, access: application, roles, ...more }, own);

export interface Team {
  /** Signs assertions, and is the one that it publishes. */
  key: SigningKey;
  /** Responds in place of its keys. */
  failure?: Response;
  /** How often its keys were read. */
  reads: number;
  respond(request: Request): Promise<Response | undefined>;
}

/** Makes the tables, and a team. */
export async function openTeam(): Promise<Team> {
  await createTables();
  const key = await newSigningKey('first');
  const team: Team = {
    key,
    reads: 0,
    async respond({ url }) {
      if (url !== `${TEAM}/cdn-cgi/access/certs`) return undefined;
      team.reads += 1;
      return team.failure?.clone() ?? jwksOf([key]);
    },
  };
  serveIssuers(team);
  return team;
}

/** What Access asserts of a person. */
export const ann = { sub: '7335d417-61da-459d-899c-0a01c76a2f94', email: 'Ann@Example.com' };

export type Claims = Readonly<Record<string, unknown>>;

/** Returns what Access asserts; `undefined` leaves a claim out. */
export function assertionOf({ key }: Pick<Team, 'key'>, person: Claims = ann): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const times = { iat: now, nbf: now, exp: now + 3600 };
  return signedBy(key, { aud: [AUDIENCE], iss: TEAM, type: 'app', identity_nonce: 'x', ...times, ...person });
}

export const signIn = (by: Send, assertion: string, headers: Readonly<Record<string, string>> = {}) =>
  by('/api/auth/access', { method: 'POST', headers: { origin: ORIGIN, [ASSERTION]: assertion, ...headers } });
