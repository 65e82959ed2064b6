import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseRenames, type Renames } from '../../../../cli/migrations/rename-options.ts';
import { type GenerateOptions, generate as generateIn } from '../../../../cli/project/generate.ts';
import { type Attributes, contentType, type TypeOptions } from '../../../support/schema-files.ts';
import { emptyDatabase, type LocalDatabase, type LocalProject, localDatabase, localProject } from './local-project.ts';

let database: LocalDatabase;
beforeAll(async () => {
  database = await localDatabase();
  return () => database.close();
});

const STRING = { type: 'string' };

let project: LocalProject;
beforeEach(async () => {
  await emptyDatabase(database);
  project = localProject(database);
  project.schemas(contentType('article', { title: STRING }));
  await generate();
  await project.push();
  return () => project.remove('.');
});

/** As in another terminal, beside the database. */
const generate = (options: GenerateOptions = {}) =>
  generateIn(project.root, { ...options, execute: project.execute, target: {} });
const rename = (attributes: string[], tables: string[] = []): Renames => parseRenames(attributes, tables);

/** A save, and what it comes to. */
function save(name: string, attributes: Attributes, options: TypeOptions = {}) {
  project.schemas(contentType(name, attributes, options));
  return project.push();
}
const insert = (table: string, row: Readonly<Record<string, string | number | null>>) => {
  const all = { document_id: 'a', locale: '', published_at: 1, created_at: 1, updated_at: 1, ...row };
  const marks = Object.keys(all).map(() => '?');
  return database.db
    .prepare(`INSERT INTO "${table}" (${Object.keys(all).join(', ')}) VALUES (${marks.join(', ')})`)
    .bind(...Object.values(all))
    .run();
};

describe('content that no migration knows', () => {
  beforeEach(async () => {
    await save('page', { title: STRING, body: STRING });
    await insert('pages', { body: 'written' });
    await expect(save('page', { title: STRING, text: STRING })).rejects.toThrow(
      /page\.body: removed \(string\) \(1 row of the local database\)[\s\S]*generate --rename page\.body=text$/,
    );
  });

  it('is counted, and dropped by no migration without --allow-drop', async () => {
    await expect(generate({ name: 'a' })).rejects.toThrow(/page\.body: removed.*\(1 row of the local database\)/);
    expect(project.migrations()).toEqual(['0001_initial.sql']);
  });

  it('moves to its new name with --rename', async () => {
    await generate({ name: 'a', renames: rename(['page.body=text']) });
    expect(await project.push()).toMatchObject({ isDue: false });
    expect(await project.rows('SELECT text FROM pages')).toEqual([{ text: 'written' }]);
    expect((await project.push()).statements).toEqual([]);
  });

  it('goes with --allow-drop', async () => {
    await generate({ name: 'a', allowDrop: true });
    expect(await project.push()).toMatchObject({ isDue: false });
    await save('page', { title: STRING, body: STRING });
    expect(await project.rows('SELECT body FROM pages')).toEqual([{ body: null }]);
  });

  it('stays where a migration that was made elsewhere does not name it', async () => {
    await generateIn(project.root, { execute: async () => ({ code: 1, stdout: '', stderr: '' }) });
    await expect(project.push()).rejects.toThrow(/page\.body[\s\S]*npx edgewise migrate --allow-drop/);
    expect(await project.rows('SELECT body FROM pages')).toEqual([{ body: 'written' }]);
    expect(await project.push({ allowDrop: true })).toMatchObject({ isDue: false });
    expect(await project.rows('SELECT text FROM pages')).toEqual([{ text: null }]);
  });

  it('moves with its type when that is renamed with --rename-type', async () => {
    project.remove('content-types/page');
    await expect(save('leaf', { title: STRING, text: STRING })).rejects.toThrow(/page: content type removed/);
    await generate({ name: 'a', renames: rename(['leaf.body=text'], ['page=leaf']) });
    expect(await project.push()).toMatchObject({ isDue: false });
    expect(await project.rows('SELECT document_id, text FROM leafs')).toEqual([{ document_id: 'a', text: 'written' }]);
  });
});

describe('a change of stored content that loses nothing', () => {
  it.each([
    ['drafts', { title: STRING }, { drafts: true }, 'page: draft & publish turned on'],
    ['locales', { title: STRING }, { localized: true }, 'page: localization turned on'],
    ['another type', { title: { type: 'json' } }, {}, 'page.title: string becomes json'],
  ])('waits for a migration: %s', async (_, attributes, options, reason) => {
    await save('page', { title: STRING });
    await insert('pages', { title: 'one' });
    const changed = save('page', attributes as Attributes, options);
    await expect(changed).rejects.toThrow(reason);
    await expect(project.push()).rejects.toThrow(/make a migration of it: npx edgewise generate$/);
    expect(await project.rows('SELECT title, locale FROM pages')).toEqual([{ title: 'one', locale: '' }]);
    await generate({ name: 'a' });
    expect(await project.push()).toMatchObject({ isDue: false, what: 'alter_pages' });
    expect((await project.push()).statements).toEqual([]);
  });
});
