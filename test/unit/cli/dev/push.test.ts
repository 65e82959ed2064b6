import { globSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildProject } from '../../../../cli/deploy/build.ts';
import { devBundle } from '../../../../cli/dev/dev-bundle.ts';
import { createFollower } from '../../../../cli/dev/follow.ts';
import { parseRenames } from '../../../../cli/migrations/rename-options.ts';
import {
  type GenerateOptions,
  generate as generateIn,
  planGenerate,
  readBasis,
} from '../../../../cli/project/generate.ts';
import { writeFiles } from '../../../../cli/project/write-files.ts';
import { type Attributes, component, contentType, type TypeOptions } from '../../../support/schema-files.ts';
import { emptyDatabase, type LocalDatabase, type LocalProject, localDatabase, localProject } from './local-project.ts';

let database: LocalDatabase;
beforeAll(async () => {
  database = await localDatabase();
  return () => database.close();
});

let project: LocalProject;
beforeEach(async () => {
  await emptyDatabase(database);
  project = localProject(database);
  return () => project.remove('.');
});

const URL_HERE = 'http://127.0.0.1:8787';
const follower = (patience?: number) =>
  createFollower({ root: project.root, db: database.db, bundle: devBundle(project.root, {}), url: URL_HERE }, patience);

/** As in another terminal; nobody counts there what the local database holds. */
const execute = async () => ({ code: 1, stdout: '', stderr: '' });
const generate = (root: string, options: GenerateOptions = {}) => generateIn(root, { ...options, execute });

const STRING = { type: 'string' };
const article = (attributes: Attributes, options: TypeOptions = {}) => contentType('article', attributes, options);
const save = (attributes: Attributes) => project.schemas(article(attributes));
const insert = (values: Readonly<Record<string, string | number>>) => {
  const row = { document_id: 'a', locale: '', published_at: 1, created_at: 1, updated_at: 1, ...values };
  const marks = Object.keys(row)
    .map(() => '?')
    .join(', ');
  return database.db
    .prepare(`INSERT INTO articles (${Object.keys(row).join(', ')}) VALUES (${marks})`)
    .bind(...Object.values(row))
    .run();
};
const columns = async () =>
  (await project.rows(`SELECT name FROM pragma_table_info('articles')`)).map(({ name }) => name);
/** What the Worker of `npm run dev` is bundled with. */
const bundle = () => import(`${project.root}/.edgewise/dev/project.js?${performance.now()}`);
const titles = async () => (await project.rows('SELECT title FROM articles')).map(({ title }) => title);

/** The tables and their columns, as the database itself tells them. */
const tables = () =>
  project.rows(
    `SELECT "object".type, "object".name, iif("object".type = 'table', "column".name, "object".sql) AS part FROM sqlite_master AS "object" LEFT JOIN pragma_table_info("object".name) AS "column" WHERE "object".name <> 'edgewise_local' AND "object".name NOT LIKE 'sqlite_%' AND "object".name NOT LIKE '\\_cf%' ESCAPE '\\' AND "object".name NOT LIKE 'd1_%' ORDER BY 2, 3`,
  );

