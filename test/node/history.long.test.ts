/**
 * @module 8 writers on a Worker that is killed while it writes: each write that was committed has its versions in the
 * history, and there are no others.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { buildRegistry, TRUSTED } from '../../src/schema/build.ts';
import { parseSettings } from '../../src/schema/settings/config.ts';
import { bundleWorker, KillableServer } from '../chaos/killable-server.ts';
import { storedComplaints, TOKEN, type Writing, write } from '../chaos/writers.ts';
import { diceOf } from '../support/dice.ts';
import { contentType } from '../support/schema-files.ts';
import { createSchemaSql } from '../support/schema-sql.ts';

/** Number of writes; 5000 with EDGEWISE_HISTORY. */
const WRITES = Number(process.env.EDGEWISE_HISTORY ?? 400);
const SEED = Number(process.env.EDGEWISE_SEED ?? 1);

const FILES = {
  contentTypes: [
    contentType('story', { title: { type: 'string' } }, { drafts: true, plural: 'stories' }),
    contentType('note', { title: { type: 'string' } }),
  ],
  ...{ components: [], overflow: {} },
};

/** Notes each version that is kept, since later ones may replace it. */
const AUDIT = [
  'create table "audit" (n integer primary key, event text, document_id text)',
  `create trigger "audit_version" after insert on "edgewise_history" begin
     insert into "audit" (event, document_id)
     values ('entry.' || iif(new.operation = 'discardDraft', 'draft-discard', new.operation), new.document_id); end`,
];

/** Rows whose newest version has another title, or none, and versions of rows that are not there. Titles name writes. */
const DIFFERENCES = `
  with "row" as (
    select 'api::story.story' as "type", document_id, iif(published_at is null, 'draft', 'published') as "version", title from "stories"
    union all select 'api::note.note', document_id, 'published', title from "notes"
  ), "newest" as (
    select "type", document_id, "version", entry ->> '$.values.title' as title
    from (select *, row_number() over (partition by "type", document_id, "version" order by "rowid" desc) as "nth" from "edgewise_history")
    where "nth" = 1 and operation not in ('delete', 'unpublish')
  )
  select * from (select * from "row" except select * from "newest")
  union all select * from (select * from "newest" except select * from "row")`;

const folder = mkdtempSync(join(tmpdir(), 'edgewise-history-'));
const [bundle, state, statements] = ['worker.js', 'state', 'statements.json'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
];
const server = new KillableServer(bundle, state);

afterAll(async () => {
  await server.kill();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function prepare(): Promise<void> {
  await bundleWorker(FILES, parseSettings({ history: true }), bundle);
  const key = createHash('sha256').update(TOKEN).digest('hex');
  const token = `insert into strapi_api_tokens (document_id, locale, published_at, created_at, updated_at, name, type, access_key)
    values ('chaos', '', 0, 0, 0, 'chaos', 'full-access', '${key}')`;
  const tables = await createSchemaSql(buildRegistry(FILES, TRUSTED));
  writeFileSync(statements, JSON.stringify([...tables, ...AUDIT, token]));
  await server.start(statements);
}

/** Kills the server at random moments while there is something to write. Returns how often. */
async function kill(writing: Writing): Promise<number> {
  let kills = 0;
  do {
    await pause(200 + writing.dice.below(600));
    await server.kill();
    kills += 1;
    await server.start();
  } while (writing.left > 0);
  return kills;
}

const TIMEOUT = 60_000 + WRITES * 200;

it('keeps a version for each committed write, and no other', { timeout: TIMEOUT }, async () => {
  await prepare();
  const writing: Writing = {
    ...{ dice: diceOf(SEED), origin: () => server.origin, left: WRITES, documents: new Map() },
    ...{ lost: [], figures: { committed: 0, lost: 0 }, complaints: [] },
  };
  const writers = Array.from({ length: 8 }, () => write(writing));
  const [kills] = await Promise.all([kill(writing), ...writers]);
  await server.kill();
  const [path = ''] = globSync(join(state, 'd1/*/*.sqlite')).filter((name) => !name.endsWith('metadata.sqlite'));
  const db = new DatabaseSync(path);
  const kept = db.prepare('select event, document_id from audit order by n').all();
  const differences = db.prepare(DIFFERENCES).all();
  db.close();
  const { figures, complaints } = writing;
  expect([...complaints, ...storedComplaints(writing, kept as never)].slice(0, 20)).toEqual([]);
  expect(differences.slice(0, 20)).toEqual([]);
  expect([kills, figures.committed, figures.lost]).not.toContain(0);
});
