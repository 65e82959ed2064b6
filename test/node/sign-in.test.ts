/**
 * @module Finding out who has an account by the work that a refusal takes; Directus CVE-2026-26185 is of this class.
 */
import { scryptSync } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { only } from '../../src/access/grants.ts';
import { hashPassword } from '../../src/content/credentials/passwords.ts';
import type { UserCall } from '../../src/features/users/call.ts';
import { login } from '../../src/features/users/sign-in.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { registryOf } from '../support/schema-files.ts';

vi.mock(import('node:crypto'), async (original) => {
  const crypto = await original();
  return { ...crypto, scryptSync: vi.fn(crypto.scryptSync) };
});

const stored = hashPassword('right');
const account = { id: 1, document_id: 'a', email: 'a@example.com', provider: 'local', blocked: 0, confirmed: 1 };

/** The cost of each hash that signing in takes, when the database has this row. */
async function workFor(row: object | undefined): Promise<readonly unknown[]> {
  const call = {
    registry: registryOf([]),
    settings: parseSettings({}),
    credential: { kind: 'public', grants: only(['plugin::users-permissions.auth.callback']) },
    database: { read: async () => [row ? [row] : [], []], spent: { statements: 0 }, hasRoom: () => true },
    rejectClosed: () => {},
    countFailure: async () => {},
    jwtSecret: 'a secret',
  } as unknown as UserCall;
  vi.mocked(scryptSync).mockClear();
  const guess = { identifier: 'a', password: 'guessed', deviceId: null };
  await expect(login(call, guess)).rejects.toThrow('Invalid identifier or password');
  return vi.mocked(scryptSync).mock.calls.map(([, , length, cost]) => ({ length, cost }));
}

it.each([
  ['nobody has it', undefined],
  ['its user has no password', { ...account, password: null }],
  ['its user is blocked', { ...account, password: stored, blocked: 1 }],
])('a guess takes as much work when %s', async (_, row) => {
  const usual = await workFor({ ...account, password: stored });
  expect(usual).toHaveLength(1);
  expect(await workFor(row)).toEqual(usual);
});
