/**
 * @module An import into a deployed database names what its new tables lose, and loses nothing unasked.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openArchive } from '../../../cli/core/archive/archive-file.ts';
import type { ArchiveSchema } from '../../../cli/import/archive-lines.ts';
import { schemaFilesOf } from '../../../cli/import/archive-types.ts';
import { type ImportFlags, importSurvey } from '../../../cli/import/import.ts';
import { newWarnings, surveyArchive } from '../../../cli/import/survey.ts';
import { migrate } from '../../../cli/migrations/apply.ts';
import { generate } from '../../../cli/project/generate.ts';
import { archiveOf } from '../../support/archive.ts';
import { type Attributes, contentType } from '../../support/schema-files.ts';
import { databaseOver } from '../../support/sqlite-storage.ts';
import { emptyAccount, type StandIn, standIn, wranglerToml } from '../../unit/cli/cloudflare.ts';
import { fileOf } from '../../unit/cli/import/imported.ts';
import { MAGAZINE, SCHEMAS } from '../../unit/cli/import/magazine.ts';
import { type ScratchProject, scratchProject } from '../../unit/cli/scratch-project.ts';

const outside = vi.hoisted(() => ({
  said: [] as string[],
  wrangler: undefined as unknown as StandIn,
  db: undefined as unknown as D1Database,
}));
vi.mock(import('../../../cli/core/terminal.ts'), async (original) => ({
  ...(await original()),
  print: () => undefined,
  progress: (text: string) => void outside.said.push(text),
}));
vi.mock(import('../../../cli/core/wrangler/wrangler.ts'), async (original) => ({
  ...(await original()),
  wrangler: (args: readonly string[]) => outside.wrangler.quietly(args),
}));
vi.mock(import('../../../cli/core/storage/storage.ts'), async (original) => ({
  ...(await original()),
  withStorage: (_root, _target, work) => work({ db: outside.db, bucket: {} as R2Bucket }),
}));

const STRING = { type: 'string' };
const REMOTE = { remote: true };

let project: ScratchProject;
let database: DatabaseSync;

async function change(attributes: Attributes): Promise<void> {
  const files = schemaFilesOf({ schemas: SCHEMAS as readonly ArchiveSchema[] }, newWarnings());
  project.schemas(...files.contentTypes, ...files.components, contentType('page', attributes));
  await generate(project.root, {
    allowDrop: true,
    execute: async () => ({ code: 1, stdout: '', stderr: 'no such table' }),
  });
}

beforeEach(async () => {
  project = scratchProject();
  project.write('wrangler.toml', wranglerToml('magazine-db'));
  project.write('edgewise.config.ts', 'export default {};\n');
  await change({ title: STRING, lead: STRING });
  const account = emptyAccount();
  database = new DatabaseSync(':memory:');
  account.databases.set('magazine-db', database);
  outside.db = databaseOver(database);
  outside.wrangler = standIn(project.root, account);
  await migrate(REMOTE, outside.wrangler.quietly, project.root);
  database.exec(`INSERT INTO pages (document_id, lead) VALUES ('a', 'One'), ('b', NULL)`);
  await change({ title: STRING });
  outside.said.length = 0;
  return () => project.remove('.');
});

async function take(flags: Partial<ImportFlags>): Promise<void> {
  const warnings = newWarnings();
  const survey = await surveyArchive(openArchive(fileOf(await archiveOf(MAGAZINE)), undefined), warnings);
  // An import that was interrupted: a new one starts on an empty database, or deletes what is there.
  database
    .prepare(
      `INSERT INTO edgewise_imports (archive, name, mode, stage, done, started_at) VALUES (?, 'old', 'fresh', 'rows', 0, 1)`,
    )
    .run(`${survey.fingerprint} content,config`);
  const all = { ...REMOTE, resume: true, backup: true, ...flags } as ImportFlags;
  try {
    await importSurvey(project.root, survey, all);
  } finally {
    survey.staging.close();
  }
}

const leads = () => database.prepare('SELECT lead FROM pages').all();
const migrations = () => database.prepare('SELECT name FROM d1_migrations').all();

/** Every file of the project with its contents. */
const files = () =>
  readdirSync(project.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')] as const);

describe('an import into a deployed database', () => {
  const NAMED = '  page.lead: removed (string) (1 row of the deployed database)';
  const BACK = 'To restore the database as it is now: npx wrangler d1 time-travel restore DB --bookmark=0000-b00c';

  it('is refused where it would lose content and nobody can be asked, and changes no file then', async () => {
    const before = files();
    const applied = migrations();
    await expect(take({})).rejects.toThrow(/^Nothing was changed: 1 change.*--allow-drop$/);
    expect(outside.said).toEqual(['going on with content and config …', '1 change loses stored content:', NAMED, BACK]);
    expect(files()).toEqual(before);
    expect(leads()).toHaveLength(2);
    expect(migrations()).toEqual(applied);
  });

  it('asks for the migrations that it is about to write, too', async () => {
    const initial = migrations().length;
    await migrate(REMOTE, outside.wrangler.quietly, project.root);
    project.schemas(contentType('page', { title: STRING, body: STRING }));
    await take({});
    expect(outside.said).toContain(BACK);
    expect(migrations()).toHaveLength(initial + 2);
    expect(files().join('\n')).toContain('api::article.article.find');
  });

  it('goes ahead where that was said, and still names what goes and the way back', async () => {
    await take({ allowDrop: true });
    expect(outside.said).toEqual(expect.arrayContaining([NAMED, BACK]));
    expect(() => leads()).toThrow('no such column: lead');
  });
});
