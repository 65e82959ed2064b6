import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { restoreCommand } from '../../../../cli/backup/backup.ts';
import { checkBackup, restore } from '../../../../cli/backup/restore.ts';
import { openArchive } from '../../../../cli/core/archive/archive-file.ts';
import { withStorage } from '../../../../cli/core/storage/storage.ts';
import { type ImportFlags, importSurvey } from '../../../../cli/import/import.ts';
import { newWarnings, surveyArchive } from '../../../../cli/import/survey.ts';
import { EMPTY_LAYOUT } from '../../../../cli/migrations/layout.ts';
import { noteSchemaSql } from '../../../../cli/migrations/local-schema.ts';
import { archiveOf } from '../../../support/archive.ts';
import { insert } from '../backup/backed-up.ts';
import { wranglerToml } from '../cloudflare.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';
import { fileOf } from './imported.ts';
import { MAGAZINE, tag } from './magazine.ts';

const ROOT = join(import.meta.dirname, '../../../..');

const WRANGLER = `${wranglerToml('test')}[[r2_buckets]]
binding = "MEDIA"
bucket_name = "test"
`;

let project: ScratchProject;
let printed = '';

/** As the command does it, in the folder of the project. */
async function take(bytes: Buffer, flags: Partial<ImportFlags> = {}): Promise<void> {
  const warnings = newWarnings();
  const survey = await surveyArchive(openArchive(fileOf(bytes), undefined), warnings);
  try {
    await importSurvey(project.root, survey, { backup: true, only: ['content', 'files'], ...flags });
  } finally {
    survey.staging.close();
  }
}

const inStorage = <T>(work: Parameters<typeof withStorage<T>>[2]) => withStorage(project.root, {}, work);
const rowsOf = (sql: string) => inStorage(async ({ db }) => (await db.prepare(sql).all()).results);
const EVERYTHING = [
  'select * from "tags" order by "id"',
  'select * from "articles" order by "id"',
  'select * from "articles_tags_lnk" order by 1, 2, 3, 4',
  'select * from "up_users"',
  'select * from "strapi_api_tokens"',
  'select * from "strapi_sessions"',
  'select * from "edgewise_history" order by "id"',
];
const everything = () =>
  inStorage(async ({ db }) => (await db.batch(EVERYTHING.map((sql) => db.prepare(sql)))).map(({ results }) => results));

beforeAll(async () => {
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  project = scratchProject();
  vi.spyOn(process, 'cwd').mockReturnValue(project.root);
  project.write('wrangler.toml', WRANGLER);
  symlinkSync(join(ROOT, 'node_modules'), join(project.root, 'node_modules'));
  await take(await archiveOf(MAGAZINE));
});
afterAll(() => {
  vi.restoreAllMocks();
  project.remove('.');
});

describe('an import that replaces everything', () => {
  it('makes a backup first, which brings all of it back: tokens, sessions and numeric ids too', async () => {
    const version = { locale: '', published_at: 1, created_at: 2, updated_at: 3 };
    await inStorage(async (storage) => {
      const token = { ...version, document_id: 'token', name: 'website', type: 'read-only', access_key: 'ff' };
      await insert(storage, 'strapi_api_tokens', token);
      const kept = { type: 'api::tag.tag', document_id: 'tag', locale: '', version: 'published', at: 1, size: 0 };
      const by = { operation: 'delete', actor_id: '1', actor_name: 'ann' };
      for (const actor of ['user', 'schedule of user', 'token'])
        await insert(storage, 'edgewise_history', { ...kept, ...by, id: `by ${actor}`, actor });
      await insert(storage, 'strapi_sessions', { ...version, document_id: 'session', user_id: 1, key_hash: 'ab' });
    });
    const before = await everything();
    printed = '';
    await take(await archiveOf({ ...MAGAZINE, entities: [tag(1, 'other')], links: [] }), { replace: true });
    expect(await rowsOf('select "name" from "tags"')).toEqual([{ name: 'other' }]);
    expect(await rowsOf('select 1 from "strapi_sessions"')).toEqual([]);
    const named = 'select "actor" from "edgewise_history" where "actor_name" is not null';
    expect(await rowsOf(named)).toEqual([{ actor: 'token' }]);
    const [name = ''] = readdirSync(project.root).filter((file) => file.startsWith('before-import-'));
    expect(printed).toContain(`What was there comes back with: npx edgewise restore ${name} --replace\n`);
    const verified = await checkBackup(project.root, join(project.root, name));
    expect(verified.due).toEqual([]);
    await inStorage((storage) => restore(storage, verified));
    expect(await everything()).toEqual(before);
  });

  it('is refused where no backup of the tables could be restored, and leaves everything as it is', async () => {
    const state = { snapshot: {} as never, layout: EMPTY_LAYOUT };
    const note = noteSchemaSql({ state, pushed: true, migrations: [] });
    await inStorage(({ db }) => db.batch(note.map((sql) => db.prepare(sql))));
    const before = await everything();
    const other = await archiveOf({ ...MAGAZINE, entities: [tag(1, 'pushed')], links: [] });
    await expect(take(other, { replace: true })).rejects.toThrow(
      /its backup could not be restored: npx edgewise generate/,
    );
    expect(await everything()).toEqual(before);
    await inStorage(({ db }) => db.prepare('drop table "edgewise_local"').run());
  });

  it('names the command with the options that lead to the same database', () => {
    expect(restoreCommand('x.tar.gz', { remote: true, env: 'staging' })).toBe(
      'npx edgewise restore x.tar.gz --replace --remote --env staging',
    );
    expect(restoreCommand('x.tar.gz', { persistTo: 'state' })).toBe(
      'npx edgewise restore x.tar.gz --replace --persist-to state',
    );
  });
});
