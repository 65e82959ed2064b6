/**
 * @module Authorization codes: what a user has allowed, sealed for a minute. A grant is made when a client redeems one.
 */
import type { Delegation } from '../../access/delegation.ts';
import { isLevel } from '../../access/delegation.ts';
import { sha256, sha256Base64Url } from '../../common/digest.ts';
import type { Claims } from '../../content/credentials/jwt.ts';
import { seal, unseal } from '../../content/credentials/seal.ts';
import { newSessionId } from '../../content/credentials/secrets.ts';

const USE = 'oauth code';
/** Milliseconds. */
const AGE = 60_000;

/** What a code is for. */
export interface Code extends Delegation {
  /** Of the code, and of the grant that it makes. */
  readonly id: string;
  /** The user as they were signed in: the code is worth nothing once that has ended. */
  readonly user: Pick<Claims, 'id' | 'issuedAt' | 'session'>;
  readonly clientHash: string;
  readonly host: string;
  readonly name: string;
  readonly redirectUri: string;
  /** S256 of the verifier. */
  readonly challenge: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

type Allowed = Omit<Code, 'id' | 'clientHash' | 'expiresAt'> & { readonly clientId: string };

export function sealCode({ clientId, ...allowed }: Allowed, secret: string, now: number): Promise<string> {
  const { id, issuedAt, session } = allowed.user;
  const expiresAt = now + AGE;
  const code: Code = {
    ...allowed,
    ...{ id: newSessionId(), user: { id, issuedAt, session }, clientHash: sha256(clientId), expiresAt },
  };
  return seal({ ...code }, USE, secret, expiresAt);
}

/** What a client sends with a code. */
interface Redemption {
  readonly clientId: string;
  /** OAuth 2.1 leaves it out: the verifier does its work. */
  readonly redirectUri: string | undefined;
  readonly verifier: string;
}

const VERIFIER = /^[\w.~-]{43,128}$/;

/** Returns undefined for a code that is not of this client, redirect and verifier, or too old. */
export async function openCode(
  text: string,
  { clientId, redirectUri, verifier }: Redemption,
  secret: string,
  now: number,
): Promise<Code | undefined> {
  const code = (await unseal(text, USE, secret, now)) as Code | undefined;
  if (!code || !isLevel(code.level)) return undefined;
  const isOfClient = code.clientHash === sha256(clientId) && (redirectUri ?? code.redirectUri) === code.redirectUri;
  const isVerified = VERIFIER.test(verifier) && sha256Base64Url(verifier) === code.challenge;
  return isOfClient && isVerified ? code : undefined;
}
