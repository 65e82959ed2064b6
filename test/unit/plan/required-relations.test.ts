/**
 * @module Required relations of types without drafts, after a write.
 */
import { describe, expect, it } from 'vitest';
import type { Current, WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import { attributeOf, errorsOf, planOf, present, row } from './write-support.ts';

const CREATE = { operation: 'create' } as const;

describe('a required relation', () => {
  const OWNERS = attributeOf('bound', 'owners');
  const hidden = { ...present('b', 2, { status: 'published' }), isHidden: true } as const;
  const links = new Map([[OWNERS, [present('a', 1, { status: 'published' }), hidden]]]);

  it.each<readonly [object, Partial<WriteRequest>, Partial<Current>, readonly string[]]>([
    [{}, CREATE, {}, ['owners', 'owner']],
    [{}, { ...CREATE, strictRelations: false }, {}, []],
    [{ owner: 'a', owners: ['a'] }, CREATE, {}, []],
    [{ owner: 'a', owners: { connect: ['a'] } }, CREATE, {}, []],
    [{}, {}, row('bound'), []],
    [{ owner: null }, {}, row('bound'), ['owner']],
    [{ owners: [] }, {}, row('bound'), ['owners']],
    [{ owners: { disconnect: ['a'] } }, {}, { ...row('bound'), links }, ['owners']],
    [{ owners: { connect: ['b'], disconnect: ['a'] } }, {}, { ...row('bound'), links }, []],
    [{ owners: { disconnect: ['b'] } }, {}, { ...row('bound'), links }, []],
  ])('is missed in %j with %j: %#', (data, more, current, names) => {
    if (names.length === 0) expect(() => planOf('bound', data, more, current)).not.toThrow();
    else
      expect(errorsOf('bound', data, more, current).errors.map(([path, message]) => [path, message])).toEqual(
        names.map((name) => [name, `${name} must be defined.`]),
      );
  });

  it('whose target is missing has that error alone', () => {
    expect(errorsOf('bound', { owner: 99, owners: ['a'] }, CREATE, {}).errors.map(([path]) => path)).toEqual(['']);
  });
});
