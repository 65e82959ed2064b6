import { afterAll, describe, expect, it } from 'vitest';
import { GROUPS, type Group } from '../../../../cli/core/archive/groups.ts';
import type { ArchiveSchema } from '../../../../cli/import/archive-lines.ts';
import { schemaFilesOf } from '../../../../cli/import/archive-types.ts';
import { importWriter, type Marker, type Mode } from '../../../../cli/import/marker.ts';
import { archiveRegistry, chooseTypes, differencesOf, typeChanges } from '../../../../cli/import/place-types.ts';
import { planImport } from '../../../../cli/import/plan-import.ts';
import { newWarnings } from '../../../../cli/import/survey.ts';
import { readSchemaFiles, registryOf } from '../../../../cli/project/project.ts';
import { writeFiles } from '../../../../cli/project/write-files.ts';
import { DEMO } from '../../../support/demo.ts';
import { contentType } from '../../../support/schema-files.ts';
import { scratchProject } from '../scratch-project.ts';
import { SCHEMAS } from './magazine.ts';

const project = scratchProject();
afterAll(() => project.remove('.'));

const schemas = SCHEMAS as readonly ArchiveSchema[];
const files = schemaFilesOf({ schemas }, newWarnings());
const wanted = archiveRegistry(files);
const OPTIONS = { replaceTypes: false, force: false };

describe('content types of an archive', () => {
  it('are refused where others are, each difference by its name, unless they may be replaced or left out', async () => {
    project.schemas(contentType('article', { title: { type: 'integer' } }, { drafts: true }));
    const choose = (more: object) => chooseTypes(project.root, wanted, { ...OPTIONS, ...more });
    await expect(choose({})).rejects.toThrow(/api::article\.article\.title: string in the archive, integer here/);
    await expect(choose({})).rejects.toThrow(/api::tag\.tag: not there/);
    await expect(choose({})).rejects.toThrow(/shared\.card: not there/);
    expect(await choose({ replaceTypes: true })).toEqual({ write: true, differences: [] });
    expect((await choose({ force: true })).write).toBe(false);
  });

  it('are written into a project that declares none', async () => {
    const empty = scratchProject();
    expect(await chooseTypes(empty.root, wanted, OPTIONS)).toEqual({ write: true, differences: [] });
    empty.remove('.');
  });

  it('are refused where those of the demo are, with the command that makes a project of the archive', async () => {
    await expect(chooseTypes(DEMO, wanted, OPTIONS)).rejects.toThrow(
      /api::tag\.tag: not there[\s\S]*: npx edgewise new <folder> --archive <file>$/,
    );
  });

  it('become files that declare the same', async () => {
    project.write('content-types/components/old/gone.json', '{"attributes":{}}');
    writeFiles(project.root, typeChanges(project.root, files));
    expect(differencesOf(wanted, registryOf(await readSchemaFiles(project.root)))).toEqual([]);
    expect(project.has('content-types/components/old/gone.json')).toBe(false);
    expect(project.read('content-types/tag/schema.json')).not.toMatch(/createdAt|configurable|globalId/);
    expect(await chooseTypes(project.root, wanted, OPTIONS)).toEqual({ write: false, differences: [] });
  });

  it('keep what a schema file says of attributes, and nothing that Strapi computes', () => {
    const said = { type: 'string', writable: false, searchable: false, visible: false, configurable: false };
    const attributes = { name: { ...said, useJoinTable: false, joinColumn: {} } };
    const info = { singularName: 'tag', pluralName: 'tags' };
    const tag = { uid: 'api::tag.tag', modelType: 'contentType', kind: 'collectionType', info, attributes };
    const { contentTypes } = schemaFilesOf({ schemas: [tag as unknown as ArchiveSchema] }, newWarnings());
    expect(contentTypes.map(({ json }) => json)).toMatchObject([{ attributes: { name: said } }]);
    expect(JSON.stringify(contentTypes)).not.toMatch(/join/i);
  });

  it('are called after their singular names, also where relations lead to them', () => {
    const post = {
      ...schemas[1],
      uid: 'api::blog.post',
      info: { singularName: 'post', pluralName: 'posts' },
      attributes: { next: { type: 'relation', relation: 'oneToOne', target: 'api::blog.post' } },
    };
    const { contentTypes } = schemaFilesOf({ schemas: [post as ArchiveSchema] }, newWarnings());
    expect(contentTypes).toMatchObject([
      { path: 'content-types/post/schema.json', json: { attributes: { next: { target: 'api::post.post' } } } },
    ]);
  });
});

