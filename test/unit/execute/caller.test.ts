/**
 * @module Work in a caller's name, against a database that only writes down what it is sent: when the credential is
 * confirmed, what is tried again, and what is not.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Grants, only } from '../../../src/access/grants.ts';
import { ApiError, forbidden, inBatch, invalid, unauthorized } from '../../../src/common/errors.ts';
import type { Credential, Preview } from '../../../src/content/credentials/credential.ts';
import { CREDENTIAL } from '../../../src/content/credentials/sql/credentials.ts';
import type { DocumentChange } from '../../../src/content/plan/model/change.ts';
import type { DeletedRows } from '../../../src/content/plan/model/write-plan.ts';
import { planDelete } from '../../../src/content/plan/write/plan-delete.ts';
import { createCaches } from '../../../src/content/runtime/caches.ts';
import type { Call, Notices } from '../../../src/content/runtime/call.ts';
import { type AtomicChange, type Caller, withCredential } from '../../../src/content/runtime/caller.ts';
import { AssertionFailed, CONFLICT, DuplicateValue } from '../../../src/content/sql/batch.ts';
import { type Compiled, constant, query } from '../../../src/content/sql/compiled.ts';
import type { Row, Statement } from '../../../src/content/sql/statement.ts';
import { namedDocument } from '../../../src/schema/document-ref.ts';
import type { ContentType } from '../../../src/schema/model.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';

const settings = parseSettings({});
const registry = registryOf([contentType('note', { text: { type: 'string' } })]);
const NOTE = 'api::note.note';
const PUBLIC: Credential = { kind: 'public', grants: only([]) };
const ALL: Grants = { allows: () => true };
const LOST = new Error('D1_ERROR: Network connection lost.');
const CONFLICTING = new AssertionFailed(CONFLICT);

const statement = (sql: string): Statement => ({ sql, params: [] });
const guard = (sql: string): Statement => ({ sql, params: [], kind: 'assertion' });
const guardedForm = (sql: string) => `select * from (${sql}) limit iif(GUARD, -1, 0)`;
const readOf = (sql: string): Compiled<string> => query(statement(sql), ([row]) => String(row?.sql));

interface World {
  readonly credential: Credential;
  /** What each batch fails with, in order. */
  readonly failures: unknown[];
  /** Does the row of the credential confirm the assumptions? Otherwise it has other permissions, or there is none. */
  readonly confirmed: ('holds' | 'changed' | 'revoked')[];
  /** The permissions of the row. */
  readonly granted: Grants;
  readonly note: Statement;
  readonly notices: Notices;
  readonly room: boolean;
}

function openWorld({
  failures = [],
  confirmed = [],
  granted = ALL,
  note,
  notices,
  room = true,
  ...more
}: Partial<World>) {
  const batches: string[][] = [];
  const purged: string[] = [];
  const later: Promise<unknown>[] = [];
  const preview = (isCached: boolean, grants: Grants): Preview => ({
    kind: 'preview',
    isCached,
    grants,
    forContent: () => preview(isCached, grants),
    confirmation: () => ({
      guard: () => ({ sql: 'GUARD', params: [] }),
      assertion: () => guard('ASSERT'),
      row: query({ sql: 'CREDENTIAL', params: [], kind: 'credential', columns: [] }, () => {
        const state = confirmed.shift() ?? 'holds';
        if (state === 'revoked') throw unauthorized();
        return { credential: preview(true, granted), holds: state === 'holds', ...(note && { note }) };
      }),
    }),
  });
  const send = async (statements: readonly Statement[]): Promise<readonly (readonly Row[])[]> => {
    batches.push(statements.map(({ sql }) => sql));
    const failure = failures.shift();
    if (failure) throw failure;
    return statements.map(({ sql }) => [{ sql, document_id: sql }]);
  };
  const call: Call = {
    registry,
    settings,
    features: notices ? [{ notices: () => notices }] : [],
    credential: more.credential ?? preview(false, ALL),
    database: {
      ...{ read: send, write: send, note: async () => {}, hasRoom: () => room, bookmark: () => null },
      ...{ spent: { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 }, costly: [] },
    },
    caches: createCaches(settings.memory),
    ...{ pathname: '/', search: '', held: [], now: 1, query: () => ({}), bodiless: false },
    purge: async (names) => purged.push(...names) > 0,
    waitUntil: (work) => void later.push(work),
  };
  return { call, batches, purged, later, known: { ...call, credential: preview(true, ALL) } };
}

