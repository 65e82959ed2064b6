/**
 * @module 8 clients that write batches, 4 that schedule publications and 8 that read, on a Worker that is killed while
 * they do: the database stays whole, and each schedule is carried out once.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { buildRegistry, TRUSTED } from '../../src/schema/build.ts';
import { begin, type Chaos, finish, fireCron, read, schedule, TOKEN, writeBatches } from '../chaos/clients.ts';
import { bundleWorker, KillableServer } from '../chaos/killable-server.ts';
import { AUDIT, FILES, SETTINGS } from '../chaos/model.ts';
import { type Audit, verdictOf } from '../chaos/verdict.ts';
import { diceOf } from '../support/dice.ts';
import { checkInvariants } from '../support/invariants.ts';
import { createSchemaSql } from '../support/schema-sql.ts';
import { databaseOver } from '../support/sqlite-storage.ts';

/** Seconds of chaos; 300 and more with EDGEWISE_CHAOS. */
const SECONDS = Number(process.env.EDGEWISE_CHAOS ?? 1);
const isShort = SECONDS < 10;
const SEED = Number(process.env.EDGEWISE_SEED ?? 1);

const folder = mkdtempSync(join(tmpdir(), 'edgewise-chaos-'));
const [bundle, state, statements] = ['worker.js', 'state', 'statements.json'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const server = new KillableServer(bundle, state);
const registry = buildRegistry(FILES, TRUSTED);

afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const times = (count: number, work: (index: number) => Promise<void>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Has enough been done to be judged? On a busy machine the clients are slow. */
const isEnough = ({ batches, scheduled, cancelled }: Chaos): boolean =>
  [...batches.values()].some(({ status }) => status === 200) && scheduled.size - cancelled.size >= 20;

/** Kills and starts the server for some time, once at least. Returns how often. */
async function kill(chaos: Chaos): Promise<number> {
  const end = Date.now() + SECONDS * 1_000;
  let kills = 0;
  do {
    await pause(isShort ? 800 : 2_000 + chaos.dice.below(6_000));
    await server.kill();
    kills += 1;
    await server.start();
  } while (Date.now() < end);
  const last = Date.now() + 20_000;
  do await pause(800);
  while (!isEnough(chaos) && Date.now() < last);
  chaos.isOver = true;
  return kills;
}

function openDatabase(): DatabaseSync {
  const [path = ''] = globSync(join(state, 'd1/*/*.sqlite')).filter((name) => !name.endsWith('metadata.sqlite'));
  return new DatabaseSync(path);
}

it('leaves the database whole, and each schedule carried out once', { timeout: SECONDS * 1_000 + 60_000 }, async () => {
  await bundleWorker(FILES, SETTINGS, bundle);
  const key = createHash('sha256').update(TOKEN).digest('hex');
  const token = `insert into strapi_api_tokens (document_id, locale, published_at, created_at, updated_at, name, type, access_key)
    values ('chaos', '', 0, 0, 0, 'chaos', 'full-access', '${key}')`;
  writeFileSync(statements, JSON.stringify([...(await createSchemaSql(registry)), ...AUDIT, token]));
  await server.start(statements);
  const chaos: Chaos = {
    dice: diceOf(SEED),
    origin: () => server.origin,
    isOver: false,
    ...{ stories: [], topics: [], batches: new Map(), scheduled: new Set(), cancelled: new Set() },
    ...{ statuses: new Map(), complaints: [] },
  };
  await begin(chaos);
  const [kills] = await Promise.all([
    kill(chaos),
    times(8, (writer) => writeBatches(chaos, writer)),
    times(4, () => schedule(chaos)),
    times(8, () => read(chaos)),
    fireCron(chaos, isShort ? 200 : 1_000),
  ]);
  await finish(chaos);
  await server.kill();
  const db = openDatabase();
  const audit = db.prepare('select event, subject, detail from audit order by n').all() as unknown as Audit[];
  const { complaints, figures } = verdictOf(chaos, audit);
  const broken = await checkInvariants(databaseOver(db), registry);
  db.close();
  if (!isShort) process.stdout.write(`${JSON.stringify({ kills, ...figures })}\n`);
  expect([...complaints, ...broken].slice(0, 20)).toEqual([]);
  expect([kills, figures.published, figures.committedBatches].filter((count) => !(Number(count) > 0))).toEqual([]);
});
