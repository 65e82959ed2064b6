import { beforeEach, describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery as split } from 'wrangler';
import { ROTATE_STAMPS } from '../../../cli/core/sql/database.ts';
import type { Run } from '../../../cli/core/sql/statements.ts';
import type { Wrangler } from '../../../cli/core/wrangler/wrangler.ts';
import { EMPTY_STATE, type Part, type When } from '../../../cli/migrations/migration.ts';
import { nextMigrations } from '../../../cli/migrations/migration-files.ts';
import { parseRenames } from '../../../cli/migrations/rename-options.ts';
import { generate, staleFiles } from '../../../cli/project/generate.ts';
import { requiredOf, requiredWarnings } from '../../../cli/project/new-required.ts';
import { builtFiles } from '../../../cli/project/project-file.ts';
import type { Row } from '../../../src/content/sql/statement.ts';
import type { Registry } from '../../../src/schema/model.ts';
import { MAX_ATTRIBUTE_COLUMNS } from '../../../src/schema/names.ts';
import { parseSettings } from '../../../src/schema/settings/config.ts';
import { component, contentType, userFile } from '../../support/schema-files.ts';
import { type Model, openTestDatabase, registryAfter } from './content-model.ts';
import { hearProgress } from './heard.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

const said = hearProgress();

let project: ScratchProject;
beforeEach(() => {
  project = scratchProject();
  project.schemas(ARTICLE);
  said.length = 0;
  return () => project.remove('.');
});

const STRING = { type: 'string' };
const NO_DATABASE: Wrangler = async () => ({ code: 1, stdout: '', stderr: 'no such table: articles' });
const ARTICLE = contentType('article', { title: STRING, lead: STRING });
const GENERATED = ['types/content-types.d.ts', 'openapi.json', 'drizzle/schema.ts'];
const META = [
  '_journal.json',
  '0001_snapshot.json',
  '_0001_layout.json',
  '_locales.json',
  '_required.json',
  '_edgewise.json',
].map((name) => `drizzle/meta/${name}`);

