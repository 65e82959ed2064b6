/**
 * @module `POST /oauth/token`, `/oauth/revoke`: codes and refresh tokens → tokens, and the end of a grant.
 */
import { only } from '../../access/grants.ts';
import { sha256 } from '../../common/digest.ts';
import { isProblem } from '../../common/errors.ts';
import type { JsonObject } from '../../common/json.ts';
import { newKey, nextKey, requiredSecret } from '../../content/credentials/secrets.ts';
import { assumeUser } from '../../content/credentials/user-token.ts';
import type { Call } from '../../content/runtime/call.ts';
import { withCredential } from '../../content/runtime/caller.ts';
import { constant } from '../../content/sql/compiled.ts';
import { secondsOf } from '../../schema/settings/derived.ts';
import { assertNotRedeemed, redeem, wasRedeemed } from '../users/sql/identities.ts';
import { type Code, openCode } from './code.ts';
import { isResource } from './metadata.ts';
import { endGrant, insertGrant, rotateGrantKey } from './sql/grants.ts';
import { GRANT_AGE, grantOf, REFRESH_AGE, readRefreshToken, tokenResponse } from './tokens.ts';
import { type Form, required, WireError } from './wire.ts';

/** A request of a client, which has no rights: what it sends is its credential. */
export interface ClientCall extends Call {
  readonly issuer: string;
}

export const withoutRights = (call: Call): Call => ({ ...call, credential: { kind: 'public', grants: only([]) } });

const invalidGrant = (what: string): WireError =>
  new WireError('invalid_grant', `The ${what} is invalid, expired, used or not of this client`);

/** Ends the grant that a code has made: who redeems it again knows the verifier, so one of two parties is not the client. */
const endReplayed = (call: Call, { id }: Code, clientId: string): Promise<unknown> =>
  withCredential(withoutRights(call), { source: 'primary' }, (caller) =>
    caller.write({ statements: [], result: endGrant({ grant: id, clientId }) }),
  );

/** Makes the grant as the user who has allowed it, if they are still signed in and it was not made yet. */
async function grantFor(call: ClientCall, code: Code, clientId: string, key: string): Promise<boolean> {
  const { id, user, host, name, level, types } = code;
  const { now } = call;
  const expiresAt = now + REFRESH_AGE;
  const grant = { id, user: user.id, clientId, host, name, level, types, keyHash: sha256(key), now, expiresAt };
  const credential = assumeUser(user, call.settings, now);
  return withCredential({ ...call, credential }, { source: 'primary' }, async (caller) => {
    if (await caller.read(wasRedeemed(id))) return false;
    return caller.write({
      statements: [assertNotRedeemed(id), ...redeem(id, code.expiresAt, now), ...insertGrant(grant)],
      result: constant(true),
    });
  });
}

/** @throws WireError for a code that is not of this client and verifier, or was redeemed */
async function redeemCode(call: ClientCall, form: Form): Promise<JsonObject> {
  const secret = requiredSecret(call.secret);
  const clientId = required(form, 'client_id');
  const redirectUri = form('redirect_uri');
  const verifier = required(form, 'code_verifier');
  const code = await openCode(required(form, 'code'), { clientId, redirectUri, verifier }, secret, call.now);
  if (!code) throw invalidGrant('code');
  const key = newKey();
  const isMade = await grantFor(call, code, clientId, key).catch((error) => {
    if (isProblem(error, 'unauthorized')) return false;
    throw error;
  });
  if (!isMade) {
    await endReplayed(call, code, clientId);
    throw invalidGrant('code');
  }
  const { id: grant, user, host, level, types } = code;
  return tokenResponse({ grant, user: user.id, host, level, types, key }, secret, call.now);
}

/** A refresh token works once; within the grace of sessions it returns the same next one. @throws WireError */
async function refresh(call: ClientCall, form: Form): Promise<JsonObject> {
  const { settings, now } = call;
  const secret = requiredSecret(call.secret);
  const used = await readRefreshToken(required(form, 'refresh_token'), secret, now);
  if (!used) throw invalidGrant('refresh_token');
  const { grant } = used;
  const key = nextKey(grant, used.key, secret);
  const rotation = {
    ...{ grant, clientId: form('client_id') ?? null, usedHash: sha256(used.key), nextHash: sha256(key), now },
    expiresAt: now + REFRESH_AGE,
    age: GRANT_AGE,
    grace: secondsOf(settings.users.sessions.refreshTokenGrace) * 1000,
    mustBeConfirmed: settings.users.emailConfirmation,
  };
  const found = await withCredential(withoutRights(call), { source: 'primary' }, (caller) =>
    caller.write({ statements: [], result: rotateGrantKey(rotation) }),
  );
  if (!found) throw invalidGrant('refresh_token');
  return tokenResponse({ ...found, grant, key }, secret, now);
}

const GRANT_TYPES = new Map([
  ['authorization_code', redeemCode],
  ['refresh_token', refresh],
]);

/** @throws WireError */
export async function issueTokens(call: ClientCall, form: Form): Promise<JsonObject> {
  const issue = GRANT_TYPES.get(required(form, 'grant_type'));
  if (!issue)
    throw new WireError('unsupported_grant_type', `Expected grant_type=${[...GRANT_TYPES.keys()].join(' or ')}`);
  if (!isResource(form('resource'), call.issuer))
    throw new WireError('invalid_target', `Expected resource=${call.issuer}/mcp`);
  return issue(call, form);
}

/** Ends the grant of a token of either kind; one that is invalid is none (https://www.rfc-editor.org/rfc/rfc7009#section-2.2). */
export async function revoke(call: ClientCall, form: Form): Promise<void> {
  const grant = await grantOf(required(form, 'token'), requiredSecret(call.secret), call.now);
  if (grant === undefined) return;
  const clientId = form('client_id') ?? null;
  await withCredential(withoutRights(call), { source: 'primary' }, (caller) =>
    caller.write({ statements: [], result: endGrant({ grant, clientId }) }),
  );
}
