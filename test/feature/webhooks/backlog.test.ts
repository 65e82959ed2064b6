/**
 * @module What a run costs while an endpoint is down and 10,000 messages wait for it.
 */
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { NEVER_DUE } from '../../../src/features/webhooks/sql/outbox.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { createRegistryTables, runCron } from '../../support/app.ts';
import { countedDatabase } from '../../support/counted-database.ts';
import { receivers } from '../../support/receivers.ts';
import { kindsRegistry } from '../../support/worlds/kinds.ts';

const [DOWN, UP] = ['https://down.example.com/', 'https://up.example.com/'];
const settings = parseSettings({ webhooks: [DOWN, UP].map((url) => ({ url, events: ['entry.*'] })) });
const network = receivers();
const MINUTE = 60_000;

/** Runs the cron trigger. Returns how many rows it has read. */
async function rowsReadBy(): Promise<number> {
  const counted = countedDatabase(env.DB);
  await runCron(kindsRegistry, settings, { DB: counted.database });
  return [...counted.rowsRead.values()].reduce((sum, rows) => sum + rows, 0);
}

/**
 * Stores messages as commits do: the first about a document is due.
 * @param document SQL for the documentId of the message `value`
 */
const store = (url: string, document: string, count: number) =>
  env.DB.prepare(`
    insert into edgewise_outbox (id, endpoint, event, type, document_id, locale, created_at, due_at, attempts)
    select 'msg_' || value || ?1, ?1, 'entry.update', 'api::topic.topic', ${document}, '', ?2, iif(row_number() over (partition by ${document}) = 1, ?2, ?4), 0
    from (with recursive n(value) as (select 1 union all select value + 1 from n where value < ?3) select value from n)`)
    .bind(url, Date.now(), count, NEVER_DUE)
    .run();

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await createRegistryTables(kindsRegistry);
});

beforeEach(async () => {
  await env.DB.batch(['outbox', 'endpoints'].map((name) => env.DB.prepare(`delete from edgewise_${name}`)));
  network.received = [];
  network.respond = ({ url }) => new Response('', { status: url === DOWN ? 500 : 200 });
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const DAY = 24 * 60 * MINUTE;

it('sends the messages about a document whose earlier one is deleted after 30 days', async () => {
  await store(DOWN, "'one'", 3);
  const dayOf = (sequence: string, days: number) =>
    env.DB.prepare(
      `update edgewise_outbox set created_at = ? where sequence = (select ${sequence} from edgewise_outbox)`,
    )
      .bind(Date.now() - days * DAY)
      .run();
  await dayOf('min("sequence")', 31);
  await rowsReadBy();
  // The second message fails as the first did, and the third waits for it.
  expect(network.received).toHaveLength(1);
  network.respond = () => new Response('');
  await store(DOWN, "'one'", 1);
  await env.DB.prepare(
    'update edgewise_outbox set due_at = ? where sequence = (select max(sequence) from edgewise_outbox)',
  )
    .bind(NEVER_DUE)
    .run();
  vi.setSystemTime(Date.now() + 60 * MINUTE);
  await rowsReadBy();
  const left = await env.DB.prepare('select id from edgewise_outbox where delivered_at is null').all();
  expect(left.results).toEqual([]);
  expect(network.received).toHaveLength(4);
});

it('deletes what waits for another message before that one, when the webhook is removed', async () => {
  await store('https://gone.example.com/', "'d' || (value % 10)", 1_200);
  await rowsReadBy();
  const left = await env.DB.prepare('select count(*) as "all", sum(due_at < ?) as due from edgewise_outbox')
    .bind(NEVER_DUE)
    .all();
  expect(left.results).toEqual([{ all: 200, due: 10 }]);
});

it.each([
  ['10,000 documents', "'d' || value"],
  ['ten documents', "'d' || value % 10"],
])('reads few rows while messages about %s wait', async (_, document) => {
  await store(DOWN, document, 10_000);
  const read: number[] = [];
  for (let index = 0; index < 8; index += 1) {
    await store(UP, `'other' || ${index}`, 1);
    read.push(await rowsReadBy());
    vi.setSystemTime(Date.now() + (index < 4 ? MINUTE : 60 * MINUTE));
  }
  expect(network.received.filter(({ url }) => url === UP)).toHaveLength(8);
  expect(Math.max(...read)).toBeLessThan(1_000);
});
