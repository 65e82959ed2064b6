/**
 * @module 8 writers on a Worker that is killed while it writes and sends, and three receivers of its webhooks, one of them
 * down half of the time: each committed change arrives, in order for each document, and nothing else does.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { NEVER_DUE } from '../../src/features/webhooks/sql/outbox.ts';
import { buildRegistry, TRUSTED } from '../../src/schema/build.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { bundleWorker, KillableServer } from '../chaos/killable-server.ts';
import { openReceiver, type Receiver } from '../chaos/receivers.ts';
import { storedComplaints, TOKEN, type Writing, write } from '../chaos/writers.ts';
import { diceOf } from '../support/dice.ts';
import { contentType } from '../support/schema-files.ts';
import { createSchemaSql } from '../support/schema-sql.ts';

/** Number of writes; 5000 with EDGEWISE_WEBHOOKS. */
const WRITES = Number(process.env.EDGEWISE_WEBHOOKS ?? 80);
const isShort = WRITES < 1_000;
const SEED = Number(process.env.EDGEWISE_SEED ?? 1);

const FILES = {
  contentTypes: [
    contentType('story', { title: { type: 'string' } }, { drafts: true, plural: 'stories' }),
    contentType('note', { title: { type: 'string' } }),
  ],
  ...{ components: [], overflow: {} },
};

/** Notes each message in the transaction that stores it, so that one that is sent and not stored is found. */
const AUDIT = [
  'create table "audit" (n integer primary key, id text, endpoint text, event text, document_id text)',
  `create trigger "audit_message" after insert on "edgewise_outbox" begin
     insert into "audit" (id, endpoint, event, document_id) values (new.id, new.endpoint, new.event, new.document_id); end`,
];

const folder = mkdtempSync(join(tmpdir(), 'edgewise-webhooks-'));
const [bundle, state, statements] = ['worker.js', 'state', 'statements.json'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const server = new KillableServer(bundle, state);
const receivers = await Promise.all([openReceiver(), openReceiver(), openReceiver()]);
const [all, halfDown, published] = receivers;

const SETTINGS = parseSettings({
  webhooks: receivers.map(({ url }) => ({
    ...{ url, secret: 'WEBHOOK_SECRET', allowPrivate: true },
    ...(url === published.url
      ? { events: ['entry.publish', 'entry.delete'], types: ['api::story.story'] }
      : { events: ['entry.*'] }),
  })),
});

afterAll(async () => {
  await server.kill();
  for (const { close } of receivers) close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function prepare(): Promise<void> {
  await bundleWorker(FILES, SETTINGS, bundle);
  const key = createHash('sha256').update(TOKEN).digest('hex');
  const token = `insert into strapi_api_tokens (document_id, locale, published_at, created_at, updated_at, name, type, access_key)
    values ('chaos', '', 0, 0, 0, 'chaos', 'full-access', '${key}')`;
  const tables = await createSchemaSql(buildRegistry(FILES, TRUSTED));
  writeFileSync(statements, JSON.stringify([...tables, ...AUDIT, token]));
  await server.start(statements);
}

const fireCron = async (): Promise<void> =>
  void (await fetch(`${await server.origin}/cdn-cgi/local/scheduled`).catch(() => undefined));

/** Kills the server, and turns a receiver off and on, while there is something to write. Returns how often. */
async function disturb(writing: Writing): Promise<number> {
  let kills = 0;
  halfDown.isDown = true;
  // While the server is killed, writers spend their writes: on a busy machine all of them.
  await vi.waitUntil(() => halfDown.figures.rejected > 0, { timeout: 60_000 });
  do {
    await pause(isShort ? 600 : 1_500 + writing.dice.below(4_000));
    await server.kill();
    kills += 1;
    halfDown.isDown = !halfDown.isDown;
    await server.start();
    await fireCron();
  } while (writing.left > 0);
  halfDown.isDown = false;
  return kills;
}

function withDatabase<T>(use: (db: DatabaseSync) => T): T {
  const [path = ''] = globSync(join(state, 'd1/*/*.sqlite')).filter((name) => !name.endsWith('metadata.sqlite'));
  const db = new DatabaseSync(path);
  try {
    return use(db);
  } finally {
    db.close();
  }
}

/** Makes everything due, as time would, and fires the cron trigger until nothing more arrives. */
async function deliverRest(): Promise<void> {
  await pause(isShort ? 300 : 2_000);
  await server.kill();
  withDatabase((db) => {
    db.exec(`update edgewise_outbox set due_at = 0 where due_at < ${NEVER_DUE}; delete from edgewise_endpoints`);
  });
  await server.start();
  const count = () => receivers.reduce((sum, { received, figures }) => sum + received.size + figures.repeated, 0);
  for (let before = -1; before < count(); ) {
    before = count();
    await fireCron();
  }
}

interface Message {
  readonly id: string;
  readonly endpoint: string;
  readonly event: string;
  readonly document_id: string;
}

/** Compares what has arrived with the messages that were stored. */
function arrivalComplaints({ url, received }: Receiver, messages: readonly Message[]): readonly string[] {
  const stored = messages.filter(({ endpoint }) => endpoint === url);
  const arrived = Map.groupBy(received.values(), ({ documentId }) => documentId);
  const complaints = [...Map.groupBy(stored, ({ document_id }) => document_id)].flatMap(([documentId, own]) => {
    const [expected, found] = [own, arrived.get(documentId) ?? []].map((list) =>
      list.map(({ id, event }) => `${event} ${id}`).join(),
    );
    return expected === found ? [] : [`${documentId} at ${url}: ${found}, not ${expected}`];
  });
  const known = new Set(stored.map(({ id }) => id));
  return [...complaints, ...[...received.keys()].filter((id) => !known.has(id)).map((id) => `${id} was never stored`)];
}

const TIMEOUT = 60_000 + WRITES * 200;

it('delivers each committed change to each webhook, in order for each document', { timeout: TIMEOUT }, async () => {
  await prepare();
  const writing: Writing = {
    ...{ dice: diceOf(SEED), origin: () => server.origin, left: WRITES, documents: new Map() },
    ...{ lost: [], figures: { committed: 0, lost: 0 }, complaints: [] },
  };
  const writers = Array.from({ length: 8 }, () => write(writing));
  const [kills] = await Promise.all([disturb(writing), ...writers]);
  await deliverRest();
  await server.kill();
  const { messages, rest } = withDatabase((db) => ({
    messages: db.prepare('select * from audit order by n').all() as unknown as readonly Message[],
    rest: db.prepare('select event, attempts, error from edgewise_outbox where delivered_at is null limit 20').all(),
  }));
  const figures = receivers.map((receiver) => receiver.figures);
  if (!isShort) process.stdout.write(`${JSON.stringify({ kills, ...writing.figures, figures })}\n`);
  const ofAll = messages.filter(({ endpoint }) => endpoint === all.url);
  const complaints = [
    ...writing.complaints,
    ...storedComplaints(writing, ofAll),
    ...receivers.flatMap((receiver) => [...receiver.complaints, ...arrivalComplaints(receiver, messages)]),
  ];
  expect(complaints.slice(0, 20)).toEqual([]);
  expect(rest).toEqual([]);
  expect([kills, halfDown.figures.rejected, ...receivers.map(({ received }) => received.size)]).not.toContain(0);
});
