/**
 * @module Errors of requests: what each kind responds with, and how much of a request an error repeats.
 */
import { describe, expect, it } from 'vitest';
import {
  ApiError,
  application,
  forbidden,
  type Issue,
  inBatch,
  invalid,
  invalidDocument,
  invalidKey,
  isProblem,
  lacksPermission,
  notFound,
  type Problem,
  responseTooLarge,
  toErrorBody,
} from '../../../src/common/errors.ts';

const bodyOf = (error: ApiError) => toErrorBody(error.problem).error;

describe('toErrorBody', () => {
  const KEY = { source: 'header', header: 'Idempotency-Key' };
  const PROBLEMS: readonly (readonly [number, string, object | undefined, Problem])[] = [
    [400, 'ValidationError', {}, { kind: 'validation', message: 'a' }],
    [400, 'PaginationError', {}, { kind: 'pagination', message: 'a' }],
    [400, 'ApplicationError', {}, { kind: 'application', message: 'a' }],
    [400, 'Error', undefined, { kind: 'zone', message: 'a' }],
    [400, 'SyntaxError', undefined, { kind: 'syntax', message: 'a' }],
    [400, 'BadRequestError', undefined, { kind: 'bad-path', message: 'Malicious Path' }],
    [400, 'BadRequestError', {}, { kind: 'bad-request', message: 'a' }],
    [401, 'UnauthorizedError', {}, { kind: 'unauthorized', message: 'Missing or invalid credentials' }],
    [403, 'ForbiddenError', {}, { kind: 'forbidden' }],
    [404, 'NotFoundError', {}, { kind: 'not-found', message: 'Not Found' }],
    [409, 'ConflictError', KEY, { kind: 'key-in-use', retryAfter: 1 }],
    [412, 'PreconditionFailedError', undefined, { kind: 'precondition-failed', message: 'a' }],
    [413, 'PayloadTooLargeError', {}, { kind: 'too-large' }],
    [415, 'Error', undefined, { kind: 'unsupported-encoding', message: 'a' }],
    [422, 'UnprocessableEntityError', KEY, { kind: 'key-reused' }],
    [429, 'RateLimitError', {}, { kind: 'rate-limited', retryAfter: 1 }],
    [503, 'ServiceUnavailableError', {}, { kind: 'overloaded', retryAfter: 1 }],
    [503, 'ServiceUnavailableError', {}, { kind: 'not-ready' }],
    [500, 'InternalServerError', undefined, { kind: 'internal' }],
  ];

  it.each(PROBLEMS)('responds with %i %s and the details %j', (status, name, details, problem) => {
    const { data, error } = toErrorBody(problem);
    expect([data, error.status, error.name, error.details]).toEqual([null, status, name, details]);
    expect(error.message).not.toBe('');
    expect('details' in error).toBe(details !== undefined);
  });

  it('leaves the cause of an error on the server', () => {
    const error = new ApiError({ kind: 'internal' }, { cause: new Error('hunter2') });
    expect(JSON.stringify(toErrorBody(error.problem))).not.toContain('hunter2');
  });

  it('has the details of the project, and empty ones without', () => {
    expect(bodyOf(application('a', { left: 3 })).details).toEqual({ left: 3 });
    for (const error of [application('a'), invalid('a')]) expect(bodyOf(error).details).toEqual({});
  });

  it('adds to the details of an error its request in a batch', () => {
    const error = inBatch(2, invalid('a', { key: 'b' })) as ApiError;
    expect(bodyOf(error)).toEqual({
      ...{ status: 400, name: 'ValidationError', message: 'a', details: { key: 'b', request: 2 } },
    });
    expect(inBatch(3, error)).toBe(error);
    const other = new Error('a');
    expect(inBatch(2, other)).toBe(other);
  });
});

