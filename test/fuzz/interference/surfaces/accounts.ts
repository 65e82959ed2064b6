/**
 * @module Accounts: registration, and reads of users.
 */
import fc from 'fast-check';
import type { ContentType } from '../../../../src/schema/model.ts';
import { USER_UID } from '../../../../src/schema/system-types.ts';
import type { Planned } from '../../../generators/step.ts';
import { listQuery, type Requests, withQuery } from '../../../generators/subject.ts';
import { PASSWORD } from '../../../support/users.ts';
import { userBody } from '../bodies.ts';
import { idNamed } from '../chance.ts';
import { registry } from '../model.ts';
import { documentIdOf, nameOf } from '../names.ts';

export const users: Requests = (subject) =>
  fc
    .tuple(
      fc.constantFrom(
        ...['/api/users', '/api/users/me', '/api/users/me', '/api/users/{zoe}', '/api/users/{anna}'],
        `/api/users/${idNamed('zoe')}`,
      ),
      listQuery(subject, registry.contentTypes.get(USER_UID) as ContentType),
    )
    .map(([path, query]) => ({ method: 'GET', path: withQuery(path, query) }));

/** Writes of users, which only an editor may make. */
export const userWrites: fc.Arbitrary<Planned> = fc
  .tuple(fc.constantFrom('{zoe}', '{wim}', idNamed('zoe'), ''), userBody)
  .map(([id, data]) =>
    id === ''
      ? { method: 'POST', path: '/api/users', json: { ...account('made'), role: 1, ...data } }
      : { method: 'PUT', path: `/api/users/${id}`, json: data },
  );

const account = (username: string) => ({ username, email: `${username}@example.com`, password: PASSWORD });

const nickname = fc.constantFrom('alpha', null);
const links = {
  team: nameOf('team').map(documentIdOf),
  favorites: fc.array(nameOf('story').map(documentIdOf), { maxLength: 2 }),
};

/** Only the public gives links: what is hidden from another caller may be there for the public, which registers. */
export const registrationBy = (caller: string): fc.Arbitrary<Planned> =>
  fc
    .tuple(
      fc.constantFrom('newcomer', 'stranger'),
      fc.record({ nickname, ...(caller === 'public' && links) }, { requiredKeys: [] }),
    )
    .map(([username, data]) => ({
      method: 'POST',
      path: '/api/auth/local/register',
      asPublic: true,
      json: { ...account(username), ...data },
    }));

const signInWith = (identifier: string, password: string): Planned => ({
  method: 'POST',
  path: '/api/auth/local',
  json: { identifier, password },
  asPublic: true,
});

export const signIn: fc.Arbitrary<Planned> = fc.constantFrom<Planned>(
  signInWith('anna', PASSWORD),
  signInWith('zoe', 'a wrong password'),
  { method: 'POST', path: '/api/auth/forgot-password', json: { email: 'zoe@example.com' }, asPublic: true },
  { method: 'GET', path: '/api/users-permissions/roles' },
);
