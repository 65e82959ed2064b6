/**
 * @module The guards of credentials: what they add to a statement stays inside D1's limits.
 */
import { expect, it } from 'vitest';
import { guarded, tokenQuery, userQuery } from '../../../src/content/credentials/sql/credentials.ts';

const MANY = Array.from({ length: 500 }, (_, index) => `api::type-${index}.type-${index}.find`);
const D1_PARAMETERS = 100;

const USER = { id: 1, issuedAt: 1000, session: null, grant: null, now: 1, mustBeConfirmed: true, roles: MANY };

const guards = {
  token: tokenQuery({ key: 'k', needed: { kind: 'assumed', types: ['full-access'], granted: MANY }, now: 1 }).guard(),
  user: userQuery({ ...USER, session: 's' }).guard(),
  client: userQuery({ ...USER, grant: 'g' }).guard(),
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

it('a token that was read is compared with its row, and one that was not by the action ids that are used', () => {
  const read = tokenQuery({
    key: 'k',
    needed: { kind: 'stored', type: 'custom', permissions: '["a"]' },
    now: 1,
  }).guard();
  expect(read.sql).not.toContain('json_each');
  expect(read.params).toEqual(['k', 1, 'custom', '["a"]']);
  const assumed = tokenQuery({
    key: 'k',
    needed: { kind: 'assumed', types: ['full-access'], granted: ['a'] },
    now: 1,
  }).guard();
  expect(assumed.params).toEqual(['k', 1, '["full-access"]', '["a"]']);
});
