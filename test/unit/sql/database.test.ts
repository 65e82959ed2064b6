/**
 * @module The database of a request: what it sends, repeats and counts, and what it makes of failures.
 */
import { describe, expect, it } from 'vitest';
import { MAX_STATEMENTS } from '../../../src/common/d1-limits.ts';
import { ApiError, toErrorBody } from '../../../src/common/errors.ts';
import { AssertionFailed, DuplicateValue, isTransient, openDatabase } from '../../../src/content/sql/batch.ts';
import type { PageStatement, Statement } from '../../../src/content/sql/statement.ts';

const LOST = 'D1_ERROR: Network connection lost.';
const FAR = `00000009-00000000-00000000-${'0'.repeat(32)}`;
const plain = (sql: string): Statement => ({ sql, params: [] });
const READ = plain('select 1');

interface Batch {
  readonly constraint: string | undefined;
  readonly texts: readonly string[];
  readonly session: number;
}
type End = unknown[] | Error | string;

/** Answers each batch with the next end: the rows of each statement, or a failure; at last with no rows. */
function databaseOf(ends: readonly End[], { read = 0, bookmarks = [] as readonly (string | null)[], given = '' } = {}) {
  const batches: Batch[] = [];
  let sessions = 0;
  const withSession = (constraint?: string) => {
    sessions += 1;
    const session = sessions;
    const batch = async (statements: readonly { sql: string }[]) => {
      const end = ends[batches.length] ?? [];
      batches.push({ constraint, texts: statements.map(({ sql }) => sql), session });
      if (!Array.isArray(end)) throw typeof end === 'string' ? new Error(end) : end;
      return statements.map((_, at) => ({ results: end[at] ?? [], meta: { rows_read: read, rows_written: 2 } }));
    };
    return {
      prepare: (sql: string) => ({ sql, bind: () => ({ sql }) }),
      batch,
      getBookmark: () => bookmarks[batches.length - 1] ?? null,
    };
  };
  const invocation = {};
  return { database: openDatabase({ withSession } as never, given || undefined, invocation), batches, invocation };
}

const failureOf = async (end: End): Promise<unknown> =>
  databaseOf([end, 'no column'])
    .database.write([READ])
    .catch((error: unknown) => error);

describe('a failure', () => {
  it.each([
    ['Expression tree is too large (maximum depth 100)', 400, 'The query is too complex'],
    ['at most 64 tables in a join', 400, 'The query is too complex'],
    ['D1 DB exceeded its CPU time limit and was reset.', 400, 'The query takes more than the database has'],
    ['string or blob too big', 400, 'The document or the response is too large'],
    [`bad JSON path: 'LIMIT answerRows 20'`, 400, 'The response has too many rows. Expected at most 20'],
    [`bad JSON path: 'LIMIT answerBytes 30'`, 400, 'The response has too many bytes. Expected at most 30'],
    [`bad JSON path: 'SCHEMA'`, 503, 'Service Unavailable'],
    ['D1 DB is overloaded. Requests queued for too long.', 503, 'Service Unavailable'],
    ['no such table: tags', 503, 'Service Unavailable'],
  ])('%s is %i: %s', async (message, status, text) => {
    const error = await failureOf(`D1_ERROR: ${message}: SQLITE_ERROR`);
    expect(error).toBeInstanceOf(ApiError);
    const body = toErrorBody((error as ApiError).problem).error;
    expect([body.status, body.message.startsWith(text)]).toEqual([status, true]);
    const { details, retryAfter } = (error as ApiError).problem as { details?: object; retryAfter?: number };
    const isResponse = text.startsWith('The response');
    expect(details).toEqual(
      status === 503 ? undefined : isResponse ? { source: 'query', limit: expect.any(String) } : { limit: 'database' },
    );
    expect(retryAfter).toBe(message.includes('overloaded') ? 1 : message.includes('SCHEMA') ? 5 : undefined);
  });

  it.each([
    [`bad JSON path: 'NAME'`, 'NAME'],
    [`bad JSON path: 'LIMIT other 30'`, 'LIMIT other 30'],
    ['UNIQUE constraint failed: notes.document_id, notes.locale', 'CONFLICT'],
    ['UNIQUE constraint failed: a_lnk.source_document_id, a_lnk.source_locale', 'CONFLICT'],
    ['UNIQUE constraint failed: edgewise_counters.type, edgewise_counters.locale', 'CONFLICT'],
  ])('of an assertion has its code: %s', async (message, code) => {
    const cause = new Error(`D1_ERROR: ${message}: SQLITE_CONSTRAINT`);
    const error = await failureOf(cause);
    expect(error).toBeInstanceOf(AssertionFailed);
    expect(error).toMatchObject({ code, message: code, cause });
  });

  it.each([
    [`UNIQUE constraint failed: index 'notes_day'`, 'notes_day'],
    ['UNIQUE constraint failed: notes.day, notes.hour', 'notes.day, notes.hour'],
    ['UNIQUE constraint failed: notes.document_id, other.locale', 'notes.document_id, other.locale'],
  ])('of an index of the project names it: %s', async (message, index) => {
    const cause = new Error(`D1_ERROR: ${message}: SQLITE_CONSTRAINT`);
    const error = await failureOf(cause);
    expect(error).toBeInstanceOf(DuplicateValue);
    expect(error).toMatchObject({ index, message: `duplicate value in ${index}`, cause });
  });

  it('of any other kind stays as it is, and one that is no error becomes one', async () => {
    const error = new Error('D1_ERROR: datatype mismatch');
    expect(await failureOf(error)).toBe(error);
    const { database } = databaseOf([]);
    const odd = {
      sql: 'select 1',
      get params(): never {
        throw 'odd';
      },
    };
    expect(await database.write([odd]).catch((thrown: unknown) => thrown)).toEqual(new Error('odd'));
  });

  it.each([
    [LOST, true],
    ['D1 DB storage operation exceeded timeout which caused object to be reset.', true],
    ['D1_ERROR: datatype mismatch', false],
  ])('is transient or not: %s', (message, expected) => {
    expect(isTransient(new Error(message))).toBe(expected);
  });

  it('is transient where the database is overloaded', () => {
    expect(isTransient(new ApiError({ kind: 'overloaded', retryAfter: 1 }))).toBe(true);
    expect(isTransient(new ApiError({ kind: 'not-ready' }))).toBe(false);
  });
});

