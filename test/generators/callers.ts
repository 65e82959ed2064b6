/**
 * @module The kinds of callers: how each gets its rights, and the credential that it sends.
 */
import { type Delegation, delegated } from '../../src/access/delegation.ts';
import { EVERYTHING } from '../../src/access/grants.ts';
import { sha256 } from '../../src/common/digest.ts';
import { tokenResponse } from '../../src/features/oauth/tokens.ts';
import { signPreview } from '../../src/features/preview/preview-token.ts';
import type { ConditionalGrant } from '../../src/schema/settings/grant-setting.ts';
import { JWT_SECRET, PASSWORD } from '../support/users.ts';

export type Grant = string | ConditionalGrant;

/** What gives a caller its rights; the grants of roles and of custom tokens are given beside it. */
export type Rights =
  | { readonly kind: 'public' }
  | { readonly kind: 'user'; readonly role: string }
  | { readonly kind: 'token'; readonly type: 'full-access' | 'read-only' | 'agent' | 'custom' }
  /** A part of the grants of a user. */
  | { readonly kind: 'client'; readonly user: string; readonly delegation: Delegation }
  /** The rights of the public, and those of a token to one document. */
  | { readonly kind: 'preview'; readonly maker: string };

export type Kind = Rights['kind'];

/** The world in which callers get credentials. */
export interface Host {
  /** Runs SQL. */
  run(sql: string, ...values: readonly (string | number | null)[]): unknown;
  /** Sends a request with full access, or as the public. @returns the body */
  send(method: string, path: string, body?: object, asPublic?: boolean): Promise<unknown>;
  /** The time, in milliseconds since 1970. */
  readonly now: number;
  /** The document that previews show. */
  readonly previewed: { readonly uid: string; readonly documentId: string };
}

/** A caller, by its name. */
interface Named {
  readonly name: string;
  readonly grants: readonly Grant[] | undefined;
}

async function tokenOf(host: Host, { name, grants }: Named, type: string): Promise<string> {
  await host.run(
    `insert into strapi_api_tokens
      (document_id, locale, published_at, created_at, updated_at, name, type, access_key, permissions, last_used_at)
    values (?, '', 0, 0, 0, ?, ?, ?, ?, 9e15)`,
    ...[name, name, type, sha256(name), type === 'custom' ? JSON.stringify(grants) : null],
  );
  return name;
}

/** Makes a user and signs in. */
export async function userOf(host: Host, name: string, role: string): Promise<string> {
  const { roles } = (await host.send('GET', '/api/users-permissions/roles')) as {
    roles: readonly { id: number; type: string }[];
  };
  const user = { username: name, email: `${name}@example.com`, password: PASSWORD, confirmed: true };
  await host.send('POST', '/api/users', { ...user, role: roles.find(({ type }) => type === role)?.id });
  const account = { identifier: name, password: PASSWORD };
  return ((await host.send('POST', '/api/auth/local', account, true)) as { jwt: string }).jwt;
}

async function clientOf(host: Host, name: string, user: string, { level, types }: Delegation): Promise<string> {
  const domain = `${name}.example`;
  const [{ id }] = (await host.send('GET', `/api/users?filters[username]=${user}`)) as [{ id: number }];
  await host.run(
    `insert into edgewise_oauth_grants
      ("id", "user", "client_id", "host", "name", "level", "types", "key_hash", "created_at", "updated_at",
      "last_used_at", "expires_at")
    select ?, document_id, ?, ?, ?, ?, ?, 'x', ?, ?, 9e15, 9e15 from up_users where id = ?`,
    ...[name, `https://${domain}/client.json`, domain, name, level, types && JSON.stringify(types)],
    ...[host.now, host.now, id],
  );
  const issued = { grant: name, user: id, host: domain, key: 'x', level, types };
  return (await tokenResponse(issued, JWT_SECRET, host.now)).access_token;
}

const previewOf = ({ previewed }: Host, maker: string): string =>
  signPreview(
    { maker, ...previewed, locale: 'en', drafts: true, issuedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER },
    JWT_SECRET,
  );

/** Lets a caller in. @returns its credential, which is empty for the public */
export async function credentialOf(host: Host, caller: Named, rights: Rights): Promise<string> {
  switch (rights.kind) {
    case 'public':
      return '';
    case 'user':
      return userOf(host, caller.name, rights.role);
    case 'token':
      return tokenOf(host, caller, rights.type);
    case 'client':
      return clientOf(host, caller.name, rights.user, rights.delegation);
    case 'preview':
      return previewOf(host, rights.maker);
  }
}

/** The part of a user's grants that a client has. */
export function partOf(grants: readonly Grant[], delegation: Delegation): readonly Grant[] {
  const { allows } = delegated(EVERYTHING, delegation);
  return grants.flatMap((grant): readonly Grant[] => {
    if (typeof grant === 'string') return allows(grant) ? [grant] : [];
    const action = [grant.action].flat().filter(allows);
    return action.length > 0 ? [{ ...grant, action }] : [];
  });
}
