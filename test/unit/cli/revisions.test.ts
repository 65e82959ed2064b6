/**
 * @module What `drizzle/meta/` holds of each revision, and what counts while a migration is being written.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { diffSchemas, EMPTY_STATE, stateOf } from '../../../cli/migrations/migration.ts';
import { jsonText, nextMigrations } from '../../../cli/migrations/migration-files.ts';
import { NO_RENAMES, parseRenames, resolveRenames } from '../../../cli/migrations/rename-options.ts';
import {
  declaredBy,
  journalFiles,
  type MigrationFolder,
  nextRevisions,
  pendingLosses,
  type Revision,
  readFolder,
  revisionFiles,
  unfinishedFiles,
  untilWritten,
} from '../../../cli/migrations/revisions.ts';
import { type Attributes, contentType } from '../../support/schema-files.ts';
import { registryAfter } from './content-model.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const STRING = { type: 'string' };
const INTEGER = { type: 'integer' };
const GENERATED = '-- deploy: before\nSELECT 1;\n';
const META = 'drizzle/meta';

const of = (migrations: readonly string[], more: Partial<Revision> = {}): Revision => ({
  ...{ migrations, state: EMPTY_STATE, renames: NO_RENAMES, localRenames: NO_RENAMES, drops: [], defaultLocale: 'en' },
  ...more,
});
const stateWith = (attributes: Attributes) =>
  stateOf(registryAfter(EMPTY_STATE, { types: [contentType('article', attributes)] }));
/** As read back from the files. */
const article: typeof stateWith = (attributes) => JSON.parse(JSON.stringify(stateWith(attributes)));

const FIRST = of(['0001_initial.sql']);
const SECOND = of(['0002_more.sql', '0003_more_2.sql'], { state: article({}), drops: ['article.lead'] });

describe('JSON in drizzle/meta/', () => {
  it('has its keys in one order, and lists in their own', () => {
    const text = '{\n  "a": [\n    2,\n    1\n  ],\n  "b": {\n    "c": 1,\n    "d": 2,\n    "e": 3\n  }\n}\n';
    expect(jsonText({ b: { e: 3, d: 2, c: 1 }, a: [2, 1] })).toBe(text);
    expect(jsonText({ a: [2, 1], b: { c: 1, e: 3, d: 2 } })).toBe(text);
  });
});

describe('a revision', () => {
  it('has a snapshot and a layout under the number of its last migration, and claims the number of its first one', () => {
    const files = (isNew: boolean) => revisionFiles([FIRST, SECOND], isNew).map(({ path, claims }) => [path, claims]);
    const paths = [`${META}/0003_snapshot.json`, `${META}/_0003_layout.json`];
    expect(files(true)).toEqual([
      [paths[0], '0002'],
      [paths[1], undefined],
    ]);
    expect(files(false)).toEqual(paths.map((path) => [path, undefined]));
  });

  it('has no file without a migration, and neither has the journal', () => {
    expect([revisionFiles([], true), revisionFiles([of([])], true), journalFiles([])]).toEqual([[], [], []]);
  });

  it('is added with new migrations, and otherwise is the last one in its new state', () => {
    const next = of(['0004_next.sql']);
    const same = of([], { state: article({ title: STRING }) });
    expect(nextRevisions([], same)).toEqual([same]);
    expect(nextRevisions([FIRST, SECOND], next)).toEqual([FIRST, SECOND, next]);
    expect(nextRevisions([FIRST, SECOND], same)).toEqual([FIRST, { ...SECOND, state: same.state }]);
  });
});

