/**
 * @module Imports of some groups of an archive: beside content, in the place of it, and one after the other.
 */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openArchive } from '../../../../cli/core/archive/archive-file.ts';
import type { Storage } from '../../../../cli/core/storage/bindings.ts';
import { listObjects } from '../../../../cli/core/storage/objects.ts';
import { withStorage } from '../../../../cli/core/storage/storage.ts';
import { type ImportFlags, importSurvey } from '../../../../cli/import/import.ts';
import { newWarnings, surveyArchive } from '../../../../cli/import/survey.ts';
import { archiveOf } from '../../../support/archive.ts';
import { insert } from '../backup/backed-up.ts';
import { hearPrinted } from '../heard.ts';
import { STORAGE_TOML, TABLES } from '../memory-storage.ts';
import { type ScratchProject, scratchProject } from '../scratch-project.ts';
import { fileOf } from './imported.ts';
import { MAGAZINE, tag } from './magazine.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const IMPORTED = 'edgewise.imported.json';

let project: ScratchProject;
const printed = hearPrinted(process.stdout, process.stderr);

/** As the command does it, in the folder of the project. @returns what it prints */
async function take(parts: Parameters<typeof archiveOf>[0], flags: Partial<ImportFlags> = {}): Promise<string> {
  const survey = await surveyArchive(openArchive(fileOf(await archiveOf(parts)), undefined), newWarnings());
  printed.text = '';
  try {
    await importSurvey(project.root, survey, { backup: false, ...flags });
    return printed.text;
  } finally {
    survey.staging.close();
  }
}

const inStorage = <T>(work: Parameters<typeof withStorage<T>>[2]) => withStorage(project.root, {}, work);
/** Rows of some tables, and the keys of all objects. */
const stored = () =>
  inStorage(async ({ db, bucket }) => {
    const tables = ['tags', 'articles', 'up_users', 'strapi_sessions', 'articles_tags_lnk', 'edgewise_scheduled'];
    const counts = await db.batch<{ n: number }>(
      tables.map((table) => db.prepare(`select count(*) as n from "${table}"`)),
    );
    const keys = (await listObjects(bucket)).map(({ key }) => key);
    return [...counts.map(({ results }) => results[0]?.n), keys];
  });
const namesOfTags = async () =>
  (await inStorage(({ db }) => db.prepare('select "name" from "tags" order by "name"').all())).results.map(
    ({ name }) => name,
  );
/** Plans the publication of a document of the archive. */
const schedule = () =>
  inStorage((storage) =>
    insert(storage, 'edgewise_scheduled', {
      ...{ id: 'soon', type: 'api::article.article', document_id: 'one', locale: 'en', action: 'publish' },
      ...{ at: 9_000_000_000_000, created_at: 1 },
    }),
  );

/** Leaves the bytes of a file of the archive, as the deletion of its folder does. */
const leaveFile = () =>
  inStorage((storage) =>
    insert(storage, 'edgewise_tasks', { kind: 'file', argument: '{"hash":"a_1","ext":".PNG","formats":{}}' }),
  );

/** Takes everything out of the tables, which stay, and out of the bucket. */
async function empty({ db, bucket }: Storage): Promise<void> {
  const { results } = await db.prepare(TABLES).all<{ readonly name: string }>();
  const names = results.map(({ name }) => name).filter((name) => name !== 'd1_migrations');
  if (names.length > 0) await db.batch(names.map((name) => db.prepare(`delete from "${name}"`)));
  const keys = (await listObjects(bucket)).map(({ key }) => key);
  if (keys.length > 0) await bucket.delete(keys);
}

const OTHER = {
  ...MAGAZINE,
  entities: [...MAGAZINE.entities, tag(99, 'other')],
  uploads: { 'a_1.PNG': 'other bytes' },
};
const KEYS = ['a_1.PNG', 't_a_1.png'];

