/**
 * @module Command lines with `--remote`: they claim the deployed database, and ask whether the version that serves checks the fence.
 */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { parseRenames } from '../../../cli/migrations/rename-options.ts';
import { generate } from '../../../cli/project/generate.ts';
import { component, contentType } from '../../support/schema-files.ts';
import { databaseOver } from '../../support/sqlite-storage.ts';
import { emptyAccount, type StandIn, standIn } from '../../unit/cli/cloudflare.ts';
import { STORAGE_TOML } from '../../unit/cli/memory-storage.ts';
import { runCommand } from '../../unit/cli/run-command.ts';
import { type ScratchProject, scratchProject } from '../../unit/cli/scratch-project.ts';

const outside = vi.hoisted(() => ({
  wrangler: undefined as unknown as StandIn,
  db: undefined as unknown as D1Database,
}));
vi.mock(import('../../../cli/core/wrangler/wrangler.ts'), async (original) => ({
  ...(await original()),
  wrangler: (args: readonly string[]) => outside.wrangler.quietly(args),
}));
/** Empty. */
const bucket = {
  list: async () => ({ objects: [], truncated: false }),
  delete: async () => undefined,
} as unknown as R2Bucket;
vi.mock(import('../../../cli/core/storage/storage.ts'), async (original) => ({
  ...(await original()),
  withStorage: (_root, _target, work) => work({ db: outside.db, bucket }),
}));

let project: ScratchProject;
let db: DatabaseSync;

/** @param name of an attribute of a component @param from its former name */
async function write(name: string, from?: string): Promise<void> {
  const part = { type: 'component', component: 'kit.part', repeatable: false };
  project.schemas(contentType('note', { part }), component('kit.part', { [name]: { type: 'string' } }));
  const renames = parseRenames(from === undefined ? [] : [`kit.part.${from}=${name}`], []);
  await generate(project.root, { renames, execute: async () => ({ code: 1, stdout: '', stderr: 'no such table' }) });
}

const run = (line: string) => runCommand(project.root, line);

beforeEach(async () => {
  project = scratchProject();
  project.write('wrangler.toml', STORAGE_TOML);
  project.write('edgewise.config.ts', 'export default { history: true };\n');
  await write('text');
  db = new DatabaseSync(':memory:');
  outside.db = databaseOver(db);
  outside.wrangler = standIn(project.root, {
    ...emptyAccount(),
    databases: new Map([['test', db]]),
    secrets: ['JWT_SECRET'],
  });
  expect(await run('deploy')).toMatchObject({ code: 0 });
  db.exec(`INSERT INTO notes (document_id, locale, part) VALUES ('a', '', '{"text":"early"}')`);
  expect(await run('backup --remote --file backup.tar.gz')).toMatchObject({ code: 0 });
  expect(await run('export --remote --file archive.tar.gz')).toMatchObject({ code: 0 });
  return () => project.remove('.');
});

/** All rows of all tables. */
const everything = () =>
  db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'edgewise_commands' ORDER BY name`)
    .all()
    .map(({ name }) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]);

const claims = () => db.prepare('SELECT "command" FROM edgewise_commands').all();

const IMPORT = 'import archive.tar.gz --force --remote --replace --no-backup';
const RESTORE = 'restore backup.tar.gz --remote --replace --no-backup';
const LINES = [
  ...['deploy', 'migrate --remote', IMPORT, RESTORE, 'backup --remote', 'media check --remote --fix'],
  ...['media check --remote --purge', 'history prune --remote', 'history purge --remote --type api::note.note'],
];

describe('a command on a deployed database on which another one works', () => {
  it.each(LINES)('%s is rejected, and has changed nothing', async (line) => {
    db.exec(`INSERT INTO edgewise_commands VALUES (1, 'other', 'import', 'ann@laptop', unixepoch(), unixepoch() + 60)`);
    const before = everything();
    expect(await run(line)).toEqual({
      code: 1,
      said: expect.stringMatching(
        /^edgewise import of ann@laptop works on the deployed database, since [\d:]+\. Nothing/m,
      ),
    });
    expect(everything()).toEqual(before);
    expect(claims()).toEqual([{ command: 'import' }]);
  });

  it.each([
    'migrate --status --remote',
    'export --remote',
    'media check --remote',
    'media usage --remote',
    'token list --remote',
  ])('%s reads, and is not', async (line) => {
    db.exec(`INSERT INTO edgewise_commands VALUES (1, 'other', 'import', 'ann@laptop', 1, unixepoch() + 60)`);
    expect(await run(line)).toMatchObject({ code: 0 });
  });

  it.each(LINES)('%s works, and leaves no claim, when the other one has ended', async (line) => {
    expect(await run(line)).toMatchObject({ code: 0 });
    expect(claims()).toEqual([]);
  });
});

describe('a command that moves stored values while a version serves that does not check the fence', () => {
  it.each(['deploy', 'migrate --remote', IMPORT, RESTORE])('%s is rejected, and has changed nothing', async (line) => {
    // As an earlier version of Edgewise has left it.
    db.exec(`UPDATE edgewise_stamps SET stamps = json_remove(stamps, '$.fence')`);
    await write('label', 'text');
    const before = everything();
    expect(await run(line)).toEqual({
      code: 1,
      said: expect.stringMatching(/drizzle\/0002_\S+\.sql\nDeploy twice/),
    });
    expect(everything()).toEqual(before);
    expect(claims()).toEqual([]);
  });

  it.each(['migrate --remote', RESTORE])('%s moves them where the version that serves checks it', async (line) => {
    await write('label', 'text');
    expect(await run(line)).toMatchObject({ code: 0 });
    expect(db.prepare(`SELECT part ->> '$.label' AS label FROM notes`).all()).toEqual([{ label: 'early' }]);
  });
});
