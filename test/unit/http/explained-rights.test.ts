/**
 * @module What a 401 or 403 of a local server adds, and when it adds nothing.
 */
import { describe, expect, it } from 'vitest';
import { ForbiddenError, lacksPermission, type Problem, UnauthorizedError } from '../../../src/common/errors.ts';
import { type AppContext, OF_TOOL } from '../../../src/http/context.ts';
import { explained } from '../../../src/http/explained-rights.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const FIND = 'api::tag.tag.find';
const LACKS = lacksPermission(FIND).problem;
const UNKNOWN = new UnauthorizedError().problem;

const explain = (problem: Problem, authorization?: string, env: object = {}, explainsRights = true): Problem => {
  const context = { req: { header: () => authorization }, env } as unknown as AppContext;
  return explained(problem, context, { explainsRights, settings: parseSettings({}) });
};

describe('a 403', () => {
  it.each([
    [undefined, `The public lacks the permission ${FIND}. To grant it to everybody: roles: { public: ['${FIND}'] }`],
    [
      'abc',
      `The public lacks the permission ${FIND}. The header Authorization is ignored: expected Bearer <token>. To`,
    ],
    ['Bearer abc', `This API token lacks the permission ${FIND}. To make one that has it:`],
    ['bearer a.b.c', `The role of this user lacks the permission ${FIND}. To grant it: roles: { <role>: ['${FIND}'] }`],
  ])('of a caller with %s says what grants it', (header, message) => {
    const { details, ...problem } = explain(LACKS, header);
    expect(problem).toMatchObject({ kind: 'forbidden', message: expect.stringContaining(`Forbidden. ${message}`) });
    expect(details).toEqual({ permission: FIND });
  });

  it('of a write suggests no grant for everybody', () => {
    expect(explain(lacksPermission('api::tag.tag.create').problem).message).not.toContain('everybody');
  });

  it('of a request of a batch is explained in its place', () => {
    const problem = { kind: 'in-batch', request: 1, problem: LACKS } as Problem;
    expect(explain(problem)).toEqual({ kind: 'in-batch', request: 1, problem: explain(LACKS) });
    expect(explain(LACKS).message).not.toBe(LACKS.message);
  });

  it.each([
    ['that names no permission', new ForbiddenError().problem],
    ['of a preview', lacksPermission('preview api::tag.tag').problem],
  ])('%s stays as it is', (_, problem) => {
    for (const header of [undefined, 'Bearer abc']) expect(explain(problem, header)).toBe(problem);
  });
});

describe('a 401', () => {
  it('for an unknown token says how to make one', () => {
    expect(explain(UNKNOWN, 'Bearer abc').message).toMatch(
      /^Missing or invalid credentials\. Is the token one of this server.*--type full-access$/,
    );
  });

  it.each([
    ['without a header', UNKNOWN, undefined],
    ['for another header', UNKNOWN, 'Basic abc'],
    ['with another message', new UnauthorizedError('Your account is blocked').problem, 'Bearer abc'],
  ])('%s stays as it is', (_, problem, header) => {
    expect(explain(problem, header)).toBe(problem);
  });
});

it('nothing is explained to a client of a user, nor by a deployed Worker', () => {
  const claims = { id: 1, issuedAt: 0, session: null };
  expect(explain(LACKS, undefined, { [OF_TOOL]: { claims } })).toBe(LACKS);
  expect(explain(LACKS, undefined, { [OF_TOOL]: {} })).not.toBe(LACKS);
  expect(explain(LACKS, undefined, {}, false)).toBe(LACKS);
});
