import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Attributes, component, contentType } from '../../support/schema-files.ts';
import { openTestDatabase, type TestDatabase } from './content-model.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.reset());
afterAll(() => database.close());

const STRING = { type: 'string' };
const AUTHOR = contentType('author', { name: STRING });
const toAuthor = (relation: string) => ({ type: 'relation', relation, target: 'api::author.author' });

const article = (attributes: Attributes, options?: Parameters<typeof contentType>[2]) =>
  contentType('article', attributes, options);

/** Two published articles, the first with a link to an author and counted. */
async function fill(): Promise<void> {
  await database.run(
    `INSERT INTO articles (document_id, published_at, created_at, updated_at, title) VALUES ('a', 3, 1, 2, 'One'), ('b', 3, 1, 2, 'Two')`,
  );
  await database.run(`INSERT INTO edgewise_counters VALUES ('api::article.article', '', 'published', 2)`);
}

const rows = (columns: string, table = 'articles') =>
  database.run(`SELECT ${columns} FROM ${table} ORDER BY document_id`);
const columnNames = async (table: string) =>
  (await database.run(`SELECT name FROM pragma_table_info('${table}')`)).map(({ name }) => name);
const indexNames = async (table: string) =>
  (await database.run(`SELECT name FROM pragma_index_list('${table}') ORDER BY name`)).map(({ name }) => name);
const tableNames = async () =>
  (await database.run(`SELECT name FROM sqlite_master WHERE type = 'table'`)).map(({ name }) => name);

describe('a migration', () => {
  it('is empty when nothing has changed, in whatever order the attributes stand', async () => {
    await database.evolve({ types: [article({ title: STRING, subtitle: STRING }), AUTHOR] });
    const { statements } = await database.evolve({ types: [AUTHOR, article({ subtitle: STRING, title: STRING })] });
    expect(statements).toEqual([]);
  });

  it('adds an attribute and keeps every row', async () => {
    await database.evolve({ types: [article({ title: STRING })] });
    await fill();
    const { losses, what } = await database.evolve({ types: [article({ title: STRING, views: { type: 'integer' } })] });
    expect(losses).toEqual([]);
    expect(what).toBe('alter_articles');
    expect(await rows('id, title, published_at, views')).toEqual([
      { id: 1, title: 'One', published_at: 3, views: null },
      { id: 2, title: 'Two', published_at: 3, views: null },
    ]);
  });

  it('drops an attribute with its index, names the loss, and touches nothing else', async () => {
    await database.evolve({ types: [article({ title: STRING, slug: { type: 'uid' } })] });
    await fill();
    const { losses } = await database.evolve({ types: [article({ title: STRING })] });
    expect(losses).toMatchObject([{ subject: 'article.slug', reason: 'removed (uid)' }]);
    expect(await columnNames('articles')).not.toContain('slug');
    expect(await rows('title')).toEqual([{ title: 'One' }, { title: 'Two' }]);
  });

  it('drops and adds in one go without asking', async () => {
    await database.evolve({ types: [article({ title: STRING, old: STRING }), AUTHOR] });
    await fill();
    const next = contentType('category', { name: STRING });
    const { losses } = await database.evolve({ types: [article({ title: STRING, fresh: STRING }), next] });
    expect(losses.map(({ subject }) => subject)).toEqual(['author', 'article.old']);
    expect(await rows('title, fresh')).toEqual([
      { title: 'One', fresh: null },
      { title: 'Two', fresh: null },
    ]);
    expect(await tableNames()).toEqual(expect.arrayContaining(['articles', 'categorys']));
  });

  it('adds a content type', async () => {
    await database.evolve({ types: [article({ title: STRING })] });
    await fill();
    const { losses, what } = await database.evolve({ types: [article({ title: STRING }), AUTHOR] });
    expect({ losses, what }).toEqual({ losses: [], what: 'add_authors' });
    expect(await rows('title')).toHaveLength(2);
  });

  it('removes a content type with its links and its totals, and no others', async () => {
    const types = [article({ title: STRING, author: toAuthor('manyToOne') }), AUTHOR];
    await database.evolve({ types });
    await fill();
    await database.run(`INSERT INTO edgewise_counters VALUES ('api::author.author', '', 'published', 1)`);
    const { losses, what } = await database.evolve({ types: [AUTHOR] });
    expect(losses).toMatchObject([{ subject: 'article', reason: 'content type removed, with all its documents' }]);
    expect(what).toBe('drop_articles');
    expect(await tableNames()).not.toContain('articles_author_lnk');
    expect(await database.run('SELECT type FROM edgewise_counters')).toEqual([{ type: 'api::author.author' }]);
  });

  it('sees a type under another table as removed and added, unless the rename is declared', async () => {
    await database.evolve({ types: [article({ title: STRING })] });
    await fill();
    const { losses } = await database.evolve({ types: [article({ title: STRING }, { table: 'posts' })] });
    expect(losses).toHaveLength(1);
    expect(await rows('title', 'posts')).toEqual([]);
    expect(await database.run('SELECT * FROM edgewise_counters')).toEqual([]);
  });

  it('follows a type that keeps its table under a new uid', async () => {
    const link = { type: 'relation', relation: 'oneToMany', target: 'api::article.article' };
    await database.evolve({ types: [article({ title: STRING }), contentType('home', { top: link })] });
    await fill();
    await database.run(`INSERT INTO homes_top_lnk VALUES ('h', '', 'a', '', 'published', 1, 1)`);
    await database.run(
      `INSERT INTO edgewise_scheduled (id, type, document_id, locale, action, at, created_at) VALUES ('s', 'api::article.article', 'a', '', 'publish', 1, 1)`,
    );
    const types = [
      contentType('post', { title: STRING }, { table: 'articles' }),
      contentType('home', { top: { ...link, target: 'api::post.post' } }),
    ];
    const { losses } = await database.evolve({ types });
    expect(losses).toEqual([]);
    expect(await rows('title')).toHaveLength(2);
    expect(await database.run('SELECT target_document_id FROM homes_top_lnk')).toEqual([{ target_document_id: 'a' }]);
    expect(await database.run('SELECT type, status, total FROM edgewise_counters')).toEqual([
      { type: 'api::post.post', status: 'published', total: 2 },
    ]);
    expect(await database.run('SELECT type FROM edgewise_scheduled')).toEqual([{ type: 'api::post.post' }]);
    await database.evolve({ types: [] });
    expect(await database.run('SELECT type FROM edgewise_scheduled')).toEqual([]);
  });
});

