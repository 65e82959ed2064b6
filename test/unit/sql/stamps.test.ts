/**
 * @module Version stamps and the fence, in SQLite: which a commit rotates, and what a version does that does not know the
 * fence.
 */
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Compiled, constant } from '../../../src/content/sql/compiled.ts';
import {
  assertFence,
  currentStamps,
  endPurge,
  fenced,
  notedPurge,
  rotateStamps,
  stampsMoved,
} from '../../../src/content/sql/stamps.ts';
import type { Rendered } from '../../../src/content/sql/statement.ts';
import { EVERY_STAMP, FENCE, PURGE } from '../../../src/schema/names.ts';

let sqlite = new DatabaseSync(':memory:');
const run = ({ sql, params }: Rendered) => sqlite.prepare(sql).all(...(params as SQLInputValue[]));
const read = <T>({ statements, decode }: Compiled<T>): T => decode(statements.map((statement) => run(statement)));

/** Stores stamps in place of those that are there. */
function store(stamps: object): void {
  sqlite.exec('delete from edgewise_stamps');
  sqlite.prepare('insert into edgewise_stamps values (1, ?)').run(JSON.stringify(stamps));
}
const stored = (): Record<string, string> =>
  JSON.parse(String(sqlite.prepare('select stamps from edgewise_stamps').get()?.stamps));

beforeEach(() => {
  sqlite = new DatabaseSync(':memory:');
  sqlite.exec('create table edgewise_stamps (id integer primary key, stamps text not null)');
  store({ a: '1', b: '2', [EVERY_STAMP]: '0' });
});

describe('stamps', () => {
  it('are one text of all names, in which one without commits has that of the last migration', () => {
    expect(read(currentStamps(['a', 'b'], []))).toBe('12');
    expect(read(currentStamps(['b', 'c', 'a'], []))).toBe('201');
  });

  it('are undefined without their row', () => {
    sqlite.exec('delete from edgewise_stamps');
    expect(read(currentStamps(['a'], []))).toBeUndefined();
  });

  it('follow a fence, which has to be known', () => {
    store({ a: '1', [EVERY_STAMP]: '0', [FENCE]: 'moved' });
    expect(read(currentStamps(['a'], ['earlier', 'moved']))).toBe('moved:1');
    expect(() => read(currentStamps(['a'], ['earlier']))).toThrow();
    expect(() => read(currentStamps(['a'], []))).toThrow();
  });

  it('move with a commit of one of them', () => {
    const moved = (cached: readonly string[], names = ['a', 'b']) => {
      const { sql, params } = stampsMoved(names, cached);
      return run({ sql: `select ${sql} as "moved"`, params })[0]?.moved;
    };
    expect([moved(['12']), moved(['00', '12']), moved(['00']), moved(['1'], ['a'])]).toEqual([0, 0, 1, 0]);
    run(rotateStamps(['b']));
    expect([moved(['12']), moved(['1'], ['a'])]).toEqual([1, 0]);
    sqlite.exec('delete from edgewise_stamps');
    expect(moved(['12'])).toBe(1);
  });

  it('of the names alone are rotated, however many they are', () => {
    const names = Array.from({ length: 40 }, (_, index) => `type ${index}`);
    run(rotateStamps(names, []));
    const { a, b, [EVERY_STAMP]: every, ...others } = stored();
    expect([a, b, every]).toEqual(['1', '2', '0']);
    expect(Object.keys(others)).toEqual(names);
    expect(new Set(Object.values(others)).size).toBe(40);
    for (const stamp of Object.values(others)) expect(stamp).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe('a fence', () => {
  it.each([
    [undefined, [], true],
    [undefined, ['known'], true],
    ['known', ['known'], true],
    ['known', ['other', 'known'], true],
    ['new', ['known'], false],
    ['new', [], false],
  ])('%j lets a version that knows %j write and read: %s', (fence, fences, isKnown) => {
    store({ [EVERY_STAMP]: '0', ...(fence !== undefined && { [FENCE]: fence }) });
    const attempts = [
      () => run(rotateStamps(['a'], fences)),
      () => run(assertFence(fences)),
      () => expect(read(fenced(fences, constant('content')))).toBe('content'),
    ];
    for (const attempt of attempts)
      if (isKnown) attempt();
      else expect(attempt).toThrow();
    expect('a' in stored()).toBe(isKnown);
  });

  it('is not asked about by commands', () => {
    store({ [FENCE]: 'new' });
    run(rotateStamps(['a']));
    expect(stored().a).toMatch(/^[0-9a-f]{16}$/);
  });

  it('is none in a database without the row', () => {
    sqlite.exec('delete from edgewise_stamps');
    expect(run(assertFence([]))).toHaveLength(1);
    expect(read(fenced([], constant('content')))).toBe('content');
  });
});

describe('the note of commands that content was changed', () => {
  it('is there until it ends, unless content was changed again', () => {
    expect(read(notedPurge)).toBeUndefined();
    store({ [EVERY_STAMP]: '5', [PURGE]: true });
    expect(read(notedPurge)).toBe('5');
    run(endPurge('4'));
    expect(read(notedPurge)).toBe('5');
    run(endPurge('5'));
    expect(read(notedPurge)).toBeUndefined();
    expect(stored()).toEqual({ [EVERY_STAMP]: '5' });
  });

  it('has an empty stamp where there is none', () => {
    store({ [PURGE]: true });
    expect(read(notedPurge)).toBe('');
    run(endPurge(''));
    expect(stored()).toEqual({});
  });
});