describe('the folder of migrations', () => {
  let project: ScratchProject;
  let now = 0;
  beforeEach(() => {
    project = scratchProject();
    // Each look at the clock takes a millisecond.
    vi.spyOn(Date, 'now').mockImplementation(() => now++);
    return () => project.remove('.');
  });
  afterEach(() => vi.restoreAllMocks());

  /** Writes the files of revisions, of which the journal lists the first ones. */
  function write(revisions: readonly Revision[], listed: number): void {
    for (const index of revisions.keys())
      for (const { path, text } of revisionFiles(revisions.slice(0, index + 1), true)) project.write(path, text);
    for (const name of revisions.flatMap(({ migrations }) => migrations)) project.write(`drizzle/${name}`, GENERATED);
    list(revisions.slice(0, listed));
  }
  const list = (revisions: readonly Revision[]): void => {
    for (const { path, text } of journalFiles(revisions)) project.write(path, text);
  };
  const names = () => readFolder(project.root).migrations.map(({ name }) => name);
  const all = [...FIRST.migrations, ...SECOND.migrations];

  it('is empty before the first one', () => {
    expect(readFolder(project.root)).toEqual({ migrations: [], revisions: [] });
    expect(unfinishedFiles(project.root)).toEqual([]);
  });

  it('is read as it was written, and is complete', async () => {
    write([FIRST, SECOND], 2);
    project.write('drizzle/0004_own.sql', 'SELECT 2;\n');
    project.write('drizzle/0005_later.sql', GENERATED);
    expect(readFolder(project.root).revisions).toEqual([FIRST, SECOND]);
    expect(names()).toEqual([...all, '0004_own.sql', '0005_later.sql']);
    expect(unfinishedFiles(project.root)).toEqual([]);
    const begun = now;
    await untilWritten(project.root, 5);
    expect(now - begun).toBe(1);
  });

  it('leaves out a migration that the journal does not list yet, but not one that is written by hand', async () => {
    write([FIRST, SECOND], 1);
    project.write('drizzle/0004_own.sql', 'SELECT 2;\n');
    const left = [...SECOND.migrations.map((name) => `drizzle/${name}`), `${META}/_0003_layout.json`];
    expect(readFolder(project.root).revisions).toEqual([FIRST]);
    expect(names()).toEqual(['0001_initial.sql', '0004_own.sql']);
    expect(unfinishedFiles(project.root)).toEqual([...left, `${META}/0003_snapshot.json`]);
    project.remove(`${META}/_0003_layout.json`);
    expect(unfinishedFiles(project.root)).toEqual([...left.slice(0, -1), `${META}/0003_snapshot.json`]);
    const begun = now;
    await expect(untilWritten(project.root, 3)).rejects.toThrow(
      'drizzle/meta/0003_snapshot.json: the migration was not completed; run npx edgewise generate again',
    );
    // While it waits, the clock of the test runner counts as well.
    expect(now - begun).toBeGreaterThanOrEqual(4);
  });

  it('leaves out the first migration while it is written', () => {
    write([FIRST], 0);
    expect(readFolder(project.root)).toEqual({ migrations: [], revisions: [] });
    expect(unfinishedFiles(project.root)).toEqual([
      ...['drizzle/0001_initial.sql', `${META}/_0001_layout.json`, `${META}/0001_snapshot.json`],
    ]);
  });

  it('is waited for until the journal lists its migrations', async () => {
    write([FIRST, SECOND], 1);
    const written = untilWritten(project.root, 1_000);
    list([FIRST, SECOND]);
    await written;
    expect(names()).toEqual(all);
  });

  it.each<readonly [what: string, path: string, from: RegExp, to: string]>([
    ['another table in a snapshot', '0003_snapshot.json', /"articles"/g, '"others"'],
    ['another revision before it', '0003_snapshot.json', /("prevId": )".{8}/, '$1"00000000'],
    ['another loss in a layout', '_0003_layout.json', /article\.lead/, 'article.title'],
  ])('is rejected with %s', (_, name, from, to) => {
    write([FIRST, SECOND], 2);
    const path = `${META}/${name}`;
    project.write(path, project.read(path).replace(from, to));
    expect(() => readFolder(project.root)).toThrow(
      'drizzle/meta/0003_snapshot.json does not match drizzle/meta/_0003_layout.json or the revision before it',
    );
  });

  it.each(['0003_snapshot.json', '_0003_layout.json'])('is rejected without %s of its last revision', (name) => {
    write([FIRST, SECOND], 2);
    project.remove(`${META}/${name}`);
    expect(() => readFolder(project.root)).toThrow(`${META}/${name}: restore it from version control`);
  });

  it('is rejected with a journal that is another kind of JSON', () => {
    project.write(`${META}/_journal.json`, '[]');
    expect(() => readFolder(project.root)).toThrow('restore it from version control; it is no JSON object');
  });

  it('is rejected without its journal, and with one that lacks two revisions', () => {
    const later = of(['0004_later.sql']);
    write([FIRST, SECOND, later], 1);
    const lacking = 'it does not list the migrations of 0003_snapshot.json, 0004_snapshot.json';
    expect(() => readFolder(project.root)).toThrow(
      `${META}/_journal.json: restore it from version control; ${lacking}`,
    );
    project.remove(META);
    expect(() => readFolder(project.root)).toThrow(`${META}/_journal.json: restore it from version control`);
  });
});

describe('the losses of migrations that a database lacks', () => {
  const ALL = { title: STRING, lead: STRING, size: STRING };
  const INITIAL = of(['0001_initial.sql'], { state: article(ALL) });
  const changed = { title: STRING, size: INTEGER };

  async function folderOf(attributes: Attributes, more: Partial<Revision> = {}): Promise<MigrationFolder> {
    const state = article(attributes);
    const options = { renames: NO_RENAMES, defaultLocale: 'en', ...more };
    const { parts } = await diffSchemas(INITIAL.state, state, options);
    const migrations = nextMigrations('change', parts, INITIAL.migrations);
    const revision = of(
      migrations.map(({ name }) => name),
      { state, ...more },
    );
    const initial = { name: '0001_initial.sql', text: GENERATED };
    return { migrations: [initial, ...migrations], revisions: [INITIAL, revision] };
  }
  const subjects = async (folder: MigrationFolder, applied: readonly string[]) =>
    (await pendingLosses(folder, applied)).map(({ subject }) => subject);

  it('are those of each file that was not applied', async () => {
    const folder = await folderOf(changed, { drops: ['article.size'] });
    const [first = '', during = '', after = ''] = folder.migrations.map(({ name }) => name);
    expect(after).toBe('0003_change_after.sql');
    expect(await subjects(folder, [])).toEqual(['article.size', 'article.lead']);
    expect(await subjects(folder, [first])).toEqual(['article.size', 'article.lead']);
    expect(await subjects(folder, [first, during])).toEqual(['article.lead']);
    expect(await subjects(folder, [first, during, after])).toEqual([]);
  });

  it('are all of them where the file of a part is not found', async () => {
    const folder = await folderOf({ title: STRING, size: STRING });
    const unnamed = folder.migrations.map(({ name }) => ({ name, text: 'SELECT 1;' }));
    const revisions = folder.revisions.map((each, at) =>
      at === 0 ? each : of([...each.migrations, '0009_x.sql'], each),
    );
    expect(
      await subjects(
        { migrations: unnamed, revisions },
        folder.migrations.map(({ name }) => name),
      ),
    ).toEqual([]);
    const more = revisions.map((each, at) =>
      at === 0 ? each : { ...each, migrations: [...each.migrations, '0009_x.sql'] },
    );
    expect(
      await subjects({ migrations: unnamed, revisions: more }, ['0001_initial.sql', '0002_change_after.sql']),
    ).toEqual(['article.lead']);
  });

  it('leave out what was moved by hand or renamed', async () => {
    expect(await subjects(await folderOf({ ...ALL, size: INTEGER }), ['0001_initial.sql'])).toEqual([]);
    const next = registryAfter(EMPTY_STATE, {
      types: [contentType('article', { title: STRING, sum: STRING, size: STRING })],
    });
    const renames = resolveRenames(parseRenames(['article.lead=sum'], []), INITIAL.state.layout, next);
    const renamed = await folderOf({ title: STRING, sum: STRING, size: STRING }, { renames });
    expect(await subjects(renamed, ['0001_initial.sql'])).toEqual([]);
  });
});

it('migrations declare the renames and the accepted losses of their revisions, those of a local database included', () => {
  const own = { ...NO_RENAMES, tables: [{ from: 'a', to: 'b' }] };
  const local = { ...NO_RENAMES, components: [{ from: 'c', to: 'd' }] };
  const revisions = [of(['0001_a.sql'], { renames: own, localRenames: local, drops: ['x'] }), SECOND];
  const declared = declaredBy({ migrations: [], revisions }, [{ name: '0001_a.sql', text: '' }]);
  expect(declared).toEqual({ renames: { ...own, components: local.components }, dropped: new Set(['x']) });
});
