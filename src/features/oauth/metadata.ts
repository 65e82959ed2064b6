/**
 * @module What clients read about the server before they sign anybody in: RFC 9728 and RFC 8414, and the header of a 401.
 */
import type { AppContext } from '../../http/context.ts';
import type { Deployment } from '../../http/deployment.ts';
import type { Settings } from '../../schema/settings/config.ts';
import { mailOf } from '../users/mail.ts';
import { SCOPES } from './scopes.ts';

const RESOURCE = '/.well-known/oauth-protected-resource';

export const PATHS = {
  /** A client looks for the second one first: https://www.rfc-editor.org/rfc/rfc9728#section-3.1 */
  resource: [RESOURCE, `${RESOURCE}/mcp`],
  server: '/.well-known/oauth-authorization-server',
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
} as const;

/** Pages of every origin may be clients. */
export const OPEN_PATHS: readonly string[] = [...PATHS.resource, PATHS.server, PATHS.token, PATHS.revoke];

/** The address of the deployment, which is its name: never that of the request, whose sender chooses it. */
export const issuerOf = (context: AppContext, deployment: Deployment): string => mailOf(context, deployment).publicUrl;

/** The only resource that tokens are for (https://www.rfc-editor.org/rfc/rfc8707). */
export const resourceOf = (issuer: string): string => `${issuer}/mcp`;

/** Is a resource that a request names the one that there is? Without a name it is. */
export const isResource = (sent: string | undefined, issuer: string): boolean =>
  sent === undefined || sent.replace(/\/$/, '') === resourceOf(issuer);

export const resourceMetadata = (issuer: string) => ({
  resource: resourceOf(issuer),
  authorization_servers: [issuer],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
});

export const serverMetadata = (issuer: string, { oauth }: Settings) => ({
  issuer,
  authorization_endpoint: issuer + PATHS.authorize,
  token_endpoint: issuer + PATHS.token,
  revocation_endpoint: issuer + PATHS.revoke,
  ...(oauth?.registration && { registration_endpoint: issuer + PATHS.register }),
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  // Clients of large vendors send the address of a document only where both this and `none` are named.
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});

/** A token that was sent is named as invalid (https://www.rfc-editor.org/rfc/rfc6750#section-3.1). */
export function challenge(context: AppContext, deployment: Deployment): string {
  const error = context.req.header('authorization') === undefined ? '' : 'error="invalid_token", ';
  const metadata = `${issuerOf(context, deployment)}${PATHS.resource[1]}`;
  return `Bearer ${error}resource_metadata="${metadata}", scope="${SCOPES.join(' ')}"`;
}
