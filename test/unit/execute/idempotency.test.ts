/**
 * @module Keys of requests: whose they are, and what is stored of them.
 */
import { describe, expect, it } from 'vitest';
import { EVERYTHING } from '../../../src/access/grants.ts';
import type { Credential } from '../../../src/content/credentials/credential.ts';
import type { Call } from '../../../src/content/runtime/call.ts';
import { keyedRequest, useOnce, withKey } from '../../../src/content/runtime/idempotency.ts';
import { AssertionFailed, CONFLICT } from '../../../src/content/sql/batch.ts';
import type { Statement } from '../../../src/content/sql/statement.ts';
import { refusal } from '../plan/support.ts';

const account = (more: object) => ({ grants: EVERYTHING, isCached: true, now: 1, ...more }) as Credential;
const TOKEN = account({ kind: 'token', key: '7' });
const USER = account({ kind: 'user', id: 7 });
const PUBLIC: Credential = { kind: 'public', grants: EVERYTHING };
const clientOf = (grant: string) => account({ kind: 'user', id: 7, client: { grant } });

/** A database that writes later, or fails. */
function openCall(credential: Credential, failure?: Error) {
  const written: (readonly unknown[])[] = [];
  const write = async (statements: readonly Statement[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    if (failure) throw failure;
    written.push(...statements.map(({ params }) => params));
    return [];
  };
  return { call: { credential, now: 1, database: { write } } as unknown as Call, written };
}

/** The stored key, and the digest of a request. */
function storedOf(credential: Credential, header: string, parts: readonly unknown[] = []): readonly unknown[] {
  const { call } = openCall(credential);
  const [, insert] = keyedRequest(call, header, () => parts).store('');
  return insert?.params.slice(0, 2) ?? [];
}

describe('a key', () => {
  it.each(['', ' ', 'a b', 'a\tb', 'ä', 'a'.repeat(256)])('%j is malformed', (header) => {
    expect(refusal(() => keyedRequest(openCall(USER).call, header, () => []))).toMatchObject({
      ...{ status: 400, name: 'ValidationError' },
      details: { source: 'header', header: 'Idempotency-Key' },
    });
  });

  it.each(['!', '~'.repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"', "';/drop/table/tags/--"])(
    '%j is one',
    (header) => {
      expect(storedOf(USER, header)).toHaveLength(2);
    },
  );

  it('is of one token, one user, or one client that acts for a user', () => {
    const callers = [TOKEN, account({ kind: 'token', key: '8' }), USER, clientOf('a'), clientOf('b')];
    expect(new Set(callers.map((caller) => storedOf(caller, 'key')[0])).size).toBe(callers.length);
    expect(storedOf(account({ kind: 'user', id: '7' }), 'key')[0]).not.toBe(storedOf(TOKEN, 'key')[0]);
    expect(storedOf(USER, 'key')).toEqual(storedOf(USER, 'key'));
  });

  it('makes a digest that no other request has, nor the same one under another key', () => {
    const digests = [storedOf(USER, 'one', ['a']), storedOf(USER, 'one', ['b']), storedOf(USER, 'two', ['a'])];
    expect(new Set(digests.map(([, digest]) => digest)).size).toBe(3);
  });

  it('that is used once is used up, and a failure of the database is no use', async () => {
    expect(await useOnce(openCall(USER).call, 'key')).toBe(true);
    expect(await useOnce(openCall(USER, new AssertionFailed(CONFLICT)).call, 'key')).toBe(false);
    for (const failure of [new Error('D1_ERROR: Network connection lost.'), new AssertionFailed('another')])
      await expect(useOnce(openCall(USER, failure).call, 'key')).rejects.toBe(failure);
  });

  it.each([
    ['of one caller', USER, 'key', 'key-in-use'],
    ['of the public', PUBLIC, 'key', 'none'],
    ['that is absent', USER, undefined, 'none'],
  ])('%s, while its request is worked on, rejects others with: %s', async (_, credential, header, kind) => {
    const { call } = openCall(credential);
    let end = () => {};
    const first = withKey(call, header, () => new Promise<void>((resolve) => (end = resolve)));
    const during = await withKey(call, header, async () => 'none').catch((error) => error.problem.kind);
    end();
    await first;
    expect([during, await withKey(call, header, async () => 'after')]).toEqual([kind, 'after']);
  });
});

describe('a response', () => {
  it.each([
    [500_000, 1],
    [500_001, 0],
  ])('of %i characters is stored with %i statements, before the work ends', async (length, statements) => {
    const { call, written } = openCall(USER);
    await keyedRequest(call, 'key', () => []).keep('x'.repeat(length - 2));
    expect(written.length).toBe(statements);
  });

  it('that cannot be stored is no error', async () => {
    const { call } = openCall(USER, new Error('no'));
    await expect(keyedRequest(call, 'key', () => []).keep('x')).resolves.toBeUndefined();
  });
});