describe('links', () => {
  const home = (relation: string, target = 'author') =>
    contentType('home', { top: { type: 'relation', relation, target: `api::${target}.${target}` } });
  const links = () =>
    database.run(
      'SELECT source_document_id AS source, target_document_id AS target FROM homes_top_lnk ORDER BY 1, position',
    );

  async function link(relation: string) {
    await database.evolve({ types: [home(relation), AUTHOR, article({ title: STRING })] });
    await database.run(
      `INSERT INTO homes_top_lnk VALUES ('1', '', 'b', '', 'published', 2, 1), ('1', '', 'a', '', 'published', 1, 1), ('2', '', 'b', '', 'published', 1, 2)`,
    );
  }

  it('go when the relation points to another type', async () => {
    await link('oneToMany');
    const { losses } = await database.evolve({
      types: [home('oneToMany', 'article'), AUTHOR, article({ title: STRING })],
    });
    expect(losses.map(({ subject }) => subject)).toEqual(['home.top']);
    expect(await links()).toEqual([]);
  });

  it('go when the relation can hold one document only', async () => {
    await link('oneToMany');
    const { losses } = await database.evolve({ types: [home('oneToOne'), AUTHOR, article({ title: STRING })] });
    expect(losses).toHaveLength(1);
    expect(await links()).toEqual([]);
  });

  it('stay when the relation can hold more documents than before', async () => {
    await link('manyToOne');
    const { losses, statements } = await database.evolve({
      types: [home('manyToMany'), AUTHOR, article({ title: STRING })],
    });
    expect({ losses, statements }).toEqual({ losses: [], statements: [] });
    expect(await links()).toHaveLength(3);
  });
});

