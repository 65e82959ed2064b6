import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseRenames, type Renames } from '../../../../src/cli/migrations/renames.ts';
import { type GenerateOptions, generate as generateIn } from '../../../../src/cli/project/generate.ts';
import { type Attributes, contentType, type TypeOptions } from '../content-model.ts';
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

describe('content that no migration knows and that has left the files', () => {
  beforeEach(async () => {
    await save('page', { title: STRING, body: STRING });
    await insert('pages', { body: 'written' });
    expect(await save('page', { title: STRING, text: STRING })).toMatchObject({ kept: ['page.body'] });
  });

  it('is counted, and dropped by no migration without --allow-drop', async () => {
    await expect(generate({ name: 'a' })).rejects.toThrow(
      /page\.body: kept by npm run dev.*\(1 row of the local database\)/,
    );
    expect(project.migrations()).toEqual(['0001_initial.sql']);
  });

  it('moves to its new name with --rename', async () => {
    await generate({ name: 'a', renames: rename(['page.body=text']) });
    expect(await project.push()).toMatchObject({ kept: [], isDue: false });
    expect(await project.rows('SELECT text FROM pages')).toEqual([{ text: 'written' }]);
    expect((await project.push()).statements).toEqual([]);
  });

  it('goes with --allow-drop, and stays away', async () => {
    await generate({ name: 'a', allowDrop: true });
    expect(await project.push()).toMatchObject({ kept: [], isDue: false });
    expect(await save('page', { title: STRING, body: STRING })).toMatchObject({ kept: [] });
    expect(await project.rows('SELECT body FROM pages')).toEqual([{ body: null }]);
  });

  it('stays where a migration that was made elsewhere does not name it', async () => {
    await generateIn(project.root, { execute: async () => ({ code: 1, stdout: '', stderr: '' }) });
    expect(await project.push()).toMatchObject({ kept: ['page.body'], isDue: false });
    await save('page', { title: STRING, body: STRING });
    expect(await project.rows('SELECT body FROM pages')).toEqual([{ body: 'written' }]);
  });

  it('moves with its type when that is renamed with --rename-type', async () => {
    project.remove('content-types/page');
    expect(await save('leaf', { title: STRING, text: STRING })).toMatchObject({ kept: ['page'] });
    await generate({ name: 'a', renames: rename(['leaf.body=text'], ['page=leaf']) });
    expect(await project.push()).toMatchObject({ kept: [], isDue: false });
    expect(await project.rows('SELECT document_id, text FROM leafs')).toEqual([{ document_id: 'a', text: 'written' }]);
  });
});

describe('a save that is taken back', () => {
  beforeEach(async () => {
    await insert('articles', { title: 'one', id: 7 });
  });

  it('gives the rows of a table back, under their ids, and counts them', async () => {
    await save('article', { title: STRING }, { collectionName: 'articles_b' });
    await insert('articles_b', { document_id: 'b', title: 'of the other table' });
    expect(await save('article', { title: STRING })).toMatchObject({ isDue: false });
    expect(await project.rows('SELECT id, title FROM articles')).toEqual([{ id: 7, title: 'one' }]);
    expect(await project.rows(`SELECT total FROM edgewise_counters WHERE type = 'api::article.article'`)).toEqual([
      { total: 1 },
    ]);
    await save('article', { title: STRING }, { collectionName: 'articles_b' });
    expect(await project.rows('SELECT title FROM articles_b')).toEqual([{ title: 'of the other table' }]);
  });

  it('gives a value back to a version that was published meanwhile', async () => {
    await save('article', { titel: STRING });
    // As the Worker does: the published row is deleted and inserted.
    await database.db.batch(
      ['DELETE FROM articles', `INSERT INTO articles (document_id, published_at, updated_at) VALUES ('a', 2, 2)`].map(
        (sql) => database.db.prepare(sql),
      ),
    );
    await save('article', { title: STRING });
    expect(await project.rows('SELECT title, updated_at FROM articles')).toEqual([{ title: 'one', updated_at: 2 }]);
  });

  it('keeps the drafts of a type that had none at first', async () => {
    await save('page', { title: STRING });
    await save('page', { title: STRING }, { draftAndPublish: true });
    await insert('pages', { title: 'a draft', published_at: null });
    expect(await save('page', { title: STRING })).toMatchObject({ isDue: true });
    expect(await project.rows('SELECT * FROM pages')).toEqual([]);
    await save('page', { title: STRING }, { draftAndPublish: true });
    expect(await project.rows('SELECT title, published_at FROM pages')).toEqual([
      { title: 'a draft', published_at: null },
    ]);
  });

  it('gives the value back that another type has no form for', async () => {
    await save('article', { title: STRING, isOpen: { type: 'boolean' } });
    await database.db.prepare('UPDATE articles SET is_open = 1').run();
    await save('article', { title: STRING, isOpen: STRING });
    expect(await project.rows('SELECT is_open FROM articles')).toEqual([{ is_open: 'true' }]);
    await save('article', { title: STRING, isOpen: { type: 'boolean' } });
    expect(await project.rows('SELECT is_open FROM articles')).toEqual([{ is_open: 1 }]);
  });
});