describe('generate', () => {
  it('names a migration whose file was removed, and writes nothing', async () => {
    await generate(project.root);
    project.remove('drizzle/0001_initial.sql');
    await expect(generate(project.root)).rejects.toThrow(
      'Migrations are missing in drizzle/:\n  0001_initial.sql\nRestore the files from version control.',
    );
    expect(project.has('drizzle/0001_initial.sql')).toBe(false);
  });

  it('names a plural that is the singular, and a targetField that is no attribute, in one go', async () => {
    const { path, json } = contentType('page', { title: STRING, slug: { type: 'uid', targetField: 'titel' } });
    const info = { singularName: 'page', pluralName: 'page', displayName: 'Page' };
    project.schemas({ path, json: { ...(json as object), info } });
    await expect(generate(project.root)).rejects.toThrow(
      /info\.pluralName: another name than singularName[\s\S]*slug\.targetField: an attribute of the file, not "titel"/,
    );
  });

  it('names each option that has no effect, with its file and key', async () => {
    const keyed = { type: 'relation', relation: 'manyToOne', target: 'api::article.article', useJoinTable: false };
    const { path, json } = contentType('article', {
      title: { ...STRING, column: { defaultTo: 'a' }, columnType: { type: 'text' } },
      parent: keyed,
      other: { ...keyed, useJoinTable: true, writable: false, searchable: false, visible: false, enumName: 'X' },
    });
    project.schemas(
      { path, json: { ...(json as object), options: { populateCreatorFields: true } } },
      component('shared.seo', { name: { ...STRING, columnName: 'x' } }),
    );
    await generate(project.root);
    expect(said.filter((line) => line.includes('not supported'))).toEqual([
      expect.stringMatching(/^content-types\/article\/schema\.json: options\.populateCreatorFields is not supported/),
      expect.stringContaining('schema.json: attributes.title.column is not supported and has no effect: use "default"'),
      expect.stringContaining('schema.json: attributes.title.columnType is not supported and has no effect'),
      expect.stringContaining('schema.json: attributes.parent.useJoinTable is not supported and has no effect'),
      expect.stringContaining('components/shared/seo.json: attributes.name.columnName is not supported'),
    ]);
  });

  it('queries a database without tables three times, not once for each loss; and an empty one not at all', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`a${index}`, STRING]));
    project.schemas(contentType('article', { title: STRING, ...many }));
    await generate(project.root);
    let asked = 0;
    const execute: Wrangler = async (args) => {
      asked += 1;
      return NO_DATABASE(args);
    };
    project.schemas(contentType('article', { title: STRING }));
    await expect(generate(project.root, { execute })).rejects.toThrow(/20 changes lose stored content/);
    expect(asked).toBe(3);
    expect(await generate(project.root, { isEmpty: true, execute })).toContain('drizzle/meta/0002_snapshot.json');
    expect(asked).toBe(3);
  });

  it('refuses changes that lose content, names them, and writes nothing', async () => {
    await generate(project.root);
    const before = GENERATED.map((path) => project.read(path));
    project.schemas(contentType('article', { title: STRING }));
    await expect(generate(project.root, { execute: NO_DATABASE })).rejects.toThrow(
      /article\.lead: removed \(string\) \(rows of the local database unknown[\s\S]*--allow-drop/,
    );
    expect(project.migrations()).toEqual(['0001_initial.sql']);
    expect(GENERATED.map((path) => project.read(path))).toEqual(before);
    await generate(project.root, { allowDrop: true, execute: NO_DATABASE });
    expect(project.read('drizzle/0002_alter_articles.sql')).toMatch(/^-- deploy: after\n[\s\S]*DROP COLUMN `lead`/);
  });

  it('says how many rows of the local database hold what goes, and writes that into the migration', async () => {
    await generate(project.root);
    project.schemas(contentType('article', { title: STRING }));
    const asked: (readonly string[])[] = [];
    const execute: Wrangler = async (args) => {
      asked.push(args);
      return { code: 0, stdout: '[{"results":[{"rows":7}]}]', stderr: '' };
    };
    const target = { persistTo: '/elsewhere' };
    await expect(generate(project.root, { execute, target })).rejects.toThrow(/\(7 rows of the local database\)/);
    expect(asked[0]).toEqual(expect.arrayContaining(['--local', '--persist-to', '/elsewhere']));
    await generate(project.root, { execute, target, allowDrop: true });
    const text = project.read('drizzle/0002_alter_articles.sql');
    expect(text).toMatch(/^-- deploy: after\n-- loses article\.lead: removed \(string\)\nALTER TABLE/);
    expect(split(text)[0]).toContain('ALTER TABLE');
  });

  it('proposes the command that renames an attribute if one of the same form was added', async () => {
    const seo = (name: string) => component('shared.seo', { [name]: { type: 'text' } });
    project.schemas(ARTICLE, seo('keywords'));
    await generate(project.root);
    project.schemas(
      contentType('article', { title: STRING, summary: STRING, price: { type: 'integer' } }),
      seo('words'),
    );
    await expect(generate(project.root, { execute: NO_DATABASE })).rejects.toThrow(
      /\nTo keep the content under a new name: npx edgewise generate --rename article\.lead=summary --rename shared\.seo\.keywords=words$/,
    );
    project.schemas(contentType('article', { title: STRING, summary: STRING, intro: STRING }), seo('words'));
    await expect(generate(project.root, { execute: NO_DATABASE })).rejects.toThrow(
      /new name: npx edgewise generate --rename shared\.seo\.keywords=words$/,
    );
    project.schemas(contentType('article', { title: STRING }), component('shared.seo', { words: STRING }));
    await expect(generate(project.root, { execute: NO_DATABASE })).rejects.toThrow(/--rename type\.oldName=newName/);
  });

  it('keeps the values of a component that was renamed with --rename-component', async () => {
    const holder = (uid: string) => contentType('article', { seo: { type: 'component', component: uid } });
    project.schemas(holder('shared.seo'), component('shared.seo', { title: STRING }));
    await generate(project.root);
    project.remove('content-types/components/shared');
    project.schemas(holder('meta.tags'), component('meta.tags', { title: STRING }));
    const refused = generate(project.root, { execute: NO_DATABASE });
    await expect(refused).rejects.toThrow(
      /component shared\.seo becomes meta\.tags[\s\S]*--rename-component old\.uid=new\.uid$/,
    );
    await generate(project.root, { renames: parseRenames([], [], ['shared.seo=meta.tags']) });
    // Databases that are ahead of the migrations learn of it there.
    expect(project.read('drizzle/meta/_0002_layout.json')).toContain('"from": "shared.seo"');
  });

  it('refuses names that two tables or indexes would share', async () => {
    project.schemas(contentType('article', { published: { type: 'string', unique: true } }));
    await expect(generate(project.root)).rejects.toThrow(/both need the name articles_published/);
    project.schemas(ARTICLE, contentType('slug', { title: STRING }, { table: 'articles_draft' }));
    await generate(project.root);
    project.schemas(contentType('article', { title: STRING }, { drafts: true }));
    await expect(generate(project.root)).rejects.toThrow(/both need the name articles_draft/);
  });

  it('makes columns and link tables for what users have of their own, and refuses to let in what they have not', async () => {
    await generate(project.root);
    const bio = { nickname: { type: 'string', unique: true }, face: { type: 'media' } };
    const likes = { type: 'relation', relation: 'manyToMany', target: 'api::article.article' };
    project.schemas(userFile({ ...bio, likes }));
    expect(await staleFiles(project.root)).toContain('drizzle/ (a migration is missing: alter_up_users)');
    await generate(project.root);
    const sql = project.read('drizzle/0002_alter_up_users.sql');
    expect(sql).toContain('ALTER TABLE `up_users` ADD `nickname` text');
    expect(sql).toMatch(/CREATE TABLE `up_users_likes_lnk`[\s\S]*CREATE INDEX `up_users_nickname`/);
    expect(project.read('.edgewise/built.ts')).toContain('user: {"path":"content-types/extensions/');
    expect(project.read('types/content-types.d.ts')).toContain('  nickname: string | null;');
    const allow = (name: string) =>
      project.write('edgewise.config.ts', `export default { users: { register: { allowedFields: ['${name}'] } } };`);
    allow('blocked');
    await expect(generate(project.root)).rejects.toThrow(/users\.register\.allowedFields: .* adds no "blocked"/);
    allow('nickname');
    await generate(project.root);
    const { paths } = JSON.parse(project.read('openapi.json'));
    const bodyAt = (path: string) =>
      Object.keys(paths[path].post.requestBody.content['application/json'].schema.properties);
    expect(bodyAt('/api/auth/local/register')).toEqual(['email', 'username', 'password', 'nickname']);
    expect(bodyAt('/api/users')).toEqual(expect.arrayContaining(['role', 'nickname', 'face', 'likes']));
    project.remove('content-types/extensions');
    project.remove('edgewise.config.ts');
    await expect(generate(project.root)).rejects.toThrow(/nickname: removed/);
  });

  it('takes a declared rename for no loss', async () => {
    await generate(project.root);
    project.schemas(contentType('article', { title: STRING, summary: STRING }));
    await generate(project.root, { renames: parseRenames(['article.lead=summary'], []) });
    expect(project.read('drizzle/0002_alter_articles.sql')).toContain('RENAME COLUMN "lead" TO "summary"');
  });

  it('refuses an index over what is no attribute, and makes one that is declared, with a search index', async () => {
    const declare = (term: string) =>
      project.write(
        'edgewise.config.ts',
        `export default { indexes: { 'api::article.article': [['${term}']] }, search: ['api::article.article'] };`,
      );
    await generate(project.root);
    declare('nope');
    await expect(generate(project.root)).rejects.toThrow('edgewise.config.ts: indexes.api::article.article.0:');
    declare('title:desc');
    expect(await staleFiles(project.root)).toContain('drizzle/ (a migration is missing: alter_articles)');
    await generate(project.root);
    expect(project.read('drizzle/0002_alter_articles.sql')).toMatch(/CREATE INDEX .* DESC[\s\S]*CREATE VIRTUAL TABLE/);
    expect(await staleFiles(project.root)).toEqual([]);
  });

  it('refuses roles with actions that no content type has', async () => {
    const roles = {
      public: ['api::article.article.find', 'api::article.article.fnd', 'plugin::upload.content-api.find'],
    };
    project.write('edgewise.config.ts', `export default ${JSON.stringify({ roles })};`);
    await expect(generate(project.root)).rejects.toThrow(
      /edgewise\.config\.ts:\n {2}roles\.public: .*"api::article\.article\.fnd" \(did you mean api::article\.article\.find\?\)$/,
    );
  });

  it('writes the bundle, the descriptions, the first migration and its state', async () => {
    const written = await generate(project.root);
    expect([...written].sort()).toEqual(
      [
        ...['built.ts', 'package.json', 'project.ts'].map((name) => `.edgewise/${name}`),
        'drizzle/0001_initial.sql',
        ...GENERATED,
        ...META,
      ].sort(),
    );
  });

  it('writes nothing when nothing has changed', async () => {
    await generate(project.root);
    expect(await generate(project.root)).toEqual([]);
    expect(await staleFiles(project.root)).toEqual([]);
  });

  it('writes no migration for what the database does not know', async () => {
    await generate(project.root);
    project.schemas(contentType('article', { lead: STRING, title: { ...STRING, required: true } }));
    expect(await generate(project.root)).toContain('.edgewise/built.ts');
    expect(project.migrations()).toEqual(['0001_initial.sql']);
  });

  it('writes statements that wrangler splits as they are meant', async () => {
    await generate(project.root);
    const sql = project.read('drizzle/0001_initial.sql');
    const statements = split(sql.replaceAll(/^--.*\n/gm, ''));
    expect(statements.length).toBeGreaterThan(5);
    expect(statements.pop()).toBe(ROTATE_STAMPS);
    expect(statements.splice(-3)).toEqual(Array(3).fill(expect.stringMatching(/^CREATE TRIGGER [^;]+;[^;]+; END$/)));
    expect(statements.pop()).toMatch(/^INSERT OR REPLACE INTO "edgewise_counters" [^;]+$/);
    for (const statement of statements) expect(statement).toMatch(/^CREATE (TABLE|UNIQUE INDEX|INDEX) `[^;]+$/);
  });

  describe.each([
    ['_journal.json', /drizzle\/meta\/_journal\.json: restore it/],
    ['0001_snapshot.json', /drizzle\/meta\/0002_snapshot\.json does not match .* or the revision before it/],
    ['0002_snapshot.json', /drizzle\/meta\/0002_snapshot\.json: restore it/],
    ['_0002_layout.json', /drizzle\/meta\/_0002_layout\.json: restore it/],
  ])('without drizzle/meta/%s', (name, message) => {
    it('asks for it, and writes nothing', async () => {
      await generate(project.root);
      project.schemas(contentType('article', { title: STRING, lead: STRING, body: STRING }));
      await generate(project.root);
      project.remove(`drizzle/meta/${name}`);
      project.schemas(ARTICLE);
      await expect(generate(project.root, { allowDrop: true })).rejects.toThrow(message);
      await expect(staleFiles(project.root)).rejects.toThrow(message);
      expect(project.migrations()).toHaveLength(2);
    });
  });

  it.each(['0001_snapshot.json', '_0001_layout.json', '_journal.json'])('rejects a changed %s', async (name) => {
    await generate(project.root);
    const path = `drizzle/meta/${name}`;
    project.write(path, project.read(path).replaceAll(/"(tag|lead)"/g, '"other"'));
    await expect(generate(project.root)).rejects.toThrow(
      /^drizzle\/meta\/(\w+\.json does not match|_journal\.json: entries)/,
    );
    project.write(path, '[]');
    await expect(generate(project.root)).rejects.toThrow(/^drizzle\/meta\/\w+\.json: restore it from version control/);
    expect(project.migrations()).toHaveLength(1);
  });

  it('completes a migration that the journal does not list, if the content types are the same', async () => {
    await generate(project.root);
    const journal = project.read('drizzle/meta/_journal.json');
    project.schemas(contentType('article', { title: STRING, lead: STRING, body: STRING }));
    await generate(project.root);
    const complete = project.read('drizzle/meta/_journal.json');
    project.write('drizzle/meta/_journal.json', journal);
    project.schemas(contentType('article', { title: STRING, lead: STRING, body: STRING, note: STRING }));
    await expect(generate(project.root)).rejects.toThrow(/0002_snapshot\.json/);
    expect(project.migrations()).toHaveLength(2);
    project.schemas(contentType('article', { title: STRING, lead: STRING, body: STRING }));
    expect(await generate(project.root)).toEqual(['drizzle/meta/_journal.json']);
    expect(project.read('drizzle/meta/_journal.json')).toBe(complete);
    expect(project.migrations()).toHaveLength(2);
  });

  it('writes no migration after one that was changed', async () => {
    await generate(project.root);
    const path = 'drizzle/0001_initial.sql';
    project.write(path, project.read(path).replace('`lead` text', '`other` text'));
    project.schemas(contentType('article', { title: STRING, lead: STRING, body: STRING }));
    await expect(generate(project.root)).rejects.toThrow(
      /do not create the tables of drizzle\/meta\/:\n {2}column articles\.lead/,
    );
    expect(project.migrations()).toHaveLength(1);
  });
});

describe('an attribute that becomes required', () => {
  const drafts = { drafts: true };
  const required = { ...STRING, required: true };

  it('is named once, without a number if there is no local database', async () => {
    project.schemas(contentType('article', { title: required, lead: STRING }, drafts));
    await generate(project.root);
    expect(said).toEqual([]);
    project.schemas(contentType('article', { title: required, lead: required }, drafts));
    await generate(project.root);
    await generate(project.root);
    expect(said).toEqual([
      'api::article.article.lead is required now. Documents without it cannot be published any more (there is no local database to count them)',
    ]);
  });

  it('is named with the documents of the local database that have no value', async () => {
    const related = { type: 'relation', relation: 'oneToOne', target: 'api::article.article' };
    const attributes = (more: object) => ({
      ...{ title: { ...STRING, ...more }, lead: STRING, next: { ...related, ...more } },
      seo: { type: 'component', component: 'shared.seo', repeatable: true, ...more },
    });
    const modelOf = (more: object, others = {}): Model => ({
      types: [contentType('article', { ...attributes(more), ...others }, drafts)],
      components: [component('shared.seo', { title: STRING })],
    });
    const before = modelOf({});
    const database = await openTestDatabase();
    await database.evolve(before);
    const run: Run = async ([sql = '']) => [(await database.run(String(sql))) as Row[]];
    const insert = (id: string, title: string, seo: string) =>
      `insert into articles (document_id, locale, title, seo) values ('${id}', '', ${title}, '${seo}')`;
    const links =
      'source_document_id, source_locale, target_document_id, target_locale, status, position, inverse_position';
    for (const sql of [
      ...[insert('a', "'A'", '[{}]'), insert('b', 'null', '[]'), insert('c', 'null', '[{}]')],
      `insert into articles (document_id, locale, published_at) values ('a', '', 1)`,
      `insert into articles_next_lnk (${links}) values ('a', '', 'b', '', 'draft', 1, 1)`,
    ])
      await database.run(sql);
    const [former, now] = [before, modelOf({ required: true }, { slug: required })].map((model) =>
      registryAfter(EMPTY_STATE, model),
    );
    const warned = await requiredWarnings(requiredOf(former as Registry), now as Registry, run);
    await database.close();
    expect(warned.map((line) => line.replace(/^api::article\.article\.(\w+) .*\((.*)\)$/, '$1: $2'))).toEqual([
      'title: 2 documents of the local database',
      'next: 2 documents of the local database',
      'seo: 1 document of the local database',
      'slug: 3 documents of the local database',
    ]);
  });
});

describe('the locales of the settings', () => {
  const locales = (...codes: readonly string[]) => {
    const entries = codes.map((code, index) => ({ code, name: code, isDefault: index === 0 }));
    project.write('edgewise.config.ts', `export default ${JSON.stringify({ i18n: { locales: entries } })};`);
  };
  beforeEach(async () => {
    project.schemas(contentType('article', { title: STRING }, { localized: true }));
    locales('en', 'fr', 'de');
    await generate(project.root);
    said.length = 0;
  });

  it('may lose one, and what that hides is said once', async () => {
    locales('en', 'de');
    expect(await generate(project.root)).toContain('drizzle/meta/_locales.json');
    expect(project.migrations()).toEqual(['0001_initial.sql']);
    expect(said).toEqual([
      expect.stringMatching(/^i18n\.locales: "fr" was removed\..*Nothing is deleted.*articles.*locale=fr/),
    ]);
    await generate(project.root);
    expect(said).toHaveLength(1);
  });

  it('may have another default, and what that hides is said', async () => {
    locales('fr', 'en', 'de');
    await generate(project.root);
    expect(said).toEqual([expect.stringMatching(/the default locale was "en" and is "fr".*articles.*locale=en/)]);
  });

  it('may grow without a word', async () => {
    locales('en', 'fr', 'de', 'it');
    await generate(project.root);
    expect(said).toEqual([]);
  });

  it('hide nothing where no content type is localized', async () => {
    project.schemas(contentType('article', { title: STRING }));
    await generate(project.root, { allowDrop: true, execute: NO_DATABASE });
    said.length = 0;
    locales('en');
    await generate(project.root);
    expect(said).toEqual([]);
  });
});

describe('--check', () => {
  it.each(GENERATED)('finds a stale %s', async (path) => {
    await generate(project.root);
    project.write(path, `${project.read(path)}\n`);
    expect(await staleFiles(project.root)).toEqual([path]);
  });

  it('finds a missing migration and writes nothing', async () => {
    await generate(project.root);
    project.schemas(contentType('tag', { name: STRING }));
    const stale = await staleFiles(project.root);
    expect(stale).toContain('drizzle/ (a migration is missing: add_tags)');
    expect(project.migrations()).toEqual(['0001_initial.sql']);
    expect(project.read('.edgewise/built.ts')).not.toContain('tag');
  });
});

describe('the bundle', () => {
  const files = { contentTypes: [ARTICLE], components: [], overflow: {}, indexes: {}, search: [] };

  it('is the same text for the same files', () => {
    const text = () => builtFiles(project.root, structuredClone(files), parseSettings({}));
    expect(text()).toEqual(text());
  });

  it('has another fingerprint for other content types and other settings', () => {
    const fingerprint = (given: typeof files, settings = {}) =>
      /fingerprint: '(.+)'/.exec(builtFiles(project.root, given, parseSettings(settings))[0]?.text ?? '')?.[1];
    const all = [
      fingerprint(files),
      fingerprint({ ...files, contentTypes: [] }),
      fingerprint(files, { api: { rest: { maxLimit: 50 } } }),
    ];
    expect(new Set(all).size).toBe(3);
    expect(all).not.toContain(undefined);
  });

  it('carries the files as they are, with their paths', async () => {
    await generate(project.root);
    const { registry } = await import(`${project.root}/.edgewise/built.ts`);
    expect(registry).toEqual({ ...files, placeholders: false, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('says which attributes have no column', async () => {
    const many = Array.from({ length: MAX_ATTRIBUTE_COLUMNS + 1 }, (_, index) => [`a${index}`, STRING]);
    project.schemas(contentType('article', Object.fromEntries(many)));
    await generate(project.root);
    expect(project.read('.edgewise/built.ts')).toContain(
      `overflow: {"api::article.article":["a${MAX_ATTRIBUTE_COLUMNS}"]}`,
    );
  });
});

describe('migration files', () => {
  const part = (statements: readonly string[], when: When = 'before'): Part => ({ when, statements, losses: [] });

  it('follow the highest number', () => {
    expect(nextMigrations('drop_tags', [part(['SELECT 1'])], ['0040_add_tags.sql', '0041_add_tags.sql'])).toEqual([
      { name: '0042_drop_tags.sql', text: `-- deploy: before\nSELECT 1;\n${ROTATE_STAMPS};\n` },
    ]);
  });

  it('are one for what the new version needs, and one for what it does not read', () => {
    const files = nextMigrations('x', [part(['SELECT 1'], 'during'), part(['SELECT 2'], 'after')]);
    expect(files.map(({ name, text }) => [name, text.split('\n')[0]])).toEqual([
      ['0001_x.sql', '-- deploy: during'],
      ['0002_x_after.sql', '-- deploy: after'],
    ]);
  });

  it('are cut when there are very many statements, or very long ones, and say so', () => {
    const many = Array.from({ length: 200 }, (_, index) => `SELECT ${index}`);
    const filesOf = (statements: readonly string[]) => nextMigrations('x', [part(statements)]);
    const files = filesOf(many);
    expect(files.map(({ name }) => name)).toEqual(['0001_x.sql', '0002_x_2.sql', '0003_x_3.sql']);
    for (const { text } of files) expect(text).toMatch(/^-- piece \d of 3: .* continues with it$/m);
    expect(filesOf(Array.from({ length: 3 }, () => 'x'.repeat(60_000)))).toHaveLength(3);
    const joined = files.flatMap(({ text }) => split(text.replaceAll(/^--.*\n/gm, '')));
    expect(joined.filter((statement) => statement !== ROTATE_STAMPS)).toEqual(many);
    expect(joined).toHaveLength(many.length + 3);
  });
});