describe('a declared rename', () => {
  it('is refused when the files do not bear it out', async () => {
    const types = [article({ title: STRING, body: STRING })];
    await database.evolve({ types });
    const rename = (text: string) => database.evolve({ types }, { rename: [text] });
    await expect(rename('article')).rejects.toThrow('expected type.oldName=newName');
    await expect(rename('artikle.a=b')).rejects.toThrow('no content type or component artikle');
    await expect(rename('article.lead=body')).rejects.toThrow('had no stored attribute lead');
    await expect(rename('article.title=body')).rejects.toThrow('had an attribute body already');
    await expect(rename('article.title=name')).rejects.toThrow('still has an attribute title');
    const renameType = (text: string) => database.evolve({ types }, { renameType: [text] });
    await expect(renameType('posts=articles')).rejects.toThrow('there was no content type posts');
    await expect(renameType('articles=posts')).rejects.toThrow('there is no content type posts');
  });

  it('keeps the values of an attribute, and its index', async () => {
    await database.evolve({ types: [article({ title: { type: 'string', unique: true } })] });
    await fill();
    const next = { types: [article({ headLine: { type: 'string', unique: true } })] };
    const { losses } = await database.evolve(next, { rename: ['article.title=headLine'] });
    expect(losses).toEqual([]);
    expect(await rows('head_line')).toEqual([{ head_line: 'One' }, { head_line: 'Two' }]);
    expect(await indexNames('articles')).toContain('articles_head_line');
    expect(await indexNames('articles')).not.toContain('articles_title');
  });

  it('keeps values when the type of the attribute changes too', async () => {
    await database.evolve({ types: [article({ number: { type: 'integer' } })] });
    await database.run(`INSERT INTO articles (document_id, number) VALUES ('a', 12)`);
    const next = { types: [article({ title: STRING })] };
    await database.evolve(next, { rename: ['api::article.article.number=title'] });
    expect(await rows('title, typeof(title) AS type')).toEqual([{ title: '12', type: 'text' }]);
  });

  it('keeps the links of a relation', async () => {
    await database.evolve({ types: [article({ title: STRING, author: toAuthor('manyToOne') }), AUTHOR] });
    await database.run(`INSERT INTO articles_author_lnk VALUES ('a', '', 'x', '', 'published', 1, 1)`);
    const next = { types: [article({ title: STRING, writer: toAuthor('manyToOne') }), AUTHOR] };
    const { losses } = await database.evolve(next, { rename: ['article.author=writer'] });
    expect(losses).toEqual([]);
    expect(await database.run('SELECT * FROM articles_writer_lnk')).toHaveLength(1);
    expect(await indexNames('articles_writer_lnk')).toContain('articles_writer_lnk_target');
  });

  it('keeps documents, links and totals of a content type', async () => {
    await database.evolve({ types: [article({ title: STRING, author: toAuthor('manyToOne') }), AUTHOR] });
    await fill();
    await database.run(`INSERT INTO articles_author_lnk VALUES ('a', '', 'x', '', 'published', 1, 1)`);
    const post = contentType('post', { title: STRING, author: toAuthor('manyToOne') });
    const { losses, what } = await database.evolve({ types: [post, AUTHOR] }, { renameType: ['articles=posts'] });
    expect({ losses, what }).toEqual({ losses: [], what: 'alter_posts' });
    expect(await rows('id, title', 'posts')).toHaveLength(2);
    expect(await database.run('SELECT * FROM posts_author_lnk')).toHaveLength(1);
    expect(await database.run('SELECT type, total FROM edgewise_counters')).toEqual([
      { type: 'api::post.post', total: 2 },
    ]);
    const indexes = await indexNames('posts');
    expect(indexes).toContain('posts_published');
    expect(indexes.filter((name) => String(name).startsWith('articles'))).toEqual([]);
    await database.run(`INSERT INTO posts (document_id) VALUES ('c')`);
    expect(await database.run(`SELECT id FROM posts WHERE document_id = 'c'`)).toEqual([{ id: 3 }]);
    expect((await database.evolve({ types: [post, AUTHOR] })).statements).toEqual([]);
  });
});

describe('components and dynamic zones', () => {
  const components = [component('shared.seo', { title: STRING }), component('shared.link', { url: STRING })];
  const column = async (name: string) => (await rows(name)).map((row) => row[name]);
  const insert = (name: string, json: unknown) =>
    database.run(`INSERT INTO articles (document_id, ${name}) VALUES ('a', '${JSON.stringify(json)}')`);
  const seo = (repeatable: boolean, uid = 'shared.seo') =>
    article({ seo: { type: 'component', component: uid, repeatable } });
  const zone = (...uids: string[]) => article({ zone: { type: 'dynamiczone', components: uids } });

  it('go when another component takes the place', async () => {
    await database.evolve({ types: [seo(false)], components });
    await insert('seo', { id: 1, title: 'x' });
    const { losses } = await database.evolve({ types: [seo(false, 'shared.link')], components });
    expect(losses.map(({ subject }) => subject)).toEqual(['article.seo']);
    expect(await column('seo')).toEqual([null]);
  });

  it('become the only one of a list', async () => {
    await database.evolve({ types: [seo(false)], components });
    await insert('seo', { id: 1, title: 'x' });
    const { losses } = await database.evolve({ types: [seo(true)], components });
    expect(losses).toEqual([]);
    expect(await column('seo')).toEqual(['[{"id":1,"title":"x"}]']);
  });

  it('go when there can be one only', async () => {
    await database.evolve({ types: [seo(true)], components });
    await insert('seo', [{ id: 1 }, { id: 2 }]);
    const { losses } = await database.evolve({ types: [seo(false)], components });
    expect(losses).toHaveLength(1);
    expect(await column('seo')).toEqual([null]);
  });

  it('go where a zone no longer allows them', async () => {
    await database.evolve({ types: [zone('shared.seo', 'shared.link')], components });
    const [first, second, third] = ['shared.link', 'shared.seo', 'shared.link'].map((__component, id) => ({
      __component,
      id,
    }));
    await insert('zone', [first, second, third]);
    const { losses } = await database.evolve({ types: [zone('shared.link')], components });
    expect(losses).toMatchObject([{ subject: 'article.zone', reason: 'no longer allows shared.seo' }]);
    expect(JSON.parse(String((await column('zone'))[0]))).toEqual([first, third]);
  });

  it('stay when a zone allows more', async () => {
    await database.evolve({ types: [zone('shared.seo')], components });
    const { losses, statements } = await database.evolve({ types: [zone('shared.link', 'shared.seo')], components });
    expect({ losses, statements }).toEqual({ losses: [], statements: [] });
  });
});
