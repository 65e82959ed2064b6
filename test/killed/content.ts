/**
 * @module Commands about all content of a deployment, killed in their middle.
 */
import { expect } from 'vitest';
import type { KilledProject } from './project.ts';

type Killed = (project: KilledProject) => Promise<void>;

/** A file that is written bit by bit, and begun anew by the next command. */
export const writesArchive =
  (command: 'backup' | 'export', taking: string): Killed =>
  async (project) => {
    const line = `${command} --file kept.tar.gz`;
    const parts = () => project.names().filter((name) => name.endsWith('.part'));
    await project.killed(line, () => parts().length > 0);
    const [left] = parts();
    expect(project.has('kept.tar.gz')).toBe(false);
    expect(await project.done(line)).toContain(`starting over: removed ${left}, which a stopped command left\n`);
    expect(parts()).toEqual([]);
    const before = project.content();
    await project.done(`${taking} kept.tar.gz --replace --no-backup`);
    expect(project.content()).toEqual(before);
  };

/** An import that is killed when some of its rows are written. */
export const importsArchive =
  (flags: string, again: string, says: RegExp): Killed =>
  async (project) => {
    const before = project.content();
    await project.done('export --file archive.tar.gz');
    if (flags === '') project.change('delete from notes');
    const stage = () => project.rows('select stage, done from edgewise_imports')[0];
    await project.killedWhileSlow(
      `import archive.tar.gz${flags}`,
      'insert on notes',
      "new.text like '02900%'",
      () => Number(stage()?.done) > 0,
    );
    expect(stage()?.stage).toBe('rows');
    expect(await project.done('migrate')).toContain('The import of archive.tar.gz was interrupted');
    expect(await project.run('import archive.tar.gz')).toEqual({
      code: 1,
      said: expect.stringMatching(/was interrupted.*--resume, or start over with --replace/),
    });
    expect(await project.done(`import archive.tar.gz ${again}`)).toMatch(says);
    expect(project.content()).toEqual(before);
    expect(await project.done('migrate')).not.toContain('interrupted');
  };

/** A restore that is killed while it fills its own tables: what is served is as it was. */
export const restores: Killed = async (project) => {
  const before = project.content();
  await project.done('backup --file backup.tar.gz');
  project.change("update notes set text = 'later'");
  const later = project.content();
  const staging = () => project.rows("select 1 from sqlite_master where name = 'edgewise_restore_notes'");
  const line = 'restore backup.tar.gz --replace --no-backup';
  await project.killed(line, () => staging().length > 0);
  expect(project.content()).toEqual(later);
  expect(await project.done('migrate')).toContain('A restore was interrupted. The content is as it was before');
  expect(await project.done(line)).toContain('starting over: a restore was interrupted\n');
  expect(project.content()).toEqual(before);
  expect(staging()).toEqual([]);
};

const FILE = 'kept_0123456789.txt';
const OBJECTS = 60;

/** @param folder of objects without a file */
const putObjects = async (project: KilledProject, folder: string): Promise<void> => {
  const keys = Array.from({ length: OBJECTS }, (_, index) => `${folder}cut_${String(index).padStart(10, '0')}.txt`);
  await project.put([FILE, ...keys]);
  project.change(`insert into files (document_id, locale, name, hash, ext, mime, size, url, provider)
    values ('file', '', 'a', 'kept_0123456789', '.txt', 'text/plain', 1, '/uploads/${FILE}', 'local')`);
};

/** Objects that are moved, some of them at once. */
export const repairsMedia: Killed = async (project) => {
  await putObjects(project, '');
  const line = 'media check --fix --most 100 --yes';
  await project.killed(`${line} ${OBJECTS}`, (said) => said.includes(`of ${OBJECTS} objects moved`));
  // It counts what is left, and asks about that.
  const { said } = await project.run(`${line} ${OBJECTS}`);
  const left = Number(/--yes says \d+, but (\d+) /.exec(said)?.[1]);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(OBJECTS);
  await project.done(`${line} ${left}`);
  expect(await project.done('media check')).toContain(`1 file, 1 object, 0 without a match, ${OBJECTS} in the trash`);
};

/** Objects that are deleted at once: the command lists those that are there. */
export const emptiesTrash: Killed = async (project) => {
  await putObjects(project, 'trash/20260101T000000Z/');
  const line = `media check --purge --yes ${OBJECTS}`;
  await project.killed(line, (said) => said.includes('in the trash: '));
  const { said } = await project.run(line);
  expect(said).toContain('the trash is empty');
  expect(await project.done('media check')).toContain('1 file, 1 object, 0 without a match, 0 in the trash');
};

const VERSIONS = 60_000;
const NUMBERS = `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${VERSIONS})`;

/** Former versions of yesterday and before, which go in batches. */
export const deletesVersions =
  (line: string, more: (count: number) => string): Killed =>
  async (project) => {
    project.change(`insert into edgewise_history (type, document_id, locale, version, at, id, operation, actor, size)
      ${NUMBERS} select 'api::note.note', 'note', '', 'draft', n, 'rev_' || n, 'update', 'unknown', 1 from numbers`);
    const left = () => Number(project.rows('select count(*) as n from edgewise_history')[0]?.n);
    const before = project.content();
    await project.killed(`${line}${more(VERSIONS)}`, () => left() < VERSIONS);
    const rest = left();
    expect(rest).toBeGreaterThan(0);
    const said = await project.done(`${line}${more(rest)}`);
    expect(said).toContain(`deleted ${rest.toLocaleString('en')} former versions from the local database`);
    expect(left()).toBe(0);
    expect(project.content()).toEqual(before);
  };