const changeOf = (statements: readonly Statement[], more: Partial<AtomicChange<string>> = {}) => ({
  ...{ statements, result: readOf('result') },
  ...more,
});

/** The number of attempts, and the failure that ended the last. */
async function attemptsOf(
  call: Call,
  optimistic: boolean,
  block: (caller: Caller, attempt: number, isOptimistic: boolean) => Promise<unknown>,
) {
  let attempts = 0;
  const end = await withCredential(call, { optimistic }, async (caller, isOptimistic) =>
    block(caller, ++attempts, isOptimistic),
  ).then(
    () => 'done',
    (error) => error,
  );
  return [attempts, end];
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a read', () => {
  it('carries the confirmation once, whose guard leaves out what reveals no content', async () => {
    const { call, batches } = openWorld({});
    const value = { sql: 'value', params: [], kind: 'value', columns: ['value'], unguarded: false } as const;
    const stamps = { ...value, sql: 'stamps', unguarded: true };
    const statements = [statement('a'), value, stamps];
    await withCredential(call, {}, async (caller) => {
      expect(await caller.read({ statements, decode: (rows) => rows.length })).toBe(3);
      expect(await caller.read(readOf('b'))).toBe('b');
    });
    expect(batches).toEqual([['CREDENTIAL', guardedForm('a'), guardedForm('value'), 'stamps'], ['b']]);
  });

  it('leaves the permissions of the database, not those that were assumed', async () => {
    const { call } = openWorld({ granted: only(['find']) });
    await withCredential(call, {}, async (caller) => {
      expect(caller.grants.allows('find')).toBe(true);
      await caller.read(readOf('a'));
      expect(['find', 'delete'].map(caller.grants.allows)).toEqual([true, false]);
    });
  });

  it('of nothing confirms a caller that is not cached before work continues', async () => {
    const { call, batches } = openWorld({ confirmed: ['revoked'] });
    const decode = vi.fn();
    const read = withCredential(call, {}, (caller) => caller.read({ statements: [], decode }));
    await expect(read).rejects.toThrow('invalid credentials');
    expect([batches, decode.mock.calls]).toEqual([[['CREDENTIAL']], []]);
  });

  it('notes the use of a token after the response, whose failure is none of the request', async () => {
    const { call, batches, later } = openWorld({ note: statement('note'), failures: [undefined, LOST] });
    expect(await withCredential(call, {}, (caller) => caller.read(readOf('a')))).toBe(guardedForm('a'));
    expect(batches.at(-1)).toEqual(['note']);
    expect(await Promise.all(later)).toEqual([undefined]);
  });

  const BROKEN = new Error('too complex');
  const WITH_A = ['CREDENTIAL', guardedForm('a')];
  it.each([
    ['a lost connection', LOST, [], LOST, [WITH_A]],
    ['its own error', BROKEN, [], BROKEN, [WITH_A, ['CREDENTIAL']]],
    ['its own error, for a revoked token', BROKEN, ['revoked'], unauthorized(), [WITH_A, ['CREDENTIAL']]],
    ['its own error, for other permissions', BROKEN, ['changed', 'changed'], 'done', [WITH_A, ['CREDENTIAL'], WITH_A]],
  ] as const)('that fails by %s confirms the caller no oftener than needed', async (_, failure, states, end, sent) => {
    const { call, batches } = openWorld({ failures: [failure], confirmed: [...states] });
    const [, seen] = await attemptsOf(call, false, (caller) => caller.read(readOf('a')));
    expect([seen, batches]).toEqual([end, sent]);
  });

  it('that only confirms is not repeated when it fails', async () => {
    const { call, batches } = openWorld({ failures: [BROKEN] });
    expect(await attemptsOf(call, false, (caller) => caller.confirm())).toEqual([1, BROKEN]);
    expect(batches).toEqual([['CREDENTIAL']]);
  });
});

