/**
 * @module Runs that deliver messages to webhooks: how long, how many, and beside which others.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createCaches } from '../../../src/content/runtime/caches.ts';
import { type Database, openDatabase } from '../../../src/content/sql/batch.ts';
import { countStatements } from '../../../src/content/sql/statement-count.ts';
import { deliverDue, deliverSoon } from '../../../src/features/webhooks/deliver.ts';
import { withoutWebhooks } from '../../../src/features/webhooks/feature.ts';
import { NEVER_DUE } from '../../../src/features/webhooks/sql/outbox.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { memoryDatabase } from '../../support/memory-database.ts';
import { receivers } from '../../support/receivers.ts';
import { contentType, registryOf } from '../../support/schema-files.ts';
import { createSchemaSql } from '../../support/schema-sql.ts';

const [FIRST, OTHER] = ['https://first.example/', 'https://other.example/'];
const registry = registryOf([contentType('topic', { name: { type: 'string' } })]);
const settings = parseSettings({ webhooks: [FIRST, OTHER].map((url) => ({ url, events: ['entry.*'] })) });
const tables = (await createSchemaSql(registry)).filter((sql) => /edgewise_(outbox|endpoints)/.test(sql));

let { db, sqlite } = memoryDatabase();
let network: ReturnType<typeof receivers>;

/** A call with a database that may differ from the real one. */
function callWith(change: (database: Database) => Partial<Database> = () => ({})) {
  const database = openDatabase(db, undefined, {});
  const caches = createCaches({ totalBytes: 1_000, answerBytes: 1_000 });
  return { registry, settings, caches, database: { ...database, ...change(database) } };
}

/** Stores messages about documents; the first about each is due. A message without a type has no document to read. */
function store(url: string, documents: readonly string[], type = ''): void {
  for (const [index, document] of documents.entries())
    sqlite
      .prepare(
        `insert into edgewise_outbox (id, endpoint, event, type, document_id, locale, created_at, due_at, attempts)
         values ('msg', ?, 'entry.update', ?, ?, '', ?, ?, 0)`,
      )
      .run(url, type, document, Date.now(), documents.indexOf(document) === index ? Date.now() : NEVER_DUE);
}

const documents = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);
const rows = (columns: string, table = 'outbox') => sqlite.prepare(`select ${columns} from edgewise_${table}`).all();
const pass = (time: number) => vi.setSystemTime(Date.now() + time);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  ({ db, sqlite } = memoryDatabase());
  for (const sql of tables) sqlite.exec(sql);
  network = receivers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a run', () => {
  it.each([
    [9_000, 2],
    [8_999, 4],
  ])('of two messages at once, of %i ms each, claims no more after 18 seconds: %i are sent', async (time, count) => {
    store(FIRST, documents(10));
    network.respond = () => {
      pass(time);
      return new Response();
    };
    await deliverDue(callWith(), {});
    expect(network.received).toHaveLength(count);
    expect(rows('1')).toHaveLength(10);
    expect(rows('attempts').filter(({ attempts }) => attempts === 1)).toHaveLength(count);
  });

  it.each([
    [[false], 0],
    [[true, false], 2],
    [[true, true, false], 4],
  ])('claims while the invocation has room for 300 statements (%j): %i are sent', async (answers, count) => {
    store(FIRST, documents(10));
    const rooms = [...answers];
    await deliverDue(
      callWith(() => ({ hasRoom: (statements) => statements === 300 && rooms.shift() === true })),
      {},
    );
    expect(network.received).toHaveLength(count);
    expect(rows('attempts').filter(({ attempts }) => attempts === 1)).toHaveLength(count);
  });

  it('sends 30 messages about one document, one after the other', async () => {
    store(FIRST, Array(30).fill('d'));
    await deliverDue(callWith(), {});
    expect(network.received).toHaveLength(30);
  });

  it.each([
    ['another pass', 40],
    ['two others', 41],
  ])(
    'that has sent all it may sends one message to an endpoint that has failed, and no more in %s',
    async (_, last) => {
      const call = callWith();
      store(FIRST, documents(40));
      const before = Date.now() - 5_000;
      sqlite
        .prepare('insert into edgewise_endpoints (url, failing_since, next_at) values (?, ?, ?)')
        .run(OTHER, before, before);
      network.respond = async () => {
        const { length } = network.received;
        if (length === 40) store(OTHER, documents(10));
        if (length >= 40 && length <= last) await deliverSoon(call, {});
        return new Response();
      };
      await deliverSoon(call, {});
      expect(network.received.filter(({ url }) => url === OTHER)).toHaveLength(1);
      expect(rows('attempts').filter(({ attempts }) => attempts === 1)).toHaveLength(41);
    },
  );

  it('deletes what is old before it claims anything', async () => {
    let atOnce = 0;
    const write = ({ write: real }: Database): Partial<Database> => ({
      async write(statements) {
        atOnce += 1;
        expect(atOnce).toBe(1);
        const results = await real(statements);
        atOnce -= 1;
        return results;
      },
    });
    store(FIRST, documents(1));
    await deliverDue(callWith(write), {});
    expect(network.received).toHaveLength(1);
  });

  it('that takes too many statements leaves its message as it is, and stops no other endpoint', async () => {
    store(FIRST, ['d'], 'api::topic.topic');
    store(OTHER, documents(3));
    const read = async (): Promise<never> => {
      countStatements(2_000, { statements: 0 }, false);
      throw new Error('unreachable');
    };
    await expect(
      deliverDue(
        callWith(() => ({ read })),
        {},
      ),
    ).rejects.toThrow('more than 1000 statements');
    expect(network.received.map(({ url }) => url)).toEqual(Array(3).fill(OTHER));
    expect(rows('due_at, error')[0]).toEqual({ due_at: Date.now() + 60_000, error: null });
    expect(rows('*', 'endpoints')).toEqual([]);
  });
});

it('a cron trigger without webhooks fails if the messages that are left could not be deleted', async () => {
  const call = callWith(() => ({ write: () => Promise.reject(new Error('connection lost')) }));
  await expect(withoutWebhooks.cron?.(call as never, {} as Env, () => {})).rejects.toThrow('connection lost');
});

describe('a commit during a run', () => {
  it.each([
    [1_999, 'leaves its messages to it', false],
    [2_000, 'begins another one', true],
  ])('of %i ms %s', async (time, _, begins) => {
    const call = callWith();
    const write = vi.fn(call.database.write);
    store(FIRST, ['a']);
    let commits = 0;
    let begun: boolean | undefined;
    network.respond = async () => {
      commits += 1;
      if (commits > 1) return new Response();
      pass(time);
      store(OTHER, ['b']);
      await deliverSoon({ ...call, database: { ...call.database, write } }, {});
      begun = write.mock.calls.length > 0;
      return new Response();
    };
    await deliverSoon(call, {});
    expect(begun).toBe(begins);
    expect(network.received.map(({ url }) => url)).toEqual([FIRST, OTHER]);
  });

  it.each([
    [17_999, 2],
    [18_000, 1],
  ])('of %i ms after it is delivered by it within 18 seconds: %i are sent', async (time, count) => {
    const call = callWith();
    store(FIRST, ['a']);
    network.respond = async () => {
      if (network.received.length > 1) return new Response();
      store(OTHER, ['b']);
      await deliverSoon(call, {});
      pass(time);
      return new Response();
    };
    await deliverSoon(call, {});
    expect(network.received).toHaveLength(count);
  });
});