describe('a local database that follows the files', () => {
  beforeEach(async () => {
    save({ title: STRING });
    await generate(project.root);
    await project.push();
    await insert({ title: 'one' });
  });

  it('has a Worker that sends to webhooks with allowPrivate alone', async () => {
    const webhooks = ['https://example.com/', 'http://127.0.0.1:9797/'].map((url, index) => ({
      ...{ url, events: ['entry.*'], allowPrivate: index === 1 },
    }));
    project.write('edgewise.config.ts', `export default ${JSON.stringify({ webhooks })};`);
    await follower().follow();
    const served = await bundle();
    expect(served.settings.webhooks).toEqual([expect.objectContaining({ url: 'http://127.0.0.1:9797/' })]);
  });

  it('has a Worker that explains missing rights, and knows where it is reached unless the settings say so', async () => {
    await follower().follow();
    expect(await bundle()).toMatchObject({ registry: { isDev: true }, settings: { server: { url: URL_HERE } } });
    project.write('edgewise.config.ts', `export default { server: { url: 'https://api.example.com' } };`);
    await follower().follow();
    expect((await bundle()).settings.server.url).toBe('https://api.example.com');
  });

  it('has a bundle of its own, beside that of a build, which it only writes where there is none', async () => {
    const built = project.read('.edgewise/built.ts');
    save({ title: STRING, more: STRING });
    await follower().follow();
    expect(project.read('.edgewise/dev/project.js')).toContain('more');
    expect(project.read('.edgewise/built.ts')).toBe(built);
    project.remove('.edgewise/built.ts');
    await follower().follow();
    const written = project.read('.edgewise/built.ts');
    expect(written).not.toMatch(/isDev|127\.0\.0\.1/);
    await buildProject(project.root);
    expect(project.read('.edgewise/built.ts')).toBe(written);
    const dev = project.read('.edgewise/dev/project.js');
    await buildProject(project.root);
    await generate(project.root);
    expect(project.read('.edgewise/dev/project.js')).toBe(dev);
  });

  it('is refused while its migrations are not in the project and nothing else tells its layout', async () => {
    await project.rows('DROP TABLE edgewise_local');
    project.remove('drizzle');
    await expect(project.push()).rejects.toThrow(/drizzle\/0001_initial\.sql.*\n.*Restore the files/s);
    expect(await titles()).toEqual(['one']);
  });

  it('is refused where its migrations are from before the first release, even where its layout is known', async () => {
    await project.rows("INSERT INTO d1_migrations (name) VALUES ('0006_link_versions.sql')");
    await expect(project.push()).rejects.toThrow(
      /^The local database was made by a version from before the first release: export its content/,
    );
    expect(await titles()).toEqual(['one']);
  });

  it('has the migrations of the project first, and nothing to do then', async () => {
    const { statements, isDue } = await project.push();
    expect({ statements, isDue }).toEqual({ statements: [], isDue: false });
    expect(await project.rows('SELECT name FROM d1_migrations')).toEqual([{ name: '0001_initial.sql' }]);
  });

  it('gets a new attribute without a migration, and says that one is due', async () => {
    save({ title: STRING, lead: STRING });
    const { isDue, what } = await project.push();
    expect({ isDue, what }).toEqual({ isDue: true, what: 'alter_articles' });
    expect(await columns()).toContain('lead');
    expect(project.migrations()).toEqual(['0001_initial.sql']);
  });

  it('takes the migration that is made at last for done', async () => {
    save({ title: STRING, lead: STRING });
    await project.push();
    await insert({ document_id: 'b', title: 'two', lead: 'kept' });
    await generate(project.root, { name: 'Add leads' });
    expect(project.migrations()).toEqual(['0001_initial.sql', '0002_add_leads.sql']);
    const { isDue, statements } = await project.push();
    expect(isDue).toBe(false);
    expect(statements.join('\n')).not.toContain('ADD');
    expect(await project.rows('SELECT name FROM d1_migrations')).toHaveLength(2);
    expect(await project.rows('SELECT lead FROM articles WHERE lead IS NOT NULL')).toEqual([{ lead: 'kept' }]);
    expect((await project.push()).statements).toEqual([]);
  });

  it('is left as it is by a save that would drop content, and by the files of before', async () => {
    const before = await tables();
    save({ titel: STRING });
    await expect(project.push()).rejects.toThrow(
      /article\.title: removed \(string\) \(1 row of the local database\)[\s\S]*--allow-drop[\s\S]*generate --rename article\.title=titel$/,
    );
    save({ title: STRING });
    expect(await project.push()).toMatchObject({ statements: [], isDue: false });
    expect(await titles()).toEqual(['one']);
    expect(await tables()).toEqual(before);
  });

  it('is left as it is by a save that would drop a content type, and by one that changes its table', async () => {
    const before = await tables();
    project.remove('content-types/article');
    project.schemas(contentType('page', { title: STRING }));
    await expect(project.push()).rejects.toThrow(/article: content type removed[\s\S]*--rename-type oldType=newType/);
    project.remove('content-types/page');
    project.schemas(article({ title: STRING }, { table: 'articles_b' }));
    await expect(project.push()).rejects.toThrow(/article: content type removed/);
    save({ title: STRING });
    expect((await project.push()).statements).toEqual([]);
    expect(await tables()).toEqual(before);
  });

  it('drops what left the files and holds nothing', async () => {
    save({ title: STRING, lead: STRING });
    await project.push();
    save({ title: STRING });
    await project.push();
    expect(await columns()).not.toContain('lead');
  });

  it('keeps the links of a relation whose other side holds them from now on, whatever is saved first', async () => {
    const side = (by: string, name: string) => ({
      type: 'relation',
      relation: 'manyToMany',
      target: 'api::article.article',
      [by]: name,
    });
    save({ title: STRING, next: side('inversedBy', 'previous'), previous: side('mappedBy', 'next') });
    await project.push();
    await database.db
      .prepare(
        `INSERT INTO articles_next_lnk (source_document_id, source_locale, target_document_id, target_locale, status, position, inverse_position) VALUES ('b', '', 'a', '', 'published', 1, 1)`,
      )
      .run();
    await insert({ document_id: 'b' });
    for (const by of ['inversedBy', 'mappedBy']) {
      save({ title: STRING, next: side(by, 'previous'), previous: side(by, 'next') });
      await expect(project.push()).rejects.toThrow('has');
    }
    save({ title: STRING, next: side('mappedBy', 'previous'), previous: side('inversedBy', 'next') });
    await project.push();
    expect(
      await project.rows(
        'SELECT source_document_id AS source, target_document_id AS target FROM articles_previous_lnk',
      ),
    ).toEqual([{ source: 'a', target: 'b' }]);
  });

  it('refuses to make a collection type of several documents a single type', async () => {
    await insert({ document_id: 'b' });
    project.schemas(article({ title: STRING }, { single: true }));
    await expect(project.push()).rejects.toThrow(/article: collection type becomes single type[\s\S]*--allow-drop/);
    await database.db.prepare(`DELETE FROM articles WHERE document_id = 'b'`).run();
    await project.push();
    expect(await titles()).toEqual(['one']);
  });

  it('refuses a change of type of something stored, and makes one of what is empty', async () => {
    save({ title: { type: 'integer' } });
    await expect(project.push()).rejects.toThrow(/article\.title: string becomes integer[\s\S]*--allow-drop/);
    save({ title: { type: 'json' } });
    await expect(project.push()).rejects.toThrow(/article\.title: string becomes json[\s\S]*npx edgewise generate$/);
    expect(await titles()).toEqual(['one']);
    await database.db.prepare('UPDATE articles SET title = NULL').run();
    expect((await project.push()).what).toBe('alter_articles');
  });

  it('goes through with a loss that a migration was allowed to make', async () => {
    save({ title: { type: 'integer' } });
    await generate(project.root, { allowDrop: true });
    await project.push();
    expect(await titles()).toEqual([null]);
    save({ lead: STRING });
    await generate(project.root, { allowDrop: true });
    await project.push();
    expect(await columns()).not.toContain('title');
  });

  it('renames what it has, though the new name came first, once the migration says so', async () => {
    save({ title: STRING, heading: STRING });
    await project.push();
    save({ heading: STRING });
    await expect(project.push()).rejects.toThrow('article.title: removed');
    await generate(project.root, { renames: parseRenames(['article.title=heading'], []) });
    await project.push();
    expect(await project.rows('SELECT heading FROM articles')).toEqual([{ heading: 'one' }]);
    expect(await columns()).not.toContain('title');
    expect((await project.push()).statements).toEqual([]);
  });

  it('asks before a rename goes over what is stored under the new name', async () => {
    save({ title: STRING, heading: STRING });
    await project.push();
    await insert({ document_id: 'b', heading: 'two' });
    save({ heading: STRING });
    await generate(project.root, { renames: parseRenames(['article.title=heading'], []) });
    await expect(project.push()).rejects.toThrow(
      /article\.heading: is replaced by title \(1 row[\s\S]*npx edgewise migrate/,
    );
    await project.push({ allowDrop: true });
    const rows = await project.rows('SELECT heading FROM articles ORDER BY document_id');
    expect(rows).toEqual([{ heading: 'one' }, { heading: null }]);
  });

  it('renames in the tables of somebody who has the migrations alone', async () => {
    save({ heading: STRING });
    await generate(project.root, { renames: parseRenames(['article.title=heading'], []) });
    await project.migrate();
    expect(await project.rows('SELECT heading FROM articles')).toEqual([{ heading: 'one' }]);
  });

  it('renames a whole content type, though the new one came first', async () => {
    project.schemas(contentType('post', { title: STRING }));
    await project.push();
    project.remove('content-types/article');
    await expect(project.push()).rejects.toThrow('article: content type removed');
    await generate(project.root, { renames: parseRenames([], ['articles=posts']) });
    await project.push();
    expect(await project.rows('SELECT title FROM posts')).toEqual([{ title: 'one' }]);
    expect((await project.push()).statements).toEqual([]);
  });

  it('knows when somebody else has applied migrations', async () => {
    save({ title: STRING, lead: STRING });
    await generate(project.root);
    await project.migrate();
    expect((await project.push()).what).toBeUndefined();
    save({ title: STRING, lead: STRING, more: STRING });
    expect((await project.push()).what).toBe('alter_articles');
  });

  it('drops what a migration drops', async () => {
    save({ lead: STRING });
    await expect(project.push()).rejects.toThrow('article.title');
    await generate(project.root, { allowDrop: true });
    await project.push();
    expect(await columns()).not.toContain('title');
  });

  it('follows to a branch that has other migrations, and back', async () => {
    save({ title: STRING, lead: STRING });
    await generate(project.root);
    await project.push();
    await insert({ document_id: 'b', title: 'two', lead: 'of a branch' });
    const branch = globSync('drizzle/**/*.*', { cwd: project.root }).map((path) => [path, project.read(path)] as const);
    project.remove('drizzle');
    save({ title: STRING });
    await generate(project.root);
    await expect(project.push()).rejects.toThrow(/article\.lead[\s\S]*npx edgewise migrate --allow-drop/);
    for (const [path, text] of branch) project.write(path, text);
    save({ title: STRING, lead: STRING });
    expect(await project.push()).toMatchObject({ statements: [], isDue: false });
    expect(await project.rows('SELECT lead FROM articles ORDER BY document_id')).toEqual([
      { lead: null },
      { lead: 'of a branch' },
    ]);
  });
});

describe('components of a local database', () => {
  it('keep an attribute that holds something', async () => {
    const attributes = { seo: { type: 'component', component: 'shared.seo', repeatable: false } };
    const seo = (names: Attributes) => project.schemas(component('shared.seo', names), article(attributes));
    seo({ title: STRING });
    await project.push();
    await insert({ seo: '{"id":1,"title":"one"}' });
    seo({ titel: STRING });
    await expect(project.push()).rejects.toThrow(/shared\.seo\.title: removed \(1 row/);
    seo({ title: { type: 'json' } });
    await expect(project.push()).rejects.toThrow('shared.seo.title: string becomes json');
    seo({ title: STRING, more: STRING });
    await project.push();
    expect(await project.rows('SELECT seo FROM articles')).toEqual([{ seo: '{"id":1,"title":"one"}' }]);
  });

  it('are renamed, though the new one came first', async () => {
    const seo = (uid: string) => article({ seo: { type: 'component', component: uid, repeatable: false } });
    project.schemas(component('shared.seo', { title: STRING }), seo('shared.seo'));
    await generate(project.root);
    await project.push();
    await insert({ seo: '{"id":1,"title":"one"}' });
    project.schemas(component('shared.meta', { title: STRING }));
    await project.push();
    project.remove('content-types/components/shared/seo.json');
    project.schemas(seo('shared.meta'));
    await expect(project.push()).rejects.toThrow(/article\.seo: component shared\.seo becomes shared\.meta/);
    await generate(project.root, { renames: parseRenames([], [], ['shared.seo=shared.meta']) });
    await project.push();
    expect(await project.rows('SELECT seo FROM articles')).toEqual([{ seo: '{"id":1,"title":"one"}' }]);
  });

  it('are asked for before a renamed one takes over those that have its new name', async () => {
    const single = (uid: string) => ({ type: 'component', component: uid, repeatable: false });
    project.schemas(component('shared.seo', { title: STRING }), article({ seo: single('shared.seo') }));
    await generate(project.root);
    const both = { seo: single('shared.seo'), info: single('shared.meta') };
    project.schemas(component('shared.meta', { title: STRING }), article(both));
    await project.push();
    await insert({ seo: '{"id":1,"title":"one"}', info: '{"id":2,"title":"other"}' });
    project.remove('content-types/components/shared/seo.json');
    project.schemas(article({ seo: single('shared.meta'), info: single('shared.meta') }));
    await generate(project.root, { renames: parseRenames([], [], ['shared.seo=shared.meta']) });
    await expect(project.push()).rejects.toThrow(
      'shared.meta: has its own instances, which shared.seo would take over (1 row',
    );
  });
});

describe('a migration that is being written in another terminal', () => {
  const note = (attributes: Attributes) => project.schemas(component('shared.note', attributes));
  const notes = () => project.rows('SELECT notes FROM articles');
  const STORED = [{ notes: '[{"id":1,"text":"kept"}]' }];
  const RENAMED = [{ notes: '[{"id":1,"body":"kept"}]' }];

  /** Renames an attribute of a component that stores a value. @returns the files of its migration, in their order */
  async function renamed() {
    note({ text: STRING });
    save({ notes: { type: 'component', component: 'shared.note', repeatable: true } });
    await generate(project.root);
    await project.push();
    await insert({ notes: STORED[0]?.notes ?? '' });
    note({ body: STRING });
    const renames = parseRenames(['shared.note.text=body'], []);
    return (await planGenerate(project.root, await readBasis(project.root), { renames, execute })).outputs;
  }

  it('is waited for after each of its files but the last, and then renames what is stored', async () => {
    const outputs = await renamed();
    const following = follower();
    for (const [index, output] of outputs.entries()) {
      writeFiles(project.root, [output]);
      const isLast = index === outputs.length - 1;
      const followed = following.follow();
      const first = await Promise.race([followed.then(() => 'prepared'), pause(20, 'waits')]);
      if (!isLast) expect([output.path, first, await notes()]).toEqual([output.path, 'waits', STORED]);
      else await followed;
    }
    expect(await notes()).toEqual(RENAMED);
    expect((await project.push()).statements).toEqual([]);
  });

  it('does not count for a command that reads the files after any number of them', async () => {
    for (const output of (await renamed()).slice(0, -1)) {
      writeFiles(project.root, [output]);
      await expect(project.push()).rejects.toThrow('shared.note.text: removed (1 row');
      expect(await notes()).toEqual(STORED);
    }
  });

  it('is named in an error if it is not completed, and the next generate completes it', async () => {
    const outputs = await renamed();
    writeFiles(project.root, outputs.slice(0, -1));
    const following = follower(30);
    following.first.catch(() => {});
    await following.follow();
    await expect(following.first).rejects.toThrow(
      /^drizzle\/meta\/0002_snapshot\.json: the migration was not completed; run npx edgewise generate again/,
    );
    await generate(project.root, { renames: parseRenames(['shared.note.text=body'], []) });
    expect(project.migrations()).toEqual(['0001_initial.sql', '0002_alter_tables.sql']);
    await following.follow();
    expect(await notes()).toEqual(RENAMED);
  });
});