describe('work', () => {
  it('that reads nothing ends with the confirmation, also where it fails', async () => {
    for (const block of [async () => 'secret', () => Promise.reject(invalid('secret'))]) {
      const { call, batches } = openWorld({ confirmed: ['revoked'] });
      await expect(withCredential<unknown>(call, {}, block)).rejects.toThrow('invalid credentials');
      expect(batches).toEqual([['CREDENTIAL']]);
    }
  });

  it('under other permissions than assumed runs again, without another confirmation', async () => {
    const { call, batches } = openWorld({ confirmed: ['changed'], granted: only(['find']) });
    const ended = await attemptsOf(call, true, async (caller, _, isOptimistic) => {
      if (caller.grants.allows('delete')) throw forbidden('assumed');
      expect(isOptimistic).toBe(true);
      await caller.confirm();
      await caller.read(readOf('a'));
    });
    expect(ended).toEqual([2, 'done']);
    expect(batches).toEqual([['CREDENTIAL'], ['a']]);
  });

  it('of a caller that has just been confirmed reads nothing for it', async () => {
    const { call, batches } = openWorld({ confirmed: ['changed'] });
    await attemptsOf(call, false, (caller) => caller.read(constant(1)));
    expect(batches).toEqual([['CREDENTIAL']]);
  });

  const COPIES = new DuplicateValue('an index');
  const INVALID = invalid('a value');
  it.each<readonly [string, unknown, number]>([
    ['an error of values', INVALID, 2],
    ['one of a request of a batch', inBatch(1, INVALID), 2],
    ['an error of the database', new Error('no'), 2],
    ['another rejection', forbidden('no'), 1],
    ['a lost connection', LOST, 1],
  ])('that assumed its preconditions and fails by %s', async (_, failure, attempts) => {
    const { call } = openWorld({});
    expect(await attemptsOf(call, true, () => Promise.reject(failure))).toEqual([attempts, failure]);
    expect(await attemptsOf(call, false, () => Promise.reject(failure))).toEqual([1, failure]);
  });

  it.each([
    ['a duplicate value, which no precondition would find', COPIES, 1],
    ['a lost connection, since it may have been committed', LOST, 1],
    ['another error', INVALID, 2],
  ])('whose assumed write fails by %s', async (_, failure, attempts) => {
    const { known } = openWorld({ failures: [failure] });
    const ended = await attemptsOf(known, true, (caller) => caller.write(changeOf([statement('a')])));
    expect(ended).toEqual([attempts, attempts === 1 ? failure : 'done']);
  });

  const FULL = new ApiError({ kind: 'overloaded', details: { limit: 'statements' }, retryAfter: 1 });
  it.each<readonly [string, 'plans' | 'writes', unknown, unknown]>([
    ['has the error of the write, where there is no room for another attempt', 'writes', FULL, INVALID],
    ['has the error of the second attempt, where there is room', 'writes', forbidden('second'), forbidden('second')],
    ['has that of the limit, where nothing was written', 'plans', FULL, FULL],
  ])('that assumed its preconditions %s', async (_, first, second, end) => {
    const { known } = openWorld({ failures: first === 'writes' ? [INVALID] : [] });
    const ended = await attemptsOf(known, true, async (caller, attempt) => {
      if (attempt === 2) throw second;
      if (first === 'plans') throw INVALID;
      await caller.write(changeOf([statement('a')]));
    });
    expect(ended).toEqual([2, end]);
  });

  it('that is tried again has the credential that the database has confirmed', async () => {
    const { call, batches } = openWorld({ failures: [undefined, INVALID] });
    await attemptsOf(call, true, (caller) => caller.write(changeOf([statement('a')])));
    const written = ['ASSERT', 'a', 'result'];
    expect(batches).toEqual([['CREDENTIAL'], written, written]);
  });
});

