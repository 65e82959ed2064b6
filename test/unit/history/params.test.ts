/**
 * @module The parameters of lists of former versions.
 */
import { describe, expect, it } from 'vitest';
import type { ApiError } from '../../../src/common/errors.ts';
import type { RawQuery } from '../../../src/content/request/query-string.ts';
import { historyCursor, parseHistoryParams, placeOfCursor } from '../../../src/features/history/params.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';

const parsed = (raw: RawQuery, ofOne = false, rest = {}) =>
  parseHistoryParams(raw, ofOne, parseSettings({ api: { rest } }));

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as ApiError).message;
  }
  return 'none';
}

const CHANGES = ['create', 'update', 'publish', 'unpublish', 'discardDraft', 'restore', 'delete'];
const ID = `rev_${'0a'.repeat(12)}`;

describe('a list of changes', () => {
  it('has all changes without parameters, but not what was there before', () => {
    expect(parsed({})).toEqual({ limit: 25, operations: CHANGES });
  });

  it('has what its parameters name', () => {
    const raw = {
      ...{ type: 'api::note.note,api::story-2.story', operation: ['create', 'before'], by: 'user,schedule' },
      ...{ from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00.001Z' },
      pagination: { limit: '7', after: `5-${ID}` },
    };
    expect(parsed(raw)).toEqual({
      ...{ limit: 7, cursor: `5-${ID}`, types: ['api::note.note', 'api::story-2.story'] },
      ...{ operations: ['create', 'before'], by: ['user', 'schedule'] },
      ...{ from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2) + 1 },
    });
  });

  it.each([null, ''])('takes a parameter without a value (%j) for none', (value) => {
    const raw = { type: value, operation: value, by: value, from: value, to: value };
    expect(parsed(raw)).toEqual({ limit: 25, operations: CHANGES });
  });

  const OPERATIONS = 'create, update, publish, unpublish, discardDraft, restore, delete, before';
  it.each<[string, RawQuery, string]>([
    ['type', { type: 'api::note.note,no uid' }, 'the uid of a content type'],
    ['type', { type: ',' }, 'the uid of a content type'],
    ['operation', { operation: 'create,move' }, `one of ${OPERATIONS}`],
    ['by', { by: 'somebody' }, 'one of user, token, public, schedule, code, unknown'],
    ['from', { from: 'yesterday' }, 'a time such as 2027-01-01T09:00:00Z'],
    ['to', { to: ['2026-01-01', '2026-01-02'] }, 'a time such as 2027-01-01T09:00:00Z'],
    ['pagination', { pagination: { page: '2' } }, 'pagination[after]'],
    ['pagination', { pagination: { start: '1' } }, 'pagination[after]'],
  ])('rejects a wrong %s: %j', (name, raw, expected) => {
    expect(messageOf(() => parsed(raw))).toBe(`Invalid parameter at '${name}'. Expected ${expected}`);
  });

  it.each([
    ['100', 100],
    ['101', 100],
    ['99', 99],
  ])('has at most a hundred versions: %s', (limit, expected) => {
    expect(parsed({ pagination: { limit } }, false, { maxLimit: null })).toMatchObject({ limit: expected });
  });
});

describe('the list of one document', () => {
  it('has pages alone', () => {
    expect(parsed({ pagination: { limit: '3', after: '' } }, true)).toEqual({ limit: 3 });
    for (const name of ['type', 'operation', 'by', 'from', 'to'])
      expect(messageOf(() => parsed({ [name]: 'x' }, true))).toContain(name);
  });

  it('ignores what it does not know where unknown parameters are allowed', () => {
    expect(parsed({ operation: 'move', other: 'x' }, true, { strictParams: false })).toEqual({ limit: 25 });
    expect(messageOf(() => parsed({ other: 'x' }))).toContain('other');
    expect(messageOf(() => parsed({ lookup: 'x' }, true, { strictParams: false }))).toBe("Invalid params: 'lookup'");
  });
});

describe('a cursor', () => {
  it('names the place of a version', () => {
    const place = { at: 1_700_000_000_000, id: ID };
    expect(placeOfCursor(historyCursor(place))).toEqual(place);
  });

  it.each(['', ID, `-${ID}`, `5-${ID}0`, `1234567890123456-${ID}`, `x5-${ID}`])('%j is none', (cursor) => {
    const message = "Invalid parameter at 'pagination[after]'. Expected a cursor of this list";
    expect(messageOf(() => placeOfCursor(cursor))).toBe(message);
  });
});
