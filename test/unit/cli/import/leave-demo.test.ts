import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openArchive } from '../../../../cli/core/archive/archive-file.ts';
import { withStorage } from '../../../../cli/core/storage/storage.ts';
import { type ImportFlags, importSurvey } from '../../../../cli/import/import.ts';
import { newWarnings, surveyArchive } from '../../../../cli/import/survey.ts';
import { applyDue } from '../../../../cli/migrations/apply.ts';
import { planLeaving } from '../../../../cli/project/leave-demo.ts';
import { writeFiles } from '../../../../cli/project/write-files.ts';
import { archiveOf } from '../../../support/archive.ts';
import { copyDemo } from '../../../support/demo.ts';
import { insert } from '../backup/backed-up.ts';
import { wranglerToml } from '../cloudflare.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';
import { fileOf } from './imported.ts';
import { MAGAZINE } from './magazine.ts';

const WRANGLER = `${wranglerToml('test')}[[r2_buckets]]
binding = "MEDIA"
bucket_name = "test"
`;
const ROOT = join(import.meta.dirname, '../../../..');

let project: ScratchProject;
let printed = '';

async function take(flags: Partial<ImportFlags>): Promise<void> {
  const warnings = newWarnings();
  const survey = await surveyArchive(openArchive(fileOf(await archiveOf(MAGAZINE)), undefined), warnings);
  try {
    await importSurvey(project.root, survey, { backup: true, ...flags });
  } finally {
    survey.staging.close();
  }
}

const inStorage = <T>(work: Parameters<typeof withStorage<T>>[2]) => withStorage(project.root, {}, work);

beforeAll(async () => {
  for (const stream of [process.stderr, process.stdout])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += String(text);
      return true;
    });
  project = scratchProject();
  vi.spyOn(process, 'cwd').mockReturnValue(project.root);
  copyDemo(project.root);
  project.write('wrangler.toml', WRANGLER);
  symlinkSync(join(ROOT, 'node_modules'), join(project.root, 'node_modules'));
  await inStorage(async (storage) => {
    await applyDue(project.root, storage.db);
    const version = { locale: '', published_at: 1, created_at: 2, updated_at: 3 };
    await insert(storage, 'homepages', { ...version, document_id: 'home', headline: 'The demo' });
  });
}, 120_000);
afterAll(() => {
  vi.restoreAllMocks();
  project.remove('.');
});

describe('an import into a project with the demo', () => {
  it('leaves all of the demo as it is when it only looks', async () => {
    await take({ replace: true, dryRun: true });
    expect(project.has('demo') && project.has('content-types/homepage') && project.has('drizzle')).toBe(true);
  });

  it('leaves no setting, no migration, no content and no table of the demo', async () => {
    await take({ replace: true });
    expect(project.has('demo') || project.has('content-types/homepage')).toBe(false);
    expect(project.migrations().filter((name) => !name.includes('initial'))).toEqual([]);
    expect(
      project
        .migrations()
        .map((name) => project.read(`drizzle/${name}`))
        .join('\n'),
    ).not.toContain('homepages');
    // Its own type is called article as well.
    expect(project.read('edgewise.config.ts')).not.toMatch(/rating:desc|search:|api::homepage|French/);
    expect(project.has('.wrangler/state.old-1')).toBe(true);
    expect(readdirSync(project.root).filter((name) => name.startsWith('before-import'))).toEqual([]);
    const tables = await inStorage(
      async ({ db }) => (await db.prepare('select name from sqlite_master').all()).results,
    );
    expect(tables.map(({ name }) => name)).not.toContain('homepages');
    const rows = await inStorage(async ({ db }) => (await db.prepare('select 1 from "tags"').all()).results);
    expect(rows).toHaveLength(3);
    expect(printed).toContain('the local database was put aside: .wrangler/state.old-1');
  });
});

describe('what a deployed database has of the demo', () => {
  it('stays in drizzle/, and so does the local database', () => {
    project.write('demo/1.json', '{}');
    const { changes, lines } = planLeaving(project.root, { remote: true }, true);
    writeFiles(project.root, changes);
    expect(lines).toEqual([
      'drizzle/ keeps the migrations of the demo: the deployed database has them',
      'removed demo/',
    ]);
    expect(project.has('demo')).toBe(false);
    expect(project.migrations()).toContain('0001_initial.sql');
    expect(project.has('.wrangler/state/v3')).toBe(true);
  });
});