describe('an import', () => {
  const marker: Marker = {
    archive: 'a',
    groups: GROUPS,
    name: 'old.tar.gz',
    mode: 'fresh',
    stage: 'rows',
    done: 0,
    startedAt: 1,
    finishedAt: null,
  };
  const plan = (filled: readonly string[], markers: readonly Marker[], flags: object = {}) =>
    planImport({ filled, markers }, { fingerprint: 'a', file: { name: 'new' } }, flags);
  const whole = { ...marker, finishedAt: 2 };

  it('is refused into a database with content, or with half of another import', () => {
    expect(() => plan(['tags'], [])).toThrow(/The database has content \(tags\)/);
    expect(() => plan(['tags'], [marker])).toThrow(/The import of old\.tar\.gz was interrupted/);
    expect(() => plan(['tags'], [{ ...marker, archive: 'b' }], { resume: true })).toThrow(
      /is that of another file, old\.tar\.gz/,
    );
  });

  it('begins, goes on, or has nothing to do', () => {
    const isNew = (mode: Mode, stage = 'rows') => ({
      archive: 'a',
      name: 'new',
      mode,
      stage,
      done: 0,
      finishedAt: null,
    });
    expect(plan([], [])).toMatchObject(isNew('fresh'));
    expect(plan([], [], { resume: true })).toMatchObject(isNew('fresh'));
    expect(plan(['tags'], [marker], { replace: true })).toMatchObject(isNew('replace', 'clear'));
    expect(plan(['tags'], [marker], { resume: true })).toBe(marker);
    expect(plan(['tags'], [whole])).toBe(whole);
    expect(plan([], [whole])).toMatchObject(isNew('fresh'));
  });

  const of = (...groups: readonly Group[]): Marker => ({ ...whole, groups });

  it('takes the groups that an earlier import of the archive has left out', () => {
    expect(plan(['tags'], [of('content')])).toMatchObject({ mode: 'fresh', groups: ['files', 'config'] });
    expect(plan(['tags'], [of('content')], { only: ['files'] })).toMatchObject({ groups: ['files'] });
    const files = of('files');
    expect(plan(['tags'], [files, of('content')], { exclude: ['config'] })).toBe(files);
    expect(plan(['tags'], [of('content', 'config'), of('files')])).toMatchObject({ finishedAt: 2 });
    expect(plan(['tags'], [{ ...marker, groups: ['content'] }], { resume: true })).toMatchObject({
      groups: ['content'],
    });
  });

  it('takes settings, and no files, beside content of another archive', () => {
    const other = { ...whole, archive: 'b' };
    expect(plan(['tags'], [other], { only: ['config'] })).toMatchObject({ mode: 'fresh', groups: ['config'] });
    expect(() => plan(['tags'], [other], { only: ['files'] })).toThrow(
      'The database has content (tags) that is not of this archive. To store its files beside it: --replace',
    );
    expect(() => plan(['tags'], [of('files')], { only: ['content'] })).toThrow('To delete it first: --replace');
    expect(plan(['tags'], [other], { only: ['files'], replace: true })).toMatchObject({
      ...{ mode: 'replace', groups: ['files'] },
    });
  });

  it('notes its progress with the last of the statements that D1 takes in several batches', async () => {
    const batches: (readonly string[])[] = [];
    const db = {
      prepare: (sql: string) => ({ bind: () => sql }),
      batch: async (statements: readonly string[]) => {
        batches.push(statements);
        return statements.map(() => ({ results: [] }));
      },
    };
    const statements = Array.from({ length: 2_000 }, (_, index) => ({ sql: `delete from "t${index}"`, params: [] }));
    await importWriter(db as never, marker)(statements, 'rows');
    expect(batches.flat().filter((sql) => sql.startsWith?.('delete'))).toEqual(statements.map(({ sql }) => sql));
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(1_000);
    const noted = batches.map((sqls) => sqls.some((sql) => String(sql).startsWith('update "edgewise_imports"')));
    expect(noted).toEqual([false, false, true]);
  });

  it('abandons no half of a group that it does not take, and resumes no other groups', () => {
    const half = { ...marker, groups: ['content', 'files'] as const };
    expect(() => plan(['tags'], [half], { only: ['files'], replace: true })).toThrow('was interrupted');
    expect(plan(['tags'], [half], { exclude: ['config'], replace: true })).toMatchObject({ mode: 'replace' });
    expect(() => plan(['tags'], [half], { only: ['content'], resume: true })).toThrow(
      '--resume goes on with content and files: leave out --only and --exclude',
    );
    expect(() => plan([], [], { only: ['files'], exclude: ['files'] })).toThrow('leave nothing to import');
  });
});
