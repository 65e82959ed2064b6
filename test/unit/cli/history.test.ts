/**
 * @module Migrations that were edited, removed or put in another place after they were applied are noticed, and nothing
 * more is applied then.
 */
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { wrangler } from '../../../cli/core/wrangler/wrangler.ts';
import { migrate } from '../../../cli/migrations/apply.ts';
import { checkGenerated, generate } from '../../../cli/project/generate.ts';
import { contentType } from '../../support/schema-files.ts';
import { itLong } from '../../support/tier.ts';
import { type Account, emptyAccount, standIn, wranglerToml } from './cloudflare.ts';
import { hearProgress } from './heard.ts';
import { type ScratchProject, scratchProject } from './scratch-project.ts';

hearProgress();

const STRING = { type: 'string' };
const FIRST = 'drizzle/0001_initial.sql';
const SECOND = 'drizzle/0002_alter_articles.sql';

let project: ScratchProject;
let account: Account;
beforeEach(async () => {
  project = scratchProject();
  project.write('wrangler.toml', wranglerToml('edgewise'));
  await change('title');
  await change('title', 'lead');
  account = emptyAccount();
  account.databases.set('edgewise', new DatabaseSync(':memory:'));
  return () => project.remove('.');
});

async function change(...names: readonly string[]): Promise<void> {
  project.schemas(contentType('article', Object.fromEntries(names.map((name) => [name, STRING]))));
  await generate(project.root);
}

const database = () => account.databases.get('edgewise') ?? new DatabaseSync(':memory:');
const apply = (failing?: string) =>
  migrate({ remote: true }, standIn(project.root, account, { failing }).quietly, project.root);
const noted = () =>
  database()
    .prepare('SELECT name FROM edgewise_migrations ORDER BY name')
    .all()
    .map(({ name }) => name);
const columns = () =>
  database()
    .prepare("SELECT name FROM pragma_table_info('articles')")
    .all()
    .map(({ name }) => name);

describe('migrate', () => {
  it('notes what it has applied, in the transaction that applies it', async () => {
    expect(await apply()).toBe(2);
    expect(noted()).toEqual(project.migrations());
    expect(await apply()).toBe(0);
    await change('title', 'lead', 'body');
    expect(await apply()).toBe(1);
    expect(noted()).toEqual(project.migrations());
  });

  it.each<[what: string, tamper: () => void, says: RegExp]>([
    [
      'was edited',
      () => project.write(SECOND, project.read(SECOND).replace('`lead` text', '`lead` integer')),
      /0002_alter_articles\.sql: was changed after it was applied/,
    ],
    ['was removed', () => project.remove(SECOND), /0002_alter_articles\.sql: was applied, and is missing/],
    [
      'was put before one that was applied',
      () => project.write('drizzle/0001_another.sql', 'CREATE TABLE "other" ("id" integer);'),
      /0001_another\.sql: comes before 0002_alter_articles\.sql, which was applied without it/,
    ],
  ])('refuses to go on when a migration %s', async (_, tamper, says) => {
    await apply();
    tamper();
    project.write('drizzle/0003_next.sql', 'ALTER TABLE "articles" ADD "body" text;');
    await expect(apply()).rejects.toThrow(says);
    expect(columns()).not.toContain('body');
  });

  it('goes by the text and not by its line ends', async () => {
    await apply();
    project.write(FIRST, project.read(FIRST).replaceAll('\n', '\r\n'));
    expect(await apply()).toBe(0);
  });

  it('goes on with the migration that failed, and says which were applied', async () => {
    const right = project.read(SECOND);
    project.write(SECOND, right.replace('ADD `lead`', 'ADD `title`'));
    await expect(apply()).rejects.toThrow(
      /duplicate column[\s\S]*before that: 0001_initial\.sql[\s\S]*continues with it/,
    );
    project.write(SECOND, right);
    expect(await apply()).toBe(1);
    expect(columns()).toContain('lead');
  });

  it('notes later what was applied without it', async () => {
    const { quietly } = standIn(project.root, account);
    await quietly(['d1', 'migrations', 'apply', 'DB', '--remote']);
    expect(noted()).toEqual([]);
    expect(await apply()).toBe(0);
    expect(noted()).toEqual(project.migrations());
  });

  it('refuses a database from before the first release, and says how its content comes over', async () => {
    database().exec(`CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      INSERT INTO d1_migrations (name) VALUES ('0001_initial.sql'), ('0006_link_versions.sql')`);
    await expect(apply()).rejects.toThrow(
      /^The deployed database was made by a version from before the first release: export its content with that version \(npx edgewise export\), then import the archive into an empty database here \(npx edgewise import <archive>; .*\)$/,
    );
    expect(columns()).toEqual([]);
  });

  itLong('does the same with the wrangler of this project and a local database', async () => {
    const target = { persistTo: `${project.root}/state` };
    expect(await migrate(target, wrangler, project.root)).toBe(2);
    project.write(SECOND, `${project.read(SECOND)}-- an afterthought\n`);
    await expect(migrate(target, wrangler, project.root)).rejects.toThrow(
      /local database[\s\S]*delete \.wrangler\/state/,
    );
  });
});

describe('generate --check', () => {
  it('finds a migration that was changed, also before any database has it', async () => {
    await checkGenerated(project.root);
    project.write(SECOND, project.read(SECOND).replace('`lead` text', '`lead` integer'));
    await expect(checkGenerated(project.root)).rejects.toThrow(/do not create[\s\S]*column articles\.lead differs/);
  });

  it('finds nothing after the type of an attribute changed under a descending index', async () => {
    const rated = (type: string) => project.schemas(contentType('article', { title: STRING, rating: { type } }));
    const indexes = { 'api::article.article': [['rating:desc']] };
    project.write('edgewise.config.ts', `export default ${JSON.stringify({ indexes })};`);
    rated('decimal');
    await generate(project.root, { isEmpty: true });
    rated('float');
    await generate(project.root);
    expect(project.read(`drizzle/${project.migrations().at(-1)}`)).toContain('(`locale`,`rating` DESC)');
    await checkGenerated(project.root);
  });
});