describe('a column that the database lacks', () => {
  it.each([
    ['no such column: tags.name', ['select "tags"."name" from "tags" limit 0']],
    ['no such column: name', []],
    ['no such table: tags', []],
  ])('is looked for on the primary where the message names its table: %s', async (message, asked) => {
    const { database, batches } = databaseOf([`D1_ERROR: ${message}: SQLITE_ERROR`, 'D1_ERROR: no such column']);
    const error: unknown = await database.read([READ], 'replica').catch((thrown: unknown) => thrown);
    expect(batches.slice(1).flatMap(({ texts }) => texts)).toEqual(asked);
    expect(batches.slice(1).every(({ constraint }) => constraint === 'first-primary')).toBe(true);
    expect(String((error as Error).cause)).toBe(
      `A migration was not applied (${message}): npx edgewise migrate, or with --remote`,
    );
  });

  it('is an error of the statement if the database has it', async () => {
    const { database } = databaseOf(['D1_ERROR: no such column: tags.name: SQLITE_ERROR']);
    await expect(database.read([READ], 'replica')).rejects.toThrow('D1_ERROR: no such column: tags.name');
  });
});

describe('a read', () => {
  it.each([
    [[LOST, LOST], 3, true],
    [[LOST, LOST, LOST], 3, false],
    [['D1_ERROR: datatype mismatch'], 1, false],
  ])('that fails with %j is sent %i times', async (ends, count, isRead) => {
    const { database, batches } = databaseOf(ends);
    expect(
      await database.read([READ], 'primary').then(
        () => true,
        () => false,
      ),
    ).toBe(isRead);
    expect(batches).toHaveLength(count);
  });

  it.each([
    ['', 'first-unconstrained'],
    ['first-primary', 'first-primary'],
    [FAR, FAR],
    [`${FAR}0`, 'first-unconstrained'],
  ])('of a caller with the bookmark "%s" begins at %s, in one session', async (given, constraint) => {
    const { database, batches } = databaseOf([], { given });
    await database.read([READ], 'replica');
    await database.read([READ], 'primary');
    await database.read([READ], 'replica');
    expect(batches.map((batch) => batch.constraint)).toEqual([constraint, 'first-primary', constraint]);
    expect(batches.map(({ session }) => session)).toEqual([1, 2, 1]);
  });

  it('behind a write without a bookmark is of the primary', async () => {
    const { database, batches } = databaseOf([]);
    await database.read([READ], 'replica');
    await database.write([READ]);
    await database.read([READ], 'replica');
    expect(batches.map(({ constraint }) => constraint)).toEqual([
      'first-unconstrained',
      'first-primary',
      'first-primary',
    ]);
    expect(database.bookmark()).toBeNull();
  });

  it('never takes the bookmark back', async () => {
    const { database } = databaseOf([], { bookmarks: ['b', null, 'a', 'c'] });
    const seen: (string | null)[] = [];
    for (let count = 0; count < 4; count += 1) {
      await database.read([READ], 'primary');
      seen.push(database.bookmark());
    }
    expect(seen).toEqual(['b', 'b', 'b', 'c']);
  });
});

