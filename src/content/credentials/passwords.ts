/**
 * @module Password hashes: scrypt for new ones, bcrypt for those imported from Strapi. docs/decisions/passwords.md has the
 * reasons for the parameters.
 */
import { Buffer } from 'node:buffer';
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { compareSync } from 'bcryptjs';
import { SCRYPT } from './scrypt-cost.ts';

const HASH_BYTES = 32;
const SALT_BYTES = 16;
const PREFIX = `scrypt$${SCRYPT.N}$${SCRYPT.r}$${SCRYPT.p}$`;

/** bcrypt ignores what follows. */
const BCRYPT_BYTES = 72;
/** A cost of 14 takes one or two seconds. */
const BCRYPT = /^\$2[aby]\$(0[4-9]|1[0-4])\$[./A-Za-z0-9]{53}$/;

/** Returns `scrypt$N$r$p$salt$hash`. */
export function hashPassword(password: string): string {
  const salt = randomBytes(SALT_BYTES);
  const key = scryptSync(password, salt, HASH_BYTES, SCRYPT);
  return `${PREFIX}${salt.toString('base64')}$${key.toString('base64')}`;
}

/** Compared without a hash, so that the check takes as long. */
const DUMMY = `${PREFIX}${'A'.repeat(22)}==$${'A'.repeat(43)}=`;

const SCRYPT_HASH = /^scrypt\$\d+\$\d+\$\d+\$[\w+/]+=*\$[\w+/]{43}=$/;

const isScrypt = (stored: unknown): stored is string => typeof stored === 'string' && SCRYPT_HASH.test(stored);
const isBcrypt = (stored: unknown): stored is string => typeof stored === 'string' && BCRYPT.test(stored);

function matchesScrypt(password: string, stored: string): boolean {
  const [, n, r, p, salt = '', hash = ''] = stored.split('$');
  const expected = Buffer.from(hash, 'base64');
  const options = { N: Number(n), r: Number(r), p: Number(p) };
  return timingSafeEqual(scryptSync(password, Buffer.from(salt, 'base64'), HASH_BYTES, options), expected);
}

function matchesBcrypt(password: string, stored: string): boolean {
  const fits = new TextEncoder().encode(password).length <= BCRYPT_BYTES;
  return compareSync(password, stored) && fits;
}

/**
 * Does the password match the hash? A check without a hash takes as long, and fails.
 * @param imported any bcrypt hash of the deployment: while there is one, every check runs both functions, so that its
 * duration reveals neither who exists nor the kind of the hash.
 */
export function matchesPassword(password: string, stored: unknown, imported?: unknown): boolean {
  const byScrypt = matchesScrypt(password, isScrypt(stored) ? stored : DUMMY) && isScrypt(stored);
  const tried = isBcrypt(stored) ? stored : imported;
  const byBcrypt = isBcrypt(tried) && matchesBcrypt(password, tried) && isBcrypt(stored);
  return byScrypt || byBcrypt;
}

/** Does a new hash have another function or other parameters? */
export const isOutdated = (stored: unknown): boolean => typeof stored === 'string' && !stored.startsWith(PREFIX);
