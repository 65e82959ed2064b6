/**
 * @module drizzle-kit works on what `npx edgewise generate` writes.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { generateSQLiteDrizzleJson } from 'drizzle-kit/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Snapshot, statementsBetween } from '../../../cli/migrations/drizzle-kit.ts';
import { readMigrations } from '../../../cli/migrations/migration-files.ts';
import { schemaParts } from '../../../cli/migrations/replay.ts';
import { EMPTY_SNAPSHOT } from '../../../cli/migrations/snapshot.ts';
import { checkGenerated, generate } from '../../../cli/project/generate.ts';
import { component, contentType } from '../../support/schema-files.ts';
import { itLong } from '../../support/tier.ts';
import { hearProgress } from './heard.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

hearProgress();

const ROOT = join(import.meta.dirname, '../../..');
const TYPES =
  'string text richtext email uid password integer biginteger decimal float boolean date time datetime json blocks'.split(
    ' ',
  );
const ALL = Object.fromEntries(TYPES.map((type) => [`${type}Value`, { type }]));
const MANY = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`more${index}`, { type: 'string' }]));

/** Every type of attribute, with and without a column; tables whose names are no names of constants. */
const MODEL = [
  contentType(
    'article',
    {
      ...{ title: { type: 'string', unique: true }, kind: { type: 'enumeration', enum: ['a', 'b'] }, ...ALL, ...MANY },
      seo: { type: 'component', component: 'shared.seo' },
      zone: { type: 'dynamiczone', components: ['shared.seo'] },
      cover: { type: 'media' },
      notes: { type: 'relation', relation: 'manyToMany', target: 'api::note.note', inversedBy: 'articles' },
      'odd-name': { type: 'string' },
    },
    { drafts: true, localized: true },
  ),
  contentType(
    'note',
    { articles: { type: 'relation', relation: 'manyToMany', target: 'api::article.article', mappedBy: 'notes' } },
    { table: 'my-notes' },
  ),
  contentType('klass', { title: { type: 'string' } }, { table: 'class' }),
  contentType('word', { title: { type: 'string' } }, { table: 'text' }),
  contentType('start', { title: { type: 'string' } }, { single: true }),
  component('shared.seo', { title: { type: 'string' } }),
];
const UID = 'api::article.article';
const SETTINGS = { indexes: { [UID]: [['decimalValue:desc', 'kind'], ['dateValue']] }, search: [UID] };

let project: ScratchProject;
beforeAll(async () => {
  project = scratchProject();
  project.schemas(...MODEL);
  project.write('edgewise.config.ts', `export default ${JSON.stringify(SETTINGS)};`);
  copyFileSync(join(ROOT, 'drizzle.config.ts'), join(project.root, 'drizzle.config.ts'));
  symlinkSync(join(ROOT, 'node_modules'), join(project.root, 'node_modules'), 'dir');
  await generate(project.root, { isEmpty: true });
});
afterAll(() => project.remove('.'));

function kit(...args: readonly string[]) {
  const bin = join(ROOT, 'node_modules/drizzle-kit/bin.cjs');
  return spawnSync(process.execPath, [bin, ...args], { cwd: project.root, encoding: 'utf8' });
}

const files = () =>
  globSync('drizzle/**/*.*', { cwd: project.root }).map((path) => [path, readFileSync(join(project.root, path))]);

/** What SQLite reads, without what Drizzle cannot describe: search indexes and their triggers. */
function partsAfter(statements: readonly string[]) {
  const database = new DatabaseSync(':memory:');
  for (const text of statements) database.exec(text);
  const parts = [...schemaParts(database)].filter(([name]) => !/_search\b|_search_/.test(name));
  return Object.fromEntries(parts);
}

