/**
 * @module Hashes of a request: slow on purpose, so that one serves however often the write is planned again.
 */
import { Buffer } from 'node:buffer';
import { describe, expect, it, vi } from 'vitest';
import { matchesPassword } from '../../../src/content/credentials/passwords.ts';
import { writeContextsOf } from '../../../src/content/runtime/write-context.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const nextContext = (passwords = 10) =>
  writeContextsOf({ now: 1, settings: parseSettings({ api: { rest: { limits: { passwords } } } }) });

describe('a password', () => {
  it('is refused beyond the limit of a request', () => {
    const { hashPassword } = nextContext(2)();
    hashPassword('first');
    hashPassword('second');
    expect(() => hashPassword('third')).toThrow('Too many passwords in one request. Expected at most 2');
  });

  it('counts once, however often the write is planned', () => {
    const next = nextContext(2);
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const { hashPassword } = next();
      hashPassword('first');
      expect(() => hashPassword('second')).not.toThrow();
    }
  });

  it('has the hash of the first plan in every later one', () => {
    const next = nextContext();
    const [first, again] = [next(), next()].map(({ hashPassword }) => [hashPassword('a'), hashPassword('b')]);
    expect(again).toEqual(first);
    expect(matchesPassword('b', first?.[1])).toBe(true);
  });

  it('has a hash of its own, though it stands twice in one body', () => {
    const { hashPassword } = nextContext()();
    expect(hashPassword('same')).not.toBe(hashPassword('same'));
  });

  it('is hashed anew where a later plan has another one in its place', () => {
    const next = nextContext();
    next().hashPassword('before');
    expect(matchesPassword('after', next().hashPassword('after'))).toBe(true);
  });

  it('is compared with a hash once', () => {
    const next = nextContext();
    const stored = next().hashPassword('own');
    const isPassword = next().isPassword;
    const time = (password: string) => {
      const hashed = vi.spyOn(Buffer, 'from');
      const matches = isPassword(password, stored);
      const { length } = hashed.mock.calls;
      hashed.mockRestore();
      return [matches, length > 0];
    };
    expect([time('own'), time('own'), time('other'), time('other')]).toEqual([
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  it('is compared with each hash by itself', () => {
    const { hashPassword, isPassword: check } = nextContext()();
    const [own, other] = [hashPassword('own'), hashPassword('other')];
    expect([check('own', own), check('own', other), check('own', own)]).toEqual([true, false, true]);
  });
});
