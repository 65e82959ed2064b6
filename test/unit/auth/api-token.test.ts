/**
 * @module The permissions of API tokens as an isolate keeps them.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { ASSUMED } from '../../../src/access/grants.ts';
import {
  assumeToken,
  assumeTokenById,
  confirmToken,
  isUseNoted,
  tokenNeeds,
} from '../../../src/content/credentials/api-token.ts';

const FIND = 'api::note.note.find';
const UPDATE = 'api::note.note.update';
const rowWith = (permissions: readonly unknown[]) => ({
  ...{ type: 'custom', permissions: JSON.stringify(permissions), expiresAt: null, lastUsedAt: 0, holds: true },
});

afterEach(() => {
  vi.restoreAllMocks();
});

it('are read once, however many requests there are, and at the time of each', () => {
  const where = { publishedAt: { $lt: '$now' } };
  const row = rowWith([{ action: [FIND], where }]);
  confirmToken(assumeToken('a token', 1), row, 1);
  const parse = vi.spyOn(JSON, 'parse');
  for (const now of [2, 3]) {
    const { grants } = confirmToken(assumeToken('a token', now), row, now);
    expect(grants.rule?.(FIND)).toMatchObject({ where: [where], caller: { now } });
  }
  expect(parse).not.toHaveBeenCalled();
});

it('are those of the row once that has others', () => {
  const token = () => assumeToken('another token', 1);
  confirmToken(token(), rowWith([FIND, UPDATE]), 1);
  expect(token().grants.allows(UPDATE)).toBe(true);
  expect(confirmToken(token(), rowWith([FIND]), 1).grants.allows(UPDATE)).toBe(false);
  expect([FIND, UPDATE].map((id) => token().grants.allows(id))).toEqual([true, false]);
});

it.each([
  [{ type: 'custom', permissions: null }, []],
  [{ type: 'custom', permissions: JSON.stringify([FIND]) }, [FIND]],
  [{ type: 'read-only', permissions: JSON.stringify([FIND]) }, [FIND]],
])('are read again for %j after those of a token with all', (changed, granted) => {
  const token = () => assumeToken(JSON.stringify(changed), 1);
  confirmToken(token(), { ...rowWith([FIND]), type: 'full-access' }, 1);
  const { grants } = confirmToken(token(), { ...rowWith([]), ...changed }, 1);
  expect([FIND, UPDATE].filter((id) => grants.allows(id))).toEqual(granted);
});

const UPLOAD = 'plugin::upload.content-api.upload';
const where = { title: 'x' };

it.each([
  [{ action: UPLOAD, status: 'draft' }, [UPLOAD]],
  [{ action: [FIND, UPLOAD], status: 'draft' }, [FIND, UPLOAD]],
  [{ action: UPLOAD, where }, []],
  [{ action: UPLOAD, where, status: 'draft' }, []],
  [{ action: [FIND, UPLOAD], where }, []],
  [{ action: 'plugin::upload.content-api.find', status: 'draft' }, []],
  [{ action: 'plugin::users-permissions.user.find', where }, []],
  [{ action: [FIND, 'api::note.note.readDrafts'], where }, []],
  [{ action: [FIND, 'api::note.note.readPrivate'], where }, []],
  ['api::note.note.readDrafts', ['api::note.note.readDrafts']],
  ['api::note.note.readPrivate', ['api::note.note.readPrivate']],
])('of a grant that is enforced alone: %j grants %j', (grant, granted) => {
  const { grants } = confirmToken(assumeToken(JSON.stringify(grant), 1), rowWith([grant]), 1);
  const named = typeof grant === 'string' ? [grant] : [grant.action].flat();
  expect(named.filter((id) => grants.allows(id))).toEqual(granted);
});

it('end at the time of the row, and are not cached from then on', () => {
  const token = (now: number) => assumeToken('ending', now);
  const row = { ...rowWith([FIND]), expiresAt: 10 };
  expect(confirmToken(token(9), row, 9).isCached).toBe(true);
  expect(token(10).isCached).toBe(true);
  expect(() => confirmToken(token(10), row, 10)).toThrow('Missing or invalid credentials');
  expect(token(10)).toMatchObject({ isCached: false, grants: ASSUMED });
  confirmToken(token(9), row, 9);
  expect(() => confirmToken(token(9), undefined, 9)).toThrow('Missing or invalid credentials');
  expect(token(9).isCached).toBe(false);
});

it('are needed as they were read, and otherwise by the types and the actions that satisfy a plan', () => {
  const trace = { granted: [FIND, 'api::note.note.readDrafts'], denied: [UPDATE] };
  const assumed = assumeTokenById('maker', 1);
  expect(tokenNeeds(assumed, trace, 2)).toEqual({
    ...{ key: 'maker', isById: true, now: 2 },
    needed: { kind: 'assumed', types: ['read-only'], granted: [FIND] },
  });
  const row = rowWith([FIND]);
  expect(tokenNeeds(confirmToken(assumed, row, 1), trace, 2)).toEqual({
    ...{ key: 'maker', isById: true, now: 2 },
    needed: { kind: 'stored', type: 'custom', permissions: row.permissions },
  });
});

it('count as used within the last hour until that hour is over', () => {
  const used = 1_000_000;
  expect([3_599_999, 3_600_000].map((later) => isUseNoted(used, used + later))).toEqual([true, false]);
});