// All imports go into one project: to make one, and to start its storage, takes longer than what is tested.
beforeAll(() => {
  project = scratchProject();
  project.write('wrangler.toml', STORAGE_TOML);
  symlinkSync(join(ROOT, 'node_modules'), join(project.root, 'node_modules'));
  return () => project.remove('.');
});

beforeEach(async () => {
  vi.spyOn(process, 'cwd').mockReturnValue(project.root);
  if (project.has(IMPORTED)) project.remove(IMPORTED);
  await inStorage(empty);
});

describe('an import that replaces some groups', () => {
  it.each<[string, Partial<ImportFlags>]>([
    ['--only files', { only: ['files'] }],
    ['--only config', { only: ['config'] }],
    ['--exclude content', { exclude: ['content'] }],
  ])('deletes no content with %s', async (_, groups) => {
    await take(MAGAZINE);
    const version = { document_id: 'session', locale: '', published_at: 1, created_at: 2, updated_at: 3 };
    await inStorage((storage) => insert(storage, 'strapi_sessions', { ...version, user_id: 1, key_hash: 'ab' }));
    await schedule();
    const before = await stored();
    expect(before).toEqual([3, 4, 1, 1, 4, 1, KEYS]);
    const said = await take(OTHER, { ...groups, replace: true });
    expect(await stored()).toEqual(before);
    expect(said).toContain('Imported 0 documents, 0 versions, 0 links and');
  });

  it('puts the bytes of the archive in the place of others with --only files', async () => {
    await take(MAGAZINE);
    await take(OTHER, { only: ['files'], replace: true });
    expect(await inStorage(async ({ bucket }) => (await bucket.get('a_1.PNG'))?.text())).toBe('other bytes');
  });

  it('keeps the bytes and the settings with --only content', async () => {
    await take(MAGAZINE);
    const settings = project.read(IMPORTED);
    await take(OTHER, { only: ['content'], replace: true });
    expect(await namesOfTags()).toEqual(['blue', 'green', 'other', 'red']);
    expect((await stored()).at(-1)).toEqual(KEYS);
    expect(project.read(IMPORTED)).toBe(settings);
  });

  it('deletes the schedules of the deleted documents', async () => {
    await take(MAGAZINE);
    await schedule();
    await take(MAGAZINE, { replace: true });
    expect(await stored()).toEqual([3, 4, 1, 0, 4, 0, KEYS]);
  });

  it('deletes the responses to requests that would be repeated: their documents are gone', async () => {
    await take(MAGAZINE);
    const row = { key: 'k', digest: 'd', document_id: 'a', response: '{}', created_at: 1 };
    await inStorage((storage) => insert(storage, 'edgewise_requests', row));
    await take(MAGAZINE, { replace: true });
    expect((await inStorage(({ db }) => db.prepare('select * from edgewise_requests').all())).results).toEqual([]);
  });

  it('deletes the tasks that deletions have left: they are of other users and files', async () => {
    await take(MAGAZINE);
    await leaveFile();
    await take(MAGAZINE, { replace: true });
    expect((await inStorage(({ db }) => db.prepare('select * from edgewise_tasks').all())).results).toEqual([]);
  });
});

describe('an import of some groups', () => {
  it('is completed by an import of the others, and then by none', async () => {
    await take(MAGAZINE, { only: ['content'] });
    expect((await stored()).at(-1)).toEqual([]);
    expect(await take(MAGAZINE, { only: ['files'] })).toContain(
      'Imported 0 documents, 0 versions, 0 links and 2 files',
    );
    expect(await stored()).toEqual([3, 4, 1, 0, 4, 0, KEYS]);
    expect(project.has(IMPORTED)).toBe(false);
    expect(await take(MAGAZINE)).toContain('importing config …');
    expect(project.has(IMPORTED)).toBe(true);
    expect(await take(MAGAZINE)).toContain('nothing was changed');
  });

  it('of another archive does not count once its content is replaced', async () => {
    await take(MAGAZINE);
    await take(OTHER, { replace: true });
    await expect(take(MAGAZINE)).rejects.toThrow('To delete it first: --replace');
    expect(await namesOfTags()).toContain('other');
  });
});
