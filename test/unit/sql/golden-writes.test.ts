/**
 * @module The writes that tell most of what writing is: what is asked, the SQL it becomes, and the rows it changes. What
 * they are expected to be stands in `test/golden/writes/`; `npm test -- test/unit/sql/golden-writes.test.ts -u` writes it
 * anew, to be read before it is kept.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { LIMITED, WRITES } from '../../support/golden-writes.ts';
import { localesOf } from '../../support/locales.ts';
import { type MemoryWorld, memoryWorld } from '../../support/memory-app.ts';
import { storyRegistry } from '../../support/story-model.ts';

const TABLES = `select "name" from sqlite_master where "type" = 'table' and "name" not in ('sqlite_sequence', 'edgewise_stamps', 'strapi_api_tokens') order by 1`;

const names: Record<string, string> = {};
const written = new Map<string, string>();

function rowsOf({ sqlite }: MemoryWorld): ReadonlySet<string> {
  const tables = sqlite
    .prepare(TABLES)
    .all()
    .map(({ name }) => String(name));
  const rowsIn = (table: string) => sqlite.prepare(`select * from "${table}" order by rowid`).all();
  return new Set(tables.flatMap((table) => rowsIn(table).map((row) => `${table} ${JSON.stringify(row)}`)));
}

/** One line for each clause. */
const lines = (sql: string): string =>
  sql.replaceAll(/ (from|join|where|order by|limit|set|values|on conflict) /g, '\n$1 ');

const seen = new Map<string, string>();

/** A statement that an earlier write has, or that a guard repeats, stands there by its name: `[create-plain 1]`. */
function shortened(sql: string, name: string): string {
  const known = [...seen].reduce((text, [earlier, label]) => text.replaceAll(earlier, `[${label}]`), sql);
  if (!seen.has(sql)) seen.set(sql, name);
  return lines(known);
}

/** DocumentIds by name; the ids of components differ from run to run. */
function readable(text: string): string {
  const named = Object.entries(names).reduce((rest, [name, id]) => rest.replaceAll(id, `<${name}>`), text);
  const all = named.replaceAll(/\b[a-z][a-z\d]{23}\b/g, '<new>');
  return all.replaceAll(/"id":\d{7,}/g, '"id":"<id>"').replaceAll(/\\"id\\":\d{7,}/g, '\\"id\\":\\"<id>\\"');
}

beforeAll(async () => {
  let now = Date.UTC(2026, 0, 1);
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  const world = await memoryWorld(storyRegistry);
  const i18n = localesOf('en', 'fr');
  const [open, limited] = [world.serve({ i18n }), world.serve({ i18n, roles: { public: LIMITED } })];
  for (const [step, { as, send, body, isLimited }] of Object.entries(WRITES)) {
    now += 1_000;
    const before = rowsOf(world);
    world.counted.batches.length = 0;
    const [method = '', path = ''] = send.replaceAll(/<(\w+)>/g, (_, name) => String(names[name])).split(' ');
    const response = await (isLimited ? limited : open)(method, path, body?.(names));
    const text = await response.text();
    if (as) names[as] = JSON.parse(text).data?.documentId;
    const after = rowsOf(world);
    const changes = [
      ...[...before].filter((row) => !after.has(row)).map((row) => `- ${row}`),
      ...[...after].filter((row) => !before.has(row)).map((row) => `+ ${row}`),
    ];
    let count = 0;
    const batches = world.counted.answering().map((batch) => {
      const texts = batch.map((sql) => shortened(sql, `${step} ${++count}`));
      return texts.join('\n\n');
    });
    const parts = [send, ...batches, `${response.status}${response.ok ? '' : ` ${text}`}`, changes.join('\n')];
    written.set(step, readable(parts.join('\n\n---\n\n')));
  }
});

afterAll(() => {
  vi.restoreAllMocks();
});

it.each(Object.keys(WRITES))('%s', async (name) => {
  await expect(`${written.get(name)}\n`).toMatchFileSnapshot(`../../golden/writes/${name}.txt`);
});