describe('a write', () => {
  const notices = () => ({ before: [statement('before')], after: [statement('after')], committed: vi.fn() });
  it.each([
    ['guards and changes', [guard('g'), statement('c'), guard('h')], ['g', 'before', 'c', 'h']],
    ['changes alone', [statement('c')], ['before', 'c']],
    ['guards alone', [guard('g'), guard('h')], ['g', 'h', 'before']],
  ])('with %s has the statements of features around its changes', async (_, statements, sent) => {
    const own = notices();
    for (const credential of [PUBLIC, undefined]) {
      const { call, known, batches } = openWorld({ notices: own, ...(credential && { credential }) });
      const caller = credential ? call : known;
      expect(await withCredential(caller, {}, (each) => each.write(changeOf(statements)))).toBe('result');
      expect(batches).toEqual([[...(credential ? [] : ['ASSERT']), ...sent, 'result', 'after']]);
    }
    expect(own.committed).toHaveBeenCalledTimes(2);
  });

  it('tells code of the project which rows it deletes, and of nothing else', async () => {
    const afterCommit = vi.fn();
    const hooks = { beforeWrite: () => undefined, afterCommit };
    const rows = {
      kind: 'document',
      type: registry.contentTypes.get(NOTE) as ContentType,
      document: namedDocument('a'),
    };
    const change = changeOf([guard('g'), statement('c')], { effectsOf: planDelete(rows as DeletedRows, registry) });
    const { known } = openWorld({});
    for (const credential of [PUBLIC, known.credential]) {
      await withCredential({ ...known, credential, hooks }, {}, (caller) => caller.write(change));
      const [changes, { credential: caller }] = afterCommit.mock.lastCall as [DocumentChange[], Call];
      expect(changes).toMatchObject([{ operation: 'delete', documentId: expect.stringContaining('from "notes"') }]);
      expect(caller).toBe(credential);
    }
    await withCredential({ ...known, hooks }, {}, (caller) => caller.write(changeOf([statement('c')])));
    expect(afterCommit).toHaveBeenCalledTimes(2);
  });

  it('of a caller that is not cached waits for its confirmation', async () => {
    const { call, batches } = openWorld({ confirmed: ['revoked'] });
    const written = withCredential(call, {}, (caller) => caller.write(changeOf([statement('c')])));
    await expect(written).rejects.toThrow('invalid credentials');
    expect(batches).toEqual([['CREDENTIAL']]);
  });

  it('without statements is none, and rotates no stamps', async () => {
    const { call, batches, purged } = openWorld({ credential: PUBLIC });
    await withCredential(call, {}, (caller) => caller.write({ statements: [], result: constant(1) }));
    expect([batches, purged]).toEqual([[], []]);
  });

  it('rotates each stamp once, after the changes', async () => {
    const { call, batches, purged } = openWorld({ credential: PUBLIC });
    const stamps = ['b draft', 'a draft', 'b draft'];
    await withCredential(call, {}, (caller) => caller.write(changeOf([statement('c')], { stamps })));
    expect(batches).toEqual([['c', expect.stringContaining('edgewise_stamps'), 'result']]);
    expect(purged).toEqual(['a draft', 'b draft']);
  });

  it('is tried again where the permissions changed meanwhile, and changed back', async () => {
    const { known, batches } = openWorld({ failures: [new AssertionFailed(CREDENTIAL)] });
    const ended = await attemptsOf(known, true, async (caller, _, isOptimistic) => {
      expect(isOptimistic).toBe(true);
      return caller.write(changeOf([statement('a')]));
    });
    expect(ended).toEqual([2, 'done']);
    expect(batches[1]).toEqual(['CREDENTIAL']);
  });

  it.each([LOST, new Error('internal error')])(
    'that was committed has its result, purges caches and is told to features, whatever its response was: %s',
    async (failure) => {
      const own = notices();
      const { known, purged } = openWorld({ failures: [failure], notices: own });
      const change = changeOf([statement('a')], { stamps: ['a draft'], canRecoverOutcome: true });
      expect(await withCredential(known, {}, (caller) => caller.write(change))).toBe('result');
      expect(purged).toEqual(['a draft']);
      expect(own.committed).toHaveBeenCalledOnce();
    },
  );

  it.each([
    ['that may have been committed', LOST, ['a draft']],
    ['that was undone', new Error('UNIQUE.name'), []],
  ])('%s purges what it may have made untrue', async (_, failure, stamps) => {
    const { known, purged } = openWorld({ failures: [failure] });
    const change = changeOf([statement('a')], { stamps: ['a draft'] });
    await expect(withCredential(known, {}, (caller) => caller.write(change))).rejects.toBe(failure);
    expect(purged).toEqual(stamps);
  });

  it('waits before it meets another one again, ten times in all', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.99);
    const { call } = openWorld({ credential: PUBLIC });
    const block = vi.fn(() => Promise.reject(CONFLICTING));
    const write = (caller: Caller) => block().catch(() => caller.write(changeOf([statement('a')])));
    call.database.write = () => Promise.reject(CONFLICTING);
    const ended = expect(withCredential(call, {}, write)).rejects.toMatchObject({ problem: { kind: 'overloaded' } });
    await vi.advanceTimersByTimeAsync(0);
    expect(block).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await ended;
    expect(block).toHaveBeenCalledTimes(10);
  });

  it('does not wait where only the permissions are others', async () => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.99);
    const { call } = openWorld({ confirmed: ['changed'] });
    const block = vi.fn((caller: Caller) => caller.read(constant(1)));
    void withCredential(call, {}, block);
    await vi.advanceTimersByTimeAsync(0);
    expect(block).toHaveBeenCalledTimes(2);
  });

  it('is not tried again without room for its statements', async () => {
    const { known } = openWorld({ failures: [CONFLICTING], room: false });
    const [attempts, end] = await attemptsOf(known, false, (caller) => caller.write(changeOf([statement('a')])));
    expect([attempts, String(end)]).toEqual([1, expect.stringContaining('another attempt would take more than')]);
  });
});
