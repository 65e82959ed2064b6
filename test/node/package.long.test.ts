/**
 * @module The package as a user has it: packed, installed, a project that `edgewise new` writes, and the next version. One
 * thing differs: npm installs nothing. The packed files are laid into a folder of packages whose others are links to those
 * of this repository, and the project has that folder.
 */
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../cli/core/local-server.ts';
import { archiveOf } from '../support/archive.ts';
import { installPackage, NOTHING_RUN } from '../support/installed-package.ts';
import { MAGAZINE } from '../unit/cli/import/magazine.ts';
import { type Commands, commandsIn, type Ended, interrupt, newerPath } from './first-hour/clone.ts';

const ROOT = join(import.meta.dirname, '../..');
const MINUTES = 300_000;

const IMPORT = /^(?:import|export) (?:[^'";]+? from )?'([^'$]+)';|\bimport\('([^']+)'\)/gm;

interface PackageJson {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as PackageJson;

let folder: string;
/** The installed package. */
let installed: string;
let site: string;
let beside: Commands;
let inside: Commands;

const done = ({ code, output }: Ended): string => {
  expect(code, output).toBe(0);
  return output;
};

/** Another version of the package, with another table of its own or not. */
function release(version: string, tables?: (text: string) => string): void {
  const path = join(installed, 'package.json');
  writeFileSync(path, JSON.stringify({ ...readJson(path), version }));
  const source = join(installed, 'dist/src/content/sql/system-tables.js');
  const text = readFileSync(source, 'utf8');
  if (!tables) return;
  expect(tables(text)).not.toBe(text);
  writeFileSync(source, tables(text));
}

/** What the local database answers. */
function query(sql: string): readonly unknown[] {
  const [path = ''] = globSync('.wrangler/state/v3/d1/*/*.sqlite', { cwd: site }).filter(
    (name) => !name.endsWith('metadata.sqlite'),
  );
  const database = new DatabaseSync(join(site, path), { readOnly: true });
  try {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return statement.all();
  } finally {
    database.close();
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'edgewise-package-'));
  installed = join(folder, 'node_modules/edgewise');
  site = join(folder, 'my-api');
  beside = commandsIn(folder, newerPath);
  inside = commandsIn(site, newerPath);
  await installPackage(folder);
  writeFileSync(join(folder, 'magazine.tar.gz'), await archiveOf(MAGAZINE));
}, MINUTES);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', { timeout: MINUTES }, () => {
  it('depends on every package that it imports', () => {
    const texts = globSync('dist/src/**/*.js', { cwd: installed }).map((path) =>
      readFileSync(join(installed, path), 'utf8'),
    );
    const imported = texts.flatMap((text) => [...text.matchAll(IMPORT)].map(([, name = '', loaded = name]) => loaded));
    const names = imported
      .filter((name) => !/^(\.|(node|cloudflare):)/.test(name))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    const { dependencies } = readJson(join(installed, 'package.json'));
    expect(names).toContain('hono');
    // The tests of a project run in the vitest of that project.
    expect([...new Set(names)].filter((name) => !(name in dependencies) && name !== 'vitest')).toEqual([]);
  });

  it('writes a project with the file it was installed from, which it depends on', async () => {
    const output = done(
      await beside.run('npx', 'edgewise', 'new', 'my-api', '--archive', 'magazine.tar.gz', ...NOTHING_RUN),
    );
    expect(output).toContain('npx edgewise import ../magazine.tar.gz');
    const { version } = readJson(join(installed, 'package.json'));
    expect(readJson(join(site, 'package.json')).dependencies).toEqual({ edgewise: `file:edgewise-${version}.tgz` });
    expect(readdirSync(site)).toContain(`edgewise-${version}.tgz`);
    symlinkSync('../../node_modules', join(site, 'node_modules'));
  });

  it('serves the content of the archive', async () => {
    done(await inside.run('npx', 'edgewise', 'import', '../magazine.tar.gz'));
    const port = String(await freePort());
    const server = inside.start('npm', 'run', 'dev', '--', '--port', port);
    try {
      await server.says('Ctrl-C stops the server', 120_000);
      const [, token = ''] = /Read-only token: (\w+)/.exec(server.output()) ?? [];
      const response = await fetch(`http://127.0.0.1:${port}/api/tags`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { data } = (await response.json()) as { readonly data: readonly object[] };
      expect(await (await fetch(`http://127.0.0.1:${port}/studio/`)).text()).toContain('<title>Studio</title>');
      expect(data.length).toBe(query('SELECT "id" FROM "tags"').length);
      expect(data.length).toBeGreaterThan(0);
    } finally {
      await interrupt(server);
    }
  });

  it('has types and tests that a project passes', async () => {
    // `npm run check` makes the same file, and takes longer.
    cpSync(join(ROOT, 'worker-configuration.d.ts'), join(site, 'worker-configuration.d.ts'));
    const index = join(site, 'src/index.ts');
    const text = readFileSync(index, 'utf8').replaceAll(/^ {2}\/\/ /gm, '  ');
    writeFileSync(index, text);
    done(await inside.run('npx', 'tsc'));
    writeFileSync(join(site, 'src/wrong-write.ts'), text.replaceAll(/(&& \{ )(\w+)/g, '$1$2s'));
    writeFileSync(join(site, 'src/wrong-read.ts'), text.replaceAll(/(data\.)(\w+)/g, '$1$2s'));
    const { output } = await inside.run('npx', 'tsc');
    expect(output).toMatch(/src\/wrong-write\.ts.*\n.*not an attribute of the content type/);
    expect(output.match(/src\/wrong-read\.ts.*Property '\w+' does not exist/g)?.length).toBe(3);
    rmSync(join(site, 'src/wrong-write.ts'));
    rmSync(join(site, 'src/wrong-read.ts'));
    done(await inside.run('npx', 'edgewise', 'test', '--init', '--no-install'));
    expect(done(await inside.run('npm', 'test'))).toMatch(/Test Files .*2 passed/);
  });

  it('is bundled by plain wrangler, once the providers of the archive know where to return', async () => {
    const config = join(site, 'edgewise.config.ts');
    const { code, output: refusal } = await inside.run('npx', 'wrangler', 'deploy', '--dry-run');
    expect([code, refusal]).toEqual([1, expect.stringContaining('edgewise.config.ts: server.url: expected')]);
    const text = readFileSync(config, 'utf8');
    writeFileSync(config, text.replace('defineConfig({', "defineConfig({ server: { url: 'https://api.example.com' },"));
    const output = done(await inside.run('npx', 'wrangler', 'deploy', '--dry-run'));
    expect(output).toContain('env.DB (my-api)');
  });
});

describe('the next version of the package', { timeout: MINUTES }, () => {
  it('is taken by migrate, with its tables, and nothing is lost', async () => {
    const before = query('SELECT * FROM "articles" ORDER BY "id"');
    expect(before.length).toBeGreaterThan(0);
    const column = "text('stamps').notNull()";
    release('99.0.0', (text) => text.replace(column, `${column}, notedAt: integer('noted_at')`));
    const output = done(await inside.run('npx', 'edgewise', 'migrate'));
    expect(output).toMatch(/wrote drizzle\/\d+_edgewise_99_0_0\.sql/);
    expect(output).toContain('1 migration applied');
    expect(query('PRAGMA table_info("edgewise_stamps")')).toContainEqual(expect.objectContaining({ name: 'noted_at' }));
    expect(query('SELECT * FROM "articles" ORDER BY "id"')).toEqual(before);
  });

  it('is not followed by an older one', async () => {
    release('98.9.0');
    const { code, output } = await inside.run('npx', 'edgewise', 'migrate');
    expect({ code, output: output.trim() }).toEqual({
      code: 1,
      output: 'This project was generated by Edgewise 99.0.0, and 98.9.0 cannot go back; install 99.0.0 or newer',
    });
  });
});
