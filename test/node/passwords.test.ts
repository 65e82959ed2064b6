/**
 * @module Hashes of passwords: what they are made of, what they accept, and how much work a wrong one is.
 */
import * as nodeCrypto from 'node:crypto';
import * as bcrypt from 'bcryptjs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hashPassword, isOutdated, matchesPassword } from '../../src/content/credentials/passwords.ts';

// The real cost is compared below; it takes 0.2 s a hash.
vi.mock('../../src/content/credentials/scrypt-cost.ts', () => import('../support/cheap-scrypt.ts'));
vi.mock('node:crypto', { spy: true });
vi.mock('bcryptjs', { spy: true });

const PASSWORD = 'correct horse';
/** Of `abc`, from the test vectors of jBCrypt. */
const KNOWN = '$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i';
const own = hashPassword(PASSWORD);
const salt = Buffer.from('salt of sixteen.');
const older = [
  'scrypt$1024$8$1',
  salt.toString('base64'),
  nodeCrypto.scryptSync(PASSWORD, salt, 32, { N: 1024, r: 8, p: 1 }).toString('base64'),
].join('$');
const imported = bcrypt.hashSync(PASSWORD, 4);
const another = bcrypt.hashSync('something else', 4);

describe('a hash', () => {
  it('is made with the parameters of OWASP and its own salt', async () => {
    const { SCRYPT } = await vi.importActual<typeof import('../../src/content/credentials/scrypt-cost.ts')>(
      '../../src/content/credentials/scrypt-cost.ts',
    );
    expect(SCRYPT).toEqual({ N: 16_384, r: 8, p: 5 });
    expect(own).toMatch(/^scrypt\$256\$8\$5\$[\w+/]{22}==\$[\w+/]{43}=$/);
    expect(hashPassword(PASSWORD)).not.toBe(own);
  });

  it.each([
    ['scrypt', own],
    ['scrypt with other parameters', older],
    ['bcrypt', imported],
  ])('of %s does not match another password', (_, hash) => {
    expect(matchesPassword('wrong', hash)).toBe(false);
    expect(matchesPassword('', hash)).toBe(false);
    expect(matchesPassword(`${PASSWORD} `, hash)).toBe(false);
  });

  it.each([
    ['nothing', null],
    ['no text', 5],
    ['empty text', ''],
    ['the password itself', PASSWORD],
    ['scrypt without a hash', own.slice(0, own.lastIndexOf('$') + 1)],
    ['scrypt with a shorter hash', 'scrypt$1024$8$1$c2FsdA==$aGFzaA=='],
    ['bcrypt with a cost that never ends', imported.replace('$04$', '$31$')],
    ['bcrypt with a cost that is none', imported.replace('$04$', '$00$')],
    ['bcrypt that is cut off', imported.slice(0, -1)],
  ])('that is %s matches nothing', (_, stored) => {
    expect(matchesPassword(PASSWORD, stored, another)).toBe(false);
  });

  it('matches its password, whichever function made it', () => {
    expect(matchesPassword(PASSWORD, own)).toBe(true);
    expect(matchesPassword(PASSWORD, older)).toBe(true);
    expect(matchesPassword(PASSWORD, own, another)).toBe(true);
    expect(matchesPassword(PASSWORD, imported)).toBe(true);
    expect(matchesPassword(PASSWORD, imported, another)).toBe(true);
    expect(matchesPassword(PASSWORD, imported.replace('$2b$', '$2a$'))).toBe(true);
    expect(matchesPassword('abc', KNOWN)).toBe(true);
  });

  it('of somebody else lets nobody in', () => {
    expect(matchesPassword('something else', own, another)).toBe(false);
    expect(matchesPassword('something else', null, another)).toBe(false);
  });

  it('that no user has lets nobody in, not even with the hash that the check compares in its place', () => {
    vi.mocked(nodeCrypto.scryptSync).mockReturnValueOnce(Buffer.alloc(32));
    expect(matchesPassword(PASSWORD, null)).toBe(false);
  });

  it('is refused beyond 72 bytes where bcrypt made it, and there alone', () => {
    const long = 'é'.repeat(36);
    expect(matchesPassword(long, bcrypt.hashSync(long, 4))).toBe(true);
    expect(matchesPassword(`${long}x`, bcrypt.hashSync(`${long}x`, 4))).toBe(false);
    expect(matchesPassword(`${long}x`, hashPassword(`${long}x`))).toBe(true);
    expect(matchesPassword(`${long}y`, hashPassword(`${long}x`))).toBe(false);
  });

  it('is outdated unless it is what a new one would be', () => {
    expect([own, imported, KNOWN, older].map(isOutdated)).toEqual([false, true, true, true]);
    expect(isOutdated(null)).toBe(false);
  });
});

describe('the work for a password', () => {
  const work = (stored: unknown, sample?: unknown) => {
    vi.clearAllMocks();
    matchesPassword('wrong', stored, sample);
    const parameters = vi.mocked(nodeCrypto.scryptSync).mock.calls.map(([, , length, options]) => [length, options]);
    const costs = vi.mocked(bcrypt.compareSync).mock.calls.map(([, hash]) => hash.slice(4, 6));
    return { parameters, costs };
  };

  beforeEach(() => vi.clearAllMocks());

  it('is the same for an unknown user and a known one', () => {
    expect(work(undefined)).toEqual(work(own));
    expect(work(null)).toEqual(work(own));
    expect(work(own).parameters).toEqual([[32, { N: 256, r: 8, p: 5 }]]);
    expect(work(own).costs).toEqual([]);
  });

  it('is the same for everybody as long as somebody has an imported hash', () => {
    expect(work(undefined, another)).toEqual(work(own, another));
    expect(work(imported, another)).toEqual(work(own, another));
    expect(work(own, another).costs).toEqual(['04']);
    expect(work(own, another).parameters.length).toBe(1);
  });
});
