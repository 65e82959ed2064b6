import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { archiveOf } from '../../../support/archive.ts';
import { createSchemaSql } from '../../../support/schema-sql.ts';
import { openDiskStorage } from '../../../support/sqlite-storage.ts';
import { fileOf, importBytes } from './imported.ts';
import { article, MAGAZINE, tag } from './magazine.ts';

/** How often an import is killed; more with EDGEWISE_KILLS. */
const KILLS = Number(process.env.EDGEWISE_KILLS ?? 6);

const CHILD = join(import.meta.dirname, 'child-import.ts');
const RESOLVE = join(import.meta.dirname, '../../../../cli/resolve-drizzle.mjs');
const folder = mkdtempSync(join(tmpdir(), 'edgewise-killed-'));
const [empty, state] = [join(folder, 'empty'), join(folder, 'state')];
let archive: string;

/** Enough for many batches of rows and of links. */
async function largeArchive(): Promise<Buffer> {
  const articles = Array.from({ length: 1_200 }, (_, index) =>
    article(1000 + index, `more${index}`, { title: 'x'.repeat(40) }),
  );
  const tags = Array.from({ length: 600 }, (_, index) => tag(1000 + index, `n${index}`));
  const links = articles.flatMap((_, index) =>
    [0, 1].map((more) => ({
      ...{ kind: 'relation.basic', relation: 'manyToMany' },
      left: { type: 'api::article.article', field: 'tags', ref: 1000 + index, pos: more + 1 },
      right: { type: 'api::tag.tag', field: 'articles', ref: 1000 + ((index * 7 + more) % 600), pos: index + 1 },
    })),
  );
  const uploads = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`file_${index}.bin`, `bytes ${index}`]));
  const files = Object.keys(uploads).map((key, index) => ({
    ...{ type: 'plugin::upload.file', id: 100 + index },
    data: {
      documentId: `file${index}x`,
      name: key,
      hash: key.slice(0, -4),
      ext: '.bin',
      mime: 'x/y',
      size: 1,
      url: '/x',
    },
  }));
  return archiveOf({
    ...MAGAZINE,
    entities: [...(MAGAZINE.entities ?? []), ...files, ...articles, ...tags],
    links: [...(MAGAZINE.links ?? []), ...links],
    uploads: { ...MAGAZINE.uploads, ...uploads },
  });
}

function start(...more: readonly string[]) {
  const child = spawn(process.execPath, ['--no-warnings', '--import', RESOLVE, CHILD, archive, state, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  const ended = new Promise<string>((resolve) =>
    child.once('exit', (code) => resolve(code === 0 ? '' : said || 'killed')),
  );
  const begun = new Promise((resolve) => child.stdout.once('data', resolve));
  return { child, ended, begun };
}

/** All rows, without what differs from one import to the next; and what is said of the import. */
function look() {
  const db = new DatabaseSync(join(state, 'content.sqlite'));
  const tables = db.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite%'").all();
  const rowsOf = (name: string) => {
    const statement = db.prepare(`select * from "${name}"`);
    statement.setReadBigInts(true);
    return statement
      .all()
      .map(({ id: _, ...row }) => Object.values(row).join(' '))
      .sort();
  };
  const names = tables.map(({ name }) => String(name)).filter((name) => !/^edgewise_(stamps|imports)$/.test(name));
  const content = names.map((name) => [name, ...rowsOf(name)].join('\n')).join('\n');
  const markers = db.prepare('select stage, finished_at is not null as whole from edgewise_imports').all();
  db.close();
  return { content, markers };
}

function keys(): readonly string[] {
  const storage = openDiskStorage(state);
  const found = storage.keys();
  storage.close();
  return found;
}

function reset(): void {
  rmSync(state, { recursive: true, force: true });
  cpSync(empty, state, { recursive: true });
}

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const bytes = await largeArchive();
  archive = fileOf(bytes);
  const { registry } = await importBytes(bytes);
  const storage = openDiskStorage(empty);
  await storage.db.batch((await createSchemaSql(registry)).map((sql) => storage.db.prepare(sql)));
  storage.close();
});
afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe('an import whose process is killed', () => {
  it('has left nothing, or says that it is not whole and is so when it goes on', {
    timeout: 20_000 * KILLS + 60_000,
  }, async () => {
    reset();
    const { content: nothing } = look();
    const whole = start();
    await whole.begun;
    const from = Date.now();
    expect(await whole.ended).toBe('');
    const span = Date.now() - from;
    const [expected, objects] = [look(), keys()];
    expect(expected.markers).toEqual([{ stage: 'done', whole: 1 }]);
    expect(expected.content).not.toBe(nothing);
    const found = { nothing: 0, half: 0, whole: 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      reset();
      const { child, begun, ended } = start();
      await begun;
      await pause(Math.random() * span);
      child.kill('SIGKILL');
      await ended;
      const { content, markers } = look();
      const kind = markers.length === 0 ? 'nothing' : markers[0]?.whole === 1 ? 'whole' : 'half';
      found[kind] += 1;
      if (kind === 'nothing') expect(content).toBe(nothing);
      if (kind === 'whole') expect(content).toBe(expected.content);
      expect(await start('resume').ended).toBe('');
      expect(look()).toEqual(expected);
      expect(keys()).toEqual(objects);
    }
    if (KILLS > 20) process.stdout.write(`${JSON.stringify(found)}\n`);
  });
});