describe('drizzle-kit/api', () => {
  it('describes the tables of drizzle/schema.ts as the snapshot does that generate has written', async () => {
    const schema = await import(`${project.root}/drizzle/schema.ts`);
    const { tables, ...others } = JSON.parse(JSON.stringify(await generateSQLiteDrizzleJson(schema)));
    const [name] = globSync('drizzle/meta/*_snapshot.json', { cwd: project.root });
    const { tables: own, ...ours } = JSON.parse(project.read(String(name)));
    expect(Object.keys(others).sort()).toEqual(Object.keys(ours).sort());
    const { version, dialect, views, enums, _meta } = ours;
    expect(others).toMatchObject({ version, dialect, views, enums, _meta });
    expect(Object.keys(tables).sort()).toEqual(Object.keys(own).sort());
    const { indexes, ...article } = own.articles;
    expect(tables.articles).toMatchObject(article);
    expect(Object.keys(tables.articles.indexes).sort()).toEqual(Object.keys(indexes).sort());
  });

  it('makes the statements of each kind that migrations use, in the form that they expect', async () => {
    const text = (name: string, more = {}) => ({
      ...{ name, type: 'text', primaryKey: false, notNull: false, autoincrement: false, ...more },
    });
    const of = (columns: object, indexes: object): Snapshot => {
      const keys = { foreignKeys: {}, compositePrimaryKeys: {}, uniqueConstraints: {}, checkConstraints: {} };
      const internal = { indexes: { by_b: { columns: { '"b" desc': { isExpression: true } } } } };
      return {
        ...EMPTY_SNAPSHOT,
        tables: { notes: { name: 'notes', columns, indexes, ...keys } },
        internal,
      } as Snapshot;
    };
    const id = { ...text('id'), type: 'integer', primaryKey: true, notNull: true, autoincrement: true };
    const byB = { name: 'by_b', columns: ['"b" desc', 'a'], isUnique: true, where: '"notes"."a" is not null' };
    const first = of({ id, a: text('a', { notNull: true, default: "''" }) }, {});
    const second = of({ id, a: first.tables.notes?.columns.a, b: text('b') }, { by_b: byB });
    expect(await statementsBetween(EMPTY_SNAPSHOT, first)).toEqual([
      "CREATE TABLE `notes` (\n\t`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,\n\t`a` text DEFAULT '' NOT NULL\n)",
    ]);
    expect(await statementsBetween(first, second)).toEqual([
      'ALTER TABLE `notes` ADD `b` text',
      'CREATE UNIQUE INDEX `by_b` ON `notes` (`b` DESC,`a`) WHERE "notes"."a" is not null',
    ]);
    expect(await statementsBetween(second, first)).toEqual([
      'DROP INDEX `by_b`',
      'ALTER TABLE `notes` DROP COLUMN `b`',
    ]);
    expect(await statementsBetween(first, EMPTY_SNAPSHOT)).toEqual(['DROP TABLE `notes`']);
  });
});

describe('drizzle-kit', () => {
  itLong('checks the snapshots, and changes no file', () => {
    const before = files();
    expect(kit('check')).toMatchObject({ status: 0, stdout: expect.stringContaining("Everything's fine") });
    expect(files()).toEqual(before);
  });

  itLong('exports the tables that the migrations make', () => {
    const { status, stdout } = kit('export');
    expect(status).toBe(0);
    const exported = partsAfter([stdout]);
    expect(Object.keys(exported).length).toBeGreaterThan(200);
    expect(exported).toEqual(partsAfter(readMigrations(project.root).map(({ text }) => text)));
  });

  it('finds nothing to migrate after npx edgewise generate', async () => {
    const before = files();
    expect(kit('generate').stdout).toContain('No schema changes');
    expect(files()).toEqual(before);
    await checkGenerated(project.root);
  });

  itLong('notices two migrations that were made from the same state', async () => {
    project.schemas(contentType('start', { title: { type: 'string' }, lead: { type: 'text' } }));
    await generate(project.root, { isEmpty: true });
    expect(kit('check').status).toBe(0);
    project.write('drizzle/meta/0009_snapshot.json', project.read('drizzle/meta/0002_snapshot.json'));
    expect(kit('check')).toMatchObject({ status: 1, stdout: expect.stringContaining('which is a collision') });
    project.remove('drizzle/meta/0009_snapshot.json');
  });

  it('has the current schema only', async () => {
    const right = project.read('drizzle/schema.ts');
    project.write('drizzle/schema.ts', right.replace("text('title')", "text('titel')"));
    await expect(checkGenerated(project.root)).rejects.toThrow(/Stale[\s\S]*drizzle\/schema\.ts/);
    await generate(project.root, { isEmpty: true });
    expect(project.read('drizzle/schema.ts')).toBe(right);
  });
});
