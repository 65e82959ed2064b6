/**
 * @module `POST /api/auth/oauth/request` and `/consent`: what a client asks for, and what the user lets it do. Both are requests
 * of a signed-in user, and both check everything: nothing is kept in between.
 */
import * as z from 'zod/mini';
import { LEVELS, type Level } from '../../access/delegation.ts';
import type { Grants } from '../../access/grants.ts';
import { invalid, unauthorized } from '../../common/errors.ts';
import { isUser } from '../../content/credentials/credential.ts';
import { requiredSecret } from '../../content/credentials/secrets.ts';
import type { User } from '../../content/credentials/user-token.ts';
import { type Caller, withCredential } from '../../content/runtime/caller.ts';
import { type BodyText, validBody } from '../../http/request-body.ts';
import type { UserCall } from '../users/call.ts';
import { type Client, clientFor } from './clients.ts';
import { sealCode } from './code.ts';
import { type GrantableType, grantableTypes } from './grantable.ts';
import { isResource } from './metadata.ts';
import { locationOf } from './redirect-uri.ts';
import { requestedLevels } from './scopes.ts';

const error = 'a text';
const text = z.string({ error });
const optional = z.optional(text);

/** The parameters of the address that the client has sent the browser to. */
const REQUEST = {
  ...{ clientId: text, redirectUri: text, responseType: optional, scope: optional, state: optional },
  ...{ codeChallenge: optional, codeChallengeMethod: optional, resource: optional },
};

export const REQUEST_BODY = z.strictObject(REQUEST);

export const CONSENT_BODY = z.strictObject({
  ...REQUEST,
  level: z.optional(z.enum(LEVELS, { error: 'read, drafts or write' })),
  types: z.optional(z.nullable(z.array(text, { error: 'null or a list of uids' }))),
  isDenied: z.optional(z.literal(true, { error: 'true' })),
});

type Request = z.output<typeof REQUEST_BODY>;
type Consent = z.output<typeof CONSENT_BODY>;

/** Types that a grant may name: its tokens have them. */
const MAX_TYPES = 50;

/** What a page needs to send the browser on. */
export interface Located {
  readonly location: string;
}

/**
 * Runs work for a user, whose rights are confirmed. A client of OAuth makes no such call.
 * @throws ApiError 401 for other callers
 */
export const asUser = <T>(call: UserCall, block: (caller: Caller, user: User) => Promise<T>): Promise<T> =>
  withCredential(call, { source: 'primary' }, async (caller) => {
    if (!isUser(caller.credential)) throw unauthorized('Only a signed-in user may do this');
    return block(caller, caller.credential);
  });

/** The user, and the grants as the database has them: they follow what it confirms at the end. */
const confirmedUser = (call: UserCall) => asUser(call, async ({ grants }, user) => ({ user, grants }));

/** @param own further addresses of the deployment */
const clientOf = (call: UserCall, { clientId, redirectUri }: Request, own: readonly string[]): Promise<Client> => {
  const { settings, jwtSecret, now, publicUrl } = call;
  const context = {
    settings,
    now,
    secret: requiredSecret(jwtSecret),
    own: [publicUrl, settings.upload.publicUrl, ...own],
  };
  return clientFor(clientId, redirectUri, context);
};

/** Sends the browser back to a client whose redirect has been checked. `iss` says from where: RFC 9207. */
const backTo = (
  { redirectUri, state }: Request,
  iss: string,
  parameters: Readonly<Record<string, string>>,
): Located => ({
  location: locationOf(redirectUri, { ...parameters, state, iss }),
});

/** Returns why a client gets nothing, as its error; undefined for a request that can be granted. */
function failureOf(sent: Request, issuer: string): Readonly<Record<string, string>> | undefined {
  const failed = (code: string, description: string) => ({ error: code, error_description: description });
  if (sent.responseType !== 'code') return failed('unsupported_response_type', 'Expected response_type=code');
  if (sent.codeChallengeMethod !== 'S256') return failed('invalid_request', 'Expected code_challenge_method=S256');
  if (!/^[\w-]{43}$/.test(sent.codeChallenge ?? ''))
    return failed('invalid_request', 'code_challenge must be the SHA-256 of a text, in base64url');
  if (!isResource(sent.resource, issuer)) return failed('invalid_target', `Expected resource=${issuer}/mcp`);
  if (requestedLevels(sent.scope).length === 0) return failed('invalid_scope', 'None of the scopes is known');
  return undefined;
}

interface Grantable {
  readonly levels: readonly Level[];
  readonly types: readonly GrantableType[];
}

function grantableOf(call: UserCall, grants: Grants, { scope }: Request): Grantable {
  const types = grantableTypes(grants, call.registry, requestedLevels(scope));
  return { levels: LEVELS.filter((level) => types.some((type) => type.levels.includes(level))), types };
}

async function described(call: UserCall, body: BodyText, own: readonly string[]) {
  const { grants } = await confirmedUser(call);
  const sent = validBody(body, REQUEST_BODY, call.settings);
  const { redirect, ...client } = await clientOf(call, sent, own);
  const failure = failureOf(sent, call.publicUrl);
  if (failure) return backTo(sent, call.publicUrl, failure);
  return { client: { ...client, isLoopback: redirect.isLoopback }, redirect, ...grantableOf(call, grants, sent) };
}

/** Returns what a page shows, or where it sends the browser. @throws ApiError 400 with a sentence for the user */
export const describeRequest = async (call: UserCall, body: BodyText, own: readonly string[]) => ({
  data: await described(call, body, own),
});

/** @throws ApiError 400 for a level or type that the user cannot grant */
function chosenIn({ level, types }: Consent, grantable: Grantable) {
  if (level === undefined || !grantable.levels.includes(level))
    throw invalid(`Invalid level. Expected ${grantable.levels.join(', ') || 'isDenied'}`, { param: 'level' });
  if (types === undefined || types?.length === 0 || (types?.length ?? 0) > MAX_TYPES)
    throw invalid(`Invalid types. Expected null for all, or 1 to ${MAX_TYPES} uids`, { param: 'types' });
  const unknown = types?.find((uid) => !grantable.types.some((type) => type.uid === uid));
  if (unknown !== undefined) throw invalid(`Invalid types. You have no right to ${unknown}`, { param: 'types' });
  return { level, types: types && [...new Set(types)] };
}

async function decided(call: UserCall, body: BodyText, own: readonly string[]): Promise<Located> {
  const { user, grants } = await confirmedUser(call);
  const sent = validBody(body, CONSENT_BODY, call.settings);
  const { id: clientId, host, name } = await clientOf(call, sent, own);
  const issuer = call.publicUrl;
  const failure = failureOf(sent, issuer);
  if (failure) return backTo(sent, issuer, failure);
  if (sent.isDenied) return backTo(sent, issuer, { error: 'access_denied' });
  const { redirectUri, codeChallenge: challenge = '' } = sent;
  const chosen = chosenIn(sent, grantableOf(call, grants, sent));
  const allowed = { ...chosen, user, clientId, host, name, redirectUri, challenge };
  return backTo(sent, issuer, { code: await sealCode(allowed, requiredSecret(call.jwtSecret), call.now) });
}

/** Returns where the browser goes: to the client, with a code or an error. @throws ApiError 400 with a sentence for the user */
export const consent = async (call: UserCall, body: BodyText, own: readonly string[]) => ({
  data: await decided(call, body, own),
});
