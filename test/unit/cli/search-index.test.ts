/**
 * @module Search and declared indexes through the life of a content model, on a real D1.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery as split } from 'wrangler';
import { ROTATE_STAMPS } from '../../../cli/core/sql/database.ts';
import { nextMigrations } from '../../../cli/migrations/migration-files.ts';
import { contentType } from '../../support/schema-files.ts';
import { type Model, useTestDatabase } from './content-model.ts';

const database = await useTestDatabase();
beforeEach(() => database.reset());

const STRING = { type: 'string' };
const UID = 'api::article.article';
const article = (attributes: Parameters<typeof contentType>[1], options?: Parameters<typeof contentType>[2]) =>
  contentType('article', attributes, options);
const searched = (
  attributes: Parameters<typeof contentType>[1],
  options?: Parameters<typeof contentType>[2],
): Model => ({
  types: [article(attributes, options)],
  search: [UID],
});

const found = async (text: string, table = 'articles') =>
  (await database.run(`SELECT rowid FROM ${table}_search WHERE ${table}_search MATCH '"${text}"'`)).map(
    ({ rowid }) => rowid,
  );

const insert = (title: string, table = 'articles') =>
  database.run(`INSERT INTO ${table} (document_id, published_at, title) VALUES (hex('${title}'), 1, '${title}')`);

const triggers = async () =>
  (await database.run(`SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name <> 'edgewise_history'`))
    .length;

describe('a search index', () => {
  it('is made for content that is there, and kept from then on', async () => {
    await database.evolve({ types: [article({ title: STRING })] });
    await insert('Zebrafish');
    await database.evolve(searched({ title: STRING }));
    await insert('Zebra crossing');
    expect(await found('zeb')).toEqual([1, 2]);
    await database.run(`UPDATE articles SET title = 'Axolotl' WHERE id = 1`);
    expect(await found('zeb')).toEqual([2]);
    await database.run('DELETE FROM articles WHERE id = 2');
    expect(await found('zeb')).toEqual([]);
    expect(await found('xol')).toEqual([1]);
  });

  it('follows attributes that are added, renamed and removed, and other types of attributes', async () => {
    await database.evolve(searched({ title: STRING, lead: STRING }));
    await insert('Zebrafish');
    await database.run(`UPDATE articles SET lead = 'wombat'`);
    await database.evolve(searched({ title: STRING, summary: STRING, extra: STRING }), {
      rename: ['article.lead=summary'],
    });
    expect(await found('wom')).toEqual([1]);
    await database.run(`UPDATE articles SET extra = 'quokka'`);
    expect(await found('quo')).toEqual([1]);
    await database.evolve(searched({ title: STRING, summary: STRING, extra: { ...STRING, searchable: false } }));
    expect(await found('quo')).toEqual([]);
    await database.evolve(searched({ title: STRING, summary: STRING, extra: STRING }));
    expect(await found('quo')).toEqual([1]);
    await database.evolve(searched({ title: STRING, summary: { ...STRING, private: true } }));
    expect(await found('quo')).toEqual([]);
    expect(await found('wom')).toEqual([]);
    expect(await found('zeb')).toEqual([1]);
  });

  it('follows its table to another name, and drafts that begin', async () => {
    await database.evolve(searched({ title: STRING }));
    await insert('Zebrafish');
    await database.evolve(searched({ title: STRING }, { table: 'posts' }), { renameType: ['articles=posts'] });
    expect(await found('zeb', 'posts')).toEqual([1]);
    await database.evolve(searched({ title: STRING }, { table: 'posts', drafts: true }));
    expect(await found('zeb', 'posts')).toEqual([1, 2]);
    expect(await triggers()).toBe(3);
  });

  it('stays as it is when only other indexes change, and goes when it is no longer declared', async () => {
    await database.evolve(searched({ title: STRING, rating: { type: 'decimal' } }));
    await insert('Zebrafish');
    const model = searched({ title: STRING, rating: { type: 'decimal' } });
    const { statements } = await database.evolve({ ...model, indexes: { [UID]: [['rating:desc']] } });
    expect(statements).toEqual([expect.stringMatching(/^CREATE INDEX .*`rating` DESC/), ROTATE_STAMPS]);
    expect(await found('zeb')).toEqual([1]);
    await database.evolve({ types: [article({ title: STRING, rating: { type: 'decimal' } })] });
    expect(await triggers()).toBe(0);
    await insert('Later');
  });

  it('stays as it is when another type changes', async () => {
    const both = (type: string): Model => ({
      types: [article({ title: STRING }), contentType('page', { size: { type } })],
      search: [UID],
    });
    await database.evolve(both('string'));
    const { statements } = await database.evolve(both('integer'));
    expect(statements.join()).toContain('pages');
    expect(statements.join()).not.toContain('articles');
  });

  it('goes with its content type', async () => {
    await database.evolve(searched({ title: STRING }));
    await database.evolve({ types: [contentType('page', { title: STRING })] });
    expect(await database.run(`SELECT name FROM sqlite_master WHERE name LIKE 'articles%'`)).toEqual([]);
  });

  it('stays while an attribute goes that it does not have, and leaves out at once one that it has', async () => {
    const all = { title: STRING, lead: STRING, extra: { type: 'json' } };
    await database.evolve(searched(all));
    await insert('One zebra');
    const first = await database.evolve(searched({ title: STRING, lead: STRING }));
    expect(first.parts.map(({ when }) => when)).toEqual(['after']);
    expect(first.statements.join()).not.toContain('articles_search');
    const second = await database.evolve(searched({ title: STRING }));
    expect(second.parts.map(({ when }) => when)).toEqual(['before', 'after']);
    expect(second.parts[1]?.statements.join()).not.toContain('articles_search');
    expect(await found('zeb')).toEqual([1]);
  });

  it('goes late, since the version from before searches it', async () => {
    await database.evolve(searched({ title: STRING }));
    const { parts } = await database.evolve({ types: [article({ title: STRING, lead: STRING })] });
    expect(parts.map(({ when }) => when)).toEqual(['before', 'after']);
    expect(parts[0]?.statements.join()).not.toContain('DROP');
    expect(await triggers()).toBe(0);
  });

  it('goes at once where its table is changed', async () => {
    await database.evolve(searched({ title: STRING, size: STRING }));
    await insert('Zebrafish');
    const { parts } = await database.evolve({ types: [article({ title: STRING, size: { type: 'integer' } })] });
    expect(parts.map(({ when }) => when)).toEqual(['during']);
    expect(await triggers()).toBe(0);
  });

  it('is applied by wrangler statement by statement', async () => {
    const { statements, parts } = await database.evolve(searched({ title: STRING }));
    const [file] = nextMigrations('initial', parts);
    expect(split(file?.text ?? '')).toHaveLength(statements.length);
  });
});

describe('a declared index', () => {
  it('follows a column that is renamed, and goes with one that is removed', async () => {
    const indexes = (...terms: string[]) => ({ indexes: { [UID]: [terms] } });
    const names = async () =>
      (await database.run(`SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'articles_by_r%'`)).map(
        ({ name }) => name,
      );
    await database.evolve({ types: [article({ rating: { type: 'decimal' } })], ...indexes('rating:desc') });
    expect(await names()).toEqual(['articles_by_rating_desc']);
    await database.evolve(
      { types: [article({ rank: { type: 'decimal' } })], ...indexes('rank:desc') },
      { rename: ['article.rating=rank'] },
    );
    expect(await names()).toEqual(['articles_by_rank_desc']);
    await database.evolve({ types: [article({ title: STRING })] });
    expect(await names()).toEqual([]);
  });
});
