/**
 * @module What a write is, of its parameters, its body and the rights of its caller, and how its failures are worded.
 */
import { describe, expect, it } from 'vitest';
import { type Grants, only } from '../../../src/access/grants.ts';
import { type Grant, rulesOf } from '../../../src/access/rule.ts';
import { type ApiError, toErrorBody } from '../../../src/common/errors.ts';
import { mayReadBack, writeFailure, writeParams, writeRequest } from '../../../src/content/operations/write-parts.ts';
import type { WriteRequest } from '../../../src/content/plan/model/write-request.ts';
import type { WriteCall } from '../../../src/content/runtime/content-call.ts';
import { AssertionFailed, DuplicateValue } from '../../../src/content/sql/batch.ts';
import { namedDocument, single } from '../../../src/schema/document-ref.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { systemType } from '../../../src/schema/system-types.ts';
import { contentType, registryOf, relation } from '../../support/schema-files.ts';

const TEXT = { text: { type: 'string' }, code: { type: 'string', unique: true }, owner: { type: 'integer' } };
const registry = registryOf([
  contentType('story', { ...TEXT, fixed: { type: 'string', writable: false } }, { drafts: true, plural: 'stories' }),
  contentType('home', TEXT, { single: true }),
  contentType('note', { ...TEXT, stories: relation('manyToMany', 'story') }),
]);
const typeOf = (name: string) => systemType(registry, `api::${name}.${name}`);
const idOf = (name: string, action: string) => `api::${name}.${name}.${action}`;

function callerWith(...grants: readonly Grant[]): { readonly grants: Grants } {
  const ids = grants.flatMap((grant) => (typeof grant === 'string' ? [grant] : [grant.action].flat()));
  return { grants: { ...only(ids), rule: rulesOf(grants)?.({ user: 7, now: 0 }) } };
}

interface Sent extends Partial<Omit<WriteCall, 'data' | 'query'>> {
  readonly data?: object;
  readonly query?: object;
}
const callOf = (name: string, given: object, { data = {}, query = {}, ...more }: Sent = {}): WriteCall =>
  ({
    ...{ registry, settings: parseSettings(given), type: typeOf(name), newDocumentId: 'new' },
    ...{ document: namedDocument('a'), data: () => data, query: () => query },
    ...more,
  }) as unknown as WriteCall;

function refusal(attempt: () => unknown): string {
  try {
    return JSON.stringify(attempt());
  } catch (error) {
    const { error: body } = toErrorBody((error as ApiError).problem);
    return `${body.status} ${body.message}`;
  }
}

describe('the parameters of a write', () => {
  const UPDATE = idOf('story', 'update');
  const statusOf = (query: object, given: object, ...grants: readonly Grant[]) =>
    refusal(() => writeParams(callOf('story', given, { query }), callerWith(...grants), 'update').status);

  it('have the status of the query, or that of the settings', () => {
    expect(statusOf({ status: 'draft' }, {}, UPDATE)).toBe('"draft"');
    const drafts = { api: { rest: { defaultStatus: 'draft' } } };
    expect([statusOf({}, {}, UPDATE), statusOf({}, drafts, UPDATE)]).toEqual(['"published"', '"draft"']);
    expect(statusOf({ status: 'published' }, drafts, UPDATE)).toBe('"published"');
  });

  it('are rejected without the grant, and for a published version if it is for drafts only', () => {
    const drafts: Grant = { action: UPDATE, status: 'draft' };
    expect(statusOf({ status: 'draft' }, {}, idOf('story', 'create'))).toMatch(/^403 /);
    expect(statusOf({ status: 'published' }, {}, drafts)).toMatch(/^403 This caller may only write drafts/);
    expect(statusOf({ status: 'draft' }, {}, drafts)).toBe('"draft"');
  });
});