describe('an error', () => {
  it('has the message of its problem, or its kind, for the log', () => {
    expect(String(invalid('a'))).toBe('ApiError: a');
    expect(String(new ApiError({ kind: 'too-large' }))).toBe('ApiError: too-large');
    expect([forbidden(), notFound('b')].map(({ message }) => message)).toEqual(['Forbidden', 'b']);
  });

  it('is of one kind, and others are of none', () => {
    expect([isProblem(forbidden(), 'forbidden'), isProblem(forbidden(), 'not-found')]).toEqual([true, false]);
    expect(
      [new Error('a'), { problem: { kind: 'forbidden' } }, undefined].map((e) => isProblem(e, 'forbidden')),
    ).toEqual([false, false, false]);
  });

  it('names the permission that a caller lacks', () => {
    expect(lacksPermission('api::a.a.find').problem).toEqual({
      ...{ kind: 'forbidden', message: 'Forbidden', permission: 'api::a.a.find' },
    });
    expect(forbidden().problem).not.toHaveProperty('permission');
  });

  it.each([
    [5_000, 5_000],
    [5_001, 5_001],
    [9_000, 5_001],
  ])('repeats of a text of %i characters %i', (length, shown) => {
    const text = 'a'.repeat(length - 100) + 'b'.repeat(100);
    const repeated = length > 5_000 ? `${text.slice(0, 4_800)}…${text.slice(-200)}` : text;
    expect(repeated).toHaveLength(shown);
    expect(bodyOf(invalid(text, { key: text, at: [text] }))).toMatchObject({
      ...{ message: repeated, details: { key: repeated, at: [text] } },
    });
  });

  it.each([
    [null, 'Invalid key a'],
    ['a', 'Invalid key a'],
    ['b.a', 'Invalid key a at b.a'],
  ])('of a key says where it is: %s', (path, message) => {
    const error = bodyOf(invalidKey('a', path, { source: 'query', param: 'filters' }));
    expect(error).toMatchObject({ message, details: { key: 'a', path, source: 'query', param: 'filters' } });
  });

  it.each([
    ['answerRows', 'rows'],
    ['answerBytes', 'bytes'],
  ] as const)('of %s names the limit in %s', (limit, unit) => {
    const { message, details } = bodyOf(responseTooLarge(limit, 7));
    expect(message).toMatch(`too many ${unit}. Expected at most 7`);
    expect(details).toEqual({ source: 'query', limit });
  });
});

describe('the error of a document', () => {
  const issue = (message: string, more: object = {}): Issue => ({ path: ['a', '0'], message, ...more });
  const named = (message: string, more: object = {}) => ({ ...issue(message, more), name: 'ValidationError' });
  const issuesIn = (issues: readonly Issue[]) => bodyOf(invalidDocument(issues)).details?.errors as readonly Issue[];
  const sizeOf = (value: unknown) => JSON.stringify(value).length;
  /** A value that takes so many characters as JSON. */
  const textOf = (size: number) => 'v'.repeat(size - 2);
  const MAX = 200_000;

  it('has the message of its only issue, or their number, and all issues', () => {
    const values = issue('one', { value: 0 });
    expect(bodyOf(invalidDocument([values]))).toMatchObject({
      ...{ message: 'one', details: { errors: [named('one', { value: 0 })] } },
    });
    expect(bodyOf(invalidDocument([values, issue('two')]))).toMatchObject({
      ...{ message: '2 errors occurred', details: { errors: [named('one', { value: 0 }), named('two')] } },
    });
    expect(issuesIn([issue('a'.repeat(6_000))])[0]?.message).toHaveLength(5_001);
  });

  it('has a thousand issues at most', () => {
    expect(issuesIn(Array.from({ length: 1_001 }, () => issue('x')))).toHaveLength(1_000);
  });

  it('leaves out values that do not fit, and none that fits exactly', () => {
    const left = MAX - sizeOf(named('one')) - sizeOf(named('two'));
    const withValues = (first: number) => {
      const shown = issuesIn([issue('one', { value: textOf(first) }), issue('two', { value: textOf(3) })]);
      return shown.map(({ value }) => typeof value === 'string');
    };
    expect(withValues(left - 3)).toEqual([true, true]);
    expect(withValues(left - 2)).toEqual([true, false]);
    expect(withValues(left)).toEqual([true, false]);
    expect(withValues(left + 1)).toEqual([true]);
    expect(withValues(MAX)).toEqual([false, true]);
  });
});