const page = (more: Partial<PageStatement> = {}): PageStatement => ({
  sql: 'page',
  params: [],
  kind: 'page',
  width: 1,
  ...more,
});

describe('a page', () => {
  const measured = () => [plain('measure'), page({ sql: 'measured page' })] as const;
  const SHARE = `D1_ERROR: bad JSON path: 'SHARE': SQLITE_ERROR`;

  it.each([SHARE, 'D1_ERROR: string or blob too big', 'D1_ERROR: JSON cannot hold BLOB values'])(
    'is measured first after a failure that this avoids: %s',
    async (failure) => {
      const rows = [[{ a: 1 }], [{ measure: 1 }], [{ b: 2 }], [{ c: 3 }]];
      const { database, batches } = databaseOf([failure, rows]);
      const results = await database.read(
        [plain('before'), page({ measured: measured as never }), plain('after')],
        'replica',
      );
      expect(batches.map(({ texts }) => texts)).toEqual([
        ['before', 'page', 'after'],
        ['before', 'measure', 'measured page', 'after'],
      ]);
      expect(results).toEqual([[{ a: 1 }], [{ b: 2 }], [{ c: 3 }]]);
    },
  );

  it.each([
    ['that cannot be measured', SHARE, page()],
    ['after another failure', 'D1_ERROR: datatype mismatch', page({ measured: measured as never })],
    ['that is none', SHARE, { ...plain('page'), measured } as Statement],
  ])('is not sent again: one %s', async (_, failure, statement) => {
    const { database, batches } = databaseOf([failure]);
    await expect(database.read([statement], 'replica')).rejects.toThrow();
    expect(batches).toHaveLength(1);
  });

  it.each([
    [1_999, 0, false],
    [2_000, 100, true],
    [2_000, 101, false],
    [2_021, 101, true],
  ])('that reads %i rows for %i is costly: %s', async (read, count, isCostly) => {
    const rows = Array.from({ length: count }, (_, id) => ({ id }));
    const { database } = databaseOf([[rows], [rows], [rows]], { read });
    await database.read([page({ advice: () => 'an index' })], 'replica');
    await database.read([page({ advice: () => undefined })], 'replica');
    await database.read([{ ...plain('other'), advice: () => 'none' } as Statement], 'replica');
    expect(database.costly).toEqual(isCostly ? [{ rowsRead: read, rows: count, advice: 'an index' }] : []);
  });
});

describe('the cost of a request', () => {
  it('is that of all its batches', async () => {
    const { database } = databaseOf([], { read: 3 });
    await database.read([READ, READ], 'replica');
    await database.write([READ]);
    await database.note(READ);
    expect(database.spent).toEqual({ trips: 3, statements: 4, rowsRead: 12, rowsWritten: 8 });
  });

  it('leaves room for a note, and no more', async () => {
    const { database, batches } = databaseOf([]);
    const all = Array.from({ length: MAX_STATEMENTS - 1 }, () => READ);
    await database.read(all, 'replica');
    expect([database.hasRoom(0), database.hasRoom(1)]).toEqual([true, false]);
    await expect(database.read([READ], 'replica')).rejects.toMatchObject({
      problem: { details: { limit: 'statements' } },
    });
    await database.note(plain('note'));
    expect(batches.at(-1)).toMatchObject({ constraint: 'first-primary', texts: ['note'] });
    await expect(database.note(READ)).rejects.toThrow();
    expect(batches).toHaveLength(2);
  });
});