describe('the request of a write', () => {
  const UPDATE = idOf('note', 'update');
  const requestOf = (sent: Sent, given: object = {}, grants: readonly Grant[] = [UPDATE]) =>
    writeRequest(callOf('note', given, sent), 'update', { sort: [] } as never, callerWith(...grants));

  it('has the operation and the document of its call', () => {
    const caller = callerWith(UPDATE);
    const made = writeRequest(callOf('note', {}), 'create', { sort: [] } as never, caller);
    expect([made.operation, made.documentId, made.status]).toEqual(['create', 'a', 'published']);
    const home = callOf('home', {}, { document: single(typeOf('home')) });
    const written = writeRequest(home, 'update', { sort: [] } as never, caller);
    expect([written.operation, written.documentId]).toEqual(['update', 'new']);
  });

  it('has what a rule sets in place of what the body has, which it keeps apart', () => {
    const rule: Grant = { action: UPDATE, set: { owner: '$user' }, fields: ['text'] };
    const request = requestOf({ data: { text: 'a', owner: 1 } }, {}, [rule]);
    expect([request.data, request.sent]).toEqual([{ text: 'a', owner: 7 }, { text: 'a' }]);
    expect([...(request.shown ?? [])]).toEqual(['text']);
    expect(refusal(() => requestOf({ data: { code: 'a' } }, {}, [rule]))).toMatch(/^400 Invalid key code/);
    const plain = requestOf({ data: { text: 'a' } }, {}, [{ action: UPDATE, where: { text: 'a' } }]);
    expect([plain.data, 'sent' in plain, plain.shown]).toEqual([{ text: 'a' }, false, undefined]);
  });

  it('is rejected with unknown keys, and with too many entries unless it restores what was stored', () => {
    const limited = { api: { rest: { limits: { bodyEntries: 1 } } } };
    const many = { data: { stories: ['a', 'b', 'c'] } };
    const grants = [UPDATE, idOf('story', 'find')];
    expect(refusal(() => requestOf({ data: { nope: 1 } }))).toMatch(/^400 Invalid key nope/);
    expect(refusal(() => requestOf(many, limited, grants))).toMatch(/^400 .*entries/);
    expect(requestOf({ ...many, isRestoring: true }, limited, grants).data).toEqual(many.data);
  });

  it.each([
    ['strapi', {}, false],
    ['strapi', { isRestoring: true }, true],
    ['strapi', { isOfTool: true }, true],
    ['reject', {}, true],
  ] as const)('with mixedRelations %j, %j: an empty set clears: %s', (mixedRelations, sent, clears) => {
    const mixed = { stories: { set: ['a'], connect: ['b'] } };
    const given = { api: { documents: { mixedRelations } } };
    expect(requestOf(sent, given).emptySetClears).toBe(clears);
    const outcome = refusal(() => requestOf({ ...sent, data: mixed }, given, [UPDATE, idOf('story', 'find')]).data);
    expect(outcome.startsWith('400')).toBe(clears && !('isRestoring' in sent));
  });

  it.each([
    ['strapi', false],
    ['documented', true],
  ] as const)('with errorDetails %j has all issues: %s', (errorDetails, isAll) => {
    expect(requestOf({}, { api: { rest: { errorDetails } } }).allIssues).toBe(isAll);
  });
});

it.each<[string, string | undefined, readonly string[], boolean]>([
  ['note', undefined, ['note.find'], true],
  ['note', undefined, ['note.update'], false],
  ['story', 'published', ['story.find'], true],
  ['story', 'draft', ['story.find'], false],
  ['story', 'draft', ['story.find', 'story.readDrafts'], true],
  ['story', 'draft', ['story.readDrafts'], false],
])('a caller who writes a %s (%s) with %j may read it back: %s', (name, status, granted, expected) => {
  const caller = callerWith(...granted.map((each) => idOf(...(each.split('.') as [string, string]))));
  expect(mayReadBack(callOf(name, {}), { status } as never, caller)).toBe(expected);
});

describe('a failed write', () => {
  const request = { type: typeOf('note'), data: { code: 'a' } } as unknown as WriteRequest;
  const worded = (failure: unknown) =>
    refusal(() => {
      throw writeFailure(failure, request);
    });

  it('is an error of the body where a value is taken, or the grant requires another', () => {
    expect(worded(new AssertionFailed('UNIQUE.code'))).toBe('400 This attribute must be unique');
    expect(worded(new AssertionFailed('GRANT'))).toBe(
      '400 The written document does not match what the grant requires',
    );
    expect(worded(new DuplicateValue('notes.code'))).toBe('400 This attribute must be unique: notes.code');
  });

  it('of another kind stays as it is', () => {
    for (const failure of [new AssertionFailed('OTHER'), new Error('GRANT')])
      expect(writeFailure(failure, request)).toBe(failure);
  });
});
