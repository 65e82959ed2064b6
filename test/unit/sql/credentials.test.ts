/**
 * @module The guards of credentials: what they add to a statement stays inside D1's limits.
 */
import { expect, it } from 'vitest';
import { guarded, tokenQuery, userQuery } from '../../../src/sql/accounts/credentials.ts';

const MANY = Array.from({ length: 500 }, (_, index) => `api::type-${index}.type-${index}.find`);
const D1_PARAMETERS = 100;

const guards = {
  token: tokenQuery({ key: 'k', types: ['full-access'], custom: { granted: MANY, denied: MANY }, now: 1 }).guard(),
  user: userQuery({
    id: 1,
    issuedAt: 1000,
    session: 's',
    mustBeConfirmed: true,
    roles: MANY,
    others: MANY,
    anyOther: false,
  }).guard(),
};

it.each(Object.entries(guards))(
  'a statement with all the parameters it may have can be guarded by a %s',
  (_, guard) => {
    const statement = { sql: 'select 1', params: Array.from({ length: 90 }, (_, index) => index) };
    const { sql, params } = guarded(statement, guard);
    expect(params.length).toBeLessThanOrEqual(D1_PARAMETERS);
    expect(sql.match(/\?/g)).toHaveLength(params.length - statement.params.length);
  },
);

it('a token of fixed rights is asked for its type, and for permissions only where a custom one fits', () => {
  const { sql, params } = tokenQuery({ key: 'k', types: ['read-only'], now: 1 }).guard();
  expect(sql).not.toContain('permissions');
  expect(params).toEqual(['k', 1, 'read-only']);
});
