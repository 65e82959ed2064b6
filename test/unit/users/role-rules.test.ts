/**
 * @module The role in a body of `/api/users`: what is wrong with it, for a new user and for a change.
 */
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../../src/common/errors.ts';
import { changedRoleIssues, newRoleIssues } from '../../../src/features/users/role-rules.ts';

const brief = (issues: readonly Issue[]) => issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
const wrong = (path: string, name: string, type: string, value: string) =>
  `${path}: ${name} must be a \`${type}\` type, but the final value was: \`${value}\`.`;

const REQUIRED = 'role.connect: role.connect is a required field';
const UNNAMED = 'Relation entry must include an id or documentId';
const MIXED = 'role: role has "set" beside "connect" or "disconnect". Expected "set" alone, or the others';
const KEPT = 'role.disconnect: Cannot remove role';
const EMPTIED = 'role.set: Users must have a role';
const one = { connect: [{ id: 1 }] };

describe.each([
  ['with mixedRelations: reject', true],
  ['with mixedRelations: strapi', false],
])('the role %s', (_, isStrict) => {
  const ofNew = (role: unknown) => brief(newRoleIssues(role, isStrict));
  const ofChange = (role: unknown) => brief(changedRoleIssues(role, isStrict));

  it.each<[role: unknown, issues: readonly string[]]>([
    [undefined, []],
    ['', []],
    ['writer', []],
    [0, []],
    [7, []],
    [-1, [wrong('role', 'role', 'strapiID', '-1')]],
    [1.5, [wrong('role', 'role', 'strapiID', '1.5')]],
    [Number.NaN, [wrong('role', 'role', 'strapiID', 'NaN')]],
    [true, [wrong('role', 'role', 'strapiID', 'true')]],
    [null, [wrong('role', 'role', 'object', 'null')]],
    [[], [wrong('role', 'role', 'object', '[]')]],
    [one, []],
    [{ connect: [{ id: 0 }] }, []],
    [{ connect: [{ documentId: 'abc' }] }, []],
    [
      { connect: [{ id: null, documentId: 'abc' }] },
      [wrong('role.connect.0.id', 'role.connect[0].id', 'strapiID', 'null')],
    ],
    [{ connect: [{ id: 1 }, { id: -1 }] }, [wrong('role.connect.1.id', 'role.connect[1].id', 'strapiID', '-1')]],
    [
      { connect: [{ id: 1, documentId: 1.5 }] },
      [wrong('role.connect.0.documentId', 'role.connect[0].documentId', 'strapiID', '1.5')],
    ],
    [{ connect: [{}] }, [`role.connect.0: ${UNNAMED}`]],
    [
      { connect: [{ id: null }] },
      [wrong('role.connect.0.id', 'role.connect[0].id', 'strapiID', 'null'), `role.connect.0: ${UNNAMED}`],
    ],
    [{ connect: [2] }, [wrong('role.connect.0', 'role.connect[0]', 'object', '2')]],
    [{ connect: 2 }, [wrong('role.connect', 'role.connect', 'array', '2')]],
    [{ ...one, set: [] }, [EMPTIED]],
    [{ ...one, set: [null] }, [EMPTIED]],
    [{ ...one, set: [[undefined]] }, [EMPTIED]],
    [{ ...one, set: false }, [EMPTIED]],
    [{ ...one, set: undefined }, [EMPTIED]],
    [{ ...one, set: null }, isStrict ? [EMPTIED] : []],
    [{ ...one, set: [2] }, isStrict ? [MIXED] : []],
    [{ ...one, set: 0 }, []],
  ])('%j has the same issues in a new user and in a change', (role, issues) => {
    expect(ofNew(role)).toEqual(issues);
    expect(ofChange(role)).toEqual(issues);
  });

  it.each<[role: unknown, inNew: readonly string[], inChange: readonly string[]]>([
    [{}, [REQUIRED], []],
    [{ set: [2] }, [REQUIRED], []],
    [{ connect: [] }, ['role.connect: Users must have a role'], []],
    [{ disconnect: [] }, [REQUIRED], []],
    [{ disconnect: [{ id: 1 }] }, [REQUIRED], [KEPT]],
    [{ disconnect: [{ id: 1 }], connect: [] }, ['role.connect: Users must have a role'], [KEPT]],
    [{ ...one, disconnect: [{ id: 1 }] }, [], []],
    [{ ...one, disconnect: [{}] }, [], [`role.disconnect.0: ${UNNAMED}`]],
    [{ disconnect: [{}] }, [REQUIRED], [`role.disconnect.0: ${UNNAMED}`, KEPT]],
    [{ ...one, disconnect: null }, [], [wrong('role.disconnect', 'role.disconnect', 'array', 'null')]],
  ])('%j is judged by whether there is a role', (role, inNew, inChange) => {
    expect(ofNew(role)).toEqual(inNew);
    expect(ofChange(role)).toEqual(inChange);
  });

  it('is repeated in an issue, unless it is missing', () => {
    expect(newRoleIssues({}, isStrict)[0]).not.toHaveProperty('value');
    expect(newRoleIssues({ connect: [] }, isStrict)[0]).toHaveProperty('value', []);
  });
});
